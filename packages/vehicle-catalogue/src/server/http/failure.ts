import type { CatalogueSnapshot } from "../catalogue.js";
import { DeadlineError } from "./abortable-call.js";
import type { RouterRequest } from "./exchange.js";
import type { Outage } from "./outage-log.js";
import { type Refusal, refuse } from "./refusal.js";

/** What an error is answered with, and what the log is told: of a fault, of an outage, or nothing if it need not know. */
export interface ExplainedFailure {
  readonly refusal: Refusal;
  readonly line?: string;
  readonly outage?: Outage;
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
  const key = headers.get("api-key");
  const code = error instanceof DeadlineError ? "late" : codeOf(error);
  if (code !== "unavailable" && code !== "superseded" && code !== "late") {
    const line = `${method} ${path} failed: ${describeError(error, key)}`;
    return { refusal: refuse("INTERNAL_SERVER_ERROR"), line };
  }
  const reason = withoutKey(error instanceof Error ? error.message : String(error), key);
  const line = `${method} ${path} cannot be answered for the time being: ${reason}`;
  return { refusal: unavailable(retrySecondsOf(error)), outage: { kind: code, line } };
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
  return withoutKey(error instanceof Error ? (error.stack ?? error.message) : String(error), apiKey);
}

function withoutKey(text: string, apiKey: string | null | undefined): string {
  return apiKey ? text.replaceAll(apiKey, "[key]") : text;
}
