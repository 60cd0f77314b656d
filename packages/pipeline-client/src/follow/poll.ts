import { PipelineClientError } from "../client-error.js";
import type { CallOptions } from "../client-options.js";
import { checkCall, type KnownCall } from "../http/known-call.js";
import type { SessionSettings } from "../http/session.js";
import { pause } from "../http/unless-aborted.js";
import type { PollOptions, WaitOptions } from "./run-update.js";

/** What is asked again and again. */
export interface Polled<T> {
  /** Such as `run 1234`. */
  readonly what: string;
  readonly ask: (options: CallOptions) => Promise<T>;
}

const known: KnownCall<WaitOptions> = {
  caller: "follow",
  options: {
    maxWaitMs: "limit",
    minPollMs: "limit",
    maxPollMs: "limit",
    maxOutageMs: "limit",
    after: "any",
    onUpdate: "any",
  },
};

/** Refuses what nothing can be followed with. */
export function checkFollow(options: WaitOptions): void {
  checkCall(options, known);
  const { onUpdate } = options;
  if (onUpdate !== undefined && typeof onUpdate !== "function")
    throw new TypeError("`onUpdate` is a function");
}

/** What a wait ends with whose time is over. */
export function tooLong(what: string, maxWaitMs: number): PipelineClientError {
  return new PipelineClientError(`${what} has not ended within ${maxWaitMs} ms`, {
    code: "timeout",
    remedy: "it goes on: follow it again, or terminate it",
  });
}

/** Answers of no use that are borne in a row, and before there was an answer failures with the status 500: some last for ever. */
const mostErrors = 5;

/**
 * What is answered, again and again, without an end of its own: the reader leaves. The waits grow while the reader says that nothing has
 * changed, by `next(false)`. A server that fails is asked again until it has failed for `maxOutageMs`.
 */
export async function* poll<T>(
  { what, ask }: Polled<T>,
  options: PollOptions,
  { clock, timeoutMs }: Pick<SessionSettings, "clock" | "timeoutMs">,
): AsyncGenerator<T, never, boolean> {
  checkFollow(options);
  const {
    maxWaitMs = Number.POSITIVE_INFINITY,
    minPollMs = 1000,
    maxPollMs = 10_000,
    maxOutageMs = 600_000,
  } = options;
  const { signal = new AbortController().signal } = options;
  const endsAt = clock.now() + maxWaitMs;
  let delayMs = minPollMs;
  let failingSince: number | undefined;
  let errors = 0;
  let hasAnswered = false;
  // Who has a cursor has been answered before.
  const isKnown = "after" in options && options.after !== undefined;
  // What the server asks for.
  let leastMs = 0;
  for (;;) {
    const left = endsAt - clock.now();
    // Without any time it is asked once.
    if (left <= 0 && (maxWaitMs > 0 || hasAnswered)) throw tooLong(what, maxWaitMs);
    try {
      const own = options.deadlineMs ?? 2 * (options.timeoutMs ?? timeoutMs);
      const deadlineMs = left > 0 ? Math.min(own, left) : own;
      const value = await ask({ signal, timeoutMs: options.timeoutMs, deadlineMs });
      failingSince = undefined;
      hasAnswered = true;
      errors = 0;
      const hasChanged = yield value;
      delayMs = hasChanged ? minPollMs : Math.min(maxPollMs, delayMs * 1.5);
    } catch (error) {
      signal.throwIfAborted();
      failingSince ??= clock.now();
      errors = isDoubtful(error) ? errors + 1 : 0;
      if (clock.now() >= endsAt) throw maxWaitMs > 0 ? tooLong(what, maxWaitMs) : error;
      if (!mayPass(error, errors, hasAnswered || isKnown) || clock.now() - failingSince >= maxOutageMs)
        throw error;
      const asked = error instanceof PipelineClientError ? (error.retryAfterMs ?? 0) : 0;
      leastMs = asked;
      delayMs = Math.min(maxPollMs, delayMs * 2);
    }
    const jittered = Math.max(leastMs, delayMs * (0.8 + 0.4 * clock.random()));
    leastMs = 0;
    // However long a server asks to be left alone: it is asked once more before it is given up.
    const nextAt = failingSince === undefined ? endsAt : Math.min(endsAt, failingSince + maxOutageMs);
    await pause(Math.min(jittered, Math.max(0, nextAt - clock.now())), clock, signal);
  }
}

/** Credentials that have been good once may be had again: what gives them fails like any other server. */
function mayPass(error: unknown, errors: number, hasAnswered: boolean): boolean {
  if (!(error instanceof PipelineClientError)) return false;
  if (error.retryable || error.code === "rate_limited") return true;
  if (isDoubtful(error)) return (hasAnswered && error.status === 500) || errors < mostErrors;
  return hasAnswered && error.code === "credentials";
}

const isDoubtful = (error: unknown): boolean =>
  error instanceof PipelineClientError && (error.status === 500 || error.code === "invalid_response");
