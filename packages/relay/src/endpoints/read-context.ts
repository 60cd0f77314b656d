import { type Context, contextFromBase64, parseContext } from "@wye/flag-evaluator";
import { closing, sendMessage, sendText } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { type BodyResult, withBody } from "../http/read-body.js";
import { bodyWasRead, refuseClosed, refuseCrowded } from "../http/refusals.js";
import { voucherOf } from "../secure-mode.js";

const messages = {
  type: "Content-Type must be application/json.",
  base64: "context part of URL path did not decode as valid base64",
  context: "context part of URL path did not decode to valid evaluation context as JSON",
  tooLarge: "the context is too large",
  secureMode: "Environment is in secure mode, and context hash does not match.",
};

/**
 * The context of a request, from its path, which is there at once, or from its body, whose size is told. Without one the request
 * has been answered.
 */
export function readContext(
  exchange: Exchange,
  read: (bytes: number) => void = () => {},
): Context | undefined | Promise<Context | undefined> {
  return exchange.req.method === "REPORT" ? readBody(exchange, read) : readPath(exchange);
}

/** The same for a context in the path. */
export function readPath(exchange: Exchange): Context | undefined {
  return vouchedFor(exchange, contextFromPath(exchange));
}

/** The same for a context in the body. */
export function readBody(
  exchange: Exchange,
  read: (bytes: number) => void = () => {},
): Promise<Context | undefined> | undefined {
  return bodyFor(exchange, (body) => {
    if (body.kind === "body") read(body.bytes.length);
    return vouchedFor(exchange, contextOf(body, exchange));
  });
}

/** The context, unless it comes from a page that has to prove that it may speak for it, and cannot. */
function vouchedFor(exchange: Exchange, context: Context | undefined): Context | undefined {
  const { environment, credential, query, res, headers } = exchange;
  if (context === undefined || credential !== "envId" || !environment.settings.secureMode) return context;
  if (voucherOf(environment.keys, context.canonicalKey, query.get("h") ?? "") !== undefined) return context;
  sendMessage(res, 400, messages.secureMode, headers);
  return undefined;
}

function contextFromPath({ res, match, headers }: Exchange): Context | undefined {
  const result = contextFromBase64(match.variables.context ?? "");
  if (result.ok) return result.context;
  sendMessage(res, 400, result.code === "base64" ? messages.base64 : messages.context, headers);
  return undefined;
}

/** Gives the body to `use`, if it is of the right type. */
function bodyFor(
  { req, res, environment, headers, uploads }: Exchange,
  use: (body: BodyResult) => Context | undefined,
): Promise<Context | undefined> | undefined {
  const type = req.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    sendText(res, 415, messages.type, headers);
    req.resume();
    return undefined;
  }
  const { maxContextBytes } = environment.relayOptions;
  return withBody(req, { maxBytes: maxContextBytes, uploads }, use);
}

function contextOf(body: BodyResult, exchange: Exchange): Context | undefined {
  const { res, environment, headers } = exchange;
  const { maxContextBytes } = environment.relayOptions;
  if (body.kind === "aborted") return undefined;
  if (body.kind === "too-large") {
    sendMessage(res, 413, messages.tooLarge, closing(res, headers));
    return undefined;
  }
  if (body.kind === "crowded-out") {
    refuseCrowded(exchange);
    return undefined;
  }
  if (body.kind === "closed") {
    refuseClosed(res, headers);
    return undefined;
  }
  if (body.kind === "consumed") {
    bodyWasRead(exchange);
    return undefined;
  }
  if (body.kind === "malformed") {
    sendMessage(res, 400, messages.context, headers);
    return undefined;
  }
  const result = parseContext(body.bytes.toString(), { maxLength: maxContextBytes });
  if (result.ok) return result.context;
  sendMessage(res, 400, result.path === "" ? result.message : `${result.path}: ${result.message}`, headers);
  return undefined;
}
