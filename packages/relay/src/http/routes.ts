import type { CredentialKind } from "../credentials.js";

/**
 * What leads to the environment of a request: a key in `Authorization`, the client-side ID in the path, for pages of other
 * origins, or nothing.
 */
export type RouteCredential = CredentialKind | "none";

/** What is done for a request, whatever its path and credential. */
export type EndpointName =
  | "status"
  | "live"
  | "ready"
  | "metrics"
  | "all-stream"
  | "flags-stream"
  | "ping-stream"
  | "client-stream"
  | "evaluate"
  | "evaluate-values"
  | "latest-all"
  | "php-flags"
  | "php-flag"
  | "php-segment"
  | "goals"
  | "events"
  | "diagnostic"
  | "event-image";

export type Method = "GET" | "POST" | "REPORT" | "OPTIONS";

/** One row of the table of endpoints. */
export interface Route {
  /** The path; a segment in braces is a variable. */
  readonly path: string;
  readonly method: Method;
  readonly credential: RouteCredential;
  readonly endpoint: EndpointName;
}

/** A route that fits a request, with the decoded variables of its path. */
export interface RouteMatch {
  readonly route: Route;
  readonly variables: Readonly<Record<string, string>>;
  /** The methods registered for the path, as CORS headers and `Allow` name them. */
  readonly methods: readonly Method[];
}

export type RouteResult =
  | { readonly kind: "match"; readonly match: RouteMatch }
  /** The path with another method: that of a page, where pages ask for this path. */
  | { readonly kind: "wrong-method"; readonly match: RouteMatch }
  | { readonly kind: "unknown" };

type Row = readonly [method: Method, path: string, credential: RouteCredential, endpoint: EndpointName];

/** GET with the context in the path, under both names that SDKs use. */
function get(base: string, credential: RouteCredential, endpoint: EndpointName): Row[] {
  return ["contexts", "users"].map((name) => ["GET", `${base}/${name}/{context}`, credential, endpoint]);
}

/** REPORT with the context in the body: SDKs say the singular, the specification the plural. */
function report(base: string, credential: RouteCredential, endpoint: EndpointName): Row[] {
  return ["context", "contexts", "user", "users"].map((name) => [
    "REPORT",
    `${base}/${name}`,
    credential,
    endpoint,
  ]);
}

function evaluation(base: string, credential: RouteCredential): Row[] {
  return [
    ...get(base.replace("*", "evalx"), credential, "evaluate"),
    ...report(base.replace("*", "evalx"), credential, "evaluate"),
    ...get(base.replace("*", "eval"), credential, "evaluate-values"),
    ...report(base.replace("*", "eval"), credential, "evaluate-values"),
  ];
}

const rows: readonly Row[] = [
  ["GET", "/status", "none", "status"],
  ["GET", "/live", "none", "live"],
  ["GET", "/ready", "none", "ready"],
  ["GET", "/metrics", "none", "metrics"],

  ["GET", "/all", "sdkKey", "all-stream"],
  ["GET", "/flags", "sdkKey", "flags-stream"],
  ["POST", "/bulk", "sdkKey", "events"],
  ["POST", "/diagnostic", "sdkKey", "diagnostic"],
  ["GET", "/sdk/flags", "sdkKey", "php-flags"],
  ["GET", "/sdk/flags/{key}", "sdkKey", "php-flag"],
  ["GET", "/sdk/segments/{key}", "sdkKey", "php-segment"],
  ["GET", "/sdk/latest-all", "sdkKey", "latest-all"],
  ...evaluation("/sdk/*", "sdkKey"),

  ["GET", "/meval/{context}", "mobileKey", "client-stream"],
  ["REPORT", "/meval", "mobileKey", "client-stream"],
  ["GET", "/mping", "mobileKey", "ping-stream"],
  ["POST", "/mobile", "mobileKey", "events"],
  ["POST", "/mobile/events", "mobileKey", "events"],
  ["POST", "/mobile/events/bulk", "mobileKey", "events"],
  ["POST", "/mobile/events/diagnostic", "mobileKey", "diagnostic"],
  ...evaluation("/msdk/*", "mobileKey"),

  ["GET", "/eval/{envId}/{context}", "envId", "client-stream"],
  ["REPORT", "/eval/{envId}", "envId", "client-stream"],
  ["GET", "/ping/{envId}", "envId", "ping-stream"],
  ["GET", "/sdk/goals/{envId}", "envId", "goals"],
  ["POST", "/events/bulk/{envId}", "envId", "events"],
  ["POST", "/events/diagnostic/{envId}", "envId", "diagnostic"],
  ["GET", "/a/{envId}.gif", "envId", "event-image"],
  ...evaluation("/sdk/*/{envId}", "envId"),
];

/** Every endpoint of the relay. Browsers may send OPTIONS to theirs; the row that stands for the real method answers it. */
export const routes: readonly Route[] = rows.map(([method, path, credential, endpoint]) => ({
  path,
  method,
  credential,
  endpoint,
}));

/** A path taken apart, so that most patterns are ruled out by comparing one or two words. */
interface Pattern {
  readonly route: Route;
  readonly words: readonly { readonly index: number; readonly text: string }[];
  readonly variables: readonly { readonly index: number; readonly name: string; readonly suffix: string }[];
}

const patternsBySegmentCount = new Map<number, Pattern[]>();
for (const route of routes) {
  const segments = route.path
    .split("/")
    .slice(1)
    .map((text, index) => ({ index, text, variable: /^\{(.*)\}(.*)$/.exec(text) }));
  const pattern = {
    route,
    words: segments.filter(({ variable }) => variable === null),
    variables: segments.flatMap(({ index, variable }) =>
      variable === null ? [] : [{ index, name: variable[1] ?? "", suffix: variable[2] ?? "" }],
    ),
  };
  patternsBySegmentCount.set(segments.length, [
    ...(patternsBySegmentCount.get(segments.length) ?? []),
    pattern,
  ]);
}

/** The variables of a path that fits a pattern; an empty segment fits no variable. */
function variablesOf(
  { words, variables }: Pattern,
  segments: readonly string[],
): Record<string, string> | undefined {
  for (const { index, text } of words) if (segments[index] !== text) return undefined;
  const found: Record<string, string> = {};
  for (const { index, name, suffix } of variables) {
    const segment = segments[index] ?? "";
    if (segment.length <= suffix.length || !segment.endsWith(suffix)) return undefined;
    found[name] = segment.slice(0, segment.length - suffix.length);
  }
  return found;
}

/**
 * Finds the route of a request. `segments` are the parts of the path between its slashes, each decoded on its own, so that
 * a percent-encoded slash belongs to a key.
 */
export function matchRoute(method: string, segments: readonly string[]): RouteResult {
  const methods: Method[] = [];
  let first: RouteMatch | undefined;
  let found: RouteMatch | undefined;
  let page: RouteMatch | undefined;
  for (const pattern of patternsBySegmentCount.get(segments.length) ?? []) {
    const variables = variablesOf(pattern, segments);
    if (variables === undefined) continue;
    const { route } = pattern;
    const match = { route, variables, methods };
    first ??= match;
    if (!methods.includes(route.method)) methods.push(route.method);
    if (route.method === method) found ??= match;
    if (route.credential === "envId") page ??= match;
  }
  if (first === undefined) return { kind: "unknown" };
  if (page !== undefined) methods.push("OPTIONS");
  const match = found ?? (method === "OPTIONS" ? page : undefined);
  return match === undefined ? { kind: "wrong-method", match: page ?? first } : { kind: "match", match };
}
