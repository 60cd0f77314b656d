import { RelayError } from "@wye/relay";

/** A reply that has to be a list. */
export function listFrom(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  throw unexpected(reply, "a list was");
}

/** A reply that has to be one of a few. */
export function oneOf<Reply extends string | number>(reply: unknown, ...expected: readonly Reply[]): Reply {
  // Some clients give whole numbers as texts or as large ones.
  const found = expected.find((one) => String(one) === String(reply));
  if (found !== undefined) return found;
  throw unexpected(reply, `${expected.join(" or ")} was`);
}

/** A reply that has to be a size. */
export function sizeFrom(reply: unknown): number {
  const size = typeof reply === "object" ? Number.NaN : Number(reply);
  if (Number.isFinite(size)) return size;
  throw unexpected(reply, "a size was");
}

/** A reply that has to be text, or null for nothing. */
export function textFrom(reply: unknown): string | undefined {
  if (reply === null) return undefined;
  if (reply === undefined || typeof reply === "object") throw unexpected(reply, "text or null was");
  return String(reply);
}

function unexpected(reply: unknown, expected: string): RelayError {
  const given = reply === null || typeof reply !== "object" ? String(reply) : typeof reply;
  return new RelayError(
    "store_failed",
    `Redis gave ${given.slice(0, 100)} where ${expected} expected (a command of the host must give the reply as it is)`,
  );
}
