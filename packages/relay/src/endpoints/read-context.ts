import { type Context, contextFromBase64, parseContext } from "@wye/flag-evaluator";
import { closing, sendMessage, sendText } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { type BodyResult, withBody } from "../http/read-body.js";
import { bodyWasRead, refuseClosed, refuseCrowded } from "../http/refusals.js";
import { isVouchedFor } from "../secure-mode.js";

const messages = {
  type: "Content-Type must be application/json.",
  base64: "context part of URL path did not decode as valid base64",
  context: "context part of URL path did not decode to valid evaluation context as JSON",
  tooLarge: "the context is too large",
  secureMode: "Environment is in secure mode, and context hash does not match.",
};

/** The context of a request, from its path or its body. Without one the request has been answered. */
export async function readContext(exchange: Exchange): Promise<Context | undefined> {
  const context =
    exchange.req.method === "REPORT" ? await contextFromBody(exchange) : contextFromPath(exchange);
  if (context === undefined) return undefined;
  const { environment, credential, query, res, headers } = exchange;
  const mustProve = credential === "envId" && environment.settings.secureMode;
  if (mustProve && !isVouchedFor(environment.keys, context.canonicalKey, query.get("h") ?? "")) {
    sendMessage(res, 400, messages.secureMode, headers);
    return undefined;
  }
  return context;
}

function contextFromPath({ res, match, headers }: Exchange): Context | undefined {
  const result = contextFromBase64(match.variables.context ?? "");
  if (result.ok) return result.context;
  sendMessage(res, 400, result.code === "base64" ? messages.base64 : messages.context, headers);
  return undefined;
}

async function contextFromBody(exchange: Exchange): Promise<Context | undefined> {
  const { req, res, environment, headers, uploads } = exchange;
  const type = req.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    sendText(res, 415, messages.type, headers);
    req.resume();
    return undefined;
  }
  const { maxContextBytes } = environment.relayOptions;
  return withBody(req, { maxBytes: maxContextBytes, uploads }, (body) => contextOf(body, exchange));
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
