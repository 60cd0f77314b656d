import type { AnnouncedEnvironment } from "../auto-config/announced.js";
import { environmentOptions } from "../auto-config/environment-options.js";
import { type KeyHistory, nextKeys } from "../auto-config/key-history.js";
import { readAnnouncedKeys } from "../auto-config/read-announced.js";
import { readableOptions } from "../auto-config/readable-options.js";
import type { Change } from "../change.js";
import { malformedData } from "../error.js";
import { messageOf } from "../message-of.js";
import type { EnvironmentOptions } from "../options/options.js";
import type { Shortfall } from "../shortfall.js";
import { changeFromJson } from "../sources/change-from-event.js";
import { createItemsSource, type ItemsSource } from "../sources/items-source.js";
import type { EnvironmentWithFlags } from "./environments-of-flag-file.js";
import { type ReadItems, raiseVersions } from "./raise-versions.js";
import type { Archive, ArchivedEnvironment, BrokenArchived } from "./read-archive.js";

/** What a file leads to. */
export interface OfflineChanges {
  /** The environments that are other ones now, are new, or are gone. */
  readonly environments: ReadonlyMap<string, EnvironmentOptions | undefined>;
  /** All environments that stand in the file and cannot be used. */
  readonly broken: ReadonlyMap<string, Shortfall>;
  /** Puts the flags of this file in place of those that are served. Rejects when some cannot be used. */
  replaceFlags(): Promise<void>;
  /** What of it cannot be used. */
  readonly problems: readonly string[];
}

interface KnownEnvironment {
  readonly flags: ItemsSource;
  readonly change: Change;
  /** What its options were made of, as JSON. */
  readonly about: string;
  /** Of an archive. */
  readonly archived?: { readonly announced: AnnouncedEnvironment; readonly keys: KeyHistory };
  /** Of a file that people edit. */
  readonly items?: ReadItems;
}

/** The environments of a file, from one reading to the next: only what is different changes. */
export class OfflineEnvironments {
  readonly #defaults: Partial<EnvironmentOptions>;
  #known = new Map<string, KnownEnvironment>();

  constructor(defaults: Partial<EnvironmentOptions>) {
    this.#defaults = defaults;
  }

  /** Takes an archive. An environment that cannot be used stays as it was. `now` is the time in Unix milliseconds. */
  takeArchive({ environments }: Archive, now: number): OfflineChanges {
    const taking = new Taking(this.#known);
    for (const [id, archived] of environments) {
      if ("problem" in archived) this.#takeKeys(taking, id, archived, now);
      else if (taking.next.has(archived.announced.envId))
        taking.refuse(
          id,
          archived.given,
          `two environments have the ID ${JSON.stringify(archived.announced.envId)}`,
        );
      else this.#takeArchived(taking, archived, now);
    }
    return this.#taken(taking);
  }

  #takeArchived(taking: Taking, { given, announced, data }: ArchivedEnvironment, now: number): void {
    const { envId } = announced;
    const before = this.#known.get(envId);
    let change = before?.change;
    try {
      change = changeFromJson(data);
    } catch (error) {
      taking.refuse(envId, given, messageOf(error));
    }
    // Flags that cannot be used stay as they were; who may have them is another matter.
    if (change === undefined) return;
    const about = JSON.stringify(announced);
    const keys = before?.about === about ? before.archived?.keys : undefined;
    const archived = { announced, keys: keys ?? nextKeys(before?.archived?.keys, announced, now) };
    taking.take(
      envId,
      { about, change, archived },
      keys === undefined ? this.#optionsOf(archived) : undefined,
    );
  }

  /** An environment that cannot be read stays as it was, but for the keys: one that has been replaced must not go on working. */
  #takeKeys(taking: Taking, id: string, { given, problem }: BrokenArchived, now: number): void {
    taking.refuse(id, given, problem);
    const before = this.#known.get(id);
    if (before?.archived === undefined) return;
    const { announced } = before.archived;
    const keys = nextKeys(before.archived.keys, readAnnouncedKeys(id, given), now);
    const archived = { announced, keys };
    taking.take(id, { ...before, about: JSON.stringify([given]), archived }, this.#optionsOf(archived));
  }

  #optionsOf({ announced, keys }: NonNullable<KnownEnvironment["archived"]>): EnvironmentOptions {
    return { ...this.#defaults, ...environmentOptions(announced, keys) };
  }

  /** Takes the environments of a file of flags. */
  takeFlagFile(environments: ReadonlyMap<string, EnvironmentWithFlags>): OfflineChanges {
    const taking = new Taking(this.#known);
    for (const [name, { options, change }] of environments) {
      const about = JSON.stringify(options);
      const before = this.#known.get(name);
      const items = raiseVersions(change.items, before?.items);
      const read = { about, change: { ...change, items: items.served }, items };
      taking.take(name, read, before?.about === about ? undefined : { ...this.#defaults, ...options });
    }
    return this.#taken(taking);
  }

  #taken(taking: Taking): OfflineChanges {
    for (const name of this.#known.keys()) if (!taking.next.has(name)) taking.changes.set(name, undefined);
    const before = this.#known;
    this.#known = taking.next;
    return {
      environments: taking.changes,
      broken: taking.broken,
      problems: taking.problems,
      async replaceFlags() {
        const replacing = [...taking.next].map(async ([name, { flags, change }]) => {
          const known = before.get(name);
          if (known !== undefined && known.change !== change) await flags.replace(change);
        });
        await Promise.all(replacing);
      },
    };
  }
}

/** One reading, while it is compared with the one before. */
class Taking {
  readonly next = new Map<string, KnownEnvironment>();
  readonly changes = new Map<string, EnvironmentOptions | undefined>();
  readonly broken = new Map<string, Shortfall>();
  readonly problems: string[] = [];
  readonly #known: ReadonlyMap<string, KnownEnvironment>;

  constructor(known: ReadonlyMap<string, KnownEnvironment>) {
    this.#known = known;
  }

  /** `options` are absent when they are those of before. */
  take(name: string, read: Omit<KnownEnvironment, "flags">, options: EnvironmentOptions | undefined): void {
    const before = this.#known.get(name);
    const isSame = before !== undefined && before.change.selector?.state === read.change.selector?.state;
    const change = isSame ? before.change : read.change;
    const flags = before?.flags ?? createItemsSource(change);
    this.next.set(name, { ...read, change, flags });
    if (options !== undefined) this.changes.set(name, { ...options, source: flags.source });
  }

  /** What stands in the file is not used. */
  refuse(id: string, given: unknown, problem: string): void {
    this.problems.push(`environment ${JSON.stringify(id)}: ${problem}`);
    this.broken.set(id, { wanted: readableOptions(id, given), error: malformedData(problem) });
  }
}
