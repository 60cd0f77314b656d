import type { Item, Steps } from "@wye/flag-evaluator";
import type { Change } from "./change.js";
import type { EnvironmentMeter } from "./environment-meter.js";
import type { FlagSet } from "./flag-set.js";
import type { Logger } from "./logger.js";
import type { Broadcaster } from "./streaming/broadcaster.js";

/** What a change of an environment goes through. */
export interface ServingParts {
  readonly flags: FlagSet;
  readonly streams: Broadcaster;
  /** Hears of segments whose members are kept elsewhere. Absent without a store for them. */
  readonly bigSegments:
    | { look(change: Change, current: (segmentKey: string) => Item | undefined): void }
    | undefined;
  readonly meter: EnvironmentMeter;
  readonly logger: Logger;
}

/** Serves a change of upstream from now on and tells the open streams. Throws when it cannot be used. */
export function* serveChange(parts: ServingParts, change: Change): Steps<void> {
  if (yield* serve(parts, change)) parts.meter.countUpdate(change.extent === "full" ? "put" : "item");
}

/** Serves what the store has: all of it until upstream delivers, afterwards what others have written there. */
export function* serveStored(parts: ServingParts, change: Change): Steps<void> {
  const { complete } = parts.flags;
  if ((yield* serve(parts, change)) && !complete)
    parts.logger.info("serving the flags of the data store until upstream delivers");
}

/** Tells whether any flag or segment is another one now. */
function* serve({ flags, streams, bigSegments, logger }: ServingParts, change: Change): Steps<boolean> {
  const { complete } = flags;
  if (!(yield* flags.applyInSteps(change))) return false;
  const touched = new Set(change.items.map(({ kind, key }) => `${kind}/${key}`));
  for (const { kind, key, path, message } of flags.evaluator.problems) {
    if (!touched.has(`${kind}/${key}`)) continue;
    logger.error(`${kind} ${JSON.stringify(key)} is malformed at ${path || "/"}: ${message}`);
  }
  if (!complete && flags.complete) logger.info("has data");
  bigSegments?.look(change, (key) => flags.get("segments", key));
  streams.update();
  return true;
}
