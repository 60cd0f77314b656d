import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { drawRun } from "@wye/pipeline-runner/report";
import { parsePipeline } from "@wye/pipeline-spec";
import { type Handler, sendPage, serveFiles } from "@wye-examples/page-parts/files";
import { isFromOwnPage } from "@wye-examples/page-parts/own-page";
import { LiveRun } from "./live-run.js";
import { streamRun } from "./stream-run.js";

export interface RunBoardOptions {
  /** Where the page is mounted, without a slash at the end: `/pipelines/run`. Default: at the root. */
  readonly prefix?: string;
  /** The folder with the built page. Default: `public` beside this file, where the build puts it. */
  readonly publicFolder?: string;
  /** What stands above each page, as HTML: the way back to where all of this is mounted. */
  readonly banner?: string;
  /** How long a step of a task takes: 600 by default, so that there is something to watch. */
  readonly stepMs?: number;
}

/** The page behind a handler, and its run. */
export interface RunBoard {
  readonly handler: Handler;
  /** Stops the run, and ends what pages hear. */
  readonly close: () => Promise<void>;
}

const builtPage = fileURLToPath(new URL("./public", import.meta.url));
const pipelineFile = fileURLToPath(new URL("../pipelines/forecast.yaml", import.meta.url));

/** Runs the forecast in this process, for pages that start, stop and watch it. */
export function createRunBoard(options: RunBoardOptions = {}): RunBoard {
  const { prefix = "", publicFolder = builtPage, stepMs = 600, banner } = options;
  const parsed = parsePipeline(readFileSync(pipelineFile));
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  const run = new LiveRun(parsed.pipeline, stepMs);
  const files = serveFiles(publicFolder, prefix, banner);
  const streams = new Set<ServerResponse>();
  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
    "GET /graph.svg": (request, response) => {
      const body = new TextEncoder().encode(drawRun(parsed.pipeline, run.tasks) ?? "");
      sendPage(request, response, { status: 200, type: "image/svg+xml", body: () => body });
    },
    "GET /events": (_, response) => {
      streams.add(response);
      response.once("close", () => streams.delete(response));
      streamRun(run, response);
    },
    "GET /report": (_, response) => sendReport(response, run.report),
    "POST /start": (request, response) => {
      const withoutData = new URL(request.url ?? "/", "http://page").searchParams.get("withoutData") ?? "";
      answer(response, run.start(withoutData) ? 202 : 409);
    },
    "POST /stop": (_, response) => {
      void run.stop();
      answer(response, 202);
    },
  };
  return {
    handler: (request, response, next) => {
      const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
      const route = path.startsWith(prefix) ? `${request.method} ${path.slice(prefix.length)}` : "";
      if (!Object.hasOwn(routes, route)) files(request, response, next);
      else if (request.method === "POST" && !isFromOwnPage(request)) answer(response, 403);
      else routes[route]?.(request, response);
    },
    close: async () => {
      for (const stream of streams) stream.destroy();
      await run.stop();
    },
  };
}

/** A report has its styles in it, and nothing else. */
function sendReport(response: ServerResponse, report: string | undefined): void {
  if (report === undefined) {
    answer(response, 404);
    return;
  }
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(report);
}

const answers = {
  202: "Done.",
  403: "Only the page itself asks for this.",
  404: "No run has ended yet.",
  409: "There is a run.",
};

function answer(response: ServerResponse, status: keyof typeof answers): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${answers[status]}\n`);
}
