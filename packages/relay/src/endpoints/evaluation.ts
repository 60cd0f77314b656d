import type { BigSegments, Context, Evaluator } from "@wye/flag-evaluator";
import { sendBody, sendLentJson, sendMessage } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { lendBody } from "../http/lent-bodies.js";
import { refuseIfGone } from "../http/refusals.js";
import { hasGone } from "../http/relay-response.js";
import { familyOf } from "../sdk-family.js";
import { readContext } from "./read-context.js";

/** Evaluates all flags that the audience sees: with details, or as bare values. */
export function evaluate(exchange: Exchange, format: Format): void | Promise<void> {
  const withReasons = exchange.query.get("withReasons") === "true";
  const question = questionOf(exchange, format, withReasons);
  const kept = question && exchange.answers.get(question);
  if (kept) {
    sendBody(exchange.res, 200, "application/json", kept, exchange.headers, exchange.downloads);
    return undefined;
  }
  const context = readContext(exchange);
  const asked = { format, withReasons, question };
  return context instanceof Promise
    ? context.then((read) => evaluateFor(exchange, read, asked))
    : evaluateFor(exchange, context, asked);
}

type Format = "evalx" | "eval";

/** How flags are asked for. */
interface Asked {
  readonly format: Format;
  readonly withReasons: boolean;
  /** Under which the answer may be kept. */
  readonly question: string | undefined;
}

function evaluateFor(exchange: Exchange, context: Context | undefined, asked: Asked): void | Promise<void> {
  if (context === undefined || refuseIfGone(exchange)) return undefined;
  const { res, environment, headers } = exchange;
  if (environment.phase !== "ready") {
    sendMessage(res, 503, "Service not initialized", headers);
    return undefined;
  }
  if (context.key === "") {
    sendMessage(res, 400, "User must have a 'key' attribute", headers);
    return undefined;
  }
  const { evaluator } = environment.flags;
  const missing = environment.bigSegments?.missing(evaluator, context) ?? [];
  const found = missing.length === 0 ? undefined : environment.bigSegments?.read(missing);
  if (!(found instanceof Promise)) return send(exchange, evaluator, context, asked, found);
  return found.then((bigSegments) => {
    if (!hasGone(res) && !refuseIfGone(exchange)) send(exchange, evaluator, context, asked, bigSegments);
  });
}

function send(
  { res, credential, headers, answers, downloads }: Exchange,
  evaluator: Evaluator,
  context: Context,
  { format, withReasons, question }: Asked,
  bigSegments: BigSegments | undefined,
): void {
  const audience = familyOf[credential];
  const options = { allocate: lendBody, bigSegments, audience, format, withReasons };
  const body = evaluator.evaluateAllBytes(context, options);
  if (question !== undefined) answers.offer(question, body);
  sendLentJson(res, body, headers, downloads);
}

/** What is asked, where that and the flags alone say what is answered: no proof to be looked at, and no members of big segments. */
function questionOf(
  { req, match, environment, credential, answers }: Exchange,
  format: Format,
  withReasons: boolean,
): string | undefined {
  const { phase, settings, bigSegments, flags } = environment;
  const asksForProof = credential === "envId" && settings.secureMode;
  if (phase !== "ready" || asksForProof || bigSegments !== undefined || req.method === "REPORT")
    return undefined;
  const text = `${familyOf[credential]} ${format} ${withReasons} ${match.variables.context}`;
  return answers.questionOf(flags.evaluator, text);
}
