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

type Pattern = { readonly route: Route; readonly segments: readonly string[] };

const patternsBySegmentCount = new Map<number, Pattern[]>();
for (const route of routes) {
  const segments = route.path.split("/").slice(1);
  const list = patternsBySegmentCount.get(segments.length) ?? [];
  list.push({ route, segments });
  patternsBySegmentCount.set(segments.length, list);
}

/** The variables of a path that fits a pattern; an empty segment fits no variable. */
function variablesOf(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const variables: Record<string, string> = Object.create(null);
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
      continue;
    }
    const close = part.indexOf("}");
    const suffix = part.slice(close + 1);
    if (segment.length <= suffix.length || !segment.endsWith(suffix)) return undefined;
    variables[part.slice(1, close)] = segment.slice(0, segment.length - suffix.length);
  }
  return variables;
}

/**
 * Finds the route of a request. `segments` are the parts of the path between its slashes, each decoded on its own, so that
 * a percent-encoded slash belongs to a key.
 */
export function matchRoute(method: string, segments: readonly string[]): RouteResult {
  const methods: Method[] = [];
  let found: { route: Route; variables: Record<string, string> } | undefined;
  let preflight: { route: Route; variables: Record<string, string> } | undefined;
  for (const { route, segments: pattern } of patternsBySegmentCount.get(segments.length) ?? []) {
    const variables = variablesOf(pattern, segments);
    if (variables === undefined) continue;
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
