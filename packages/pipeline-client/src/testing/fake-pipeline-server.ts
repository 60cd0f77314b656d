import type { IncomingMessage, ServerResponse } from "node:http";
import { checkOptions } from "@wye/pipeline-spec";
import { systemClock } from "../clock.js";
import { newId } from "../new-id.js";
import type { AccessReview } from "./access.js";
import { answerRequest } from "./answer-request.js";
import { insertExperiment } from "./experiment-routes.js";
import type { FakeRequest } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { reportWorkflow } from "./report-workflow.js";
import { defaultPlan, type RunPlan } from "./run-plan.js";

/** How a fake server is made. Everything has a default. */
export interface FakePipelineServerOptions {
  /** Milliseconds since 1970: what lets runs advance. The time of this machine if not given. */
  readonly now?: (() => number) | undefined;
  /** What becomes of runs: if not given they start after a second and succeed after three. */
  readonly plan?: RunPlan | undefined;
  /** Whether there are several users, so that namespaces count. */
  readonly multiUser?: boolean | undefined;
  /** With several users: says why somebody may not do something. Everybody may do everything if not given. */
  readonly review?: AccessReview | undefined;
  /** What stands before `/apis/v2beta1`, such as `/pipeline`. */
  readonly prefix?: string | undefined;
  /** Gives ids. */
  readonly newId?: (() => string) | undefined;
  /** What is at an address, for pipelines that the server fetches; nothing is anywhere if not given. */
  readonly fetchFile?: ((url: string) => Promise<Uint8Array>) | undefined;
}

/** A server of Kubeflow Pipelines 2.16 that keeps everything in memory. */
export interface FakePipelineServer {
  /** Answers a request: for `http.createServer`, and as middleware of Express and its like. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request of the platform's own kind: a `fetch` without a network. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** What it holds. */
  readonly store: FakeStore;
  /** Says what the workflow engine would: a run follows it from then on. Takes the workflow as JSON text. */
  report(workflow: string): void;
}

/** Makes a server that behaves as a real one does, in what it answers and in what it gets wrong. */
export function createFakePipelineServer(options: FakePipelineServerOptions = {}): FakePipelineServer {
  checkOptions("createFakePipelineServer", options, {
    now: "any",
    plan: "any",
    multiUser: [true, false],
    review: "any",
    prefix: "text",
    newId: "any",
    fetchFile: "any",
  });
  const { now = systemClock.now, plan = defaultPlan, multiUser = false, review = () => undefined } = options;
  if (typeof now !== "function" || typeof plan !== "function" || typeof review !== "function")
    throw new TypeError("`now`, `plan` and `review` are functions");
  if (options.prefix !== undefined && !/^(?:\/.*[^/])?$/.test(options.prefix))
    throw new TypeError("`prefix` begins with a slash, and does not end with one");
  const store: FakeStore = {
    ...{ pipelines: new Map(), versions: new Map(), experiments: new Map() },
    ...{
      runs: new Map(),
      recurringRuns: new Map(),
      defaultExperimentId: "",
      isMultiUser: multiUser,
      plan,
      now,
    },
    seconds: () => Math.floor(now() / 1000),
    newId: options.newId ?? newId,
    fetchFile: options.fetchFile ?? (() => Promise.reject(new Error("nothing is anywhere"))),
  };
  if (!multiUser) {
    const about = "All runs created without specifying an experiment will be grouped here.";
    store.defaultExperimentId = insertExperiment(store, "Default", about, "").id;
  }
  const { prefix = "" } = options;
  const answer = (request: FakeRequest) => answerRequest(store, review, request);
  return {
    store,
    report: (workflow) => reportWorkflow(store, workflow),
    handler: (request, response) => {
      // Nothing that is asked ends the process.
      handle(request, response, prefix, answer).catch(() => response.destroy());
    },
    async fetch(url, init) {
      const request = await fakeRequest(new Request(url, init), prefix);
      const { status, headers, body } = await answer(request);
      return new Response(body, { status, headers });
    },
  };
}

type Answer = (request: FakeRequest) => ReturnType<typeof answerRequest>;

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  prefix: string,
  answer: Answer,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    // Whoever asked is gone: there is nobody to answer.
    response.destroy();
    return;
  }
  const [path = "/", ...rest] = (request.url ?? "/").split("?");
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
  const body = new Uint8Array(Buffer.concat(chunks));
  const { method = "GET" } = request;
  const found = await answer({
    method,
    path: without(prefix, path),
    query: new URLSearchParams(rest.join("?")),
    headers,
    body,
  });
  response.writeHead(found.status, found.headers);
  response.end(method === "HEAD" ? undefined : found.body);
}

async function fakeRequest(request: Request, prefix: string): Promise<FakeRequest> {
  const { pathname, searchParams } = new URL(request.url);
  return {
    method: request.method,
    path: without(prefix, pathname),
    query: searchParams,
    headers: Object.fromEntries(request.headers),
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

const without = (prefix: string, path: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;
