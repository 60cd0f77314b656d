import type { AccessReview } from "./access.js";
import { experimentRoutes } from "./experiment-routes.js";
import type { FakeAnswer, FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { pipelineRoutes } from "./pipeline-routes.js";
import { recurringRunRoutes } from "./recurring-run-routes.js";
import { gatewayRefusal, Refusal, refusal, uploadRefusal } from "./refusal.js";
import { reportWorkflow } from "./report-workflow.js";
import { runRoutes } from "./run-routes.js";
import { uploadRoutes } from "./upload-routes.js";
import { versionRoutes } from "./version-routes.js";

const base = "/apis/v2beta1";
const gateway = { "content-type": "application/json", "grpc-metadata-content-type": "application/grpc" };

/** Answers a request as the API server does. */
export async function answerRequest(
  store: FakeStore,
  review: AccessReview,
  request: FakeRequest,
): Promise<FakeAnswer> {
  try {
    return await route(store, review, request);
  } catch (error) {
    if (error instanceof Refusal)
      return { status: error.status, headers: { "content-type": error.contentType }, body: error.body };
    const { status, body } = refusal(
      13,
      `Internal error: ${error instanceof Error ? error.message : "unknown"}`,
    );
    return { status, headers: { "content-type": "application/json" }, body };
  }
}

async function route(store: FakeStore, review: AccessReview, request: FakeRequest): Promise<FakeAnswer> {
  const { path } = request;
  if (/^\/apis\/v1alpha1\/runs\/[^/]*\/nodes\/[^/]*\/log$/.test(path)) return logAnswer(store, path);
  if (!path.startsWith("/apis/")) throw new Refusal(404, "404 page not found\n", "text/plain; charset=utf-8");
  const own = path.startsWith(base) ? path.slice(base.length) : "";
  if (own === "/healthz") return health(store);
  const uploads = uploadRoutes(store, review);
  const routes = [...uploads, ...serviceRoutes(store, review)];
  const matching = routes.filter(({ pattern }) => pattern.test(own));
  const found = matching.find(({ method }) => method === request.method);
  if (found === undefined) throw noRoute(own, matching.length > 0);
  const parts = (found.pattern.exec(own) ?? []).slice(1).map(decode);
  const body = JSON.stringify(await found.handle(request, parts));
  return {
    status: 200,
    headers: uploads.includes(found) ? { "content-type": "text/plain; charset=utf-8" } : gateway,
    body,
  };
}

function serviceRoutes(store: FakeStore, review: AccessReview): readonly Route[] {
  return [
    ...pipelineRoutes(store, review),
    ...versionRoutes(store),
    ...experimentRoutes(store, review),
    ...runRoutes(store, review),
    ...recurringRunRoutes(store, review),
    {
      method: "POST",
      pattern: /^\/workflows$/,
      handle: ({ body }) => {
        reportWorkflow(store, `${JSON.parse(new TextDecoder().decode(body))}`);
        return {};
      },
    },
  ];
}

/** What is a thing of the API, but has no such method or verb, is not implemented; everything else is not found. */
function noRoute(path: string, isKnown: boolean): Refusal {
  const isThing = /^\/(pipelines|experiments|runs|recurringruns)(\/[^/]+)?$/.test(path);
  return isKnown || isThing ? gatewayRefusal(12, "Method Not Allowed") : gatewayRefusal(5, "Not Found");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function health({ isMultiUser }: FakeStore): FakeAnswer {
  const body = {
    commit_sha: "abcdef",
    tag_name: "2.16.1",
    multi_user: isMultiUser,
    pipeline_store: "database",
  };
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: JSON.stringify(body),
  };
}

/** A log that is not there is told with 200. */
function logAnswer({ runs }: FakeStore, path: string): FakeAnswer {
  const id = decode(path.split("/")[4] ?? "");
  const why = runs.has(id)
    ? "NotFoundError: no log is kept"
    : `BadRequestError: Failed to read logs for run ${id} due to run fetching error: Failed to fetch run ${id}: ResourceNotFoundError: Run ${id} not found`;
  const { body } = uploadRefusal(200, why, why);
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}
