import { checkArguments, pointer, sha256 } from "@wye/pipeline-spec";
import { type CacheKeyParts, type CustomCacheKey, cacheKey, fingerprint } from "./cache-key.js";
import { goJson } from "./go-json.js";

/** What a cache key is made of, for people who wonder about a hit or a miss. */
export interface CacheKeyExplanation {
  readonly key: string;
  /** What the key is the SHA-256 of. */
  readonly fingerprint: string;
  /** The values it depends on, each with a digest by which two of them can be compared. */
  readonly parts: readonly CacheKeyPart[];
  /** What differs from the other key: empty when nothing does; undefined when there was none to compare with. */
  readonly changes?: readonly CacheKeyChange[];
}

/** One value that a cache key depends on. */
export interface CacheKeyPart {
  /** JSON pointer to the value: `/inputParameterValues/n`. */
  readonly path: string;
  readonly json: string;
  readonly digest: string;
}

/** A value that differs between two keys; undefined where it is missing. */
export interface CacheKeyChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

/** Takes a cache key apart, and compares it with that of an earlier run. */
export function explainCacheKey(
  of: CacheKeyParts | CustomCacheKey,
  previous?: CacheKeyParts | CustomCacheKey,
): CacheKeyExplanation {
  checkArguments("explainCacheKey", "object", { parts: of, ...(previous === undefined ? {} : { previous }) });
  const now = valuesOf(of);
  const parts = [...now].map(([path, json]) => ({ path, json, digest: sha256(json) }));
  const explanation = { key: cacheKey(of), fingerprint: fingerprint(of), parts };
  if (!previous) return explanation;
  const before = valuesOf(previous);
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort();
  const changes = paths
    .map((path) => ({ path, before: before.get(path), now: now.get(path) }))
    .filter((change) => change.before !== change.now);
  return { ...explanation, changes };
}

/** The entries of each part, with their JSON. */
function valuesOf(of: CacheKeyParts | CustomCacheKey): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [part, content] of Object.entries(of)) {
    if (typeof content !== "object" || content === null) {
      values.set(`/${part}`, goJson(content));
      continue;
    }
    for (const [key, value] of Object.entries(content)) {
      values.set(pointer("", part, key), goJson(value));
    }
  }
  return values;
}
