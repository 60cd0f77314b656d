import type { AnnouncedEnvironment, AnnouncedKeys } from "../auto-config/announced.js";
import type { AnnouncedOptions } from "../auto-config/announced-change.js";
import { environmentOptions } from "../auto-config/environment-options.js";
import { type KeyHistory, nextKeys, withoutKeysOfOthers } from "../auto-config/key-history.js";
import { readAnnouncedKeys } from "../auto-config/read-announced.js";
import { readableOptions } from "../auto-config/readable-options.js";
import { remember } from "../auto-config/remember.js";
import type { Change } from "../change.js";
import { malformedData } from "../error.js";
import { messageOf } from "../message-of.js";
import type { Shortfall } from "../shortfall.js";
import { changeFromJson } from "../sources/change-from-event.js";
import type { EnvironmentWithFlags } from "./environments-of-flag-file.js";
import type { OfflineChange } from "./offline-source.js";
import { type ReadItems, raiseVersions } from "./raise-versions.js";
import type { Archive, ArchivedEnvironment, BrokenArchived } from "./read-archive.js";

interface Archived {
  readonly announced: AnnouncedEnvironment;
  /** The keys that the file has named last. */
  readonly named: AnnouncedKeys;
  readonly keys: KeyHistory;
}

interface KnownEnvironment {
  readonly change: Change;
  /** What its options were made of, as JSON. */
  readonly about: string;
  /** Of an archive. */
  readonly archived?: Archived;
  /** Of a file that people edit. */
  readonly items?: ReadItems;
}

/** The environments of a file, from one reading to the next: only what is different changes. */
export class OfflineEnvironments {
  #known: ReadonlyMap<string, KnownEnvironment> = new Map();
  /** By SDK key the ID of the environment that was named with it last. */
  readonly #owners = new Map<string, string>();

  /** Takes an archive. An environment that cannot be used stays as it was. `now` is the time in Unix milliseconds. */
  takeArchive({ environments }: Archive, now: number): OfflineChange {
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
    for (const [id, { archived }] of taking.next)
      if (archived !== undefined) remember(this.#owners, archived.keys.sdkKey, id);
    taking.refuseKeysOfOthers(this.#owners);
    taking.forgetNamed();
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
    const archived = {
      announced,
      named: announced,
      keys: keys ?? nextKeys(before?.archived?.keys, announced, now),
    };
    taking.take(envId, { about, change, archived }, keys === undefined ? optionsOf(archived) : undefined);
  }

  /** An environment that cannot be read stays as it was, but for the keys: one that has been replaced must not go on working. */
  #takeKeys(taking: Taking, id: string, { given, problem }: BrokenArchived, now: number): void {
    taking.refuse(id, given, problem);
    const before = this.#known.get(id);
    if (before?.archived === undefined) return;
    const { announced } = before.archived;
    const named = readAnnouncedKeys(id, given);
    const archived = { announced, named, keys: nextKeys(before.archived.keys, named, now) };
    taking.take(id, { ...before, about: JSON.stringify([given]), archived }, optionsOf(archived));
  }

  /** Takes the environments of a file of flags. */
  takeFlagFile(environments: ReadonlyMap<string, EnvironmentWithFlags>): OfflineChange {
    const taking = new Taking(this.#known);
    for (const [name, { options, change }] of environments) {
      const about = JSON.stringify(options);
      const before = this.#known.get(name);
      const items = raiseVersions(change.items, before?.items);
      const read = { about, change: { ...change, items: items.served }, items };
      taking.take(name, read, before?.about === about ? undefined : options);
    }
    return this.#taken(taking);
  }

  #taken(taking: Taking): OfflineChange {
    for (const name of this.#known.keys())
      if (!taking.next.has(name)) taking.environments.set(name, undefined);
    this.#known = taking.next;
    return taking;
  }
}

function optionsOf({ announced, keys }: Archived): AnnouncedOptions {
  return environmentOptions(announced, keys);
}

/** One reading, while it is compared with the one before. */
class Taking implements OfflineChange {
  readonly next = new Map<string, KnownEnvironment>();
  readonly environments = new Map<string, AnnouncedOptions | undefined>();
  readonly flags = new Map<string, Change>();
  readonly broken = new Map<string, Shortfall>();
  readonly problems: string[] = [];
  readonly #known: ReadonlyMap<string, KnownEnvironment>;

  constructor(known: ReadonlyMap<string, KnownEnvironment>) {
    this.#known = known;
  }

  /** `options` are absent when they are those of before. */
  take(name: string, read: KnownEnvironment, options: AnnouncedOptions | undefined): void {
    const before = this.#known.get(name)?.change;
    const isSame = before !== undefined && before.selector?.state === read.change.selector?.state;
    this.next.set(name, isSame ? { ...read, change: before } : read);
    if (!isSame) this.flags.set(name, read.change);
    if (options !== undefined) this.environments.set(name, options);
  }

  /**
   * An expiring key that is, or was, the SDK key of another environment which is still there was named by mistake: whoever has it wants
   * the flags of that one.
   */
  refuseKeysOfOthers(owners: ReadonlyMap<string, string>): void {
    for (const [id, { archived }] of this.next) {
      const expiring = archived?.named.expiring;
      if (archived === undefined || expiring === undefined) continue;
      const owner = owners.get(expiring.key);
      if (owner === undefined || owner === id || !this.next.has(owner)) continue;
      const { named, keys } = archived;
      const others = keys.expiring.filter(({ key }) => key !== expiring.key);
      this.#set(id, {
        ...archived,
        named: { ...named, expiring: undefined },
        keys: { ...keys, expiring: others },
      });
      // One that has expired is accepted nowhere.
      if (others.length === keys.expiring.length) continue;
      const wanted = optionsOf({ ...archived, keys: { ...keys, expiring: [expiring] } });
      this.#tell(id, wanted, `its expiring SDK key is one of the environment ${JSON.stringify(owner)}`);
    }
  }

  /** A key that is named for one environment is remembered for no other. */
  forgetNamed(): void {
    const remembered = new Map<string, KeyHistory>();
    for (const [id, { archived }] of this.next) if (archived !== undefined) remembered.set(id, archived.keys);
    const namedOf = (id: string) => this.next.get(id)?.archived?.named;
    for (const [id, keys] of withoutKeysOfOthers(remembered, namedOf)) {
      const archived = this.next.get(id)?.archived;
      if (archived !== undefined) this.#set(id, { ...archived, keys });
    }
  }

  #set(id: string, archived: Archived): void {
    const read = this.next.get(id);
    if (read === undefined) return;
    this.next.set(id, { ...read, archived });
    this.environments.set(id, optionsOf(archived));
  }

  /** What stands in the file is not used. */
  refuse(id: string, given: unknown, problem: string): void {
    this.#tell(id, readableOptions(id, given), problem);
  }

  #tell(id: string, wanted: object, problem: string): void {
    this.problems.push(`environment ${JSON.stringify(id)}: ${problem}`);
    this.broken.set(id, { wanted, error: malformedData(problem) });
  }
}
