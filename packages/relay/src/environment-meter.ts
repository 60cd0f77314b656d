import type { EndpointName } from "./http/routes.js";
import type { CounterName, EnvironmentInstruments, Instrument } from "./metrics.js";
import type { SourceErrorKind } from "./sources/source.js";
import type { Channel } from "./streaming/channel.js";

/** Counts what happens to one environment. */
export class EnvironmentMeter {
  readonly #instruments: EnvironmentInstruments;
  /** Looked up once: there is one for every request. */
  readonly #requests = new Map<EndpointName, Instrument>();

  constructor(instruments: EnvironmentInstruments) {
    this.#instruments = instruments;
  }

  /** Counts a request that reached the environment. */
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

  streamDropped(): void {
    this.#instruments.counter("streams_dropped", {}).add(1);
  }

  countUpdate(kind: string): void {
    this.#instruments.counter("updates", { kind }).add(1);
  }

  countError(kind: SourceErrorKind): void {
    this.#instruments.counter("upstream_errors", { kind }).add(1);
  }

  countEvents(name: CounterName & `event${string}`, count: number): void {
    this.#instruments.counter(name, {}).add(count);
  }

  /** Notes how many events more, or fewer, are waiting. */
  queuedEvents(change: number): void {
    this.#instruments.gauge("queued_events", {}).add(change);
  }

  /** The environment is over; another may take its name. */
  close(): void {
    this.#instruments.forget();
  }
}
