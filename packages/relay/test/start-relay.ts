import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { type Dispatcher, request } from "undici";
import { onTestFinished } from "vitest";
import type { EnvironmentOptions, RelayOptions, UpstreamOptions } from "../src/options/options.js";
import { createRelay, type Relay } from "../src/relay.js";
import type { FakeData, FakeItem } from "../src/testing/fake-environment.js";
import { createFakeUpstream, type FakeUpstream } from "../src/testing/fake-upstream.js";

export const keys: Readonly<Record<"sdkKey" | "mobileKey" | "envId", string>> = {
  sdkKey: "sdk-11111111-aaaa-4bbb-8ccc-222222222222",
  mobileKey: "mob-33333333-aaaa-4bbb-8ccc-444444444444",
  envId: "0123456789abcdef01234567",
};

/** A flag that is on and gives its first variation. */
export function flag(key: string, version: number, rest: object = {}): FakeItem & { readonly key: string } {
  return {
    key,
    version,
    on: true,
    prerequisites: [],
    targets: [],
    rules: [],
    fallthrough: { variation: 0 },
    offVariation: 1,
    variations: [true, false],
    clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
    salt: key,
    ...rest,
  };
}

export interface Running {
  readonly upstream: FakeUpstream;
  readonly relay: Relay;
  readonly url: string;
  /** One request to the relay; the body is read as text. */
  fetch(method: string, path: string, options?: FetchOptions): Promise<Answer>;
  /** Opens an event stream. */
  open(path: string, options?: FetchOptions & { method?: string }): Promise<OpenStream>;
  /** Ends the relay and its upstream before the test does. */
  stop(): Promise<void>;
}

export interface FetchOptions {
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly body: string;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  /** The next event; rejects when the stream ends before. */
  next(): Promise<EventSourceMessage>;
  /** The number of comments so far. */
  readonly comments: number;
  /** Resolves when the relay ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

export interface StartOptions {
  /** Data by SDK key; by default one environment with one flag. */
  readonly data?: Record<string, FakeData>;
  readonly environments?: Record<string, EnvironmentOptions>;
  readonly options?: RelayOptions;
  /** Whether to wait until the environments have data. */
  readonly wait?: boolean;
  /** What listens instead of the handler alone. */
  readonly mount?: (relay: Relay) => RequestListener;
  /** The goals of browsers, as JSON text. */
  readonly goals?: string;
  /** Where the relay listens; by default on a free port. */
  readonly port?: number;
  /** How the relay reaches upstream; by default directly. */
  readonly reach?: (upstream: FakeUpstream) => UpstreamOptions | Promise<UpstreamOptions>;
}

/** Starts a relay on a real port before a stand-in for upstream; both end with the test. */
export async function startRelay({
  data = { [keys.sdkKey]: { flags: { a: flag("a", 1) } } },
  environments = { prod: keys },
  options = {},
  wait = true,
  mount = (relay) => (req, res) => relay.handler(req, res),
  goals = '[{"id":"g"}]',
  port = 0,
  reach = ({ roles }) => roles,
}: StartOptions = {}): Promise<Running> {
  const upstream = await createFakeUpstream({
    environments: data,
    goals: { [keys.envId]: goals },
  });
  const relay = createRelay({ ...options, upstream: await reach(upstream), environments });
  const server = createServer({ keepAliveTimeout: 0 }, mount(relay));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  async function stop(): Promise<void> {
    await relay.close({ within: 0 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await upstream.close();
  }
  onTestFinished(stop);
  if (wait) await relay.ready();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    upstream,
    relay,
    url,
    fetch: (method, path, fetchOptions) => fetchFrom(url, method, path, fetchOptions),
    open: (path, openOptions) => openFrom(url, path, openOptions),
    stop,
  };
}

async function fetchFrom(
  url: string,
  method: string,
  path: string,
  options: FetchOptions = {},
): Promise<Answer> {
  // undici's types know the standard methods only.
  const response = await request(url + path, { method: method as Dispatcher.HttpMethod, ...options });
  return { status: response.statusCode, headers: response.headers, body: await response.body.text() };
}

async function openFrom(
  url: string,
  path: string,
  { method = "GET", ...options }: FetchOptions & { method?: string } = {},
): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await request(url + path, {
    method: method as Dispatcher.HttpMethod,
    ...options,
    signal: abort.signal,
    bodyTimeout: 0,
  });
  const events: EventSourceMessage[] = [];
  let comments = 0;
  let finished = false;
  let wake = () => {};
  const parser = createParser({
    onEvent: (event) => {
      events.push(event);
      wake();
    },
    onComment: () => {
      comments++;
      wake();
    },
  });
  const ended = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body)
        parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    } catch {
      // Closed by this side, or cut off by the other: over in any case.
    }
    finished = true;
    wake();
  })();
  return {
    status: response.statusCode,
    headers: response.headers,
    async next() {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) return event;
        if (finished) throw new Error("the stream has ended");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    get comments() {
      return comments;
    },
    ended,
    close: () => abort.abort(),
  };
}
