import { sendBody, sendMessage } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { refuseIfGone } from "../http/refusals.js";
import { familyOf } from "../sdk-family.js";
import { readContext } from "./read-context.js";

/** What is smaller is sent faster as text, in one piece with the headers. */
const smallBytes = 16 * 1024;
const small = Buffer.alloc(smallBytes);

function allocate(size: number): Buffer<ArrayBuffer> {
  return size <= smallBytes ? small.subarray(0, size) : Buffer.allocUnsafe(size);
}

/** A small body is only lent until the next one is made. It is ASCII. */
function sendable(body: Uint8Array): string | Uint8Array {
  return body.length <= smallBytes ? small.toString("latin1", 0, body.length) : body;
}

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
  if (found instanceof Promise && refuseIfGone(exchange)) return;
  const body = evaluator.evaluateAllBytes(context, {
    allocate,
    bigSegments,
    audience: familyOf[credential],
    format,
    withReasons: query.get("withReasons") === "true",
  });
  sendBody(res, 200, "application/json", sendable(body), headers, downloads);
}
