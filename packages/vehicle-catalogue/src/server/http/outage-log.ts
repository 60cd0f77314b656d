import type { Logger } from "../logger.js";

/** Why requests cannot be answered for the time being: a kind, and the words of one of them. */
export interface Outage {
  readonly kind: string;
  readonly line: string;
}

/** Each kind is told of once within that time. */
const silenceMs = 60_000;

/** Tells of outages, and how many requests met them, instead of each request that does: there may be thousands a second. */
export function createOutageLog(logger: Logger, now: () => number = Date.now): (outage: Outage) => void {
  const told = new Map<string, { readonly at: number; more: number }>();
  return ({ kind, line }) => {
    const at = now();
    const last = told.get(kind);
    // A clock that is set back does not silence anybody.
    if (last !== undefined && Math.abs(at - last.at) < silenceMs) {
      last.more++;
      return;
    }
    const more =
      last === undefined || last.more === 0 ? "" : ` (and ${last.more} more since the last such line)`;
    logger.warn(`${line}${more}`);
    told.set(kind, { at, more: 0 });
  };
}
