import type { Evaluator } from "@wye/flag-evaluator";
import type { Clock } from "../clock.js";
import type { FlagSet } from "../flag-set.js";
import type { Logger } from "../logger.js";
import { stackOf } from "../message-of.js";
import type { Timers } from "../timers.js";
import { type Frame, heartbeatFrame } from "./frame.js";
import { initialFrame } from "./initial-frame.js";
import { SlowReaders } from "./slow-readers.js";
import type { Subscriber } from "./subscriber.js";
import { Transition } from "./transition.js";
import { visitInTurns } from "./visit-in-turns.js";

/** What a broadcaster needs of its environment. */
export interface BroadcasterPort {
  readonly flags: FlagSet;
  /** How long one turn of sending may take. */
  readonly sliceMs: number;
  /** How long a reader may take nothing of what it was sent. */
  readonly stallMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Finds out what a stream has to know beside the flags; `undefined` when it knows. */
  readonly prepare: (subscriber: Subscriber) => Promise<void> | undefined;
  /** Counts a reader that was too slow. */
  dropped(): void;
  /** Calls `run` after a time unless the environment is closed before. */
  readonly later: Timers["later"];
}

/** How all streams are ended. */
export interface EndOfStreams {
  /** The time over which the ends are spread, so that SDKs do not all connect again at once. */
  readonly spreadMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Resolves when readers have had time enough. */
  readonly deadline: Promise<void>;
}

/** How long a reader may take to notice that its stream has ended. */
const endGraceMs = 5000;
/** So many states of the flags are remembered for streams that have not heard of later ones; others start anew. */
const maxStates = 16;
/** Each ping makes a client ask for its flags: one in a millisecond is what a relay answers in passing. */
const pingSpacingMs = 1;
const maxPingSpreadMs = 5000;

/**
 * Keeps the streams of an environment up to date. A stream is not sent each change but what leads from the state that it was
 * told last to the present one: changes that come in one turn, while others are being told, or while its reader has not
 * taken the last event, are one event for it. Telling many is cut into turns of a few milliseconds.
 */
export class Broadcaster {
  readonly #subscribers = new Set<Subscriber>();
  /** Streams that have ended, and whose readers have not gone yet. */
  readonly #ending = new Map<Subscriber, () => void>();
  readonly #port: BroadcasterPort;
  readonly #slow: SlowReaders;
  /** The states of the flags that streams are told of, by number: thousands of streams that pointed to each new one would cost the collector of garbage more than themselves. */
  readonly #states = new Map<number, Evaluator>();
  /** What leads from earlier states to the latest of them. */
  readonly #transitions = new Map<number, Transition>();
  #latest = 0;
  #updating = false;
  #pingers = 0;
  #emptied: () => void = () => {};

  constructor(port: BroadcasterPort) {
    const { stallMs, clock, later } = port;
    this.#port = port;
    this.#slow = new SlowReaders(stallMs, clock, later, (subscriber) => this.#drop(subscriber));
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** Opens a stream with everything as it is now; what changes from then on follows. */
  join(subscriber: Subscriber, headers: Readonly<Record<string, string | number>>): void {
    const { flags } = this.#port;
    const { output } = subscriber;
    const first = initialFrame(flags, subscriber);
    output.onTaken = (all) => this.#taken(subscriber, all);
    subscriber.told = this.#present();
    this.#subscribers.add(subscriber);
    if (subscriber.channel === "ping") this.#pingers++;
    try {
      if (!output.open(headers, first)) this.#slow.watch(subscriber);
    } catch (error) {
      // Nobody else knows of it yet.
      this.leave(subscriber);
      throw error;
    }
  }

  /** Forgets a stream whose reader has gone. */
  leave(subscriber: Subscriber): void {
    this.#remove(subscriber);
    this.#ending.get(subscriber)?.();
    this.#ending.delete(subscriber);
    if (this.#subscribers.size === 0 && this.#ending.size === 0) this.#emptied();
  }

  /** Ends a stream in an orderly way. A reader that does not take notice is cut off after a while. */
  end(subscriber: Subscriber): void {
    this.endThese([subscriber]);
  }

  /** Ends several. None of them is told anything more; to tell their readers takes turns when they are many. */
  endThese(subscribers: readonly Subscriber[]): void {
    const ending = subscribers.filter((subscriber) => this.#remove(subscriber));
    for (const subscriber of ending) this.#ending.set(subscriber, () => {});
    visitInTurns(ending, this.#port.sliceMs, (subscriber) => this.#tellEnd(subscriber));
  }

  #tellEnd(subscriber: Subscriber): void {
    // Its reader may have gone by now.
    if (!this.#ending.has(subscriber)) return;
    this.#ending.set(
      subscriber,
      this.#port.later(endGraceMs, () => subscriber.output.destroy()),
    );
    this.#guard(subscriber, ({ output }) => output.end());
  }

  /** Ends all streams, spread at random over a time; readers that are there when `deadline` resolves are cut off. */
  async endAll({ spreadMs, clock, random, deadline }: EndOfStreams): Promise<void> {
    const present = this.subscribers();
    if (present.length === 0 && this.#ending.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    const cancels: (() => void)[] = [];
    if (spreadMs === 0) this.endThese(present);
    else
      for (const subscriber of present)
        cancels.push(clock.schedule(spreadMs * random(), () => this.end(subscriber)));
    await Promise.race([emptied, deadline]);
    for (const cancel of cancels) cancel();
    for (const subscriber of [...this.#subscribers, ...this.#ending.keys()]) subscriber.output.destroy();
  }

  /** The flags are others: the streams hear of it after this turn, together with what else it brings. */
  update(): void {
    if (this.#updating || this.#subscribers.size === 0) return;
    this.#updating = true;
    setImmediate(() => this.#tellAll());
  }

  /** Tells a stream everything anew: its results are others although the flags are the same. */
  renew(subscriber: Subscriber): void {
    if (!this.#subscribers.has(subscriber)) return;
    subscriber.told = undefined;
    this.#guard(subscriber, (one) => this.#tell(one));
  }

  /** Keeps idle streams open. */
  heartbeat(): void {
    this.#visitAll((subscriber) => {
      if (!this.#slow.has(subscriber)) this.#write(subscriber, heartbeatFrame);
    });
  }

  /** The open streams. */
  subscribers(): Subscriber[] {
    return [...this.#subscribers];
  }

  #tellAll(): void {
    const present = this.#present();
    this.#visitAll(
      (subscriber) => this.#tell(subscriber),
      () => {
        this.#updating = false;
        if (this.#present() !== present) this.update();
      },
    );
  }

  /** The number of the state that the flags are in. The oldest of too many is forgotten: streams that were told it last start anew. */
  #present(): number {
    const { evaluator } = this.#port.flags;
    if (this.#states.get(this.#latest) !== evaluator) {
      this.#latest++;
      this.#states.set(this.#latest, evaluator);
      this.#states.delete(this.#latest - maxStates);
      this.#transitions.clear();
    }
    return this.#latest;
  }

  #visitAll(visit: (subscriber: Subscriber) => void, done?: () => void): void {
    visitInTurns(this.#subscribers, this.#port.sliceMs, (one) => this.#guard(one, visit), done);
  }

  /** What goes wrong with one stream ends that stream. */
  #guard(subscriber: Subscriber, visit: (subscriber: Subscriber) => void): void {
    try {
      visit(subscriber);
    } catch (error) {
      this.#port.logger.error(`stream: ${stackOf(error)}`);
      subscriber.output.destroy();
    }
  }

  /** Tells a stream what it has not heard, unless it will be told anyway. Pings are spread. */
  #tell(subscriber: Subscriber): void {
    if (subscriber.told === this.#present()) return;
    if (subscriber.due || this.#slow.has(subscriber)) return;
    const prepared = this.#port.prepare(subscriber);
    if (prepared !== undefined) {
      subscriber.due = true;
      void prepared.then(() => {
        subscriber.due = false;
        // The flags may have changed meanwhile, and with them what has to be known.
        if (this.#subscribers.has(subscriber)) this.#guard(subscriber, (one) => this.#tell(one));
      });
      return;
    }
    if (subscriber.channel === "ping") this.#tellSoon(subscriber);
    else this.#tellNow(subscriber);
  }

  #tellSoon(subscriber: Subscriber): void {
    const spreadMs = Math.min(this.#pingers * pingSpacingMs, maxPingSpreadMs);
    if (spreadMs < 2) {
      this.#tellNow(subscriber);
      return;
    }
    subscriber.due = true;
    this.#port.later(this.#port.random() * spreadMs, () => this.#tellDue(subscriber));
  }

  #tellDue(subscriber: Subscriber): void {
    subscriber.due = false;
    if (this.#subscribers.has(subscriber) && !this.#slow.has(subscriber)) this.#tellNow(subscriber);
  }

  #tellNow(subscriber: Subscriber): void {
    const present = this.#present();
    const { told } = subscriber;
    const before = told === undefined ? undefined : this.#states.get(told);
    subscriber.told = present;
    const frame =
      told === undefined || before === undefined
        ? initialFrame(this.#port.flags, subscriber)
        : this.#transition(told, before).frameFor(subscriber);
    if (frame !== undefined) this.#write(subscriber, frame);
  }

  #transition(told: number, before: Evaluator): Transition {
    const known = this.#transitions.get(told);
    if (known !== undefined) return known;
    const transition = new Transition(this.#port.flags, before);
    this.#transitions.set(told, transition);
    return transition;
  }

  #write(subscriber: Subscriber, frame: Frame): void {
    if (!subscriber.output.write(frame)) this.#slow.watch(subscriber);
  }

  #taken(subscriber: Subscriber, all: boolean): void {
    if (!this.#subscribers.has(subscriber)) return;
    if (!all) {
      this.#slow.watch(subscriber);
      return;
    }
    this.#slow.release(subscriber);
    this.#tell(subscriber);
  }

  #drop(subscriber: Subscriber): void {
    this.#port.dropped();
    subscriber.output.destroy();
  }

  #remove(subscriber: Subscriber): boolean {
    this.#slow.release(subscriber);
    if (!this.#subscribers.delete(subscriber)) return false;
    if (subscriber.channel === "ping") this.#pingers--;
    return true;
  }
}
