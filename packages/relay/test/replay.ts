import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { type Dispatcher, Pool } from "undici";
import type { EnvironmentOptions, RelayOptions } from "../src/options/options.js";
import { createRelay, type Relay } from "../src/relay.js";
import type { StreamAnswer } from "../src/testing/fake-stream.js";
import { createFakeUpstream, type FakeUpstream } from "../src/testing/fake-upstream.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import type { RecordedPost, RecordedRequest, RecordedResponse, Recording, Step } from "./recording.js";

/** An event of a stream, with its data parsed if it is JSON. */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** What is compared of an exchange. */
export interface ComparableResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string;
  readonly events?: readonly StreamEvent[];
}

/** What a step showed, recorded or now. */
export type Observation =
  | { readonly kind: "response"; readonly value: ComparableResponse }
  | { readonly kind: "events"; readonly value: readonly StreamEvent[] }
  | { readonly kind: "posts"; readonly value: readonly ComparablePost[] }
  | { readonly kind: "upstream"; readonly value: readonly string[] };

export interface ComparablePost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A step with what was recorded and a way to see what happens now; seeing again is allowed. */
export interface ReplayedStep {
  readonly index: number;
  readonly step: Step;
  readonly request: RecordedRequest | undefined;
  readonly recorded: Observation;
  readonly actual: Observation;
  /** With which status upstream last refused event posts. */
  readonly eventsFailure: string | undefined;
}

interface OpenStream {
  readonly events: StreamEvent[];
  readonly close: () => void;
}

/**
 * Plays a recorded conversation against a relay of ours, upstream's part included, and hands each observation to
 * `check`. Time is a clock that moves when the conversation says so; only the network is waited for.
 */
export async function replay(
  recording: Recording,
  agrees: (step: ReplayedStep) => boolean,
  report: (step: ReplayedStep) => void,
): Promise<void> {
  const upstream = await startUpstream(recording);
  const folder = await mkdtemp(join(tmpdir(), "wye-replay-"));
  for (const [name, base64] of Object.entries(recording.files ?? {}))
    await writeRecorded(folder, name, base64);
  const clock = createManualClock();
  /** How many events wait, or are on their way, by environment. */
  const queued = new Map<string, number>();
  const relay = createRelay({
    // Or what is asked for is given up because the machine stands still.
    upstream: { ...upstream.roles, requestTimeout: "1h" },
    metrics: {
      count() {},
      gauge(name, value, { environment = "" }) {
        if (name === "queued_events") queued.set(environment, value);
      },
    },
    ...namesOf(recording, folder),
    initTimeout: recording.config.main?.initTimeout ?? "2s",
    streams: { heartbeat: recording.config.main?.heartbeatInterval ?? "3m" },
    disconnectedStatusTime: recording.config.main?.disconnectedStatusTime ?? "1m",
    ...(recording.config.OfflineMode === undefined
      ? { events: { flushInterval: recording.config.events?.flushInterval ?? "100ms" } }
      : {}),
    clock,
    random: () => 0.5,
  });
  const server = createServer((req, res) => relay.handler(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const player = new Player({ upstream, relay, clock, server, folder, queued });
  try {
    if (!recording.steps.some(({ start }) => start)) {
      await pass(clock, 2000);
      await relay.ready();
    }
    let eventsFailure: string | undefined;
    for (const [index, step] of recording.steps.entries()) {
      if (step.eventsMode !== undefined && step.eventsMode !== "ok") eventsFailure = step.eventsMode;
      const about = { index, step, request: step.request ?? step.with, eventsFailure };
      const observed = await player.play(step, (recorded, actual) => agrees({ ...about, recorded, actual }));
      if (observed !== undefined) report({ ...about, ...observed });
    }
  } finally {
    await player.close();
    const closed = relay.close({ within: 0 });
    clock.advance(1);
    await closed;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await upstream.close();
    await rm(folder, { recursive: true });
  }
}

async function writeRecorded(folder: string, name: string, base64: string): Promise<void> {
  await writeFile(join(folder, name), Buffer.from(base64, "base64"));
}

type Agrees = (recorded: Observation, actual: Observation) => boolean;

interface PlayerParts {
  readonly upstream: FakeUpstream;
  readonly relay: Relay;
  readonly clock: ManualClock;
  readonly server: Server;
  readonly folder: string;
  /** How many events wait, or are on their way, by environment. */
  readonly queued: ReadonlyMap<string, number>;
}

class Player {
  readonly #upstream: FakeUpstream;
  readonly #relay: Relay;
  readonly #clock: ManualClock;
  readonly #pool: Pool;
  readonly #streams = new Map<string, OpenStream>();
  readonly #folder: string;
  readonly #queued: ReadonlyMap<string, number>;
  /** Whether upstream answers event posts in a way that lets the relay keep them. */
  #keepsEvents = false;
  /** Upstream did something that has not shown yet. */
  #unsettled = false;

  constructor({ upstream, relay, clock, server, folder, queued }: PlayerParts) {
    this.#folder = folder;
    this.#queued = queued;
    this.#upstream = upstream;
    this.#relay = relay;
    this.#clock = clock;
    this.#pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async play(
    step: Step,
    agrees: Agrees,
  ): Promise<{ recorded: Observation; actual: Observation } | undefined> {
    if (step.request !== undefined && step.response !== undefined) {
      const { request: sent, response } = step;
      const recorded: Observation = { kind: "response", value: recordedResponse(response) };
      return this.#until(recorded, agrees, async () => ({
        kind: "response",
        value: await this.#exchange(sent, response.stream !== undefined, recorded),
      }));
    }
    if (step.open !== undefined && step.with !== undefined && step.response !== undefined) {
      return this.#open(step.open, step.with, step.response, agrees);
    }
    if (step.read !== undefined) {
      const stream = this.#streams.get(step.read);
      const recorded: Observation = { kind: "events", value: eventsOf(step.stream ?? "") };
      const observed = await this.#until(recorded, agrees, async () => ({
        kind: "events",
        value: [...(stream?.events ?? [])],
      }));
      stream?.events.splice(0);
      return observed;
    }
    if (step.received !== undefined) return this.#received(step.received, step.ms ?? 0, agrees);
    if (step.upstreamRequests !== undefined) {
      return {
        recorded: { kind: "upstream", value: pathsOf(step.upstreamRequests) },
        actual: { kind: "upstream", value: pathsOf(this.#upstream.streamRequests) },
      };
    }
    await this.#act(step);
    return undefined;
  }

  async #act(step: Step): Promise<void> {
    this.#unsettled = true;
    const { close, send, mode, eventsMode, sleep: sleepMs, ms, start, auto, file } = step;
    if (auto !== undefined) this.#upstream.autoConfig(autoConfigKey).send(auto.event, auto.data);
    if (file !== undefined) await writeRecorded(this.#folder, file.name, file.base64);
    if (close !== undefined) this.#streams.get(close)?.close();
    if (send !== undefined) this.#upstream.environment(send.key).send(send.event, send.data);
    if (mode !== undefined) {
      const environment = this.#upstream.environment(mode.key);
      environment.answer(answerOf(mode.mode));
      if (mode.drop) environment.drop();
    }
    if (eventsMode !== undefined) {
      this.#upstream.answerEvents(eventsMode === "ok" ? 202 : Number(eventsMode));
      this.#keepsEvents = eventsMode === "503";
    }
    // In the recording the silent environments had not timed out, and the refused one had been refused.
    if (start) while (this.#relay.status().status !== "degraded") await sleep(1);
    await pass(this.#clock, sleepMs ?? ms ?? 0);
  }

  /** Looks until what is seen agrees, or for a while. Only the network makes it wait. */
  async #until(
    recorded: Observation,
    agrees: Agrees,
    look: () => Promise<Observation>,
  ): Promise<{ recorded: Observation; actual: Observation }> {
    const attempts = this.#unsettled || recorded.kind !== "response" ? patience : 0;
    for (let attempt = 0; ; attempt++) {
      const actual = await look();
      if (attempt >= attempts) {
        this.#unsettled = false;
        return { recorded, actual };
      }
      if (agrees(recorded, actual)) {
        if (actual.kind !== "events") return { recorded, actual };
        // What comes too much shows only after a moment.
        await sleep(5);
        return { recorded, actual: await look() };
      }
      await sleep(10);
    }
  }

  async #exchange(
    sent: RecordedRequest,
    isStream: boolean,
    recorded: Observation,
  ): Promise<ComparableResponse> {
    const response = await send(this.#pool, sent);
    const base = { status: response.statusCode, headers: comparableHeaders(response.headers) };
    if (isStream && response.statusCode === 200) {
      const stream = collect(response);
      const wanted = recorded.kind === "response" ? (recorded.value.events?.length ?? 0) : 0;
      for (let i = 0; i < patience && stream.events.length < wanted; i++) await sleep(5);
      if (wanted === 0) await sleep(5);
      stream.close();
      return { ...base, events: stream.events };
    }
    const text = await response.body.text();
    return { ...base, ...bodyOf(text, base.headers) };
  }

  async #open(name: string, sent: RecordedRequest, response: RecordedResponse, agrees: Agrees) {
    const answer = await send(this.#pool, sent);
    const stream = collect(answer);
    this.#streams.set(name, stream);
    this.#unsettled = true;
    const observed = await this.#until(
      { kind: "response", value: recordedResponse(response) },
      agrees,
      async () => ({
        kind: "response",
        value: {
          status: answer.statusCode,
          headers: comparableHeaders(answer.headers),
          events: [...stream.events],
        },
      }),
    );
    stream.events.splice(0);
    return observed;
  }

  async #received(posts: readonly RecordedPost[], ms: number, agrees: Agrees) {
    // The bodies reach the relay, are packed and sent: all of that is real, and takes turns with the clock.
    await pass(this.#clock, ms);
    const isWaiting = () => [...this.#queued.values()].some((count) => count > 0);
    while (!this.#keepsEvents && isWaiting()) await pass(this.#clock, 20);
    const recorded: Observation = {
      kind: "posts",
      value: merged(posts.filter(({ method }) => method === "POST").map(comparablePost)),
    };
    const seen: ComparablePost[] = [];
    return this.#until(recorded, agrees, async () => {
      await pass(this.#clock, 20);
      seen.push(...(await this.#upstream.takePosts()).map(comparablePost));
      return { kind: "posts", value: merged(seen) };
    });
  }

  async close(): Promise<void> {
    for (const stream of this.#streams.values()) stream.close();
    await this.#pool.destroy();
  }
}

const patience = 60;

/** The key in all recordings that have one. */
const autoConfigKey = "rel-abc";

async function startUpstream({ upstream = { envs: {} }, config }: Recording): Promise<FakeUpstream> {
  const fake = await createFakeUpstream({ goals: upstream.goals ?? {} });
  if (config.AutoConfig !== undefined) fake.autoConfig(config.AutoConfig.key);
  for (const [sdkKey, { data, mode, filters }] of Object.entries(upstream.envs)) {
    const environment = fake.environment(sdkKey);
    environment.setData(data ?? {});
    environment.answer(answerOf(mode ?? "ok"));
    for (const [filter, filtered] of Object.entries(filters ?? {})) {
      fake.environment(sdkKey, filter).setData(filtered);
    }
  }
  for (const { keys } of Object.values(config.filters ?? {})) {
    for (const key of keys) for (const sdkKey of Object.keys(upstream.envs)) fake.environment(sdkKey, key);
  }
  return fake;
}

/** What says which environments there are. */
function namesOf(recording: Recording, folder: string): RelayOptions {
  const { AutoConfig, OfflineMode } = recording.config;
  if (AutoConfig !== undefined) return { autoConfig: { key: AutoConfig.key, clientStream: "ping" } };
  if (OfflineMode === undefined) return { environments: environmentsOf(recording) };
  const { fileDataSource, fileDataSourceMonitoringInterval: checkInterval } = OfflineMode;
  return { offline: { file: fileDataSource.replace("$DIR", folder), checkInterval, clientStream: "ping" } };
}

function environmentsOf({ config }: Recording): Record<string, EnvironmentOptions> {
  const environments: Record<string, EnvironmentOptions> = {};
  for (const [name, recorded] of Object.entries(config.environments ?? {})) {
    const { sdkKey, mobileKey, envId, ttl, projKey, allowedOrigin, allowedHeader } = recorded;
    environments[name] = {
      sdkKey,
      ...(mobileKey === undefined ? {} : { mobileKey }),
      ...(envId === undefined ? {} : { envId }),
      ...(ttl === undefined ? {} : { ttl }),
      ...(allowedOrigin === undefined ? {} : { allowedOrigins: allowedOrigin }),
      ...(allowedHeader === undefined ? {} : { allowedHeaders: allowedHeader }),
      filters: config.filters?.[projKey ?? ""]?.keys ?? [],
      clientStream: "ping",
    };
  }
  return environments;
}

function answerOf(mode: string): StreamAnswer {
  if (mode === "ok") return "data";
  return mode === "silent" ? "silent" : Number(mode);
}

/** Lets time pass in small steps, each with a turn for the network. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 50) {
    clock.advance(Math.min(50, left));
    await sleep(1);
  }
}

function send(pool: Pool, { method = "GET", path, headers = {}, body, raw }: RecordedRequest) {
  const content =
    raw !== undefined
      ? Buffer.from(raw, "base64")
      : typeof body === "string" || body === undefined
        ? body
        : JSON.stringify(body);
  // A pool sends the path as it is, which a URL would tidy; its types know the standard methods only.
  return pool.request({
    path,
    method: method as Dispatcher.HttpMethod,
    headers,
    body: content ?? null,
    bodyTimeout: 0,
  });
}

function collect({ body }: Dispatcher.ResponseData): OpenStream {
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", data }) => events.push({ event, data: jsonOrText(data) }),
  });
  const decoder = new TextDecoder();
  body.on("data", (chunk: Uint8Array) => parser.feed(decoder.decode(chunk, { stream: true })));
  // The test ends streams by cutting them.
  body.on("error", () => {});
  return { events, close: () => body.destroy() };
}

function recordedResponse({ status, headers, json, body, stream }: RecordedResponse): ComparableResponse {
  return {
    status,
    headers: comparableHeaders(headers),
    ...(json === undefined ? {} : { json }),
    ...(body === undefined ? {} : { body }),
    ...(stream === undefined ? {} : { events: eventsOf(stream) }),
  };
}

function eventsOf(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", data }) => events.push({ event, data: jsonOrText(data) }),
  });
  parser.feed(text);
  return events;
}

/** Headers without those of the transport, those that depend on the time, and lengths, which follow from bodies. */
function comparableHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const left = new Set([
    "date",
    "connection",
    "keep-alive",
    "transfer-encoding",
    "content-length",
    "x-from-cache",
    "age",
  ]);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (left.has(name) || value === undefined) continue;
    kept[name] = name === "expires" ? "(a time)" : String(value);
  }
  return kept;
}

function bodyOf(text: string, headers: Readonly<Record<string, string>>): { json?: unknown; body?: string } {
  if (text === "") return {};
  const json = headers["content-type"]?.includes("json") ? jsonOrText(text) : text;
  return typeof json === "string" ? { body: json } : { json };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function comparablePost({ path, headers, body }: RecordedPost): ComparablePost {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!transportHeaders.has(name)) kept[name] = value;
  }
  // A new one each time, unless an SDK gave it: only diagnostic posts keep those.
  if (kept["x-launchdarkly-payload-id"] !== undefined && !path.includes("diagnostic")) {
    kept["x-launchdarkly-payload-id"] = "(random)";
  }
  return { path, headers: kept, body };
}

/** Posts in a fixed order; what a flush divides differently, because time passes differently here, is put together. */
function merged(posts: readonly ComparablePost[]): ComparablePost[] {
  const byHead = new Map<string, ComparablePost>();
  for (const post of posts) {
    const head = JSON.stringify([post.path, Object.entries(post.headers).sort()]);
    const known = byHead.get(head);
    const both =
      Array.isArray(known?.body) && Array.isArray(post.body) ? [...known.body, ...post.body] : undefined;
    byHead.set(both === undefined && known !== undefined ? `${head}${byHead.size}` : head, {
      ...post,
      body: both ?? post.body,
    });
  }
  return [...byHead].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, post]) => post);
}

const transportHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "accept",
]);

function pathsOf(requests: readonly { readonly path: string }[]): string[] {
  return [...new Set(requests.map(({ path }) => path))].sort();
}
