import type { BigSegments, Context, Evaluator } from "@wye/flag-evaluator";
import { answerTogether, type ReadyAnswer } from "../http/answer-together.js";
import { sendBody, sendLentJson, sendMessage } from "../http/answers.js";
import { isPlain } from "../http/downloads.js";
import type { Exchange } from "../http/exchange.js";
import { lendBody } from "../http/lent-bodies.js";
import { refuseIfGone } from "../http/refusals.js";
import { hasGone } from "../http/relay-response.js";
import { familyOf } from "../sdk-family.js";
import { readBody, readPath } from "./read-context.js";

/** Evaluates all flags that the audience sees: with details, or as bare values. */
export function evaluate(exchange: Exchange, format: Format): void | Promise<void> {
  const withReasons = exchange.query.get("withReasons") === "true";
  const question = questionOf(exchange, format, withReasons);
  const kept = question && exchange.answers.get(question);
  if (kept) {
    sendBody(exchange.res, 200, "application/json", kept, exchange.headers, exchange.downloads);
    return undefined;
  }
  const asked = { format, withReasons, question };
  if (exchange.req.method !== "REPORT")
    return evaluateFor(exchange, () => readPath(exchange)?.context, asked);
  return readBody(exchange)?.then((given) => {
    if (given !== undefined) return evaluateFor(exchange, () => given.context, asked);
  });
}

type Format = "evalx" | "eval";

/** How flags are asked for. */
interface Asked {
  readonly format: Format;
  readonly withReasons: boolean;
  /** Under which the answer may be kept. */
  readonly question: string | undefined;
}

function evaluateFor(
  exchange: Exchange,
  read: () => Context | undefined,
  asked: Asked,
): void | Promise<void> {
  const { res, environment } = exchange;
  if (hasGone(res) || refuseIfGone(exchange)) return undefined;
  const { bigSegments, flags, phase } = environment;
  const { evaluator } = flags;
  // As long as there are no data the evaluator has no flags, also when they come while the answer waits for others.
  const isReady = phase === "ready";
  // Around what is not plain there is something of the host, which expects what is its own around it.
  if (bigSegments === undefined && isPlain(res))
    return answerTogether(() => {
      const context = hasGone(res) ? undefined : answerable(exchange, read(), isReady);
      return context && readyAnswer(exchange, evaluator, context, asked, undefined);
    });
  const context = answerable(exchange, read(), isReady);
  if (context === undefined) return undefined;
  const missing = bigSegments?.missing(evaluator, context) ?? [];
  const found = missing.length === 0 ? undefined : bigSegments?.read(missing);
  if (!(found instanceof Promise)) return readyAnswer(exchange, evaluator, context, asked, found).send();
  return found.then((known) => {
    // A store that is closed meanwhile does not tell who is a member.
    if (!hasGone(res) && !refuseIfGone(exchange))
      readyAnswer(exchange, evaluator, context, asked, known).send();
  });
}

/** The context, unless nothing can be said about it. */
function answerable(
  { res, headers }: Exchange,
  context: Context | undefined,
  isReady: boolean,
): Context | undefined {
  if (context === undefined) return undefined;
  if (isReady && context.key !== "") return context;
  if (!isReady) sendMessage(res, 503, "Service not initialized", headers);
  else sendMessage(res, 400, "User must have a 'key' attribute", headers);
  return undefined;
}

function readyAnswer(
  { res, credential, headers, answers, downloads }: Exchange,
  evaluator: Evaluator,
  context: Context,
  { format, withReasons, question }: Asked,
  bigSegments: BigSegments | undefined,
): ReadyAnswer {
  const audience = familyOf[credential];
  const options = { allocate: lendBody, bigSegments, audience, format, withReasons };
  const body = evaluator.evaluateAllBytes(context, options);
  if (question !== undefined) answers.offer(question, body);
  return { bytes: body.length, send: () => sendLentJson(res, body, headers, downloads) };
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
