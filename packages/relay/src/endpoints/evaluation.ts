import { sendBody, sendLentJson, sendMessage } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { lendBody } from "../http/lent-bodies.js";
import { refuseIfGone } from "../http/refusals.js";
import { hasGone } from "../http/relay-response.js";
import { familyOf } from "../sdk-family.js";
import { readContext } from "./read-context.js";

/** Evaluates all flags that the audience sees: with details, or as bare values. */
export async function evaluate(exchange: Exchange, format: "evalx" | "eval"): Promise<void> {
  const question = questionOf(exchange, format);
  const kept = question && exchange.answers.get(exchange.environment.flags.evaluator, question);
  if (kept) {
    sendBody(exchange.res, 200, "application/json", kept, exchange.headers, exchange.downloads);
    return;
  }
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
  if (question !== undefined) exchange.answers.offer(evaluator, question, body);
  sendLentJson(res, body, headers, downloads);
}

/** What is asked, where that and the flags alone say what is answered: no proof to be looked at, and no members of big segments. */
function questionOf(
  { req, match, environment, credential, query }: Exchange,
  format: "evalx" | "eval",
): string | undefined {
  const { phase, settings, bigSegments } = environment;
  const asksForProof = credential === "envId" && settings.secureMode;
  if (phase !== "ready" || asksForProof || bigSegments !== undefined || req.method === "REPORT")
    return undefined;
  const reasons = query.get("withReasons") === "true";
  return `${familyOf[credential]} ${format} ${reasons} ${match.variables.context}`;
}
