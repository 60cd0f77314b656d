import { checkOptions, isObject, type KnownOptions } from "@wye/pipeline-spec";
import type { PipelineClientOptions } from "./client-options.js";
import { basePath, type ClientContext } from "./context.js";
import type { ApiRequest } from "./http/api-request.js";
import { createSession } from "./http/create-session.js";
import { everyCall } from "./http/known-call.js";
import { readAnswer } from "./http/read-answer.js";
import type { Session } from "./http/session.js";
import { hostAddress, requestOptions } from "./http/session-settings.js";
import { createLinks } from "./links.js";
import type { PipelineClient, RawAnswer, RawRequest } from "./pipeline-client.js";
import { createExperimentsApi } from "./resources/create-experiments-api.js";
import { createPipelinesApi } from "./resources/create-pipelines-api.js";
import { createRecurringRunsApi } from "./resources/create-recurring-runs-api.js";
import { createRunsApi } from "./resources/create-runs-api.js";
import { createVersionsApi } from "./resources/create-versions-api.js";
import { readHealth } from "./wire/health.js";
import { parseJson } from "./wire/parse-json.js";

const known: KnownOptions<PipelineClientOptions> = {
  ...requestOptions,
  host: "any",
  namespace: "text",
  uiHost: "any",
};

/** A client of a server of Kubeflow Pipelines. Nothing is sent before the first call. */
export function createPipelineClient(options: PipelineClientOptions): PipelineClient {
  checkOptions("createPipelineClient", options, known);
  const { host, namespace, uiHost = host, ...settings } = options;
  const session = createSession(hostAddress("host", host), settings);
  const context: ClientContext = { session, namespace: namespace || undefined };
  return {
    pipelines: createPipelinesApi(context),
    versions: createVersionsApi(context),
    experiments: createExperimentsApi(context),
    runs: createRunsApi(context),
    recurringRuns: createRecurringRunsApi(context),
    links: createLinks(hostAddress("uiHost", uiHost)),
    async health(given) {
      const request: ApiRequest = { method: "GET", path: `${basePath}/healthz`, isRepeatable: true };
      const answer = await session.send(request, session.start(given));
      return readHealth(readAnswer(session, request, answer)) ?? {};
    },
    request: async (request) => sendRaw(session, request),
  };
}

const rawRequest: KnownOptions<RawRequest> = {
  ...everyCall,
  path: "any",
  method: "text",
  query: "any",
  body: "any",
  contentType: "text",
};

async function sendRaw(session: Session, raw: RawRequest): Promise<RawAnswer> {
  checkOptions("request", raw, rawRequest);
  const { path, method = "GET", query = {}, body, contentType, ...options } = raw;
  if (!/^[A-Z]+$/.test(method)) throw new TypeError("`method` is one of HTTP, in capitals");
  if (!isObject(query) || Object.values(query).some((one) => one !== undefined && typeof one !== "string"))
    throw new TypeError("`query` is an object of texts");
  if (typeof path !== "string" || !/^\/[^?#\s]*$/.test(path)) {
    throw new TypeError("`path` begins with a slash and has no query, which is given as `query`");
  }
  if (body !== undefined && (method === "GET" || method === "HEAD"))
    throw new TypeError(`a request of ${method} has no \`body\``);
  const request: ApiRequest = {
    method,
    path,
    query: Object.entries(query),
    body:
      body instanceof Uint8Array
        ? new Uint8Array(body)
        : body === undefined
          ? undefined
          : JSON.stringify(body),
    contentType,
    isRepeatable: method === "GET" || method === "HEAD",
  };
  const { status, headers, bytes, redactor } = await session.send(request, session.start(options));
  return {
    status,
    headers,
    bytes,
    json() {
      try {
        return parseJson(new TextDecoder().decode(bytes));
      } catch {
        throw session.unusable(request, "the answer is no JSON", redactor);
      }
    },
  };
}
