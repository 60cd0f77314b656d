import type { Change } from "./change.js";
import { type CredentialKind, credentialDigest } from "./credentials.js";
import { EventForwarder } from "./events/event-forwarder.js";
import { FlagSet } from "./flag-set.js";
import { Goals } from "./goals.js";
import type { EndpointName } from "./http/routes.js";
import { type Logger, prefixedLogger } from "./logger.js";
import type { CounterName, EnvironmentInstruments, Instrument, Metrics } from "./metrics.js";
import type { ResolvedEnvironment, ResolvedOptions } from "./options/resolve-options.js";
import { type ConnectionState, createConnectionState } from "./sources/connection-state.js";
import type { Source, SourceErrorKind, SourceSink } from "./sources/source.js";
import { streamSource } from "./sources/stream-source.js";
import { StoreWriter } from "./stores/store-writer.js";
import { Broadcaster } from "./streaming/broadcaster.js";
import { heartbeatFrame } from "./streaming/frame.js";
import { publishChange } from "./streaming/publish-change.js";
import type { Channel } from "./streaming/subscriber.js";

/**
 * How far an environment is: `starting` while it may still get data in time, `waiting` when it did not, `ready` once it
 * has ever had data, `refused` when upstream does not accept its key and there is no data.
 */
export type Phase = "starting" | "waiting" | "ready" | "refused";

/** The keys that lead to an environment now. */
export interface EnvironmentKeys {
  readonly sdkKey: string;
  readonly mobileKey?: string;
  readonly envId?: string;
  /** Keys that were replaced and are still accepted, oldest first. */
  readonly expiring: readonly { readonly kind: CredentialKind; readonly value: string }[];
}

/** What an environment shares with the others of its relay. */
export interface RelayContext {
  readonly options: ResolvedOptions;
  readonly metrics: Metrics;
}

interface RunningSource {
  readonly source: Source | undefined;
  delivered: boolean;
}

/** One environment, or one payload filter of it: from upstream through the flags it serves to the streams of SDKs. */
export class Environment {
  readonly name: string;
  readonly filter: string | undefined;
  readonly options: ResolvedEnvironment;
  readonly flags: FlagSet = new FlagSet();
  readonly streams: Broadcaster;
  readonly store: StoreWriter;
  /** Absent when events are not forwarded. */
  readonly events: EventForwarder | undefined;
  readonly goals: Goals;
  readonly context: RelayContext;
  readonly logger: Logger;
  /** Resolves when the environment has data, will have none, or `initTimeout` has passed. */
  readonly settled: Promise<void>;
  keys: EnvironmentKeys;
  #connection: ConnectionState;
  #everConnected = false;
  #phase: Phase = "starting";
  #settle: () => void = () => {};
  #closed = false;
  readonly #instruments: EnvironmentInstruments;
  readonly #requests = new Map<EndpointName, Instrument>();
  readonly #sources = new Set<RunningSource>();
  readonly #cancels = new Set<() => void>();

  constructor(name: string, options: ResolvedEnvironment, filter: string | undefined, context: RelayContext) {
    const { clock, logger, streams, initTimeoutMs } = context.options;
    this.name = filter === undefined ? name : `${name}/${filter}`;
    this.filter = filter;
    this.options = options;
    this.context = context;
    this.logger = prefixedLogger(logger, `[${this.name}]`);
    this.keys = {
      sdkKey: options.sdkKey,
      ...(options.mobileKey === undefined ? {} : { mobileKey: options.mobileKey }),
      ...(options.envId === undefined ? {} : { envId: options.envId }),
      expiring: [],
    };
    this.#instruments = context.metrics.forEnvironment(this.name);
    const dropped = this.#instruments.counter("streams_dropped", {});
    this.streams = new Broadcaster(streams.sliceMs, () => dropped.add(1));
    const { envId } = options;
    const store = options.store?.({ environment: this.name, envId, filter, logger: this.logger, clock });
    this.store = new StoreWriter(store, {
      clock,
      logger: this.logger,
      current: () => this.flags.items,
      adopt: (change) => this.#adopt(change),
    });
    const { upstream, events } = context.options;
    const shared = { logger: this.logger, clock, upstream };
    this.events =
      events === false
        ? undefined
        : new EventForwarder(
            {
              ...shared,
              keys: () => this.keys,
              findFlag: (key) => this.flags.get("flags", key),
              later: (ms, run) => this.later(ms, run),
              countEvents: (name, count) => this.countEvents(name, count),
              queuedEvents: (change) => this.queuedEvents(change),
            },
            events,
          );
    this.goals = new Goals({ ...shared, envId: () => this.keys.envId });
    this.#connection = createConnectionState(clock);
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.later(initTimeoutMs, () => this.#timedOut());
    this.#heartbeat();
    this.store.start();
    this.#startSource(options.sdkKey);
  }

  get phase(): Phase {
    return this.#phase;
  }

  get connection(): ConnectionState {
    return this.#connection;
  }

  /** Whether flags arrive from upstream, or did until a moment ago. */
  get connected(): boolean {
    const { status, lastedMs } = this.#connection;
    const longFailure = status.state !== "VALID" && lastedMs >= this.context.options.disconnectedStatusMs;
    return this.#everConnected && !longFailure;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The credentials that lead here now, as digests. */
  digests(): string[] {
    const { sdkKey, mobileKey, envId, expiring } = this.keys;
    const primary = Object.entries({ sdkKey, mobileKey, envId } satisfies Record<CredentialKind, unknown>);
    return [
      // The names of the members are the kinds.
      ...primary.flatMap(([kind, value]) =>
        value === undefined ? [] : [credentialDigest(kind as CredentialKind, value)],
      ),
      ...expiring.map(({ kind, value }) => credentialDigest(kind, value)),
    ];
  }

  /** Calls `run` after a time unless the environment is closed before. */
  later(ms: number, run: () => void): () => void {
    const cancel = this.context.options.clock.schedule(ms, () => {
      this.#cancels.delete(cancel);
      run();
    });
    this.#cancels.add(cancel);
    return () => {
      this.#cancels.delete(cancel);
      cancel();
    };
  }

  /** Counts a request that reached this environment. */
  countRequest(endpoint: EndpointName): void {
    let counter = this.#requests.get(endpoint);
    if (counter === undefined) {
      counter = this.#instruments.counter("requests", { endpoint });
      this.#requests.set(endpoint, counter);
    }
    counter.add(1);
  }

  streamOpened(channel: Channel): void {
    this.#instruments.counter("streams_opened", { channel }).add(1);
    this.#instruments.gauge("open_streams", { channel }).add(1);
  }

  streamClosed(channel: Channel): void {
    this.#instruments.gauge("open_streams", { channel }).add(-1);
  }

  countEvents(name: CounterName & `event${string}`, count: number): void {
    this.#instruments.counter(name, {}).add(count);
  }

  queuedEvents(change: number): void {
    this.#instruments.gauge("queued_events", {}).add(change);
  }

  /** Asks upstream with another key. The present connection goes on until the new one has delivered. */
  useSdkKey(sdkKey: string): void {
    this.#startSource(sdkKey);
  }

  /** Ends the streams that were opened with a credential that is no longer accepted. */
  endStreams(digest: string): void {
    for (const subscriber of this.streams.subscribers(digest)) subscriber.end();
  }

  /** Stops; events that wait are sent until `deadline` resolves. */
  async close(deadline: Promise<void>): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#instruments.forget();
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
    for (const { source } of this.#sources) source?.close();
    this.#connection.off();
    this.#settle();
    for (const subscriber of this.streams.subscribers()) subscriber.end();
    await Promise.all([this.events?.close(deadline), this.store.close(deadline)]);
  }

  #heartbeat(): void {
    const { heartbeatMs } = this.context.options.streams;
    if (heartbeatMs === 0) return;
    this.later(heartbeatMs, () => {
      this.streams.send(() => heartbeatFrame);
      this.#heartbeat();
    });
  }

  #timedOut(): void {
    if (this.#phase !== "starting") return;
    this.#phase = "waiting";
    this.logger.error("no data from upstream within initTimeout; still trying");
    this.#settle();
  }

  /** Serves what the store has: all of it until upstream delivers, afterwards what others have written there. */
  #adopt(change: Change): void {
    if (this.#closed) return;
    const { complete, evaluator } = this.flags;
    if (!this.#serve(change)) return;
    publishChange(this, change, evaluator);
    if (!complete) this.logger.info("serving the flags of the data store until upstream delivers");
  }

  #startSource(sdkKey: string): void {
    const { clock, random, upstream } = this.context.options;
    const running: { source: Source | undefined; delivered: boolean } = {
      source: undefined,
      delivered: false,
    };
    const sink: SourceSink = {
      apply: (change) => this.#deliver(running, change),
      interrupted: (kind, message) => this.#interrupted(running, kind, message),
      failed: (kind, message) => this.#failed(running, kind, message),
    };
    if (this.#connection.status.state === "OFF") this.#connection = createConnectionState(clock);
    this.#sources.add(running);
    running.source = (this.options.source ?? streamSource)({
      sdkKey,
      filter: this.filter,
      sink,
      upstream,
      logger: this.logger,
      clock,
      random,
    });
  }

  async #deliver(from: RunningSource, change: Change): Promise<void> {
    if (this.#closed || !this.#sources.has(from)) return;
    const first = !from.delivered;
    const previous = this.flags.evaluator;
    if (this.#serve(change)) {
      publishChange(this, change, previous);
      this.#instruments.counter("updates", { kind: change.extent === "full" ? "put" : "item" }).add(1);
    }
    this.#connection.succeeded();
    this.#everConnected = true;
    if (first) this.#retireOthers(from);
    this.store.write(change);
  }

  #retireOthers(from: RunningSource): void {
    from.delivered = true;
    for (const other of this.#sources) {
      if (other === from) continue;
      other.source?.close();
      this.#sources.delete(other);
    }
  }

  /** Serves a change from now on; tells whether it changed anything. */
  #serve(change: Change): boolean {
    const changed = this.flags.apply(change);
    const touched = new Set(change.items.map(({ kind, key }) => `${kind}/${key}`));
    for (const { kind, key, path, message } of this.flags.evaluator.problems) {
      if (!touched.has(`${kind}/${key}`)) continue;
      this.logger.error(`${kind} ${JSON.stringify(key)} is malformed at ${path || "/"}: ${message}`);
    }
    if (this.#phase !== "ready" && this.flags.complete) {
      this.#phase = "ready";
      this.logger.info("has data");
      this.#settle();
    }
    return changed;
  }

  #interrupted(from: RunningSource, kind: SourceErrorKind, message: string): void {
    if (this.#closed) return;
    this.#countError(kind);
    if (this.#othersWork(from)) this.logger.warn(`the new SDK key: ${message}`);
    else this.#connection.interrupted(kind);
  }

  #failed(from: RunningSource, kind: SourceErrorKind, message: string): void {
    if (this.#closed) return;
    this.#countError(kind);
    this.#sources.delete(from);
    this.logger.error(`upstream refuses: ${message}`);
    if (this.#othersWork(from)) return;
    if (this.#sources.size > 0) {
      this.#connection.interrupted(kind);
      return;
    }
    this.#connection.off(kind);
    if (this.#phase !== "ready") this.#phase = "refused";
    this.#settle();
  }

  #countError(kind: SourceErrorKind): void {
    this.#instruments.counter("upstream_errors", { kind }).add(1);
  }

  #othersWork(from: RunningSource): boolean {
    for (const other of this.#sources) if (other !== from && other.delivered) return true;
    return false;
  }
}
