import { check, checkMembers, checkObject, readNumbers } from "./check.js";
import { systemClock, type VehicleClientClock } from "./clock.js";
import { createEtagCache, type EtagCache } from "./etag-cache.js";
import { createRedactor, type Redactor } from "./redactor.js";
import type {
  VehicleClientFetch,
  VehicleClientHooks,
  VehicleClientOptions,
} from "./vehicle-client-options.js";

const limitDefaults = {
  timeoutMs: 10_000,
  deadlineMs: 60_000,
  maxBodyBytes: 16_777_216,
  maxUrlLength: 8000,
  maxPages: 10_000,
};
const retryDefaults = { limit: 3, baseDelayMs: 300, maxDelayMs: 20_000 };
const cacheDefaults = { maxBytes: 4_194_304 };

type Numbers<Defaults> = { readonly [Name in keyof Defaults]: number };

/** The options, checked and complete. */
export interface ClientSettings extends Numbers<typeof limitDefaults> {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: VehicleClientFetch;
  readonly retry: Numbers<typeof retryDefaults>;
  readonly cache: EtagCache | undefined;
  readonly hooks: VehicleClientHooks;
  readonly clock: VehicleClientClock;
  readonly redactor: Redactor;
}

/** Throws a `TypeError` for what cannot be meant; no message repeats the key. */
export function clientSettings(options: VehicleClientOptions): ClientSettings {
  checkObject(options, "options");
  const { baseUrl, apiKey, fetch, retry, cache, hooks = {}, clock = systemClock, ...limits } = options;
  const key = readKey(apiKey);
  check(!fetch || typeof fetch === "function", "fetch must be a function");
  checkObject(hooks, "hooks");
  checkObject(clock, "clock");
  for (const name in systemClock) {
    check(typeof Reflect.get(clock, name) === "function", `clock.${name} must be a function`);
  }
  checkMembers(hooks, { request: 1, response: 1, retry: 1 }, "hooks");
  for (const hook of Object.values(hooks)) {
    check(!hook || typeof hook === "function", "each of the hooks must be a function");
  }
  return {
    ...readNumbers(limits, limitDefaults, "options"),
    baseUrl: readBaseUrl(baseUrl),
    apiKey: key,
    // Looked up at each call, so that a `fetch` that is replaced later counts.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    retry: readNumbers(retry === false ? { limit: 0 } : (retry ?? {}), retryDefaults, "retry"),
    cache: cache
      ? createEtagCache(readNumbers(cache === true ? {} : cache, cacheDefaults, "cache").maxBytes)
      : undefined,
    hooks,
    clock,
    redactor: createRedactor(key),
  };
}

function readBaseUrl(baseUrl: string | URL): string {
  const isUrl = (typeof baseUrl === "string" || baseUrl instanceof URL) && URL.canParse(baseUrl);
  const url = isUrl ? new URL(baseUrl).href : "";
  check(
    /^https?:\/\/[^/@]+\/[^?#]*$/.test(url),
    "baseUrl must be an absolute http(s) URL without user or query",
  );
  return url.replace(/\/$/, "");
}

function readKey(apiKey: string): string {
  const key = typeof apiKey === "string" ? apiKey.trim() : "";
  check(/^[\x20-\x7e\x80-\xff]+$/.test(key), "apiKey must be a text that fits in a header");
  return key;
}
