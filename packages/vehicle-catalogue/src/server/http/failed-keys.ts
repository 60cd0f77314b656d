import { show } from "../../records/check-value.js";
import { type Awaitable, isPending, whenThere } from "../awaitable.js";
import { createBoundedCache } from "../bounded-cache.js";
import { createCall, untilDeadline } from "./abortable-call.js";
import type { RouterRequest } from "./exchange.js";
import { machineOf } from "./machine-of.js";
import { checkedWait, type RateLimit } from "./rate-limit.js";
import { steadyClock } from "./steady-clock.js";

/** How often an address may come with keys that are refused. */
export interface FailedKeysOptions {
  /** Counts the refusals of an address; `createTokenBucket({ perMinute: 10, burst: 10 })` makes one. */
  readonly limit: RateLimit;
  /**
   * Where a request comes from, if it did not come over the socket: behind a proxy, what the proxy says. Requests of unknown
   * origin are not limited; IPv6 addresses of one network (/64) count as one, and ports do not count. Of a list, as `X-Forwarded-For`
   * and `Forwarded` are, the last address counts, which the nearest proxy has seen: behind several, give that of the outermost. Default: the address of the
   * socket, which only Node knows.
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
  /**
   * Judges a key that was looked at: for so many milliseconds its address has to wait all the same, because the limit is passed, by this key
   * or by others that were looked at meanwhile. Who tries many at once learns no more than who tries them one after the other.
   */
  judge(request: RouterRequest, isRight: boolean): Awaitable<number>;
}

/** So much memory is spent on addresses that have to wait. */
const mostBytes = 4 * 1024 * 1024;

/** And so much on keys that were right: some ten thousand. */
const mostKeyBytes = 4 * 1024 * 1024;

/** Makes the guard; without options it lets everyone pass. A limit that does not answer in time is waited for no longer. */
export function createFailedKeys(options: FailedKeysOptions | undefined, timeoutMs: number): FailedKeys {
  if (options === undefined) return { waitOf: () => 0, judge: () => 0 };
  const { limit } = options;
  const now = steadyClock(options.now ?? Date.now);
  const addressOf = (request: RouterRequest): string | undefined =>
    checkedAddress(options.addressOf === undefined ? request.clientAddress : options.addressOf(request));
  const blockedUntil = createBoundedCache<number>(mostBytes, (address) => 2 * address.length + 150);
  const wasRight = createBoundedCache<true>(mostKeyBytes, (name) => 2 * name.length + 150);
  /** Of each address, the refusals that are being counted. */
  const counting = new Map<string, Promise<unknown>>();
  /** Address and key; a header has no line break. */
  const nameOf = (address: string, { headers }: RouterRequest): string =>
    `${address}\n${headers.get("api-key") ?? ""}`;
  const waitFrom = (address: string): number => {
    const until = blockedUntil.get(address);
    return until === undefined ? 0 : Math.max(0, until - now());
  };

  const count = (address: string): Awaitable<number> => {
    const taken = limit.take(address);
    const counted = whenThere(
      isPending(taken) ? untilDeadline(taken, createCall(), timeoutMs, undefined) : taken,
      (state) => {
        const waitMs = checkedWait(state);
        if (waitMs > 0) blockedUntil.set(address, now() + waitMs);
        return waitMs;
      },
    );
    if (!isPending(counted)) return counted;
    const all = Promise.allSettled([counting.get(address), counted]).then(() => {
      if (counting.get(address) === all) counting.delete(address);
    });
    counting.set(address, all);
    return counted;
  };

  return {
    waitOf(request) {
      const address = addressOf(request);
      const waitMs = address === undefined ? 0 : waitFrom(address);
      if (address === undefined || waitMs === 0) return 0;
      return wasRight.get(nameOf(address, request)) === true ? 0 : waitMs;
    },
    judge(request, isRight) {
      const address = addressOf(request);
      if (address === undefined) return 0;
      const name = nameOf(address, request);
      if (!isRight) {
        // It may have been right, and need not be looked at again.
        wasRight.delete(name);
        return waitFrom(address) || count(address);
      }
      if (wasRight.get(name) === true) return 0;
      return whenThere<unknown, number>(counting.get(address), () => {
        const waitMs = waitFrom(address);
        if (waitMs === 0) wasRight.set(name, true);
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
