import type { FlagSet } from "../flag-set.js";
import { type Difference, isToldByVersion } from "./differences.js";
import { type Frame, frameFrom } from "./frame.js";
import { allPutFrame, flagsPutFrame, itemEvent } from "./representations.js";

/** More items than this are told together where that takes no more bytes. */
const maxSingleItems = 8;

/** What leads a server-side stream to the present flags: the items that differ, or everything where that is less. */
export function serverFrame(
  flags: FlagSet,
  differences: readonly Difference[],
  channel: "all" | "flags",
): Frame | undefined {
  const shown = differences.filter(({ kind }) => channel === "all" || kind === "flags");
  if (shown.length === 0) return undefined;
  const items = shown.flatMap(({ after }) => (after === undefined || after.fault !== undefined ? [] : after));
  if (
    !shown.every(isToldByVersion) ||
    (items.length > maxSingleItems && sizeOf(items) >= sizeOf(flags.items))
  ) {
    return flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
  }
  const events = items.map((item) =>
    itemEvent(channel === "all" ? `/${item.kind}/${item.key}` : `/${item.key}`, item),
  );
  return events.length === 0 ? undefined : frameFrom(events.join(""));
}

function sizeOf(items: readonly { readonly deleted: boolean; readonly json: string }[]): number {
  return items.reduce((sum, { deleted, json }) => sum + (deleted ? 0 : json.length), 0);
}
