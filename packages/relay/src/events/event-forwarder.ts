import { setMaxListeners } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Audience } from "../http/routes.js";
import type { ResolvedEvents } from "../options/resolve-options.js";
import { EventPublisher, type PublisherPort } from "./event-publisher.js";
import { pause } from "./pause.js";
import { postUpstream } from "./post-upstream.js";
import { createSummarizer, type Summarizer } from "./summarizer.js";

const compress = promisify(gzip);

/** The kinds of SDKs whose events are kept apart, because upstream wants them at different addresses. */
export type EventFamily = Exclude<Audience, "public">;

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

/** What the forwarding of events needs of the environment whose events they are. */
export interface ForwarderPort extends PublisherPort {
  /** The keys as they are now: they may be replaced. */
  keys(): { readonly sdkKey: string; readonly mobileKey?: string; readonly envId?: string };
  /** The JSON of a flag that exists. */
  findFlag(key: string): string | undefined;
}

/** Passes the events of one environment on to upstream. */
export class EventForwarder {
  readonly #port: ForwarderPort;
  readonly #settings: ResolvedEvents;
  readonly #publishers = new Map<EventFamily, EventPublisher>();
  readonly #summarizers = new Map<EventPublisher, Map<string, Summarizer>>();
  readonly #diagnostics = new Set<Promise<void>>();
  readonly #abort = new AbortController();

  constructor(port: ForwarderPort, settings: ResolvedEvents) {
    this.#port = port;
    this.#settings = settings;
    setMaxListeners(0, this.#abort.signal);
  }

  get maxBodyBytes(): number {
    return this.#settings.maxBodyBytes;
  }

  /** Takes the body of an event post. What is not an array of events is dropped. */
  accept(family: EventFamily, text: string, headers: IncomingHttpHeaders): void {
    const { logger } = this.#port;
    let events: unknown;
    try {
      events = JSON.parse(text);
    } catch (error) {
      logger.error(`events: the body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (events === null) return;
    if (!Array.isArray(events)) {
      logger.error("events: the body is not an array");
      return;
    }
    this.#port.countEvents("events_accepted", events.length);
    const schema = schemaFrom(headers["x-launchdarkly-event-schema"]);
    const tags = String(headers["x-launchdarkly-tags"] ?? "");
    const publisher = this.#publisher(family);
    if (schema < 3 || headers["x-launchdarkly-unsummarized"] !== undefined) {
      this.#summarizer(publisher, schema, tags).add(events);
      publisher.scheduleFlush();
    } else {
      const inside = text.slice(text.indexOf("[") + 1, text.lastIndexOf("]"));
      publisher.add({ schema, tags, origin: "verbatim" }, { text: inside, count: events.length });
    }
  }

  /** Takes the body of a diagnostic post and sends it on at once, with the headers that the SDK gave it. */
  forwardDiagnostic(family: EventFamily, body: Buffer, headers: IncomingHttpHeaders): void {
    const sent = this.#sendDiagnostic(this.#diagnosticUrl(family), body, headers).finally(() =>
      this.#diagnostics.delete(sent),
    );
    this.#diagnostics.add(sent);
  }

  /** Sends what is left and stops, at the latest when `deadline` resolves. */
  async close(deadline: Promise<void>): Promise<void> {
    void deadline.then(() => this.#abort.abort());
    const publishers = [...this.#publishers.values()].map((publisher) => publisher.close(deadline));
    await Promise.all([...publishers, ...this.#diagnostics]);
  }

  #publisher(family: EventFamily): EventPublisher {
    const known = this.#publishers.get(family);
    if (known !== undefined) return known;
    const port = this.#port;
    const base = port.upstream.events;
    const publisher = new EventPublisher(
      port,
      this.#settings,
      {
        server: { url: `${base}/bulk`, authorization: () => port.keys().sdkKey },
        mobile: { url: `${base}/mobile`, authorization: () => port.keys().mobileKey },
        browser: { url: `${base}/events/bulk/${port.keys().envId}`, authorization: () => undefined },
      }[family],
    );
    publisher.beforeFlush = () => {
      for (const summarizer of this.#summarizers.get(publisher)?.values() ?? []) summarizer.flush();
    };
    this.#publishers.set(family, publisher);
    this.#summarizers.set(publisher, new Map());
    return publisher;
  }

  #summarizer(publisher: EventPublisher, schema: number, tags: string): Summarizer {
    const summarizers = this.#summarizers.get(publisher) ?? new Map<string, Summarizer>();
    const name = JSON.stringify([schema, tags]);
    const known = summarizers.get(name);
    if (known !== undefined) return known;
    const created = createSummarizer({
      schema,
      clock: this.#port.clock,
      serverTime: () => publisher.serverTime,
      findFlag: (key) => this.#port.findFlag(key),
      publish: (batch) => publisher.add({ schema: 4, tags, origin: name }, batch),
      logger: this.#port.logger,
    });
    // Tags come from clients: an unusual number of them must not be remembered for ever.
    if (summarizers.size >= maxSummarizers) {
      const [oldest] = summarizers;
      oldest?.[1].flush();
      if (oldest !== undefined) summarizers.delete(oldest[0]);
    }
    summarizers.set(name, created);
    return created;
  }

  #diagnosticUrl(family: EventFamily): string {
    const base = this.#port.upstream.events;
    if (family === "server") return `${base}/diagnostic`;
    if (family === "mobile") return `${base}/mobile/events/diagnostic`;
    return `${base}/events/diagnostic/${this.#port.keys().envId}`;
  }

  async #sendDiagnostic(url: string, body: Buffer, headers: IncomingHttpHeaders): Promise<void> {
    const { clock, upstream } = this.#port;
    const compressed = await compress(body);
    const forwarded: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined && !notForwarded.has(name)) forwarded[name] = value;
    }
    const post = () =>
      postUpstream(
        url,
        compressed,
        { ...forwarded, "content-type": "application/json", "content-encoding": "gzip" },
        { dispatcher: upstream.dispatcher, timeoutMs: upstream.requestTimeoutMs, signal: this.#abort.signal },
      );
    let outcome = await post();
    if (outcome.kind === "retryable" && !this.#abort.signal.aborted) {
      await pause(clock, this.#settings.retryDelayMs, this.#abort.signal);
      outcome = await post();
    }
    if (outcome.kind !== "accepted") this.#port.logger.warn(`diagnostic event: ${outcome.reason}`);
  }
}

const maxSummarizers = 100;

/** The schema of a post: 1 when the header is missing or no number above zero, as old SDKs had none. */
function schemaFrom(header: string | string[] | undefined): number {
  const schema = Number(header);
  return Number.isSafeInteger(schema) && schema > 0 ? schema : 1;
}
