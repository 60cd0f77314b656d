import { isObject } from "@wye/pipeline-spec";
import type { PipelineClient } from "../src/index.js";
import type { Exchange } from "./exchanges.js";

type Json = Readonly<Record<string, unknown>>;
type Call = (client: PipelineClient) => Promise<unknown>;

const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The call of the client that asks for the same as a recorded request; undefined where no caller could ask for it. */
export function typedCall({ request }: Exchange): Call | undefined {
  const { method } = request;
  const path = request.path.replace("/apis/v2beta1", "");
  const query = Object.fromEntries(new URLSearchParams(request.query ?? ""));
  const body = isObject(request.body) ? request.body : undefined;
  if (path === "/healthz" && method === "GET") return (client) => client.health();
  const [, kind = "", rest = ""] = /^\/(pipelines|experiments|runs|recurringruns)(\/.*)?$/.exec(path) ?? [];
  if (kind === "") return undefined;
  if (method === "GET" && rest === "") return listCall(kind, query);
  if (method === "POST" && rest === "")
    return body === undefined || request.query !== undefined ? undefined : createCall(kind, body);
  return thingCall(method, kind, rest, query);
}

const apis = {
  pipelines: "pipelines",
  experiments: "experiments",
  runs: "runs",
  recurringruns: "recurringRuns",
} as const;
type Kind = keyof typeof apis;

function listCall(
  kind: string,
  query: Readonly<Record<string, string>>,
  pipelineId?: string,
): Call | undefined {
  const { page_size, page_token, sort_by, filter, namespace, experiment_id, ...others } = query;
  if (Object.keys(others).length > 0) return undefined;
  const [sortBy, direction] = (sort_by ?? "").trim().split(/\s+/);
  const size = Number(page_size || 50);
  const typed = typedFilter(filter ?? "");
  if (
    typed === undefined ||
    !(size >= 1 && size <= 200) ||
    /[A-Z:]|^(id|name|status|pipeline_spec|runtime_details)$/.test(sortBy ?? "") ||
    !/^(asc|desc)?$/.test(direction ?? "")
  )
    return undefined;
  const options = {
    // A token holds both, and stands alone.
    ...(page_token
      ? { pageToken: page_token }
      : {
          filter: typed,
          ...(sortBy && { sortBy: camel(sortBy) }),
          ...(direction === "desc" && { descending: true }),
        }),
    ...(page_size && { pageSize: size }),
    ...(namespace && !experiment_id && { namespace }),
    ...(experiment_id && { experiment: { id: experiment_id } }),
  } as object;
  // The options are those of the recording: what the types would refuse is left to the client.
  return (client) =>
    pipelineId === undefined
      ? client[apis[kind as Kind]].list(options).page()
      : client.versions.list({ id: pipelineId }, options).page();
}

const conditions: Readonly<Record<string, string>> = {
  EQUALS: "is",
  NOT_EQUALS: "not",
  IN: "in",
  IS_SUBSTRING: "contains",
  "1": "is",
  GREATER_THAN: "after",
  LESS_THAN_EQUALS: "until",
};

/** A filter as the types have it; undefined when they have none for it. */
function typedFilter(text: string): object | undefined {
  if (text === "") return {};
  let json: unknown;
  try {
    json = JSON.parse(decodeURIComponent(text.replaceAll("+", " ")));
  } catch {
    return undefined;
  }
  const predicates = isObject(json) && Array.isArray(json.predicates) ? json.predicates : undefined;
  if (predicates === undefined) return undefined;
  const filter: Record<string, unknown> = {};
  for (const one of predicates as Json[]) {
    const condition = conditions[`${one.operation}`];
    const key = camel(`${one.key}`);
    const list = isObject(one.string_values) ? one.string_values.values : undefined;
    const time = typeof one.timestamp_value === "string" ? new Date(one.timestamp_value) : undefined;
    if (Number.isNaN(time?.getTime())) return undefined;
    const value = one.string_value ?? one.stringValue ?? list ?? time;
    const isTime = /At$/.test(key);
    const known =
      /^(runId|pipelineId|pipelineVersionId|experimentId|recurringRunId|displayName|description|state|storageState|createdAt)$/;
    if (condition === undefined || !known.test(key) || filter[key] !== undefined || value === undefined)
      return undefined;
    if (isTime !== (time !== undefined) || (condition === "in") !== Array.isArray(value)) return undefined;
    filter[key] = { [condition]: value };
  }
  return filter;
}

function sourceOf(body: Json): object | undefined {
  const reference = isObject(body.pipeline_version_reference) ? body.pipeline_version_reference : {};
  const config = isObject(body.runtime_config) ? body.runtime_config : {};
  const more = {
    validate: false,
    ...(body.experiment_id !== undefined && { experiment: { id: body.experiment_id } }),
    ...(config.parameters !== undefined && { parameters: config.parameters }),
    ...(config.pipeline_root !== undefined && { pipelineRoot: config.pipeline_root }),
    ...(body.service_account !== undefined && { serviceAccount: body.service_account }),
    ...(body.description !== undefined && { description: body.description }),
  };
  if (body.pipeline_spec !== undefined && body.pipeline_version_reference !== undefined) return undefined;
  if (body.pipeline_spec !== undefined) return { file: JSON.stringify(body.pipeline_spec), ...more };
  if (typeof reference.pipeline_id !== "string" || typeof reference.pipeline_version_id !== "string")
    return undefined;
  return { pipeline: { id: reference.pipeline_id }, version: { id: reference.pipeline_version_id }, ...more };
}

function createCall(kind: string, body: Json): Call | undefined {
  const name = body.display_name;
  if (kind === "experiments") {
    const { description, namespace } = body as { readonly description?: string; readonly namespace?: string };
    const isKnown = Object.keys(body).every((key) => /^(display_name|description|namespace)$/.test(key));
    return typeof name === "string" && isKnown
      ? (client) => client.experiments.create(name, { description, namespace })
      : undefined;
  }
  if (kind === "pipelines") {
    const isKnown = Object.keys(body).every((key) => /^(name|display_name|description)$/.test(key));
    const options = Object.fromEntries(Object.entries(body).map(([key, value]) => [camel(key), value]));
    return isKnown ? (client) => client.pipelines.create(options) : undefined;
  }
  const source = sourceOf(body);
  if (source === undefined || typeof name !== "string" || name === "") return undefined;
  if (kind === "runs") {
    const runId = typeof body.run_id === "string" ? body.run_id : undefined;
    const isKnown =
      body.state === undefined && body.created_at === undefined && body.pipeline_version_id === undefined;
    return isKnown ? (client) => client.runs.create({ name, runId, ...source }) : undefined;
  }
  return recurringCall(name, body, source);
}

function recurringCall(name: string, body: Json, source: object): Call | undefined {
  const trigger = isObject(body.trigger) ? body.trigger : {};
  const cron = isObject(trigger.cron_schedule) ? trigger.cron_schedule : undefined;
  const period = isObject(trigger.periodic_schedule) ? trigger.periodic_schedule : undefined;
  const { start_time, end_time } = { ...cron, ...period } as {
    readonly start_time?: string;
    readonly end_time?: string;
  };
  if ((cron === undefined) === (period === undefined) || !/^(ENABLE|DISABLE)$/.test(`${body.mode}`))
    return undefined;
  if (cron !== undefined && !/^(@\w+|(\S+\s+){5}\S+)$/.test(`${cron.cron}`)) return undefined;
  if (period !== undefined && Number(period.interval_second) < 1) return undefined;
  const concurrency = Number(body.max_concurrency);
  const isTime = (time: string | undefined): boolean => time === undefined || !Number.isNaN(Date.parse(time));
  if (!(concurrency >= 1 && concurrency <= 10) || !isTime(start_time) || !isTime(end_time)) return undefined;
  if (start_time !== undefined && end_time !== undefined && end_time <= start_time) return undefined;
  const options = {
    name,
    maxConcurrency: concurrency,
    isEnabled: body.mode === "ENABLE",
    ...(body.no_catchup === true && { catchUp: false }),
    ...(cron !== undefined && { cron: `${cron.cron}` }),
    ...(period !== undefined && { intervalSeconds: Number(period.interval_second) }),
    ...(start_time !== undefined && { startTime: new Date(start_time) }),
    ...(end_time !== undefined && { endTime: new Date(end_time) }),
    ...source,
  };
  return (client) => client.recurringRuns.create(options);
}

function thingCall(
  method: string,
  kind: string,
  rest: string,
  query: Readonly<Record<string, string>>,
): Call | undefined {
  const [, id = "", verb, versionId] = /^\/([^/:]+)(?::(\w+)|\/versions(?:\/([^/]+))?)?$/.exec(rest) ?? [];
  const isVersions = /\/versions/.test(rest);
  if (id === "" || id === "upload" || id === "names") return undefined;
  const reference = { id: decodeURIComponent(id) };
  if (isVersions && versionId !== undefined) {
    if (method === "GET") return (client) => client.versions.get(reference, { id: versionId });
    return method === "DELETE" ? (client) => client.versions.delete(reference, { id: versionId }) : undefined;
  }
  if (isVersions) return method === "GET" ? listCall("versions", query, reference.id) : undefined;
  const name = apis[kind as Kind];
  if (method === "GET") return (client) => client[name].get(reference);
  if (method === "DELETE") {
    const options = {
      ...(query.cascade === "true" && { cascade: true }),
      ...(query.propagation_policy !== undefined && {
        propagation: query.propagation_policy.toLowerCase() as "foreground",
      }),
    };
    return (client) => client[name].delete(reference, options);
  }
  const verbs: Readonly<Record<string, Call | undefined>> = {
    terminate: kind === "runs" ? (client) => client.runs.terminate(reference) : undefined,
    retry: kind === "runs" ? (client) => client.runs.retry(reference) : undefined,
    archive: kind === "recurringruns" ? undefined : (client) => client[name as "runs"].archive(reference),
    unarchive: kind === "recurringruns" ? undefined : (client) => client[name as "runs"].unarchive(reference),
    enable: (client) => client.recurringRuns.enable(reference),
    disable: (client) => client.recurringRuns.disable(reference),
  };
  return method === "POST" && verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
}
