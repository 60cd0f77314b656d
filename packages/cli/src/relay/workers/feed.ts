import type { Change, Source, SourceContext, SourceFactory } from "@wye/relay";
import { printable } from "../../printable.js";
import { ItemSet } from "./item-set.js";
import type { Trouble } from "./messages.js";
import type { Subscription } from "./subscription.js";

/** The flags of one environment as upstream sends them, once for all workers. */
export class Feed {
  /** What the log calls the environment that was the last to ask: it may have been renamed. */
  label: string;
  readonly #subscriptions = new Set<Subscription>();
  readonly #source: Source;
  readonly #ended: () => void;
  #items = new ItemSet();
  #trouble: Trouble | undefined;

  /** `ended` is called when upstream refuses the key or nobody is left: the next who asks starts anew. */
  constructor(start: SourceFactory, context: Omit<SourceContext, "sink">, ended: () => void) {
    this.#ended = ended;
    this.label = context.label;
    const { logger } = context;
    const line = (message: string) => printable(`[${this.label}] ${message}`);
    this.#source = start({
      ...context,
      logger: {
        debug: (message) => logger.debug(line(message)),
        info: (message) => logger.info(line(message)),
        warn: (message) => logger.warn(line(message)),
        error: (message) => logger.error(line(message)),
      },
      sink: {
        apply: (change) => this.#apply(change),
        interrupted: (kind, message) => {
          this.#trouble = { kind, message };
          for (const one of this.#subscriptions) one.interrupted({ kind, message });
        },
        refused: (kind, message) => {
          ended();
          for (const one of this.#subscriptions) one.refused({ kind, message });
        },
      },
    });
  }

  /** Brings a worker to the present state, and tells it of all that follows. */
  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    if (this.#items.isFull) void subscription.offer(this.#items.change());
    if (this.#trouble !== undefined) subscription.interrupted(this.#trouble);
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    subscription.close();
    if (this.#subscriptions.size === 0) this.close();
  }

  close(): void {
    this.#ended();
    this.#source.close();
  }

  async #apply(change: Change): Promise<void> {
    this.#trouble = undefined;
    this.#items.take(change);
    const verdicts = Array.from(this.#subscriptions, (one) => one.offer(change));
    try {
      // All workers do the same: the first to answer has answered for all, and a slow one holds up nobody.
      await Promise.race([...verdicts, ...(verdicts.length === 0 ? [undefined] : [])]);
    } catch (error) {
      // The source begins again, with everything.
      this.#items = new ItemSet();
      throw error;
    }
  }
}
