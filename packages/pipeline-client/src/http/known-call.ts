import { checkOptions, type KnownOptions } from "@wye/pipeline-spec";
import type { CallOptions } from "../client-options.js";

/** What a call takes beside that which every call takes. */
export interface KnownCall<T extends CallOptions> {
  readonly caller: string;
  readonly options: KnownOptions<Omit<T, keyof CallOptions>>;
}

/** What every call takes. */
export const everyCall: KnownOptions<CallOptions> = {
  signal: "any",
  timeoutMs: "limit",
  deadlineMs: "limit",
};

/** Refuses options that a call does not have: it would do something else than what was meant. */
export function checkCall<T extends CallOptions>(given: T, { caller, options }: KnownCall<T>): void {
  checkOptions<object>(caller, given, { ...everyCall, ...options });
  const { signal } = given;
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function")
    throw new TypeError("`signal` is an AbortSignal");
}

/** That which every call takes, of the options of one that takes more. */
export function callOptionsOf({ signal, timeoutMs, deadlineMs }: CallOptions): CallOptions {
  return { signal, timeoutMs, deadlineMs };
}
