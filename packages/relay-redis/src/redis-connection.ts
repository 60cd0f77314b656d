import { type FlagStoreContext, messageOf, orAborted, withRemedy } from "@wye/relay";
import { describeServer } from "./describe-server.js";
import { patienceMs, transportMs } from "./patience.js";
import { createRedisClient, type RedisClient } from "./redis-client.js";
import type { SendCommand } from "./redis-command.js";
import type { RedisOptions } from "./redis-options.js";
import { remedies } from "./remedies.js";

/** What a connection is made of. */
export interface ConnectionParts {
  readonly options: RedisOptions;
  readonly connectTimeoutMs: number;
  readonly context: Pick<FlagStoreContext, "logger" | "clock">;
  /** It is of no more use: whoever comes next makes another one. */
  readonly over: () => void;
}

/**
 * A connection from the first attempt to make it until it is lost or given up. Commands wait for it until an attempt fails or they
 * are aborted, and are then not sent any more.
 */
export class RedisConnection {
  readonly #parts: ConnectionParts;
  readonly #name: string;
  readonly #hasOneServer: boolean;
  readonly #client: RedisClient;
  readonly #connected: Promise<unknown>;
  /** Those who wait for the connection are told of what is in its way, whatever the client goes on trying. */
  readonly #waiting = new Set<(reason: unknown) => void>();
  #isReady = false;
  #isRetired = false;
  #isOver = false;
  /** Why the last attempt to reach the only server has failed, until the next one begins. */
  #failure: Error | undefined;
  /** The last line of the log: clients tell of every attempt, and one line for each new reason is enough. */
  #told = "";
  #unanswered = 0;
  /** What all that was not answered yet takes on the slowest line. */
  #onTheWayMs = 0;

  constructor(parts: ConnectionParts) {
    const { sentinel, cluster } = parts.options;
    this.#parts = parts;
    this.#hasOneServer = sentinel === undefined && cluster === undefined;
    this.#name = `Redis at ${describeServer(parts.options)}`;
    this.#client = createRedisClient(parts.options, parts.connectTimeoutMs, {
      failed: (error) => this.#failed(error),
      trying: () => {
        this.#failure = undefined;
      },
      lost: (reason) => this.#retire(reason),
    });
    this.#connected = this.#client.connect();
    this.#connected.then(
      () => {
        this.#isReady = true;
      },
      // A client that knows no server of a cluster or no sentinel gives up.
      (error: unknown) => this.#giveUp(error),
    );
  }

  /** Sends a command once there is a connection. */
  readonly command: SendCommand = async (key, words, signal, replyBytes) => {
    if (!this.#isReady) await orAborted(this.#untilReady(), signal);
    signal.throwIfAborted();
    const transport = transportMs(words, replyBytes);
    this.#unanswered++;
    this.#onTheWayMs += transport;
    const limitMs = patienceMs(this.#onTheWayMs);
    const reply = this.#client.send(key, words).catch((error: unknown) => {
      // The address may lead to the new leader by now, for whoever connects anew.
      if (isOfNoLeader(error)) this.#giveUp(error);
      throw error;
    });
    const answered = reply.finally(() => {
      this.#unanswered--;
      this.#onTheWayMs -= transport;
      if (this.#isRetired && this.#unanswered === 0) this.#giveUp(new Error("the connection was lost"));
    });
    return await orAborted(this.#within(limitMs, answered), signal);
  };

  /** Ends at once, whatever is under way. */
  end(): void {
    this.#giveUp(new Error("the connection to Redis is closed"));
  }

  #failed(error: Error): void {
    const message = messageOf(withRemedy(error, remedies));
    if (message !== this.#told) this.#parts.context.logger.warn(`${this.#name}: ${message}`);
    this.#told = message;
    if (this.#hasOneServer) this.#failure = error;
    this.#tell(error);
  }

  /** Nothing more is sent; of several servers others may still answer what was. */
  #retire(reason: unknown): void {
    this.#isRetired = true;
    this.#parts.over();
    if (this.#unanswered === 0) this.#giveUp(reason);
  }

  #giveUp(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.over();
    this.#client.destroy();
    this.#tell(reason);
  }

  #tell(reason: unknown): void {
    for (const fail of this.#waiting) fail(reason);
  }

  /** Of several nodes that may hang the client tries one after the other, and knows best how long that takes. */
  #untilReady(): Promise<void> {
    const connecting = this.#untilConnected();
    const limitMs = Math.max(patienceMs(0), this.#parts.connectTimeoutMs);
    return this.#hasOneServer ? this.#within(limitMs, connecting) : connecting;
  }

  /** Waits for the connection until the first failure, also that of the attempt after which there is a pause. */
  async #untilConnected(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    let fail = (_reason: unknown) => {};
    const failure = new Promise<never>((_, reject) => {
      fail = reject;
    });
    this.#waiting.add(fail);
    try {
      await Promise.race([this.#connected, failure]);
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
    const { clock, logger } = this.#parts.context;
    const cancel = clock.schedule(ms, () => {
      const reason = new Error(`no answer within ${ms} ms`);
      logger.warn(`${this.#name}: ${reason.message}; connecting anew`);
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
