import type { Members } from "./big-segments/members.js";
import type { BigSegmentStatus } from "./big-segments/membership-reader.js";
import type { Clock } from "./clock.js";
import { type EnvironmentKeys, likelyKeys } from "./credentials.js";
import type { EnvironmentMeter } from "./environment-meter.js";
import type { FlagSet } from "./flag-set.js";
import { allowsOrigin } from "./http/cors.js";
import type { EventsDoor, ServedEnvironment, StreamsDoor } from "./http/exchange.js";
import type { KeyRing } from "./key-ring.js";
import type { Logger } from "./logger.js";
import type { ResolvedEnvironment, ResolvedOptions } from "./options/resolved-options.js";
import type { Phase, Readiness } from "./readiness.js";
import type { SourceSwitch } from "./sources/source-switch.js";
import type { StoreWriter } from "./stores/store-writer.js";
import type { Subscriber } from "./streaming/subscriber.js";
import type { Timers } from "./timers.js";

/** The open streams, until the last has ended. */
export interface Streams extends StreamsDoor {
  readonly size: number;
  subscribers(): readonly Subscriber[];
  /** Ends several; none of them is told anything more. */
  endThese(subscribers: readonly Subscriber[]): void;
  /** Ends all, spread at random over a time; readers that are there when `deadline` resolves are cut off. */
  endAll(ending: Ending & { readonly clock: Clock; readonly random: () => number }): Promise<void>;
}

/** Who is in which big segments, kept in step with upstream until it is closed. */
export interface MembersInStep extends Members {
  /** `undefined` as long as there has been no big segment. */
  status(staleThresholdMs: number): BigSegmentStatus | undefined;
  /** Stops; waits no longer than for the deadline. */
  close(deadline: Promise<void>): Promise<void>;
}

/** What passes events on, until it is closed. */
export interface EventsOut extends EventsDoor {
  /** Sends what is left and stops, at the latest when `deadline` resolves. */
  close(deadline: Promise<void>): Promise<void>;
}

/** What an environment consists of. */
export interface EnvironmentParts {
  /** The name, with the filter if there is one: `production`, `production/web`. */
  readonly name: string;
  readonly settings: ResolvedEnvironment;
  /** What the host has set for the relay. */
  readonly options: ResolvedOptions;
  readonly ring: KeyRing;
  /** Why the environment is not as it should be; `undefined` when it is. */
  readonly problem: () => string | undefined;
  readonly logger: Logger;
  readonly timers: Timers;
  readonly meter: EnvironmentMeter;
  readonly flags: FlagSet;
  readonly streams: Streams;
  readonly store: StoreWriter;
  readonly bigSegments: MembersInStep | undefined;
  readonly events: EventsOut | undefined;
  readonly goals: ServedEnvironment["goals"] & { close(): void };
  readonly sources: SourceSwitch;
  readonly readiness: Readiness;
  /** Lets others take what it has in stores, or keeps it. */
  readonly stepAside: (isLeaving: boolean) => void;
}

/** How an environment ends. */
export interface Ending {
  /** Resolves when nothing is waited for any more. */
  readonly deadline: Promise<void>;
  /** The time over which the ends of the streams are spread. */
  readonly spreadMs: number;
}

/** One environment, or one payload filter of it: what its parts are together, from its first to its last moment. */
export class Environment implements ServedEnvironment {
  readonly name: string;
  readonly logger: Logger;
  readonly meter: EnvironmentMeter;
  readonly flags: FlagSet;
  readonly streams: Streams;
  /** Absent when events are not forwarded. */
  readonly events: EventsDoor | undefined;
  readonly goals: ServedEnvironment["goals"];
  /** Absent without a store for them. */
  readonly bigSegments: MembersInStep | undefined;
  readonly #parts: EnvironmentParts;
  #settings: ResolvedEnvironment;
  #closing: Promise<void> | undefined;
  readonly #cutOff: Promise<void>;
  readonly #cutOffNow: () => void;

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
    this.name = parts.name;
    this.logger = parts.logger;
    this.meter = parts.meter;
    this.flags = parts.flags;
    this.streams = parts.streams;
    this.events = parts.events;
    this.goals = parts.goals;
    this.bigSegments = parts.bigSegments;
    let cutOff = () => {};
    this.#cutOff = new Promise((resolve) => {
      cutOff = resolve;
    });
    this.#cutOffNow = cutOff;
  }

  /** What the host has set for this environment; it may be changed. */
  get settings(): ResolvedEnvironment {
    return this.#settings;
  }

  /** What the host has set for the relay as a whole. */
  get relayOptions(): ResolvedOptions {
    return this.#parts.options;
  }

  get keys(): EnvironmentKeys {
    return this.#parts.ring.keys;
  }

  get phase(): Phase {
    return this.#parts.readiness.phase;
  }

  /** Resolves when the environment has data, is refused, or `initTimeout` has passed. */
  get settled(): Promise<void> {
    return this.#parts.readiness.settled;
  }

  /** The connection to upstream. */
  get sources(): Pick<SourceSwitch, "status" | "lostMs" | "everDelivered" | "knownSdkKey"> {
    return this.#parts.sources;
  }

  get store(): Pick<StoreWriter, "status" | "about"> {
    return this.#parts.store;
  }

  /** Why the environment is not as a configuration says that it should be; `undefined` when it is. */
  get problem(): string | undefined {
    return this.#parts.problem();
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Whether a credential, as its digest, still leads here: it may have gone while a request was on its way. */
  accepts(digest: string): boolean {
    return this.#parts.ring.accepts(digest);
  }

  allowsOrigin(origin: string): boolean {
    return allowsOrigin(this.#settings, origin);
  }

  /** Calls `run` after a time unless the environment is closed before. */
  later(ms: number, run: () => void): () => void {
    return this.#parts.timers.later(ms, run);
  }

  /** Applies other settings; open streams stay, except those of pages when what they need becomes more. */
  change(settings: ResolvedEnvironment): void {
    this.#settings = settings;
    this.#parts.store.noteKeys();
    this.#endPages(({ origin }) => !allowsOrigin(settings, origin));
    this.#endUnproved();
  }

  /** Asks upstream with another key. The present connection goes on until the new one has delivered. */
  useSdkKey(sdkKey: string): void {
    this.#parts.sources.use(sdkKey);
  }

  /** Lets go of what was opened with credentials that are no longer accepted. */
  dropUnaccepted(): void {
    const { ring, sources, streams } = this.#parts;
    sources.closeUnaccepted();
    streams.endThese(streams.subscribers().filter(({ credential }) => !ring.accepts(credential)));
    this.#endUnproved();
  }

  /** Ends the streams that carry the flags of contexts to pages without a proof: who has proved something with a key that is gone has proved nothing. */
  #endUnproved(): void {
    if (!this.#settings.secureMode) return;
    const vouchers: readonly unknown[] = likelyKeys(this.keys, "sdkKey");
    this.#endPages(({ channel, voucher }) => channel === "client" && !vouchers.includes(voucher));
  }

  /** Ends streams of pages; those that are allowed come again. */
  #endPages(isMeant: (subscriber: Subscriber) => boolean): void {
    const { streams } = this.#parts;
    streams.endThese(streams.subscribers().filter((one) => isOfPages(one) && isMeant(one)));
  }

  /** Lets others take what it has in stores, once it has written what it had; or keeps it. */
  stepAside(isLeaving: boolean): void {
    this.#parts.stepAside(isLeaving);
  }

  /** Stops; events that wait are sent and streams are ended until the deadline. Again, it only hears of the deadline. */
  close({ deadline, spreadMs }: Ending): Promise<void> {
    void deadline.then(this.#cutOffNow);
    this.#closing ??= this.#close(spreadMs);
    return this.#closing;
  }

  async #close(spreadMs: number): Promise<void> {
    const { readiness, sources, timers, events, goals, store, bigSegments, streams, options } = this.#parts;
    this.stepAside(true);
    timers.close();
    sources.close();
    goals.close();
    readiness.close();
    const { clock, random } = options;
    const deadline = this.#cutOff;
    const ended = streams.endAll({ spreadMs, clock, random, deadline });
    const stored = [store.close(deadline), bigSegments?.close(deadline)];
    await Promise.all([events?.close(deadline), ...stored, ended]);
  }
}

/** Server-side SDKs are bound to no origin. */
function isOfPages({ channel, audience }: Subscriber): boolean {
  return audience === "browser" && (channel === "client" || channel === "ping");
}
