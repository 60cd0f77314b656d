import {
  type FlagStore,
  type Item,
  type ItemKind,
  isKeepable,
  type Logger,
  readStoredItems,
  type StoredText,
  storedText,
} from "@wye/relay";
import type { SendCommand } from "./redis-command.js";
import { listFrom, oneOf, sizeFrom, textFrom } from "./replies.js";
import { runScript } from "./run-script.js";
import { measureAll, readAll, replaceAll } from "./scripts.js";
import { upsertUnchanged } from "./upsert-unchanged.js";

/** What one store is made of. */
export interface RedisStoreParts extends Pick<FlagStore, "about" | "cacheTtlMs" | "losses" | "close"> {
  readonly prefix: string;
  readonly logger: Logger;
  readonly command: SendCommand;
}

/** Keeps the flags of one environment: two hashes and a marker, as SDKs in daemon mode expect them. */
export function createRedisStore({ prefix, logger, command, ...rest }: RedisStoreParts): FlagStore {
  const collections: Record<ItemKind, string> = {
    flags: `${prefix}:features`,
    segments: `${prefix}:segments`,
  };
  const marker = `${prefix}:$inited`;
  const voice = { about: rest.about, logger };
  const keys = [collections.flags, collections.segments, marker] as const;
  /**
   * The collections that have items as far as this store knows. Redis knows no empty ones: one that is not there has been deleted, or was evicted
   * without the others.
   */
  const present = new Set<string>();

  function storedIn(kind: ItemKind, reply: unknown): StoredText[] {
    return pairsOf(reply).map(([key, text]) => ({
      kind,
      key,
      text,
      place: `${JSON.stringify(key)} of ${collections[kind]}`,
    }));
  }

  /** Keeps the items of one kind that are newer; gives what is kept in place of the others. */
  async function upsertKind(
    kind: ItemKind,
    items: readonly Item[],
    signal: AbortSignal,
  ): Promise<readonly Item[]> {
    const place = { kind, collection: collections[kind], isKnown: present.has(collections[kind]) };
    const newer = await upsertUnchanged(command, place, items, signal);
    if (items.length > 0) present.add(collections[kind]);
    return newer;
  }

  return {
    // Each command has to be answered sooner, unless it is as large as that.
    timeoutMs: 600_000,
    ...rest,
    async read(signal) {
      const [flagsKey, segmentsKey] = keys;
      const bytes = sizeFrom(await runScript(command, measureAll, [flagsKey, segmentsKey], [], signal));
      const all = listFrom(await runScript(command, readAll, keys, [], signal, bytes));
      if (all.length === 0) return undefined;
      const [flags, segments] = all;
      // Others may have removed the last item of a collection.
      present.clear();
      if (listFrom(flags).length > 0) present.add(flagsKey);
      if (listFrom(segments).length > 0) present.add(segmentsKey);
      return await readStoredItems([...storedIn("flags", flags), ...storedIn("segments", segments)], voice);
    },
    async replace(all, signal) {
      const items = all.filter((item) => isKeepable(item, voice));
      const flags = items.filter(({ kind }) => kind === "flags");
      const segments = items.filter(({ kind }) => kind === "segments");
      const texts = [...flags, ...segments].flatMap((item) => [item.key, storedText(item)]);
      oneOf(await runScript(command, replaceAll, keys, [String(flags.length), ...texts], signal), 1);
      present.clear();
      for (const { kind } of items) present.add(collections[kind]);
    },
    async upsert(items, signal) {
      const kinds = ["flags", "segments"] as const;
      const ofKind = (kind: ItemKind) =>
        items.filter((item) => item.kind === kind && isKeepable(item, voice));
      return (await Promise.all(kinds.map((kind) => upsertKind(kind, ofKind(kind), signal)))).flat();
    },
    async isFilled(signal) {
      const kinds = await Promise.all(
        keys.map(async (key) => textFrom(await command(key, ["TYPE", key], signal))),
      );
      // What is of another type has no items, and hides that there were some.
      return keys.every((key, at) =>
        key === marker
          ? kinds[at] !== "none"
          : kinds[at] === "hash" || (kinds[at] === "none" && !present.has(key)),
      );
    },
  };
}

/** Field and value, which the server lists in turn. */
function pairsOf(reply: unknown): [string, string][] {
  const list = listFrom(reply).map(String);
  return list.flatMap((field, index) =>
    index % 2 === 0 ? [[field, list[index + 1] ?? ""] as [string, string]] : [],
  );
}
