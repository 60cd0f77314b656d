import { type KeyGroup, keyGroups } from "../../key-group.js";
import { apiKeyHeader } from "../../protocol.js";
import { isRecord, show } from "../../records/check-value.js";
import { type Awaitable, isPending, whenThere } from "../awaitable.js";
import type { Platform } from "./platform.js";
import { type Refusal, refuse } from "./refusal.js";

/** What a key may do. */
export interface KeyGrant {
  readonly groups: readonly KeyGroup[];
  /** Names the holder to the rate limit, so that several keys can share one; never sent to anyone. */
  readonly name?: string;
}

/** A key and what it may do. */
export interface KeyEntry extends KeyGrant {
  readonly key: string;
}

/** Finds out what a key may do, in a database say; undefined or null for a key that nobody knows. */
export type KeyLookup = (key: string) => Awaitable<KeyGrant | undefined | null>;

/** A request that may be answered. */
export interface Authorised {
  /** Whether the key sees the attributes that are withheld from others. */
  readonly seesWithheld: boolean;
  /** Stands for the holder of the key; made of a digest where the grant has no name, never of the key. */
  readonly holder: string;
}

/** Finds out whether a request with this `API-Key` header may be answered. */
export type Authorise = (apiKey: string | null | undefined) => Awaitable<Authorised | Refusal>;

/** Builds the check of the `API-Key` header. */
export function createAuthoriser(keys: readonly KeyEntry[] | KeyLookup, platform: Platform): Authorise {
  const lookup = typeof keys === "function" ? lookupByFunction(keys, platform) : lookupInList(keys, platform);
  return (apiKey) => {
    if (apiKey === null || apiKey === undefined || apiKey === "") {
      return forbidden("api_key missing", `Send your key in the header ${apiKeyHeader}.`);
    }
    // What HTTP makes of several headers of one name.
    if (apiKey.includes(",")) return forbidden("api_key invalid", `Send one ${apiKeyHeader} header.`);
    return whenThere(lookup(apiKey), (found) => {
      if (found === undefined) return forbidden("api_key invalid", "This key is not known.");
      const { groups } = found.grant;
      if (!groups.includes("ReadVehicles")) {
        return forbidden("api_key not authorized", "This key is not in the group ReadVehicles.");
      }
      return { seesWithheld: groups.includes("ReadVehiclesFull"), holder: found.holder };
    });
  };
}

interface FoundKey {
  readonly grant: KeyGrant;
  readonly holder: string;
}

type FindKey = (key: string) => Awaitable<FoundKey | undefined>;

function lookupByFunction(keys: KeyLookup, platform: Platform): FindKey {
  return (key) =>
    whenThere(keys(key), (grant) => {
      if (grant === undefined || grant === null) return undefined;
      if (!Array.isArray(grant.groups)) {
        throw new TypeError("keys(key) must give { groups: [...] }, or undefined for an unknown key");
      }
      if (grant.name !== undefined) return { grant, holder: grant.name };
      return whenThere(platform.digest(key), (digest) => ({ grant, holder: holderOf(digest) }));
    });
}

/**
 * Every entry is compared, in full, whichever fits: the time an answer takes says nothing about the keys. A key that was right is
 * found by itself from then on, by a hash of all of it, which one that is nearly right does not share.
 */
function lookupInList(entries: readonly KeyEntry[], platform: Platform): FindKey {
  checkEntries(entries);
  let known: Awaitable<readonly (FoundKey & { readonly digest: string })[]> | undefined;
  const wereRight = new Map<string, FoundKey>();
  return (key) => {
    const wasRight = wereRight.get(key);
    if (wasRight !== undefined) return wasRight;
    known ??= allThere(
      entries.map((grant) =>
        whenThere(platform.digest(grant.key), (digest) => ({
          grant,
          digest,
          holder: grant.name ?? holderOf(digest),
        })),
      ),
    );
    return whenThere(known, (list) =>
      whenThere(platform.digest(key), (digest) => {
        let found: FoundKey | undefined;
        for (const entry of list) if (sameDigest(entry.digest, digest)) found = entry;
        if (found !== undefined) wereRight.set(key, found);
        return found;
      }),
    );
  };
}

/** Lists come from files and environments, where a number, a missing member or a repetition is the usual slip. */
function checkEntries(entries: readonly unknown[]): void {
  const places = new Map<unknown, number>();
  for (const [place, entry] of entries.entries()) {
    const key = isRecord(entry) ? entry.key : undefined;
    const before = places.get(key);
    const problem =
      before === undefined
        ? problemOf(entry)
        : `has the same key as keys[${before}]: give it all of its groups once`;
    // The key itself is nobody's business.
    if (problem !== undefined) throw new TypeError(`keys[${place}] ${problem}.`);
    places.set(key, place);
  }
}

function problemOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return "must be an object with key and groups";
  const { key, groups, name } = entry;
  if (typeof key !== "string" || !/^[\x21-\x2b\x2d-\x7e]+$/.test(key)) {
    return "must have a key, a text of printable ASCII without blanks and commas, and not empty";
  }
  if (!Array.isArray(groups)) return 'must have groups, a list such as ["ReadVehicles"]';
  const known: readonly unknown[] = keyGroups;
  const unknown = groups.findIndex((group) => !known.includes(group));
  if (unknown >= 0) {
    return `names the group ${show(groups[unknown])}, which there is not. Known are ${keyGroups.join(", ")}`;
  }
  return name === undefined || typeof name === "string" ? undefined : "must have a text as name, or none";
}

function forbidden(title: string, detail: string): Refusal {
  return refuse("FORBIDDEN", { title, detail, source: { header: apiKeyHeader } });
}

/** Compares two digests in a time that does not depend on where they differ. */
function sameDigest(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

/** What stands for a key where its holder has no name: enough of the digest to tell holders apart. */
function holderOf(digest: string): string {
  return digest.slice(0, 32);
}

/** A list of values, at once when all of them are there. */
function allThere<Value>(values: readonly Awaitable<Value>[]): Awaitable<readonly Value[]> {
  const there: Value[] = [];
  for (const value of values) {
    if (isPending(value)) return Promise.all(values);
    there.push(value);
  }
  return there;
}
