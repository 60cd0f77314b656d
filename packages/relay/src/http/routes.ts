/** Who calls an endpoint, which decides where the credential is: a header, the path, or nowhere. */
export type Audience = "public" | "server" | "mobile" | "browser";

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
  readonly audience: Audience;
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
  | { readonly kind: "wrong-method"; readonly methods: readonly Method[] }
  | { readonly kind: "unknown" };

type Row = readonly [method: Method, path: string, audience: Audience, endpoint: EndpointName];

/** GET with the context in the path, under both names that SDKs use. */
function get(base: string, audience: Audience, endpoint: EndpointName): Row[] {
  return ["contexts", "users"].map((name) => ["GET", `${base}/${name}/{context}`, audience, endpoint]);
}

/** REPORT with the context in the body: SDKs say the singular, the specification the plural. */
function report(base: string, audience: Audience, endpoint: EndpointName): Row[] {
  return ["context", "contexts", "user", "users"].map((name) => [
    "REPORT",
    `${base}/${name}`,
    audience,
    endpoint,
  ]);
}

function evaluation(base: string, audience: Audience): Row[] {
  return [
    ...get(base.replace("*", "evalx"), audience, "evaluate"),
    ...report(base.replace("*", "evalx"), audience, "evaluate"),
    ...get(base.replace("*", "eval"), audience, "evaluate-values"),
    ...report(base.replace("*", "eval"), audience, "evaluate-values"),
  ];
}

const rows: readonly Row[] = [
  ["GET", "/status", "public", "status"],
  ["GET", "/live", "public", "live"],
  ["GET", "/ready", "public", "ready"],
  ["GET", "/metrics", "public", "metrics"],

  ["GET", "/all", "server", "all-stream"],
  ["GET", "/flags", "server", "flags-stream"],
  ["POST", "/bulk", "server", "events"],
  ["POST", "/diagnostic", "server", "diagnostic"],
  ["GET", "/sdk/flags", "server", "php-flags"],
  ["GET", "/sdk/flags/{key}", "server", "php-flag"],
  ["GET", "/sdk/segments/{key}", "server", "php-segment"],
  ["GET", "/sdk/latest-all", "server", "latest-all"],
  ...evaluation("/sdk/*", "server"),

  ["GET", "/meval/{context}", "mobile", "client-stream"],
  ["REPORT", "/meval", "mobile", "client-stream"],
  ["GET", "/mping", "mobile", "ping-stream"],
  ["POST", "/mobile", "mobile", "events"],
  ["POST", "/mobile/events", "mobile", "events"],
  ["POST", "/mobile/events/bulk", "mobile", "events"],
  ["POST", "/mobile/events/diagnostic", "mobile", "diagnostic"],
  ...evaluation("/msdk/*", "mobile"),

  ["GET", "/eval/{envId}/{context}", "browser", "client-stream"],
  ["REPORT", "/eval/{envId}", "browser", "client-stream"],
  ["GET", "/ping/{envId}", "browser", "ping-stream"],
  ["GET", "/sdk/goals/{envId}", "browser", "goals"],
  ["POST", "/events/bulk/{envId}", "browser", "events"],
  ["POST", "/events/diagnostic/{envId}", "browser", "diagnostic"],
  ["GET", "/a/{envId}.gif", "browser", "event-image"],
  ...evaluation("/sdk/*/{envId}", "browser"),
];

/** Every endpoint of the relay. Browsers may send OPTIONS to theirs; the row that stands for the real method answers it. */
export const routes: readonly Route[] = rows.map(([method, path, audience, endpoint]) => ({
  path,
  method,
  audience,
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
  let found: { route: Route; variables: Record<string, string> } | undefined;
  let preflight: { route: Route; variables: Record<string, string> } | undefined;
  for (const pattern of patternsBySegmentCount.get(segments.length) ?? []) {
    const variables = variablesOf(pattern, segments);
    if (variables === undefined) continue;
    const { route } = pattern;
    if (!methods.includes(route.method)) methods.push(route.method);
    if (route.method === method) found ??= { route, variables };
    if (route.audience === "browser") preflight ??= { route, variables };
  }
  if (methods.length === 0) return { kind: "unknown" };
  if (preflight !== undefined) methods.push("OPTIONS");
  const chosen = found ?? (method === "OPTIONS" ? preflight : undefined);
  return chosen === undefined
    ? { kind: "wrong-method", methods }
    : { kind: "match", match: { ...chosen, methods } };
}
