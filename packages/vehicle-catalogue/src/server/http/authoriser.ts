import { type KeyGroup, keyGroups } from "../../key-group.js";
import { apiKeyHeader } from "../../protocol.js";
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

/** Every entry is compared, in full, whichever fits: the time an answer takes says nothing about the keys. */
function lookupInList(entries: readonly KeyEntry[], platform: Platform): FindKey {
  for (const { key, groups } of entries) checkEntry(key, groups);
  let known: Awaitable<readonly (FoundKey & { readonly digest: string })[]> | undefined;
  return (key) => {
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
        return found;
      }),
    );
  };
}

function checkEntry(key: string, groups: readonly KeyGroup[]): void {
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(key)) {
    throw new TypeError("A key must be printable ASCII without blanks and commas, and not empty.");
  }
  const unknown = groups.find((group) => !keyGroups.includes(group));
  if (unknown !== undefined) {
    throw new TypeError(`There is no key group "${unknown}". Known are ${keyGroups.join(", ")}.`);
  }
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
