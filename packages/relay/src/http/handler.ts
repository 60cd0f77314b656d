import { type CredentialKind, keyFromAuthorization } from "../credentials.js";
import { answerOperator, type OperationsContext } from "../endpoints/operations.js";
import type { Logger } from "../logger.js";
import { stackOf } from "../message-of.js";
import type { Metrics } from "../metrics.js";
import type { ResolvedOptions } from "../options/resolved-options.js";
import { closing, type Headers, noHeaders, sendEmpty, sendHead, sendText } from "./answers.js";
import { anyOrigin, corsHeaders } from "./cors.js";
import type { Downloads } from "./downloads.js";
import type { Exchange } from "./exchange.js";
import type { InHand } from "./in-hand.js";
import type { KeptAnswers } from "./kept-answers.js";
import type { LargeContexts } from "./large-contexts.js";
import { refuseClosed, refuseCredential, refuseFilter } from "./refusals.js";
import type { RelayRequest, RelayResponse } from "./relay-response.js";
import { type RequestTarget, readRequestTarget } from "./request-target.js";
import { matchRoute, type RouteMatch, type RouteResult } from "./routes.js";
import type { Selection } from "./selection.js";
import type { Uploads } from "./uploads.js";
import { varying } from "./vary.js";

/** A request listener of `node:http`, and a middleware for Express, Connect and Fastify. */
export type RelayHandler = (req: RelayRequest, res: RelayResponse, next?: (error?: unknown) => void) => void;

/** What the handler needs to know of its relay. */
export interface HandlerContext extends OperationsContext {
  readonly options: ResolvedOptions;
  readonly metrics: Metrics;
  /** Whether it is known which environments there are. */
  readonly configured: () => boolean;
  readonly environments: OperationsContext["environments"] & {
    find(kind: CredentialKind, credential: string, filter: string): Selection;
    /** Whether a credential, as its digest, leads anywhere now. */
    readonly closed: boolean;
    knows(digest: string): boolean;
  };
  /** The bodies that are on their way to the relay. */
  readonly uploads: Uploads;
  /** The bodies that are on their way from it. */
  readonly downloads: Downloads;
  /** The requests that are being answered. */
  readonly inHand: InHand;
  /** The contexts that open streams keep. */
  readonly contexts: LargeContexts;
  /** What contexts that ask again and again are answered. */
  readonly answers: KeptAnswers;
  /** Answers a request that has found its environment. */
  readonly answer: (exchange: Exchange) => void;
}

const messages = {
  unknownPath: "404 page not found\n",
  unconfigured: "Relay Proxy is not yet fully initialized, does not have list of environments yet",
  unserved: "Relay Proxy cannot serve the environment of the provided credential now; its status tells why",
};

/** Creates the handler of a relay: finds endpoint and environment, and answers what has none. */
export function createHandler(context: HandlerContext): RelayHandler {
  const { options, metrics, inHand } = context;
  // There from the start, as zero.
  for (const reason of rejections) metrics.counter("requests_rejected", { reason });
  return (req, res, next) => {
    const target = readRequestTarget(req.url ?? "/", options.prefix);
    const route = target.kind === "path" ? matchRoute(req.method ?? "GET", target.segments) : undefined;
    const { logger } = options;
    if (target.kind !== "path" || route === undefined || !isServed(route, options)) {
      serveUnknown(res, logger, target, next);
    } else {
      const { match } = route;
      answerSafely(res, logger, () => {
        if (route.kind === "wrong-method")
          refuseMethod(req, res, match, pageHeaders(context, req, res, match, target.query));
        else if (!context.open() && match.route.endpoint !== "live")
          serveClosed(context, req, res, match, target.query);
        else if (serve(context, req, res, match, target.query) === "later") return;
        inHand.begin();
        inHand.endWith(res);
      });
    }
  };
}

/** Creates the handler for those who run a relay, which need not be where its SDKs are. It goes on when the relay is closed. */
export function createStatusHandler(context: OperationsContext & { readonly logger: Logger }): RelayHandler {
  const { logger } = context;
  return (req, res, next) => {
    const target = readRequestTarget(req.url ?? "/");
    const route = target.kind === "path" ? matchRoute(req.method ?? "GET", target.segments) : undefined;
    if (route === undefined || route.kind === "unknown" || route.match.route.credential !== "none") {
      serveUnknown(res, logger, target, next);
    } else {
      answerSafely(res, logger, () => {
        if (route.kind === "wrong-method") refuseMethod(req, res, route.match);
        else answerOperator(route.match.route.endpoint, res, context);
      });
    }
  };
}

/** Whether a relay with these options serves the path, with whichever method. */
function isServed(
  found: RouteResult,
  { probes, prometheus, publicStatus }: ResolvedOptions,
): found is Exclude<RouteResult, { kind: "unknown" }> {
  if (found.kind === "unknown") return false;
  const { credential, endpoint } = found.match.route;
  if (credential === "none" && !publicStatus) return false;
  if (endpoint === "live" || endpoint === "ready") return probes;
  return endpoint !== "metrics" || prometheus;
}

function refuseMethod(
  { method }: RelayRequest,
  res: RelayResponse,
  { methods }: RouteMatch,
  headers: Headers = noHeaders,
): void {
  const all = { ...headers, Allow: methods.join(", ") };
  // A length would be that of the answer to GET, which is another one.
  if (method === "HEAD") sendHead(res, 405, all);
  else sendEmpty(res, 405, all);
}

function serveUnknown(
  res: RelayResponse,
  logger: Logger,
  target: RequestTarget,
  next?: (error?: unknown) => void,
): void {
  // What goes wrong there is the host's.
  if (next !== undefined) next();
  else
    answerSafely(res, logger, () => {
      if (target.kind === "unclean") sendEmpty(res, 301, { Location: target.location });
      else if (target.kind === "malformed") sendText(res, 400, "400 Bad Request", closing(res, noHeaders));
      else sendText(res, 404, messages.unknownPath, { "X-Content-Type-Options": "nosniff" });
    });
}

/** What was put around a response may throw, whatever is sent: that ends the response, and nothing else. */
function answerSafely(res: RelayResponse, logger: Logger, send: () => void): void {
  try {
    send();
  } catch (error) {
    logger.error(`a request cannot be answered: ${stackOf(error)}`);
    res.destroy();
  }
}

/** Says that the relay is closed, so that pages can read it too: a browser that must not tells its SDK nothing. */
function serveClosed(
  context: HandlerContext,
  req: RelayRequest,
  res: RelayResponse,
  match: RouteMatch,
  query: URLSearchParams,
): void {
  countRejected(context, "closed");
  const headers = pageHeaders(context, req, res, match, query);
  // Only pages may ask with it.
  if (req.method === "OPTIONS") sendEmpty(res, 200, closing(res, headers));
  else refuseClosed(res, headers);
}

/** The headers that let a page read the answer, where pages ask. */
function pageHeaders(
  context: HandlerContext,
  req: RelayRequest,
  res: RelayResponse,
  match: RouteMatch,
  query: URLSearchParams,
): Headers {
  if (match.route.credential !== "envId") return noHeaders;
  return selectForPage(context, req, res, match, query).headers;
}

/** The environment that a page names in the path, and the headers that let the page read the answer. */
function selectForPage(
  { environments }: HandlerContext,
  req: RelayRequest,
  res: RelayResponse,
  { variables, methods }: RouteMatch,
  query: URLSearchParams,
): { readonly selection: Selection; readonly headers: Headers } {
  const selection = environments.find("envId", variables.envId ?? "", query.get("filter") ?? "");
  const rules = selection.kind === "found" ? selection.environment.settings : anyOrigin;
  const headers = corsHeaders(rules, methods, req.headers.origin);
  const vary = varying(res, "Origin");
  return { selection, headers: vary === "Origin" ? headers : { ...headers, Vary: vary } };
}

/** Serves a request; one that has found its environment is answered by that, perhaps later. */
function serve(
  context: HandlerContext,
  req: RelayRequest,
  res: RelayResponse,
  match: RouteMatch,
  query: URLSearchParams,
): "now" | "later" {
  const { credential } = match.route;
  if (credential === "none") {
    answerOperator(match.route.endpoint, res, context);
    return "now";
  }
  if (credential === "envId") {
    const { selection, headers } = selectForPage(context, req, res, match, query);
    const found = existing(selection);
    const isPreflight = req.method === "OPTIONS";
    if (isPreflight && (found !== undefined || comesLater(context, selection) !== undefined))
      sendEmpty(res, 200, headers);
    else if (found === undefined) refuse(context, res, selection, credential, headers);
    else {
      context.answer(exchangeOf(context, req, res, match, query, credential, headers, found));
      return "later";
    }
    return "now";
  }
  const key = keyFromAuthorization(req.headers.authorization);
  if (key === undefined) {
    countRejected(context, "no-credential");
    sendEmpty(res, 401);
    return "now";
  }
  const selection = context.environments.find(credential, key, query.get("filter") ?? "");
  const found = existing(selection);
  if (found === undefined) {
    refuse(context, res, selection, credential);
    return "now";
  }
  context.answer(exchangeOf(context, req, res, match, query, credential, noHeaders, found));
  return "later";
}

/** Made for every request: member by member is ten times as fast as by spreading. */
function exchangeOf(
  { environments: credentials, uploads, downloads, inHand, contexts, answers }: HandlerContext,
  req: RelayRequest,
  res: RelayResponse,
  match: RouteMatch,
  query: URLSearchParams,
  credential: CredentialKind,
  headers: Headers,
  { environment, digest }: Found,
): Exchange {
  return {
    req,
    res,
    match,
    query,
    credential,
    headers,
    credentials,
    uploads,
    downloads,
    inHand,
    contexts,
    answers,
    environment,
    digest,
  };
}

type Found = Extract<Selection, { kind: "found" }>;

/** The environment of a credential, unless upstream does not know it. */
function existing(selection: Selection): Found | undefined {
  return selection.kind === "found" && selection.environment.phase !== "refused" ? selection : undefined;
}

function refuse(
  context: HandlerContext,
  res: RelayResponse,
  selection: Selection,
  credential: CredentialKind,
  headers?: Headers,
): void {
  const later = comesLater(context, selection);
  const unknownFilter = selection.kind === "unknown-filter";
  countRejected(context, later ?? (unknownFilter ? "unknown-filter" : "unknown-credential"));
  if (later !== undefined) sendText(res, 503, messages[later], headers);
  else if (unknownFilter) refuseFilter(res, headers);
  else refuseCredential(res, credential, headers);
}

/** Why a request that finds no environment may find one yet: SDKs try again after 503, and never after 401 and 404. */
function comesLater(context: HandlerContext, selection: Selection): "unconfigured" | "unserved" | undefined {
  if (!context.configured()) return "unconfigured";
  return selection.kind === "unserved" ? "unserved" : undefined;
}

/** Why a request finds no environment. */
const rejections = [
  "no-credential",
  "unknown-credential",
  "unknown-filter",
  "unconfigured",
  "unserved",
  "closed",
] as const;

function countRejected({ metrics }: HandlerContext, reason: (typeof rejections)[number]): void {
  metrics.counter("requests_rejected", { reason }).add(1);
}
