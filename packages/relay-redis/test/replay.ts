import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createRelay, type Relay } from "@wye/relay";
import { createFakeUpstream, type FakeUpstream } from "@wye/relay/testing";
import { redisStore } from "../src/index.js";
import { connectTo, until } from "./fixtures.js";
import { dumpFrom, type Observation, responseFrom } from "./observation.js";
import type { Dump, Recording, Step } from "./recording.js";
import { type RedisServer, startRedis } from "./redis-server.js";

/** How long is looked for what was recorded before what there is counts. */
const patienceMs = 20_000;

/** A recorded conversation that is played against a relay of ours, with upstream and a real Redis. */
export interface Player {
  /** Plays a step. Where it shows something, looks again until that agrees with what was recorded. */
  play(
    step: Step,
    agrees: (recorded: Observation, actual: Observation) => boolean,
  ): Promise<Seen | undefined>;
  /** What the request of a step is answered with now. */
  ask(step: Step): Promise<Observation>;
  close(): Promise<void>;
}

/** What a step showed, then and now. */
export interface Seen {
  readonly recorded: Observation;
  readonly actual: Observation;
}

/** Starts everything as it was when the recording began. */
export async function startPlayer(recording: Recording): Promise<Player> {
  const redis = await startRedis();
  const upstream = await createFakeUpstream();
  for (const [sdkKey, { data }] of Object.entries(recording.upstream.envs)) {
    upstream.environment(sdkKey).setData(data);
  }
  const told: string[] = [];
  let relay = startRelay(recording, redis, upstream, told);
  const server = createServer((req, res) => relay.handler(req, res)).listen(0, "127.0.0.1");
  await relay.ready();

  async function act({ send, mode, start, stop, killRedis, startRedis, redis: words }: Step): Promise<void> {
    if (send !== undefined) upstream.environment(send.key).send(send.event, send.data);
    if (mode !== undefined) {
      upstream.environment(mode.key).answer(mode.mode === "ok" ? "data" : mode.mode);
      if (mode.drop) upstream.environment(mode.key).drop();
    }
    if (stop) await relay.close();
    if (start) relay = startRelay(recording, redis, upstream, told);
    if (killRedis) await redis.crash();
    if (startRedis) await redis.start();
    if (Array.isArray(words)) await command(redis, words);
    // Before the relay has noticed, its answers would show nothing of how it takes that.
    if (killRedis) await until(async () => isInterrupted(relay), Boolean);
    if (isSpoiling(words)) await until(async () => told.some(isOfSpoilt), Boolean);
  }

  return {
    async play(step, agrees) {
      const { response, redis: dump } = step;
      if (response !== undefined) {
        return await look(responseFrom(response, redis.port), agrees, () => ask(server, step, redis.port));
      }
      if (step.dump && isDump(dump)) return await look(dumpFrom(dump), agrees, () => dumpOf(redis));
      await act(step);
      return undefined;
    },
    ask: (step) => ask(server, step, redis.port),
    async close() {
      await relay.close({ within: 0 });
      server.closeAllConnections();
      server.close();
      await upstream.close();
      await redis.stop();
    },
  };
}

function startRelay(
  { config }: Recording,
  redis: RedisServer,
  upstream: FakeUpstream,
  told: string[],
): Relay {
  const url = `redis://127.0.0.1:${redis.port}`;
  const store = redisStore({ url, prefix: prefixOf(config), cacheTtl: config.Redis.localTtl });
  return createRelay({
    upstream: upstream.roles,
    environments: Object.fromEntries(
      Object.entries(config.environments).map(([name, { prefix, ...keys }]) => [name, { ...keys, store }]),
    ),
    initTimeout: "2s",
    events: false,
    logger: { debug() {}, info() {}, warn() {}, error: (message) => void told.push(message) },
  });
}

/** Whether a command puts something into the database that nobody can read. */
export function isSpoiling(words: Step["redis"]): boolean {
  return Array.isArray(words) && words[0] === "HSET" && words[2] === "broken";
}

function isOfSpoilt(message: string): boolean {
  return message.includes('"broken" of ld-prod:features');
}

function isInterrupted(relay: Relay): boolean {
  return Object.values(relay.status().environments).every(
    ({ dataStoreStatus }) => dataStoreStatus.state === "INTERRUPTED",
  );
}

/** The function form of the option: each environment has a prefix of its own. */
function prefixOf({ environments }: Recording["config"]) {
  return ({ environment }: { readonly environment: string }): string =>
    environments[environment]?.prefix ?? environment;
}

async function look(
  recorded: Observation,
  agrees: (recorded: Observation, actual: Observation) => boolean,
  now: () => Promise<Observation>,
): Promise<Seen> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const actual = await now();
    if (agrees(recorded, actual) || Date.now() > end) return { recorded, actual };
    await sleep(20);
  }
}

async function ask(server: Server, { request, response }: Step, redisPort: number): Promise<Observation> {
  const { port } = server.address() as AddressInfo;
  const abort = new AbortController();
  const { path = "/", headers = {} } = request ?? {};
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: abort.signal });
  const { status } = answer;
  if (response?.stream === undefined) {
    const text = await answer.text();
    return responseFrom({ status, ...(text === "" ? {} : { json: jsonOrText(text) }) }, redisPort);
  }
  let stream = "";
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    stream += chunk;
    if (stream.includes("\n\n")) break;
  }
  abort.abort();
  return responseFrom({ status, stream }, redisPort);
}

/** Before an environment has data it says so in plain text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isDump = (value: Step["redis"]): value is Dump => value !== undefined && !Array.isArray(value);

async function command(redis: RedisServer, words: readonly string[]): Promise<void> {
  const client = await connectTo(redis.port);
  await client.sendCommand(words);
  client.destroy();
}

async function dumpOf(redis: RedisServer): Promise<Observation> {
  const client = await connectTo(redis.port);
  const dump: Record<string, string | Record<string, string>> = {};
  for (const key of await client.keys("*")) {
    dump[key] =
      (await client.type(key)) === "hash"
        ? { ...(await client.hGetAll(key)) }
        : ((await client.get(key)) ?? "");
  }
  client.destroy();
  return dumpFrom(dump);
}
