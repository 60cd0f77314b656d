import { isFields } from "../fields.js";
import type { Shortfall } from "../shortfall.js";
import type { AnnouncedEnvironment, AnnouncedFilter, AnnouncedKeys } from "./announced.js";
import type { AnnouncedChange, AnnouncedOptions } from "./announced-change.js";
import type { ConfigurationEvent, Entries } from "./configuration-event.js";
import { environmentOptions } from "./environment-options.js";
import { type KeyHistory, nextKeys, withoutKeysOfOthers } from "./key-history.js";
import { Origins } from "./origins.js";
import { readAnnouncedKeys } from "./read-announced.js";
import { readableOptions } from "./readable-options.js";
import { VersionedItems } from "./versioned-items.js";

/** An announcement that cannot be used. */
interface Broken extends Shortfall {
  /** Absent when it cannot be read either. */
  readonly version: number | undefined;
}

/** The keys of an environment, and what stands for the environment of upstream that they open. */
interface OriginalKeys extends KeyHistory {
  readonly origin: string;
  readonly announced: AnnouncedKeys;
}

/** What upstream has announced: which environments there are, with which keys and payload filters. */
export class Announcements {
  readonly #environments = new VersionedItems<AnnouncedEnvironment>();
  readonly #filters = new VersionedItems<AnnouncedFilter>();
  readonly #keys = new Map<string, OriginalKeys>();
  readonly #origins = new Origins();
  readonly #broken = new Map<string, Broken>();
  /** The environments, and the projects with other filters, that the present message has changed. */
  readonly #touched = { environments: new Set<string>(), projects: new Set<string>() };

  #isWhole = false;

  /** Takes a message. `now` is the time in Unix milliseconds: keys that have expired are passed over. */
  apply(event: ConfigurationEvent, now: number): AnnouncedChange {
    const problems = this.#take(event, now);
    const { environments, projects } = this.#touched;
    this.#forgetAnnounced();
    if (projects.size > 0)
      for (const [id, { about }] of this.#environments.entries())
        if (about.projKey !== undefined && projects.has(about.projKey)) environments.add(id);
    const filters = this.#filterKeys();
    const changed = new Map([...environments].map((id) => [id, this.#optionsOf(id, filters)]));
    environments.clear();
    projects.clear();
    return { environments: changed, broken: new Map(this.#broken), problems, isWhole: this.#isWhole };
  }

  #take(event: ConfigurationEvent, now: number): readonly string[] {
    switch (event.kind) {
      case "put":
        return this.#takeAll(event, now);
      case "environment":
        this.#upsertEnvironment(event.id, event.item, now);
        return [];
      case "filter":
        this.#upsertFilter(event.id, event.item);
        return [];
      case "no-environment":
        this.#deleteEnvironment(event.id, event.version);
        return [];
      case "no-filter":
        this.#touchProject(this.#filters.delete(event.id, event.version));
        return [];
      default:
        return [];
    }
  }

  /** A full set. What cannot be read stays as it was; what is not there is forgotten. */
  #takeAll({ environments, filters }: ConfigurationEvent & { kind: "put" }, now: number): readonly string[] {
    this.#isWhole = true;
    this.#broken.clear();
    for (const [id, item] of environments.items) this.#upsertEnvironment(id, item, now);
    for (const [id, item] of filters.items) this.#upsertFilter(id, item);
    for (const [id, { given, error }] of environments.broken) {
      const version = versionIn(given);
      this.#broken.set(id, { wanted: readableOptions(id, given), error, version });
      if (version === undefined || this.#environments.isNewer(id, version)) this.#takeKeys(id, given, now);
    }
    for (const [id] of this.#environments.retain(idsOf(environments))) this.#dropped(id);
    for (const [, filter] of this.#filters.retain(idsOf(filters))) this.#touchProject(filter);
    return [...problemsOf("environment", environments), ...problemsOf("filter", filters)];
  }

  #upsertEnvironment(id: string, item: AnnouncedEnvironment, now: number): void {
    // What came late is not what is announced, broken as that may be.
    if (item.version < this.#brokenVersion(id)) return;
    if (!this.#environments.upsert(id, item.version, item)) return;
    this.#broken.delete(id);
    this.#setKeys(id, item, now);
  }

  /** A key that has been replaced must not go on working because the rest of the announcement cannot be used. */
  #takeKeys(id: string, given: unknown, now: number): void {
    if (this.#keys.has(id)) this.#setKeys(id, readAnnouncedKeys(id, given), now);
  }

  #setKeys(id: string, announced: AnnouncedKeys, now: number): void {
    const { origin, mistaken } = this.#origins.take(id, announced);
    const before = this.#keys.get(id);
    // Of keys that open something else none stays.
    const keys = nextKeys(before?.origin === origin ? before : undefined, announced, now);
    this.#keys.set(id, { ...keys, origin, announced });
    this.#touched.environments.add(id);
    const other = mistaken === undefined ? undefined : this.#keys.get(mistaken);
    if (mistaken !== undefined && other !== undefined) this.#setKeys(mistaken, other.announced, now);
  }

  #deleteEnvironment(id: string, version: number): void {
    if (version <= this.#brokenVersion(id) || !this.#environments.isNewer(id, version)) return;
    this.#broken.delete(id);
    if (this.#environments.delete(id, version) !== undefined) this.#dropped(id);
  }

  /** A key that is announced for one environment is remembered for no other. */
  #forgetAnnounced(): void {
    for (const [id, keys] of withoutKeysOfOthers(this.#keys, (id) => this.#environments.get(id))) {
      this.#keys.set(id, keys);
      this.#touched.environments.add(id);
    }
  }

  /** The version of an announcement that cannot be used, if it can be read. */
  #brokenVersion(id: string): number {
    return this.#broken.get(id)?.version ?? Number.NEGATIVE_INFINITY;
  }

  #dropped(id: string): void {
    this.#keys.delete(id);
    this.#origins.leave(id);
    this.#touched.environments.add(id);
  }

  #upsertFilter(id: string, item: AnnouncedFilter): void {
    const before = this.#filters.get(id);
    if (!this.#filters.upsert(id, item.version, item)) return;
    this.#touchProject(before);
    this.#touchProject(item);
  }

  #touchProject(filter: AnnouncedFilter | undefined): void {
    if (filter !== undefined) this.#touched.projects.add(filter.projKey);
  }

  /** The keys of the filters by project; two filters may have the same. */
  #filterKeys(): ReadonlyMap<string, ReadonlySet<string>> {
    const byProject = new Map<string, Set<string>>();
    for (const [, { projKey, key }] of this.#filters.entries()) {
      const keys = byProject.get(projKey) ?? new Set();
      byProject.set(projKey, keys.add(key));
    }
    return byProject;
  }

  #optionsOf(id: string, filters: ReadonlyMap<string, ReadonlySet<string>>): AnnouncedOptions | undefined {
    const item = this.#environments.get(id);
    const keys = this.#keys.get(id);
    if (item === undefined || keys === undefined) return undefined;
    const { projKey } = item.about;
    const own = projKey === undefined ? [] : [...(filters.get(projKey) ?? [])];
    const { origin } = keys;
    const ownSdkKeys = keys.expiring
      .map(({ key }) => key)
      .filter((key) => this.#origins.isOpenedBy(origin, key));
    return { ...environmentOptions(item, keys, own), origin, ownSdkKeys };
  }
}

function versionIn(given: unknown): number | undefined {
  const version = isFields(given) ? given.version : undefined;
  return Number.isSafeInteger(version) ? Number(version) : undefined;
}

function idsOf({ items, broken }: Entries<unknown>): { has(id: string): boolean } {
  return { has: (id) => items.has(id) || broken.has(id) };
}

function problemsOf(what: string, { broken }: Entries<unknown>): string[] {
  return [...broken].map(([id, { error }]) => `${what} ${JSON.stringify(id)}: ${error.message}`);
}
