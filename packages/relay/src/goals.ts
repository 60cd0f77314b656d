import { setMaxListeners } from "node:events";
import { type Clock, systemClock } from "./clock.js";
import { createLanes } from "./events/lanes.js";
import type { Logger } from "./logger.js";
import { messageOf } from "./message-of.js";
import type { ResolvedUpstream, UpstreamAnswer } from "./options/resolved-sections.js";
import { seldom } from "./seldom.js";
import { readLimited } from "./sources/read-limited.js";
import { timedCall } from "./timed-call.js";
import { askUpstream } from "./upstream/ask-upstream.js";

/** What upstream said about goals, ready to be passed on. */
export interface GoalsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
  /** Whether it was kept from an earlier request. */
  readonly fromCache: boolean;
}

interface CacheEntry {
  readonly answer: GoalsAnswer;
  readonly freshUntil: number;
}

const maxBytes = 10 * 1024 * 1024;
/** Anyone can ask for goals: while upstream is slow, they must not become as many connections to it. */
const maxConcurrentFetches = 16;
/** Headers of one connection, and those that this relay sets itself. */
const dropped =
  /^(?:access-control-.*|connection|content-length|date|keep-alive|proxy-.*|set-cookie|te|trailer|transfer-encoding|upgrade|vary)$/;

/** The goals of an environment without upstream. */
export const noGoals: Pick<Goals, "get" | "close"> = {
  get: async () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from("[]"),
    fromCache: false,
  }),
  close() {},
};

/** What the fetching of goals needs of the environment whose goals they are. */
export interface GoalsPort {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly upstream: Pick<ResolvedUpstream, "app" | "dispatcher" | "requestTimeoutMs">;
  /** The client-side ID as it is now. */
  envId(): string | undefined;
}

/** Fetches the goals of an environment and keeps them as long as upstream allows. */
export class Goals {
  readonly #port: GoalsPort;
  #cached: CacheEntry | undefined;
  /** The question to upstream that has no address of its own. */
  #asking: Promise<GoalsAnswer | undefined> | undefined;
  readonly #lanes = createLanes(maxConcurrentFetches);
  readonly #warn: (message: string) => void;
  readonly #abort = new AbortController();

  constructor(port: GoalsPort) {
    this.#port = port;
    this.#warn = seldom(port.clock, (message) => port.logger.warn(message));
    setMaxListeners(0, this.#abort.signal);
  }

  /** Stops asking; who waits gets what is kept. */
  close(): void {
    this.#abort.abort(new Error("closed"));
  }

  /** The goals, or `undefined` when upstream cannot be reached and nothing is kept. */
  async get(search: string, headers: Readonly<Record<string, string>>): Promise<GoalsAnswer | undefined> {
    if (search !== "") return this.#refresh(search, headers, undefined);
    const entry = this.#cached;
    const kept = entry === undefined ? undefined : { ...entry.answer, fromCache: true };
    if (this.#isFresh()) return kept;
    // Goals are the same for all pages: who asks at the same time gets the same answer.
    this.#asking ??= this.#refresh(search, headers, entry).finally(() => {
      this.#asking = undefined;
    });
    return (await this.#asking) ?? kept;
  }

  #isFresh(): boolean {
    return this.#cached !== undefined && this.#port.clock.monotonic() < this.#cached.freshUntil;
  }

  /** Asks upstream, when it is its turn. Never rejects: gives `undefined` when that failed. */
  async #refresh(
    search: string,
    headers: Readonly<Record<string, string>>,
    entry: CacheEntry | undefined,
  ): Promise<GoalsAnswer | undefined> {
    const tag = entry?.answer.headers.etag;
    const conditional = typeof tag === "string" ? { ...headers, "if-none-match": tag } : headers;
    const limitMs = 2 * this.#port.upstream.requestTimeoutMs;
    // Of one whose time is over when it is its turn, the signal is aborted.
    const fetch = (signal: AbortSignal) => this.#fetch(search, conditional, signal);
    // What all pages ask does not wait behind what a stranger asks with many addresses.
    const ask = search === "" ? fetch : (signal: AbortSignal) => this.#lanes(() => fetch(signal));
    try {
      const answer = await timedCall(systemClock, limitMs, ask, this.#abort.signal).result;
      const revalidated = answer.status === 304 && entry !== undefined;
      const kept = revalidated ? { ...entry.answer, fromCache: true } : answer;
      if (search === "") this.#keep(kept, answer);
      return kept;
    } catch (error) {
      this.#warn(`goals: ${messageOf(error)}`);
      return undefined;
    }
  }

  #keep(answer: GoalsAnswer, latest: GoalsAnswer): void {
    const control = String(latest.headers["cache-control"] ?? "");
    const maxAge = /(?:^|[\s,])max-age=(\d+)/.exec(control)?.[1];
    const storable = answer.status === 200 && !/no-store|private/.test(control);
    const keeps = storable && (maxAge !== undefined || answer.headers.etag !== undefined);
    const freshMs = /no-cache/.test(control) ? 0 : Number(maxAge ?? 0) * 1000;
    this.#cached = keeps ? { answer, freshUntil: this.#port.clock.monotonic() + freshMs } : undefined;
  }

  async #fetch(
    search: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GoalsAnswer> {
    const { upstream } = this.#port;
    const url = `${upstream.app}/sdk/goals/${this.#port.envId()}${search}`;
    const response = await askUpstream(upstream.dispatcher, url, {
      method: "GET",
      signal,
      headers: { ...headers },
      headersTimeout: upstream.requestTimeoutMs,
      bodyTimeout: upstream.requestTimeoutMs,
    });
    return {
      status: response.statusCode,
      headers: headersOf(response.headers),
      body: await readLimited(response.body, maxBytes),
      fromCache: false,
    };
  }
}

function headersOf(headers: UpstreamAnswer["headers"]): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !dropped.test(name)) kept[name] = value;
  }
  return kept;
}
