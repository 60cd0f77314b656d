import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline as connected } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createPipelineClient } from "@wye/pipeline-client";
import { parsePipeline } from "@wye/pipeline-spec";
import { type Handler, serveFiles } from "@wye-examples/page-parts/files";
import { isFromOwnPage } from "@wye-examples/page-parts/own-page";
import { readFollowRequest } from "./follow-request.js";
import { tellOfLocalRun } from "./tell-of-local-run.js";
import { tellOfRun } from "./tell-of-run.js";
import type { Told } from "./told.js";

export interface RunFollowerOptions {
  /** Where the page is mounted, without a slash at the end: `/pipelines/follow`. Default: at the root. */
  readonly prefix?: string;
  /** The folder with the built page. Default: `public` beside this file, where the build puts it. */
  readonly publicFolder?: string;
  /** What stands above each page, as HTML: the way back to where all of this is mounted. */
  readonly banner?: string;
  /** How long a task takes that runs on this machine. Default: 1,500. */
  readonly stepMs?: number;
  /** The shortest time between two questions to a server. Default: 1,000. */
  readonly pollMs?: number;
}

const builtPage = fileURLToPath(new URL("./public", import.meta.url));
const nightlyFile = fileURLToPath(new URL("../pipelines/nightly.yaml", import.meta.url));

/**
 * A page on which one follows a run: on any Kubeflow server, or on this machine by the local runner. The server of the page asks the
 * cluster, because clusters answer no pages of others: mount it only where everybody who can open the page may reach what it can reach.
 */
export function createRunFollower(options: RunFollowerOptions = {}): Handler {
  const { prefix = "", publicFolder = builtPage, stepMs = 1500, pollMs = 1000, banner } = options;
  const files = serveFiles(publicFolder, prefix, banner);
  const nightly = parsePipeline(readFileSync(nightlyFile));
  if (!nightly.ok) throw new Error(nightly.problems[0]?.message);
  const { pipeline } = nightly;

  async function* tell(request: IncomingMessage, signal: AbortSignal): AsyncGenerator<Told> {
    try {
      const { host, namespace, token, ...asked } = await readFollowRequest(request);
      if (host === "") yield* tellOfLocalRun(pipeline, { signal, stepMs });
      else {
        const client = createPipelineClient({ host, ...access(namespace, token) });
        yield* tellOfRun(client, asked.run, { signal, pollMs });
      }
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
  await connected(Readable.from(lines()), response).catch(() => response.destroy());
}
