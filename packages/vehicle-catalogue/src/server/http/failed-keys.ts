import { show } from "../../records/check-value.js";
import { type Awaitable, isPending, whenThere } from "../awaitable.js";
import { createBoundedCache } from "../bounded-cache.js";
import type { RouterRequest } from "./exchange.js";
import { machineOf } from "./machine-of.js";
import { checkedWait, type RateLimit } from "./rate-limit.js";

/** How often an address may come with keys that are refused. */
export interface FailedKeysOptions {
  /** Counts the refusals of an address; `createTokenBucket({ perMinute: 10, burst: 10 })` makes one. */
  readonly limit: RateLimit;
  /**
   * Where a request comes from, if it did not come over the socket: behind a proxy, what the proxy says. Requests of unknown
   * origin are not limited; IPv6 addresses of one network (/64) count as one. Default: the address of the socket, which only Node knows.
   */
  readonly addressOf?: (request: RouterRequest) => string | undefined;
  /** A clock in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Keeps addresses away that try keys. */
export interface FailedKeys {
  /**
   * For how many milliseconds the address of a request has to wait. Until then no key of it is looked at, but those that
   * were right from there before.
   */
  waitOf(request: RouterRequest): number;
  /** Counts a key that was refused. For so many milliseconds its address has to wait now, as the limit is passed. */
  count(request: RouterRequest): Awaitable<number>;
  /** Notes a key that was right. */
  accept(request: RouterRequest): void;
}

/** So much memory is spent on addresses that have to wait. */
const mostBytes = 4 * 1024 * 1024;

/** And so much on keys that were right: some ten thousand. */
const mostKeyBytes = 4 * 1024 * 1024;

/** Makes the guard; without options it lets everyone pass. */
export function createFailedKeys(options: FailedKeysOptions | undefined): FailedKeys {
  if (options === undefined) return { waitOf: () => 0, count: () => 0, accept: () => {} };
  const { limit, now = Date.now } = options;
  const addressOf = (request: RouterRequest): string | undefined =>
    checkedAddress(options.addressOf === undefined ? request.clientAddress : options.addressOf(request));
  const blockedUntil = createBoundedCache<number>(mostBytes, (address) => 2 * address.length + 150);
  const wasRight = createBoundedCache<true>(mostKeyBytes, (name) => 2 * name.length + 150);
  /** Address and key; a header has no line break. */
  const nameOf = (address: string, { headers }: RouterRequest): string =>
    `${address}\n${headers.get("api-key") ?? ""}`;
  return {
    waitOf(request) {
      const address = addressOf(request);
      const until = address === undefined ? undefined : blockedUntil.get(address);
      if (address === undefined || until === undefined) return 0;
      const waitMs = Math.max(0, until - now());
      return waitMs > 0 && wasRight.get(nameOf(address, request)) === true ? 0 : waitMs;
    },
    accept(request) {
      const address = addressOf(request);
      if (address !== undefined) wasRight.set(nameOf(address, request), true);
    },
    count(request) {
      const address = addressOf(request);
      if (address === undefined) return 0;
      // A key that is refused now may have been right, and need not be looked at again.
      wasRight.delete(nameOf(address, request));
      return whenThere(limit.take(address), (taken) => {
        const waitMs = checkedWait(taken);
        if (waitMs > 0) blockedUntil.set(address, now() + waitMs);
        return waitMs;
      });
    },
  };
}

/** Anything but a text would be another address with each request. */
function checkedAddress(address: unknown): string | undefined {
  if (address === undefined || address === null || address === "") return undefined;
  if (typeof address === "string") return machineOf(address);
  // What it comes to is of no use, and nobody else hears it when it fails.
  if (isPending(address)) address.then(undefined, () => {});
  const given = isPending(address) ? "a promise" : show(address);
  throw new TypeError(`failedKeys.addressOf must give a text or undefined; got ${given}`);
}
