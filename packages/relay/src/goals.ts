import { setMaxListeners } from "node:events";
import { type Clock, systemClock } from "./clock.js";
import {
  type GoalsAnswer,
  isAnswerTo,
  KeptGoals,
  lifetimeOf,
  type PageHeaders,
  revalidated,
} from "./goals-answer.js";
import { createLanes } from "./lanes.js";
import type { Logger } from "./logger.js";
import { messageOf } from "./message-of.js";
import type { ResolvedUpstream, UpstreamAnswer } from "./options/resolved-sections.js";
import { seldom } from "./seldom.js";
import { readLimited } from "./sources/read-limited.js";
import { timedCall } from "./timed-call.js";
import { askUpstream } from "./upstream/ask-upstream.js";

const maxBytes = 10 * 1024 * 1024;
/** Anyone can ask for goals: while upstream is slow, they must not become as many connections to it. */
const maxConcurrentFetches = 16;
/** Headers of one connection, and those that this relay sets itself. */
const dropped =
  /^(?:access-control-.*|connection|content-length|date|keep-alive|proxy-.*|set-cookie|te|trailer|transfer-encoding|upgrade)$/;

/** The goals of an environment without upstream. */
export const noGoals: Pick<Goals, "get" | "close"> = {
  get: async (_, asked) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from("[]"),
    asked,
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
  #kept: KeptGoals | undefined;
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
  async get(search: string, page: PageHeaders): Promise<GoalsAnswer | undefined> {
    if (search !== "") return this.#ask(search, page);
    const kept = this.#keptFor(page);
    if (kept?.isFresh(this.#now())) return kept.at(this.#now());
    // Goals are the same for all pages, as a rule: who asks at the same time gets the same answer.
    this.#asking ??= this.#refresh(page, kept).finally(() => {
      this.#asking = undefined;
    });
    const answer = await this.#asking;
    if (answer === undefined) return kept?.at(this.#now());
    return isAnswerTo(answer, page) ? answer : this.#ask(search, page);
  }

  #now(): number {
    return this.#port.clock.monotonic();
  }

  #keptFor(page: PageHeaders): KeptGoals | undefined {
    return this.#kept !== undefined && isAnswerTo(this.#kept.answer, page) ? this.#kept : undefined;
  }

  /** Asks upstream for what all pages ask for, whether it has changed or for all of it, and keeps what may be kept. */
  async #refresh(page: PageHeaders, kept: KeptGoals | undefined): Promise<GoalsAnswer | undefined> {
    const tag = kept?.answer.headers.etag;
    const conditional = typeof tag === "string" ? { ...page, "if-none-match": tag } : page;
    // It does not wait behind what a stranger asks with many addresses.
    const answer = await this.#inTime((signal) => this.#fetch("", conditional, page, signal));
    if (answer === undefined) return undefined;
    if (answer.status !== 304 || kept === undefined) {
      this.#kept = KeptGoals.of(answer, this.#now());
      return answer;
    }
    const latest = revalidated(kept.answer, answer);
    this.#kept = KeptGoals.of(latest, this.#now());
    return { ...latest, fromCache: true };
  }

  /** Asks upstream for one page, when it is its turn. */
  #ask(search: string, page: PageHeaders): Promise<GoalsAnswer | undefined> {
    return this.#inTime((signal) => this.#lanes(() => this.#fetch(search, page, page, signal)));
  }

  /** Never rejects: gives `undefined` when that failed. Of one whose time is over when it is its turn, the signal is aborted. */
  async #inTime(fetch: (signal: AbortSignal) => Promise<GoalsAnswer>): Promise<GoalsAnswer | undefined> {
    const limitMs = 2 * this.#port.upstream.requestTimeoutMs;
    try {
      return await timedCall(systemClock, limitMs, fetch, this.#abort.signal).result;
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#warn(`goals: ${messageOf(error)}`);
      return undefined;
    }
  }

  async #fetch(
    search: string,
    headers: PageHeaders,
    asked: PageHeaders,
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
      lifetimeMs: lifetimeOf(response.headers),
      asked,
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
