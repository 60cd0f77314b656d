import type { EndpointName } from "./http/routes.js";
import { routes } from "./http/routes.js";
import type { CounterName, EnvironmentInstruments, Instrument } from "./metrics.js";
import { type SourceErrorKind, sourceErrorKinds } from "./sources/source-error-kind.js";
import type { Channel } from "./streaming/channel.js";

/** How a request ended: the class of its status, or without an answer because the client went away. */
const outcomes = ["2xx", "3xx", "4xx", "5xx", "aborted"] as const;
const endpoints = new Set(
  routes.flatMap(({ endpoint, credential }) => (credential === "none" ? [] : [endpoint])),
);
const channels: readonly Channel[] = ["all", "flags", "ping", "client"];
const updates = ["put", "item"];
const ofEvents = ["events_accepted", "events_dropped", "events_delivered", "event_posts_failed"] as const;

/** What is counted of events. */
export type EventCounterName = (typeof ofEvents)[number];

interface EndpointMeter {
  readonly outcomes: readonly Instrument[];
  readonly seconds: Instrument;
}

interface ChannelMeter {
  readonly opened: Instrument;
  readonly open: Instrument;
}

/** Counts what happens to one environment. Everything that can be counted is there from the start, as zero. */
export class EnvironmentMeter {
  readonly #instruments: EnvironmentInstruments;
  // Looked up once: they are used for every request and every stream.
  readonly #endpoints = new Map<EndpointName, EndpointMeter>();
  readonly #channels = new Map<Channel, ChannelMeter>();
  readonly #events = new Map<CounterName, Instrument>();
  readonly #queued: Instrument;

  constructor(instruments: EnvironmentInstruments) {
    this.#instruments = instruments;
    for (const endpoint of endpoints) {
      this.#endpoints.set(endpoint, {
        outcomes: outcomes.map((status) => instruments.counter("requests", { endpoint, status })),
        seconds: instruments.histogram("request_seconds", { endpoint }),
      });
    }
    for (const channel of channels) {
      this.#channels.set(channel, {
        opened: instruments.counter("streams_opened", { channel }),
        open: instruments.gauge("open_streams", { channel }),
      });
    }
    for (const kind of updates) instruments.counter("updates", { kind });
    for (const kind of sourceErrorKinds) instruments.counter("upstream_errors", { kind });
    for (const name of ofEvents) this.#events.set(name, instruments.counter(name, {}));
    instruments.counter("streams_dropped", {});
    this.#queued = instruments.gauge("queued_events", {});
  }

  /** Counts a request that reached the environment, with its status unless the client went away before. */
  countRequest(endpoint: EndpointName, status: number | undefined, ms: number): void {
    const meter = this.#endpoints.get(endpoint);
    const index = status === undefined ? outcomes.length - 1 : Math.floor(status / 100) - 2;
    meter?.outcomes[index]?.add(1);
    meter?.seconds.add(ms / 1000);
  }

  streamOpened(channel: Channel): void {
    const meter = this.#channels.get(channel);
    meter?.opened.add(1);
    meter?.open.add(1);
  }

  streamClosed(channel: Channel): void {
    this.#channels.get(channel)?.open.add(-1);
  }

  streamDropped(): void {
    this.#instruments.counter("streams_dropped", {}).add(1);
  }

  countUpdate(kind: "put" | "item"): void {
    this.#instruments.counter("updates", { kind }).add(1);
  }

  countError(kind: SourceErrorKind): void {
    this.#instruments.counter("upstream_errors", { kind }).add(1);
  }

  countEvents(name: EventCounterName, count: number): void {
    this.#events.get(name)?.add(count);
  }

  /** Notes how many events more, or fewer, are waiting. */
  queuedEvents(change: number): void {
    this.#queued.add(change);
  }

  /** The environment is over; another may take its name. */
  close(): void {
    this.#instruments.forget();
  }
}
