import type { BigSegmentPatch, BigSegmentStore, BigSegmentStoreFactory } from "@wye/relay";
import { listFrom } from "./list-from.js";
import type { RedisOptions } from "./redis-options.js";
import { createRedisPlaces, type RedisPlace } from "./redis-places.js";
import { applyPatch } from "./scripts.js";

/**
 * Keeps who is in big segments in Redis, where the SDKs' own readers of big segments find it. Takes the options of
 * `redisStore`, and its prefix if the SDKs are to find both. Throws when the options are wrong.
 */
export function redisBigSegments(options: RedisOptions = {}): BigSegmentStoreFactory {
  const places = createRedisPlaces(options);
  return (context) => createBigSegmentStore(places.open(context));
}

function createBigSegmentStore({ prefix, command, close }: RedisPlace): BigSegmentStore {
  const cursorKey = `${prefix}:big_segments_cursor`;
  const lockKey = `${prefix}:big_segments_lock`;
  const timeKey = `${prefix}:big_segments_synchronized_on`;
  const listKey = (list: "include" | "exclude", hash: string) => `${prefix}:big_segment_${list}:${hash}`;

  async function read(key: string, signal: AbortSignal): Promise<string | undefined> {
    const text = await command(key, ["GET", key], signal);
    return text === null || text === undefined ? undefined : String(text);
  }

  /** The lists that a patch changes, in the order in which the script goes through them. */
  function listsOf({ included, excluded }: BigSegmentPatch): readonly (readonly string[])[] {
    return [
      included.add.map((hash) => listKey("include", hash)),
      included.remove.map((hash) => listKey("include", hash)),
      excluded.add.map((hash) => listKey("exclude", hash)),
      excluded.remove.map((hash) => listKey("exclude", hash)),
    ];
  }

  return {
    cursor: (signal) => read(cursorKey, signal),
    async apply(patch, signal) {
      const lists = listsOf(patch);
      const keys = [cursorKey, lockKey, ...lists.flat()];
      const values = [
        patch.previousVersion,
        patch.version,
        patch.segmentId,
        ...lists.map(({ length }) => String(length)),
      ];
      const reply = await command(
        cursorKey,
        ["EVAL", applyPatch, String(keys.length), ...keys, ...values],
        signal,
      );
      return Number(reply) === 1;
    },
    async synchronizedOn(signal) {
      const text = await read(timeKey, signal);
      const time = Number(text ?? Number.NaN);
      return Number.isFinite(time) ? time : undefined;
    },
    async setSynchronizedOn(timeMs, signal) {
      await command(timeKey, ["SET", timeKey, String(timeMs)], signal);
    },
    async memberships(hash, signal) {
      const [included, excluded] = await Promise.all(
        (["include", "exclude"] as const).map(async (list) => {
          const key = listKey(list, hash);
          return membersFrom(await command(key, ["SMEMBERS", key], signal));
        }),
      );
      return { included: included ?? [], excluded: excluded ?? [] };
    },
    close,
  };
}

/** Newer clients make a set of what older ones give as a list. */
function membersFrom(reply: unknown): readonly string[] {
  return (reply instanceof Set ? [...reply] : listFrom(reply)).map(String);
}
