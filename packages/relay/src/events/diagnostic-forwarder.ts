import { setMaxListeners } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createLanes, type Lanes } from "../lanes.js";
import { messageOf } from "../message-of.js";
import { orAborted } from "../or-aborted.js";
import { seldom } from "../seldom.js";
import { type EventBudget, entryBytes } from "./event-budget.js";
import { pause } from "./pause.js";
import { postInLane, postUpstream } from "./post-upstream.js";
import type { PublisherPort } from "./publisher-port.js";

const compress = promisify(gzip);

/** Headers that belong to one connection, or that describe the body as it was before. */
const notForwarded = new Set([
  "connection",
  // Those of the host's pages are not upstream's business.
  "cookie",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** While upstream hangs, diagnostics wait here and not in as many connections. */
const maxConcurrentPosts = 4;

/** Passes diagnostic events on as they come, each with the headers that the SDK gave it. */
export class DiagnosticForwarder {
  readonly #port: PublisherPort;
  readonly #retryDelayMs: number;
  readonly #url: () => string;
  readonly #budget: EventBudget;
  readonly #lanes: Lanes = createLanes(maxConcurrentPosts);
  readonly #waiting = new Set<Promise<void>>();
  readonly #warn: (message: string) => void;
  #givenUp = 0;
  readonly #abort = new AbortController();
  /** Ends pauses: there is no later any more. */
  readonly #hurry = new AbortController();

  constructor(port: PublisherPort, retryDelayMs: number, url: () => string, budget: EventBudget) {
    this.#port = port;
    this.#warn = seldom(port.clock, (message) => port.logger.warn(message));
    this.#retryDelayMs = retryDelayMs;
    this.#url = url;
    this.#budget = budget;
    setMaxListeners(0, this.#abort.signal, this.#hurry.signal);
  }

  /** Sends a diagnostic as soon as there is a connection for it. Without room for it, it is dropped and counted. */
  forward(body: Buffer, headers: IncomingHttpHeaders): void {
    const kept = keptHeaders(headers);
    const url = this.#url();
    const cost = body.length + entryBytes + sizeOf(kept);
    if (!this.#budget.take(1, cost)) {
      this.#port.countEvents("events_dropped", 1);
      this.#warn("diagnostic event: there is no room for more of them; dropping it");
      return;
    }
    const sent: Promise<void> = this.#lanes(() => this.#send(url, body, kept))
      .catch((error: unknown) => this.#port.logger.error(`diagnostic event: ${messageOf(error)}`))
      .finally(() => {
        this.#budget.giveBack(1, cost);
        this.#waiting.delete(sent);
      });
    this.#waiting.add(sent);
  }

  /** Sends what is left and stops, at the latest when `deadline` resolves. Tells how many there was no time for. */
  async close(deadline: Promise<void>): Promise<number> {
    this.#hurry.abort();
    void deadline.then(() => this.#abort.abort());
    await Promise.all(this.#waiting);
    return this.#givenUp;
  }

  async #send(url: string, body: Buffer, kept: Readonly<Record<string, string | string[]>>): Promise<void> {
    const { clock, upstream } = this.#port;
    const { signal } = this.#abort;
    if (signal.aborted) return this.#giveUp();
    const headers = { ...kept, "content-type": "application/json", "content-encoding": "gzip" };
    const { dispatcher, requestTimeoutMs: timeoutMs } = upstream;
    // Of all that waits only what has a lane is compressed: that takes more memory than what comes of it.
    const inLane = async () =>
      postUpstream(url, await orAborted(compress(body), signal), headers, { dispatcher, timeoutMs, signal });
    const post = () => postInLane(upstream.eventLanes, inLane, signal);
    let outcome = await post();
    if (outcome.kind === "retryable" && !signal.aborted) {
      await pause(clock, this.#retryDelayMs, this.#hurry.signal);
      outcome = await post();
    }
    if (outcome.kind === "accepted") return;
    if (outcome.kind === "retryable" && signal.aborted) return this.#giveUp();
    this.#port.countEvents("events_dropped", 1);
    this.#warn(`diagnostic event: ${outcome.reason}; dropping it`);
  }

  #giveUp(): void {
    this.#port.countEvents("events_dropped", 1);
    this.#givenUp++;
  }
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Names that begin with a colon are the request line of HTTP/2.
    if (value !== undefined && !notForwarded.has(name) && !name.startsWith(":")) kept[name] = value;
  }
  return kept;
}

function sizeOf(headers: Readonly<Record<string, string | string[]>>): number {
  let size = 0;
  for (const [name, value] of Object.entries(headers)) size += name.length + 2 * String(value).length;
  return size;
}
