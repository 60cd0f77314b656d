import { RelayError } from "@wye/relay";

/** A reply that has to be a list. */
export function listFrom(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  throw new RelayError("store_failed", `Redis gave ${typeof reply} where a list was expected`);
}
