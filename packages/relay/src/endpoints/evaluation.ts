import { sendLentJson, sendMessage } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { lendBody } from "../http/lent-bodies.js";
import { refuseIfGone } from "../http/refusals.js";
import { hasGone } from "../http/relay-response.js";
import { familyOf } from "../sdk-family.js";
import { readContext } from "./read-context.js";

/** Evaluates all flags that the audience sees: with details, or as bare values. */
export async function evaluate(exchange: Exchange, format: "evalx" | "eval"): Promise<void> {
  const read = readContext(exchange);
  const context = read instanceof Promise ? await read : read;
  if (context === undefined || refuseIfGone(exchange)) return;
  const { res, environment, credential, query, headers, downloads } = exchange;
  if (environment.phase !== "ready") {
    sendMessage(res, 503, "Service not initialized", headers);
    return;
  }
  if (context.key === "") {
    sendMessage(res, 400, "User must have a 'key' attribute", headers);
    return;
  }
  const { evaluator } = environment.flags;
  const missing = environment.bigSegments?.missing(evaluator, context) ?? [];
  const found = missing.length === 0 ? undefined : environment.bigSegments?.read(missing);
  const bigSegments = found instanceof Promise ? await found : found;
  if (found instanceof Promise && (hasGone(res) || refuseIfGone(exchange))) return;
  const body = evaluator.evaluateAllBytes(context, {
    allocate: lendBody,
    bigSegments,
    audience: familyOf[credential],
    format,
    withReasons: query.get("withReasons") === "true",
  });
  sendLentJson(res, body, headers, downloads);
}
