import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createPipelineClient } from "@wye/pipeline-client";
import { type Handler, serveFiles } from "@wye-examples/page-parts/files";
import { isFromOwnPage } from "@wye-examples/page-parts/own-page";
import { readFollowRequest } from "./follow-request.js";
import { startPretendedRun } from "./start-pretended-run.js";
import { type Told, tellOfRun } from "./tell-of-run.js";

export interface RunFollowerOptions {
  /** Where the page is mounted, without a slash at the end: `/pipelines/follow`. Default: at the root. */
  readonly prefix?: string;
  /** The folder with the built page. Default: `public` beside this file, where the build puts it. */
  readonly publicFolder?: string;
  /** What stands above each page, as HTML: the way back to where all of this is mounted. */
  readonly banner?: string;
  /** How long a task of the pretended cluster takes. Default: 1,500. */
  readonly stepMs?: number;
  /** The shortest time between two questions to a server. Default: 1,000. */
  readonly pollMs?: number;
}

const builtPage = fileURLToPath(new URL("./public", import.meta.url));
const pretendedFile = fileURLToPath(new URL("../pipelines/nightly.yaml", import.meta.url));

/**
 * A page on which one follows a run on any Kubeflow server. This server asks it, because clusters answer no pages of others: mount
 * it only where everybody who can open the page may reach what this server can reach.
 */
export function createRunFollower(options: RunFollowerOptions = {}): Handler {
  const { prefix = "", publicFolder = builtPage, stepMs = 1500, pollMs = 1000, banner } = options;
  const files = serveFiles(publicFolder, prefix, banner);
  const file = readFileSync(pretendedFile);

  async function* tell(request: IncomingMessage, signal: AbortSignal): AsyncGenerator<Told> {
    try {
      const { host, namespace, token, ...asked } = await readFollowRequest(request);
      const { client, run } =
        host === ""
          ? await startPretendedRun(file, stepMs)
          : { client: createPipelineClient({ host, ...access(namespace, token) }), run: asked.run };
      yield* tellOfRun(client, run, { signal, pollMs });
    } catch (error) {
      // Nobody listens any more.
      if (signal.aborted) return;
      yield { kind: "problem", message: error instanceof Error ? error.message : String(error) };
    }
  }

  return (request, response, next) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (request.method !== "POST" || path !== `${prefix}/follow`) files(request, response, next);
    else if (!isFromOwnPage(request)) response.writeHead(403).end("Only the page itself asks for this.\n");
    else void stream(response, (signal) => tell(request, signal));
  };
}

function access(namespace: string, token: string) {
  return { ...(namespace !== "" && { namespace }), ...(token !== "" && { auth: { token } }) };
}

/** Sends one line of JSON for each thing that is told, as fast as the page reads, until the page is closed. */
async function stream(
  response: ServerResponse,
  tell: (signal: AbortSignal) => AsyncGenerator<Told>,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  async function* lines(): AsyncGenerator<string> {
    for await (const told of tell(closed.signal)) yield `${JSON.stringify(told)}\n`;
  }
  // A page that goes away ends it in the middle.
  await pipeline(Readable.from(lines()), response).catch(() => response.destroy());
}
