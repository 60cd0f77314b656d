import type { Awaitable } from "../awaitable.js";

/** Decides whether the holder of a key may ask again. Implementations may share their count between servers. */
export interface RateLimit {
  /** Counts a request. Returns 0 when it may be answered, otherwise after how many milliseconds one may be. */
  take(holder: string): Awaitable<number>;
}

/** How much, in a row and in the long run. */
export interface TokenBucketOptions {
  /** Requests per minute in the long run. Default: 1000. */
  readonly perMinute?: number;
  /** Requests that may come at once after a pause. Default: five minutes' worth. */
  readonly burst?: number;
  /** Holders that are remembered; beyond it the one that has been quiet the longest is forgotten. Default: 10,000. */
  readonly maxHolders?: number;
  /** A clock in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A rate limit in the memory of one process: each holder has a bucket of tokens that fills up steadily. */
export function createTokenBucket(options: TokenBucketOptions = {}): RateLimit {
  const { perMinute = 1000, burst = 5 * perMinute, maxHolders = 10_000, now = Date.now } = options;
  if (!(perMinute > 0 && burst >= 1 && maxHolders >= 1)) {
    throw new TypeError("perMinute must be positive, burst and maxHolders at least 1.");
  }
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  return {
    take(holder) {
      const at = now();
      const bucket = buckets.get(holder) ?? { tokens: burst, at };
      const filled = Math.min(burst, bucket.tokens + Math.max(0, at - bucket.at) * perMs);
      const allowed = filled >= 1;
      // Set anew, so that the map is in the order of use and its first entry the quietest holder.
      buckets.delete(holder);
      buckets.set(holder, { tokens: allowed ? filled - 1 : filled, at });
      if (buckets.size > maxHolders) {
        for (const quietest of buckets.keys()) {
          buckets.delete(quietest);
          break;
        }
      }
      return allowed ? 0 : Math.ceil((1 - filled) / perMs);
    },
  };
}
