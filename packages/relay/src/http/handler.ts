import { type CredentialKind, keyFromAuthorization } from "../credentials.js";
import { answer, answerPublic, isEnabled } from "../endpoints/endpoints.js";
import type { EnvironmentRegistry, Selection } from "../environments.js";
import type { ResolvedOptions } from "../options/resolve-options.js";
import { anyOrigin, corsHeaders } from "./cors.js";
import { closing, type Headers, sendEmpty, sendText } from "./exchange.js";
import { refuseClosed, refuseCredential } from "./refusals.js";
import type { RelayRequest, RelayResponse } from "./relay-response.js";
import { readRequestTarget } from "./request-target.js";
import { type Audience, matchRoute, type RouteMatch } from "./routes.js";

/** A request listener of `node:http`, and a middleware for Express, Connect and Fastify. */
export type RelayHandler = (req: RelayRequest, res: RelayResponse, next?: (error?: unknown) => void) => void;

/** What the handler needs to know of its relay. */
export interface HandlerContext {
  readonly options: ResolvedOptions;
  readonly environments: EnvironmentRegistry;
  /** The metrics as text. */
  readonly printMetrics: () => string;
  /** Whether the relay still takes requests. */
  readonly open: () => boolean;
}

const messages = {
  unknownPath: "404 page not found\n",
  unknownFilter: "Relay Proxy recognizes the provided credential, but the payload filter was not found",
};

/** Creates the handler of a relay: finds endpoint and environment, and answers what has none. */
export function createHandler(context: HandlerContext): RelayHandler {
  const { options } = context;
  return (req, res, next) => {
    const target = readRequestTarget(req.url ?? "/", options.prefix);
    const route = target.kind === "path" ? matchRoute(req.method ?? "GET", target.segments) : undefined;
    if (target.kind !== "path" || route === undefined || route.kind === "unknown") {
      if (next !== undefined) next();
      else if (target.kind === "unclean") sendEmpty(res, 301, { Location: target.location });
      else if (target.kind === "malformed") sendText(res, 400, "400 Bad Request");
      else sendText(res, 404, messages.unknownPath, { "X-Content-Type-Options": "nosniff" });
      return;
    }
    if (route.kind === "match" && !isEnabled(route.match.route.endpoint, options)) {
      if (next !== undefined) next();
      else sendText(res, 404, messages.unknownPath, { "X-Content-Type-Options": "nosniff" });
      return;
    }
    if (route.kind === "wrong-method") {
      sendEmpty(res, 405, { Allow: route.methods.join(", ") });
      return;
    }
    if (context.open()) serve(context, req, res, route.match, target.query);
    else serveClosed(context, req, res, route.match, target.query);
  };
}

/** Says that the relay is closed, so that pages can read it too: a browser that must not tells its SDK nothing. */
function serveClosed(
  context: HandlerContext,
  req: RelayRequest,
  res: RelayResponse,
  match: RouteMatch,
  query: URLSearchParams,
): void {
  const browser = match.route.audience === "browser";
  const cors = browser ? selectForPage(context, req, match, query).headers : {};
  if (browser && req.method === "OPTIONS") sendEmpty(res, 200, closing(res, cors));
  else refuseClosed(res, cors);
}

/** The environment that a page names in the path, and the headers that let the page read the answer. */
function selectForPage(
  { environments }: HandlerContext,
  req: RelayRequest,
  { variables, methods }: RouteMatch,
  query: URLSearchParams,
): { readonly selection: Selection; readonly headers: Headers } {
  const selection = environments.find("envId", variables.envId ?? "", query.get("filter") ?? "");
  const rules = selection.kind === "found" ? selection.environment.settings : anyOrigin;
  return { selection, headers: corsHeaders(rules, methods, req.headers.origin) };
}

function serve(
  context: HandlerContext,
  req: RelayRequest,
  res: RelayResponse,
  match: RouteMatch,
  query: URLSearchParams,
): void {
  const { audience } = match.route;
  if (audience === "public") {
    answerPublic(match.route.endpoint, res, context);
    return;
  }
  if (audience === "browser") {
    const { selection, headers } = selectForPage(context, req, match, query);
    const found = existing(selection);
    if (found === undefined) refuse(res, selection, audience, headers);
    else if (req.method === "OPTIONS") sendEmpty(res, 200, headers);
    else answer({ req, res, match, query, headers, ...found });
    return;
  }
  const key = keyFromAuthorization(req.headers.authorization);
  if (key === undefined) {
    sendEmpty(res, 401);
    return;
  }
  const kind: CredentialKind = audience === "server" ? "sdkKey" : "mobileKey";
  const selection = context.environments.find(kind, key, query.get("filter") ?? "");
  const found = existing(selection);
  if (found === undefined) refuse(res, selection, audience);
  else answer({ req, res, match, query, headers: {}, ...found });
}

/** The environment of a credential, unless upstream does not know it. */
function existing(selection: Selection): Extract<Selection, { kind: "found" }> | undefined {
  return selection.kind === "found" && selection.environment.phase !== "refused" ? selection : undefined;
}

function refuse(res: RelayResponse, selection: Selection, audience: Audience, headers?: Headers): void {
  if (selection.kind === "unknown-filter") sendText(res, 404, messages.unknownFilter, headers);
  else refuseCredential(res, audience, headers);
}
