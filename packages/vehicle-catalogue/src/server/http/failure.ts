import type { CatalogueSnapshot } from "../catalogue.js";
import { DeadlineError } from "./abortable-call.js";
import type { RouterRequest } from "./exchange.js";
import { type Refusal, refuse } from "./refusal.js";

/** What an unexpected error is answered with, and what the log is told; nothing if it need not know. */
export interface ExplainedFailure {
  readonly refusal: Refusal;
  readonly line?: string;
}

/** A day: a client that is to wait longer may as well look once a day. */
export const longestWaitSeconds = 86_400;

/** After how many seconds a client may come again when nobody knows better. */
const defaultRetrySeconds = 5;

/** Tells what is temporary from what is a fault. Causes and keys stay on this side. */
export function explainFailure(error: unknown, request: RouterRequest, path: string): ExplainedFailure {
  const { method, headers, signal } = request;
  // Nobody reads the answer, and nothing has failed.
  if (signal?.aborted === true) return { refusal: unavailable(defaultRetrySeconds) };
  const line = `${method} ${path} failed: ${describeError(error, headers.get("api-key"))}`;
  const code = codeOf(error);
  if (code !== "unavailable" && code !== "superseded" && !(error instanceof DeadlineError)) {
    return { refusal: refuse("INTERNAL_SERVER_ERROR"), line };
  }
  return { refusal: unavailable(retrySecondsOf(error)), line };
}

/** Whether a snapshot says that its version is gone. */
export function isSuperseded(error: unknown): boolean {
  return codeOf(error) === "superseded";
}

/** What an error that says so brings along to be asked instead. */
export function newerSnapshot(error: unknown): CatalogueSnapshot | undefined {
  const snapshot = error instanceof Error && "snapshot" in error ? error.snapshot : undefined;
  // What a catalogue gives is looked at where it is asked, as every snapshot is.
  return typeof snapshot === "object" && snapshot !== null ? (snapshot as CatalogueSnapshot) : undefined;
}

function unavailable(seconds: number): Refusal {
  const detail = `Try again in ${seconds} s.`;
  return refuse("SERVICE_UNAVAILABLE", { detail }, { "Retry-After": String(seconds) });
}

/** By the code, not by the class: a program may have two copies of this package. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function retrySecondsOf(error: unknown): number {
  const ms = error instanceof Error && "retryAfterMs" in error ? error.retryAfterMs : undefined;
  if (typeof ms !== "number" || !(ms >= 0)) return defaultRetrySeconds;
  return Math.min(Math.max(1, Math.ceil(ms / 1000)), longestWaitSeconds);
}

/** An error for the log. A look-up that failed may have the key in its message, so it is taken out. */
export function describeError(error: unknown, apiKey: string | null | undefined): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return apiKey ? text.replaceAll(apiKey, "[key]") : text;
}
