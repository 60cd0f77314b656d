import { isObject } from "@wye/pipeline-spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPipelineClient, PipelineClientError } from "../src/index.js";
import { type Exchange, recordings } from "./exchanges.js";
import { answer, type Received, type Scripted, scriptedServer } from "./scripted-server.js";
import { typedCall } from "./typed-call.js";

// Every recorded request that a user of the client could want, made by its calls: it has to ask for the same at the same place, and to
// understand the answer.

let current: Exchange | undefined;
let server: Scripted;
beforeAll(async () => {
  server = await scriptedServer(({ method, path }, response) => {
    const { request } = current!;
    const recorded = current!.response;
    // A version that is looked up before a run of it is made.
    const [, pipelineId, versionId] = /\/pipelines\/([^/]+)\/versions\/([^/]+)$/.exec(path) ?? [];
    const isOwn = method === request.method && path === request.path;
    // A run that was not made is looked for, and one that cannot be ended is looked at.
    const isRun = path.startsWith("/apis/v2beta1/runs/") && request.path.endsWith(":terminate");
    const found = isRun
      ? { run_id: "any", state: "FAILED" }
      : { pipeline_id: pipelineId, pipeline_version_id: versionId };
    if (!isOwn) answer(response, found, isRun || versionId !== undefined ? 200 : 404);
    else answer(response, recorded.body ?? "", recorded.status);
  });
});
afterAll(() => server.close());

const calls = recordings.flatMap(({ id, exchanges }) =>
  id === "vertex" || id === "kfp-client-credentials"
    ? []
    : exchanges.flatMap((exchange, index) => {
        const call = typedCall(exchange);
        return call === undefined ? [] : [{ name: `${id} ${index} ${exchange.step}`, exchange, call }];
      }),
);

test("most of what was recorded can be said in types", () => expect(calls.length).toBe(307));

// Servers give a version under the name of any pipeline. The client does not.
const mistaken = "pipelines 31 get version under another pipeline id";

test("a version is not taken under the name of another pipeline", async () => {
  const { exchange, call } = calls.find(({ name }) => name === mistaken)!;
  current = exchange;
  const client = createPipelineClient({ host: server.url, retry: false });
  await expect(call(client)).rejects.toMatchObject({ code: "not_found", status: undefined });
});

for (const { name, exchange, call } of calls.filter((one) => one.name !== mistaken)) {
  test(name, async () => {
    current = exchange;
    const client = createPipelineClient({ host: server.url, retry: false });
    const from = server.requests.length;
    const outcome = await Promise.resolve(client)
      .then(call)
      .catch((error: unknown) => error);
    const sent = server.requests
      .slice(from)
      .find(({ method, path }) => method === exchange.request.method && path === exchange.request.path);
    // What the client refuses, the server has refused as well, and it is never sent.
    const isRefusedHere = isRefusal(outcome) && exchange.response.status >= 400;
    const wanted = [shapeOf(recordedOf(exchange)), expectedOf(exchange)];
    const found = [sent && shapeOf(sent), outcomeOf(outcome)];
    expect(isRefusedHere ? [sent] : found).toEqual(isRefusedHere ? [undefined] : wanted);
  });
}

const isRefusal = (outcome: unknown): boolean =>
  outcome instanceof TypeError ||
  (outcome instanceof PipelineClientError && outcome.code === "invalid_pipeline");

function recordedOf({ request }: Exchange): Pick<Received, "query" | "body"> {
  return {
    query: new URLSearchParams(request.query ?? ""),
    body: Buffer.from(request.body === undefined ? "" : JSON.stringify(request.body)),
  };
}

/** What a request asks for, however it is written. */
function shapeOf({ query, body }: Pick<Received, "query" | "body">) {
  const token = query.get("page_token") ?? "";
  return {
    token,
    // An experiment has its own, which wins.
    namespace: query.has("experiment_id") ? "" : (query.get("namespace") ?? ""),
    experiment: query.get("experiment_id") ?? "",
    // These are not sent with a token.
    sort: token === "" ? sortOf(query.get("sort_by") ?? "") : "",
    filter: token === "" ? filterOf(query.get("filter") ?? "") : [],
    rest: ["cascade", "propagation_policy"].map((one) => query.get(one)),
    body: bodyOf(body.toString()),
  };
}

const sortOf = (sort: string): string => {
  const [field = "", direction = "asc"] = sort.trim().split(/\s+/);
  return field === "" ? "" : `${field} ${direction.toLowerCase()}`;
};

const wholeSeconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** A filter as the server understands it: unescaped once more. */
function filterOf(filter: string): unknown {
  if (filter === "") return [];
  const { predicates = [] } = JSON.parse(decodeURIComponent(filter.replaceAll("+", " ")));
  return predicates.map(
    ({
      operation,
      stringValue,
      string_value = stringValue,
      timestamp_value,
      ...rest
    }: Record<string, unknown>) => ({
      ...rest,
      operation: operation === 1 ? "EQUALS" : operation,
      string_value,
      time: typeof timestamp_value === "string" ? wholeSeconds(timestamp_value) : undefined,
    }),
  );
}

/** What a body says: empty texts say nothing, and the id of a run is one that the client has made. */
function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  const { run_id: _, no_catchup, namespace, ...body } = JSON.parse(text);
  return simple({ ...body, ...(no_catchup === true && { no_catchup }), ...(namespace && { namespace }) });
}

/** Numbers of 64 bits are texts or numbers; of specifications only what they say counts. */
function simple(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (name === "interval_second" || name === "max_concurrency") return [name, Number(one)];
      if (name === "mode" && typeof one === "number") return [name, one === 1 ? "ENABLE" : "DISABLE"];
      if (name === "start_time" || name === "end_time") return [name, wholeSeconds(`${one}`)];
      if (name === "pipeline_spec") return [name, Object.keys(isObject(one) ? one : {}).sort()];
      if (name === "runtime_config" && isObject(one) && Object.keys(one).length === 0)
        return ["none", undefined];
      return [name, simple(one)];
    }),
  );
}

function outcomeOf(outcome: unknown): unknown {
  if (!(outcome instanceof PipelineClientError)) return outcome;
  return { status: outcome.status, serverCode: outcome.serverCode };
}

function expectedOf({ request, response }: Exchange): unknown {
  const body = isObject(response.body) ? response.body : {};
  // A run that has ended, or that is being ended, is as it should be.
  if (request.path.endsWith(":terminate") && response.status === 400) return undefined;
  if (response.status >= 400) return { status: response.status, serverCode: body.code };
  if (request.method === "DELETE" || /:\w+$/.test(request.path)) return undefined;
  const list = ["runs", "pipelines", "experiments", "pipeline_versions", "recurringRuns"].find((one) =>
    Array.isArray(body[one]),
  );
  const isList = list !== undefined || (request.method === "GET" && /s$/.test(request.path));
  if (!isList) return camelCased(body);
  return {
    items: ((list === undefined ? [] : body[list]) as unknown[]).map(camelCased),
    ...(body.total_size !== undefined && { totalSize: body.total_size }),
    ...(body.next_page_token !== undefined && { nextPageToken: body.next_page_token }),
  };
}

/** An answer as the types have it, made without the code of the client. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const key = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (name === "pipeline_spec") return isObject(one) ? [[key, one]] : [];
    if (name === "package_url") return [];
    if (name === "parameters") return [[key, one]];
    if (/^(max_concurrency|interval_second)$/.test(name)) return [[key, Number(one)]];
    if (!/(_at|_time)$/.test(name)) return [[key, camelCased(one)]];
    return /^(1970|0001)/.test(`${one}`) ? [] : [[key, new Date(`${one}`)]];
  });
  return Object.fromEntries(members);
}
