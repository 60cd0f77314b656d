import { createHash } from "node:crypto";
import {
  type BigSegmentPatch,
  type BigSegmentStore,
  type BigSegmentStoreFactory,
  type Logger,
  RelayError,
} from "@wye/relay";
import type { RedisOptions } from "./redis-options.js";
import { createRedisPlaces, type RedisPlace } from "./redis-places.js";
import { askAgain } from "./remedies.js";
import { listFrom, oneOf, textFrom } from "./replies.js";
import { runScript } from "./run-script.js";
import { applyPiece } from "./scripts.js";

/**
 * How many lists one script changes: the server does nothing else meanwhile, and takes no command of a million words. A step
 * in pieces may be taken again, and the cursor moves with the last of them.
 */
const maxChanges = 1000;

/** A list that a script adds to or removes from, depending on its turn. */
interface Change {
  readonly key: string;
  readonly turn: number;
}

/**
 * Keeps who is in big segments in Redis, where the SDKs' own readers of big segments find it. Takes the options of
 * `redisStore`, and its prefix if the SDKs are to find both. Throws when the options are wrong.
 */
export function redisBigSegments(options: RedisOptions = {}): BigSegmentStoreFactory {
  const places = createRedisPlaces(options, { caller: "redisBigSegments", what: "big segments" });
  return (context) => createBigSegmentStore(places.open(context), context.logger);
}

function createBigSegmentStore(
  { prefix, about, command, close }: RedisPlace,
  logger: Logger,
): BigSegmentStore {
  const cursorKey = `${prefix}:big_segments_cursor`;
  const lockKey = `${prefix}:big_segments_lock`;
  const timeKey = `${prefix}:big_segments_synchronized_on`;
  const listKey = (list: "include" | "exclude", hash: string) => `${prefix}:big_segment_${list}:${hash}`;

  async function read(key: string, signal: AbortSignal): Promise<string | undefined> {
    return textFrom(await command(key, ["GET", key], signal));
  }

  /** The lists that a patch changes, each with the turn of the script in which that happens. */
  function changesOf({ included, excluded }: BigSegmentPatch): readonly Change[] {
    const turns = [
      included.add.map((hash) => listKey("include", hash)),
      included.remove.map((hash) => listKey("include", hash)),
      excluded.add.map((hash) => listKey("exclude", hash)),
      excluded.remove.map((hash) => listKey("exclude", hash)),
    ];
    return turns.flatMap((keys, turn) => keys.map((key) => ({ key, turn })));
  }

  return {
    about,
    cursor: (signal) => read(cursorKey, signal),
    async apply(patch, signal) {
      const { previousVersion, version, segmentId } = patch;
      const changes = changesOf(patch);
      const name = nameOf(patch, changes.length);
      for (let start = 0; ; start += maxChanges) {
        const piece = changes.slice(start, start + maxChanges);
        const last = start + maxChanges >= changes.length;
        const keys = [cursorKey, lockKey, ...piece.map(({ key }) => key)] as const;
        const counts = [0, 1, 2, 3].map((turn) => piece.filter((change) => change.turn === turn).length);
        const place = [name, String(start / maxChanges)];
        const leadsTo = last ? version : previousVersion;
        const values = [previousVersion, leadsTo, segmentId, ...counts.map(String), ...place];
        const [outcome, ...unfit] = listFrom(await runScript(command, applyPiece, keys, values, signal));
        const taken = oneOf(outcome, 0, 1, 2);
        if (taken === 2) throw new RelayError("store_failed", "a part of a step that was taken is gone");
        for (const key of unfit)
          logger.error(
            `big segments: ${key} was of another type and has begun anew as a list: if it was one before, delete it ${askAgain(prefix)}`,
          );
        if (last || taken === 0) return taken === 1;
      }
    },
    async synchronizedOn(signal) {
      const text = await read(timeKey, signal);
      const time = Number(text ?? Number.NaN);
      return Number.isFinite(time) ? time : undefined;
    },
    async setSynchronizedOn(timeMs, signal) {
      oneOf(await command(timeKey, ["SET", timeKey, String(timeMs)], signal), "OK");
    },
    async memberships(hash, signal) {
      const membersOf = async (list: "include" | "exclude") => {
        const key = listKey(list, hash);
        return membersFrom(await command(key, ["SMEMBERS", key], signal));
      };
      const [included, excluded] = await Promise.all([membersOf("include"), membersOf("exclude")]);
      return { included, excluded };
    },
    close,
  };
}

/** What tells a step from others that begin at the same version: whoever takes the same one, in the same pieces, calls it the same. */
function nameOf({ previousVersion, version, segmentId }: BigSegmentPatch, changes: number): string {
  const parts = [previousVersion, version, segmentId, changes, maxChanges];
  return createHash("sha1").update(JSON.stringify(parts)).digest("hex");
}

/** Newer clients make a set of what older ones give as a list. */
function membersFrom(reply: unknown): readonly string[] {
  return (reply instanceof Set ? [...reply] : listFrom(reply)).map(String);
}
