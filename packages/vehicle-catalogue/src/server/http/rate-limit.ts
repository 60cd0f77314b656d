import type { Awaitable } from "../awaitable.js";
import { checkMembers, checkOption, checkPresent, type Names } from "../check-option.js";
import { steadyClock } from "./steady-clock.js";

/** Decides whether the holder of a key may ask again. Implementations may share their count between servers. */
export interface RateLimit {
  /** Whether it answers states, so that the OpenAPI description says so. Default: found out with the first request. */
  readonly announces?: boolean;
  /**
   * Counts a request. Returns 0 when it may be answered, otherwise after how many milliseconds one may be; or that with what
   * the holder is to be told about the limit.
   */
  take(holder: string): Awaitable<number | RateLimitState>;
}

/** What a holder is told of the limit, in the headers `RateLimit-Policy` and `RateLimit`. */
export interface RateLimitState {
  /** 0 when the request may be answered, otherwise after how many milliseconds one may be. */
  readonly waitMs: number;
  /** Requests that are allowed in one window. */
  readonly quota: number;
  readonly windowMs: number;
  /** Requests that are left now. */
  readonly remaining: number;
  /** After how many milliseconds the whole quota is there again. */
  readonly resetMs: number;
}

/** The headers of the IETF draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(state: RateLimitState): Readonly<Record<string, string>> {
  const seconds = (ms: number): string => String(Math.max(0, Math.ceil(ms / 1000)));
  const whole = (count: number): string => String(Math.max(0, Math.floor(count)));
  return {
    "RateLimit-Policy": `"default";q=${whole(state.quota)};w=${seconds(state.windowMs)}`,
    RateLimit: `"default";r=${whole(state.remaining)};t=${seconds(state.resetMs)}`,
  };
}

/** How much, in a row and in the long run. */
export interface TokenBucketOptions {
  /** Requests per minute in the long run. Default: 1000. */
  readonly perMinute?: number;
  /** Requests that may come at once after a pause. Default: five minutes' worth. */
  readonly burst?: number;
  /** Holders that are remembered; beyond it the one that has been quiet the longest is forgotten. Default: 10,000. */
  readonly maxHolders?: number;
  /** Tell holders what is left, in the headers `RateLimit-Policy` and `RateLimit`. Default: false. */
  readonly announce?: boolean;
  /** A clock in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

const names: Names<TokenBucketOptions> = { perMinute: 1, burst: 1, maxHolders: 1, announce: 1, now: 1 };

/** A rate limit in the memory of one process: each holder has a bucket of tokens that fills up steadily. */
export function createTokenBucket(options: TokenBucketOptions = {}): RateLimit {
  checkOption("options", options, "an object");
  checkMembers("A token bucket", options, names);
  checkPresent(
    { ...options },
    {
      perMinute: "a number",
      burst: "a number",
      maxHolders: "a number",
      announce: "true or false",
      now: "a function",
    },
  );
  const { perMinute = 1000, burst = 5 * perMinute, maxHolders = 10_000, announce = false } = options;
  if (!(perMinute > 0 && burst >= 1 && maxHolders >= 1 && burst < Number.POSITIVE_INFINITY)) {
    throw new TypeError(
      "perMinute must be positive, burst and maxHolders at least 1, and no rate without end.",
    );
  }
  const perMs = perMinute / 60_000;
  const now = steadyClock(options.now ?? Date.now);
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  return {
    announces: announce,
    take(holder) {
      const at = now();
      const bucket = buckets.get(holder) ?? { tokens: burst, at };
      const filled = Math.min(burst, bucket.tokens + (at - bucket.at) * perMs);
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
      const waitMs = allowed ? 0 : Math.ceil((1 - filled) / perMs);
      if (!announce) return waitMs;
      const remaining = allowed ? filled - 1 : 0;
      return {
        waitMs,
        quota: burst,
        windowMs: burst / perMs,
        remaining,
        resetMs: (burst - (allowed ? filled - 1 : filled)) / perMs,
      };
    },
  };
}

/** The wait that a limit has answered, if it is one: a limit may come from anywhere. */
export function checkedWait(taken: number | RateLimitState): number {
  const isState = typeof taken === "object" && taken !== null;
  const waitMs = isState ? taken.waitMs : taken;
  if (typeof waitMs !== "number" || Number.isNaN(waitMs)) {
    throw new TypeError("take(holder) of the rate limit must give a number of milliseconds");
  }
  const told = isState ? [taken.quota, taken.windowMs, taken.remaining, taken.resetMs] : [];
  if (told.every(Number.isFinite)) return waitMs;
  throw new TypeError(
    "take(holder) of the rate limit must give quota, windowMs, remaining and resetMs as numbers, or waitMs alone",
  );
}
