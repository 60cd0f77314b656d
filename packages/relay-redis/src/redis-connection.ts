import { type Clock, messageOf, orAborted, timedCall, withRemedy } from "@wye/relay";
import { patienceMs, transportMs } from "./patience.js";
import { createRedisClient, type RedisClient } from "./redis-client.js";
import type { SendCommand } from "./redis-command.js";
import type { RedisOptions } from "./redis-options.js";
import { refusesCredentials } from "./refuses-credentials.js";
import { remedies } from "./remedies.js";

/** What a connection is made of. */
export interface ConnectionParts {
  readonly options: RedisOptions;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  /** Tells people what is in the way. */
  readonly tell: (message: string) => void;
  /** One of several servers was lost that had been reached. */
  readonly broken: () => void;
  /** It is of no more use, and why: whoever comes next makes another one. */
  readonly over: (reason: unknown) => void;
}

/**
 * A connection from the attempt to make it until it is lost or given up. Commands wait for it until the attempt has failed or they
 * are aborted, and are then not sent any more.
 */
export class RedisConnection {
  readonly #parts: ConnectionParts;
  readonly #hasOneServer: boolean;
  readonly #client: RedisClient;
  readonly #connected: Promise<unknown>;
  /** Those who wait for the connection or for a reply: they are told when it is over, whatever the client does then. */
  readonly #waiting = new Set<(reason: unknown) => void>();
  #isReady = false;
  #isRetired = false;
  #isOver = false;
  /** What has failed last. */
  #failure: Error | undefined;
  /** What all that was not answered yet takes on the slowest line. */
  #onTheWayMs = 0;

  constructor(parts: ConnectionParts) {
    const { sentinel, cluster } = parts.options;
    this.#parts = parts;
    this.#hasOneServer = sentinel === undefined && cluster === undefined;
    this.#client = createRedisClient(parts.options, parts.connectTimeoutMs, {
      failed: (error) => this.#failed(error),
      broken: parts.broken,
      lost: (reason) => this.#retire(reason),
    });
    this.#connected = this.#connect();
    this.#connected.catch((reason: unknown) => this.#giveUp(reason));
  }

  /** Whether there was a connection. */
  get wasReady(): boolean {
    return this.#isReady;
  }

  /** Sends a command once there is a connection. */
  readonly command: SendCommand = async (key, words, signal, replyBytes) => {
    if (!this.#isReady) await orAborted(this.#untilReady(), signal);
    signal.throwIfAborted();
    const transport = transportMs(words, replyBytes);
    this.#onTheWayMs += transport;
    const limitMs = patienceMs(this.#onTheWayMs);
    const reply = this.#client.send(key, words).catch((error: unknown) => {
      // The address may lead to the new leader by now, for whoever connects anew.
      // Nor does Redis trust a connection again that it trusts no longer.
      if (isOfNoLeader(error) || refusesCredentials(error)) this.#giveUp(error);
      throw error;
    });
    const answered = this.#unlessOver(reply).finally(() => {
      this.#onTheWayMs -= transport;
      if (this.#isRetired && this.#waiting.size === 0) this.#giveUp(new Error("the connection was lost"));
    });
    return await orAborted(this.#within(limitMs, answered), signal);
  };

  /** Ends at once, whatever is under way. */
  end(): void {
    this.#giveUp(new Error("the connection to Redis is closed"));
  }

  async #connect(): Promise<void> {
    try {
      await this.#client.connect();
      this.#isReady = true;
    } catch (error) {
      throw this.#whyNot(error);
    }
  }

  /** Clients of several servers only say that there is none in the end: what was in the way last says more. */
  #whyNot(error: unknown): unknown {
    const failure = this.#failure;
    if (failure === undefined || messageOf(failure) === messageOf(error)) return error;
    return new Error(`${messageOf(error)}: ${messageOf(failure)}`, { cause: failure });
  }

  #failed(error: Error): void {
    // What it says of its end is known.
    if (this.#isOver) return;
    this.#failure = error;
    this.#parts.tell(messageOf(withRemedy(error, remedies)));
    // Whoever answers with something else may leave the connection open.
    if (this.#hasOneServer && !this.#isReady) this.#giveUp(error);
  }

  /** Nothing more is sent; of several servers others may still answer what was. */
  #retire(reason: unknown): void {
    this.#isRetired = true;
    this.#parts.over(reason);
    if (this.#waiting.size === 0) this.#giveUp(reason);
  }

  #giveUp(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.over(reason);
    for (const fail of this.#waiting) fail(reason);
    this.#client.destroy();
  }

  /** Of several servers that hang the client tries one after the other: nobody waits for all of them, but it goes on. */
  async #untilReady(): Promise<void> {
    const { clock, connectTimeoutMs } = this.#parts;
    const limitMs = Math.max(patienceMs(0), connectTimeoutMs);
    const connected = this.#unlessOver(this.#connected);
    if (this.#hasOneServer) await this.#within(limitMs, connected);
    else await timedCall(clock, limitMs, () => connected).result;
  }

  /** Waits until the connection is over at the latest. */
  async #unlessOver<Result>(promise: Promise<Result>): Promise<Result> {
    let fail = (_reason: unknown) => {};
    const over = new Promise<never>((_, reject) => {
      fail = reject;
    });
    this.#waiting.add(fail);
    try {
      return await Promise.race([promise, over]);
    } finally {
      this.#waiting.delete(fail);
    }
  }

  /**
   * Gives the connection up unless the promise settles in time; whoever waits for that may have gone long ago. Redis answers in
   * turn: a command without a reply for longer than it and all before it take is on a connection that is dead, even if nothing
   * on the way says so. Redis that only is very busy is asked again by another one.
   */
  async #within<Reply>(ms: number, reply: Promise<Reply>): Promise<Reply> {
    const { clock, tell } = this.#parts;
    const cancel = clock.schedule(ms, () => {
      if (this.#isOver) return;
      const reason = new Error(`no answer within ${ms} ms`);
      tell(`${reason.message}; connecting anew`);
      this.#giveUp(reason);
    });
    return await reply.finally(cancel);
  }
}

/**
 * Whether a server has refused because it does not lead, or not yet. After a fail-over behind one address such a server may keep
 * its old connections for ever. Before Redis 7 the word stands inside of what scripts say.
 */
function isOfNoLeader(error: unknown): boolean {
  return error instanceof Error && /^(READONLY|MASTERDOWN|LOADING) |-READONLY /.test(error.message);
}
