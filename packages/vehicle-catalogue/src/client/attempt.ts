import type { ClientSettings } from "./client-settings.js";
import { exchange } from "./exchange.js";
import { failureToError } from "./failure.js";
import type { Answer } from "./json-api-document.js";
import { onAbort } from "./on-abort.js";
import type { VehicleClientError } from "./vehicle-client-error.js";
import type { RequestEvent } from "./vehicle-client-options.js";

/** One try of a request. */
export interface Attempt extends RequestEvent {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a request once, with a limit of time; the reason of the caller's signal is thrown. */
export async function runAttempt(
  attempt: Attempt,
  settings: ClientSettings,
): Promise<Answer | VehicleClientError> {
  const { signal, timeoutMs } = attempt;
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  const problem = `no complete answer within ${timeoutMs} ms`;
  const timeout = failureToError({ code: "timeout", problem, retryable: true }, attempt, settings.redactor);
  signal.throwIfAborted();
  const stopWaiting = onAbort(signal, abort);
  const cancelTimer = settings.clock.after(timeoutMs, () => controller.abort(timeout));
  try {
    return await exchange(attempt, settings, { signal: controller.signal, timeout });
  } catch (error) {
    // Frees a connection whose body nobody will read.
    controller.abort();
    signal.throwIfAborted();
    if (error !== timeout) throw error;
    return timeout;
  } finally {
    cancelTimer();
    stopWaiting();
  }
}
