import { type Context, contextFromBase64, parseContext } from "@wye/flag-evaluator";
import { closing, sendMessage, sendText } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { type BodyResult, withBody } from "../http/read-body.js";
import { bodyWasRead, refuseClosed, refuseCrowded } from "../http/refusals.js";
import { isVoucher, voucherOf } from "../secure-mode.js";

const messages = {
  type: "Content-Type must be application/json.",
  base64: "context part of URL path did not decode as valid base64",
  context: "context part of URL path did not decode to valid evaluation context as JSON",
  tooLarge: "the context is too large",
  secureMode: "Environment is in secure mode, and context hash does not match.",
};

/** A context for which whoever asks may speak. */
export interface GivenContext {
  readonly context: Context;
  /** How long its text in a body was; 0 for one in the path. */
  readonly bytes: number;
  /** The SDK key with which the host has signed it, where that is asked for. */
  readonly voucher: string | undefined;
}

/** The context of a request, from its path, which is there at once, or from its body. Without one the request has been answered. */
export function readContext(
  exchange: Exchange,
): GivenContext | undefined | Promise<GivenContext | undefined> {
  return exchange.req.method === "REPORT" ? readBody(exchange) : readPath(exchange);
}

/** The same for a context in the path. */
export function readPath(exchange: Exchange): GivenContext | undefined {
  return vouchedFor(exchange, contextFromPath(exchange), 0);
}

/** The same for a context in the body. */
export function readBody(exchange: Exchange): Promise<GivenContext | undefined> | undefined {
  return bodyFor(exchange, (body) => {
    const bytes = body.kind === "body" ? body.bytes.length : 0;
    return vouchedFor(exchange, contextOf(body, exchange), bytes);
  });
}

/** The context, unless it comes from a page that has to prove that it may speak for it, and cannot. */
function vouchedFor(
  exchange: Exchange,
  context: Context | undefined,
  bytes: number,
): GivenContext | undefined {
  if (context === undefined) return undefined;
  if (!isProofNeeded(exchange)) return { context, bytes, voucher: undefined };
  const { environment, query, res, headers } = exchange;
  const voucher = voucherOf(environment.keys, context.canonicalKey, query.get("h") ?? "");
  if (voucher !== undefined) return { context, bytes, voucher };
  sendMessage(res, 400, messages.secureMode, headers);
  return undefined;
}

/** Whether what was proved when a context was read still holds: while something else was waited for, the key of the proof may have gone. */
export function isStillVouchedFor(exchange: Exchange, { voucher }: GivenContext): boolean {
  return !isProofNeeded(exchange) || isVoucher(exchange.environment.keys, voucher);
}

/** Pages are believed nothing in secure mode. */
function isProofNeeded({ credential, environment }: Exchange): boolean {
  return credential === "envId" && environment.settings.secureMode;
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
  use: (body: BodyResult) => GivenContext | undefined,
): Promise<GivenContext | undefined> | undefined {
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
