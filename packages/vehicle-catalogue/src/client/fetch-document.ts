import { runAttempt } from "./attempt.js";
import { check, readNumbers } from "./check.js";
import type { ClientSettings } from "./client-settings.js";
import type { Answer } from "./json-api-document.js";
import { hookOver, pause } from "./unless-aborted.js";
import { VehicleClientError } from "./vehicle-client-error.js";
import type { CallOptions } from "./vehicle-requests.js";

/** The time that one call has, however many requests it takes. */
export interface Call {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly endsAt: number;
}

/** Starts the clock of a call; throws the reason of a signal that is aborted already. */
export type StartCall = () => Call;

/** Checks the options of a call at once, and that there are no others. */
export function callStarter(options: CallOptions, settings: ClientSettings): StartCall {
  const { signal = new AbortController().signal, ...given } = options;
  const { clock } = settings;
  check(typeof signal?.throwIfAborted === "function", "signal must be an AbortSignal");
  const { timeoutMs, deadlineMs } = readNumbers(
    given,
    { timeoutMs: settings.timeoutMs, deadlineMs: settings.deadlineMs },
    "request",
  );
  return () => {
    signal.throwIfAborted();
    return { signal, timeoutMs, endsAt: clock.now() + deadlineMs };
  };
}

/** Asks until there is a document, the failure is final, or no time is left for another attempt. */
export async function fetchDocument(url: string, call: Call, settings: ClientSettings): Promise<Answer> {
  const { clock, hooks, retry } = settings;
  const { signal, endsAt } = call;
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = Math.max(0, Math.min(call.timeoutMs, endsAt - clock.now()));
    const outcome = await runAttempt({ url, attempt, timeoutMs, signal }, settings);
    if (!(outcome instanceof VehicleClientError)) return outcome;
    const backoffMs = clock.random() * Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (attempt - 1));
    const delayMs = Math.max(outcome.retryAfterMs ?? 0, backoffMs);
    const isTooLong = delayMs > retry.maxDelayMs || clock.now() + delayMs >= endsAt;
    if (!outcome.retryable || attempt > retry.limit || isTooLong) throw outcome;
    await hookOver(hooks.retry?.({ url, attempt, delayMs, error: outcome }), signal);
    await pause(delayMs, clock, signal);
  }
}
