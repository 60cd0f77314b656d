import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { init } from "@launchdarkly/node-server-sdk";
import { createFakeUpstream, createStoreContext, type FakeUpstream } from "@wye/relay/testing";
import { redisStore } from "@wye/relay-redis";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { eventually, flag, mainSection, writeConfig } from "../test/relay-and-upstream.js";
import { makeFolder } from "../test/run-program.js";
import { createSoakClient, printVersions } from "../test/soak-client.js";
import { startWorkers, workersOf } from "../test/start-workers.js";

const seconds = Number(process.env.WYE_SOAK_SECONDS ?? 45);
const seed = Number(process.env.WYE_SOAK_SEED ?? 1);
const without = process.env.WYE_REDIS_URL === undefined;
const left = without
  ? ", left out: WYE_REDIS_URL is not set, so there may be no redis-server; .ci/run has one"
  : "";

const sdkKey = "sdk-a";
const streams = 500;
const sdks = 5;
const changeMs = 100;
const longestOutageMs = 2000;
/** One change in so many is followed by a restart of upstream or of the store. */
const restartIn = 30;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.skipIf(without)(
  `${streams} clients end with the last flags, and no event is lost, whatever is restarted (${seconds} s, seed ${seed})${left}`,
  {
    timeout: seconds * 1000 + 900_000,
  },
  async () => {
    const random = createRandom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const world = await startWorld();
    const cwd = makeFolder();
    const redis = `[Redis]\nurl = ${world.redisUrl}\n[Environment "a"]\nsdkKey = ${sdkKey}\nprefix = soak\n`;
    writeConfig(cwd, `${mainSection(world.upstream())}sendEvents = true\nflushInterval = 1s\n${redis}`);
    const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
    const clients = Array.from({ length: streams - sdks }, () => createSoakClient(crew.base, sdkKey));
    onTestFinished(() => clients.forEach((client) => void client.close()));
    const options = { baseUri: crew.base, streamUri: crew.base, eventsUri: crew.base, logger: silent };
    const real = Array.from({ length: sdks }, () => init(sdkKey, { ...options, sendEvents: false }));
    onTestFinished(() => real.forEach((client) => void client.close()));
    await Promise.all(real.map((client) => client.waitForInitialization({ timeout: 600 })));

    const memory: number[] = [];
    const sent: number[] = [];
    const posted: Promise<void>[] = [];
    const post = async (number: number) => {
      const event = {
        kind: "custom",
        key: "soak",
        creationDate: Date.now(),
        context: { kind: "user", key: "u" },
        data: number,
      };
      const headers = {
        authorization: sdkKey,
        "content-type": "application/json",
        "x-launchdarkly-event-schema": "4",
      };
      const answer = await fetch(`${crew.base}/bulk`, {
        method: "POST",
        headers,
        body: JSON.stringify([event]),
      });
      if (answer.status === 202) sent.push(number);
    };
    let outage: Promise<void> = Promise.resolve();
    const end = performance.now() + seconds * 1000;
    for (let change = 1; performance.now() < end; change++) {
      world.change(`flag-${pick(20)}`, pick(10) === 0);
      if (pick(restartIn) === 0) {
        const restart = pick(2) === 0 ? world.restartUpstream : world.restartRedis;
        const ms = pick(longestOutageMs);
        outage = outage.then(() => restart(ms));
      }
      posted.push(post(change));
      if (change % 20 === 0) memory.push(memoryOf([crew.child.pid ?? 0, ...workersOf(crew)]));
      await pause(changeMs);
    }
    await outage;
    world.change("last", false);
    await Promise.all(posted);

    const expected = world.flags();
    await eventually(
      async () => clients.filter((client) => client.flags() !== expected).length,
      (count) => count === 0,
    );
    const user = { kind: "user", key: "u" };
    const keys = JSON.stringify(JSON.parse(expected).map(([key]: [string]) => key));
    for (const client of real)
      await eventually(
        async () => JSON.stringify(Object.keys((await client.allFlagsState(user)).allValues()).sort()),
        (got) => got === keys,
      );
    await eventually(
      async () => world.stored(),
      (got) => got === expected,
    );
    await eventually(
      async () => sent.filter((number) => !world.received().has(number)).length,
      (count) => count === 0,
    );
    const [early = 0, late = 0] = [memory.slice(0, memory.length / 2), memory.slice(-memory.length / 4)].map(
      (some) => Math.max(...some),
    );
    console.log(
      `events ${sent.length}, MiB at most: ${early} in the first half, ${late} in the last quarter`,
    );
    expect(sent.length).toBeGreaterThan(0);
    expect(late).toBeLessThan(early * 1.5);
  },
);

/** Upstream and a database, which can be restarted, and what upstream knows. */
async function startWorld() {
  const versions = new Map<string, number>([["first", 1]]);
  const received = new Set<number>();
  let version = 1;
  const data = () => ({
    flags: Object.fromEntries([...versions].map(([key, number]) => [key, flag(key, true, number)])),
  });
  let upstream: FakeUpstream | undefined = await createFakeUpstream({ environments: { [sdkKey]: data() } });
  const first = upstream;
  const port = Number(new URL(first.url).port);
  const collect = async (from: FakeUpstream) => {
    for (const { body } of await from.takePosts(0))
      for (const event of Array.isArray(body) ? body : []) if (event.key === "soak") received.add(event.data);
  };
  const redisPort = await freePort();
  let redis = await startRedis(redisPort);
  onTestFinished(async () => {
    redis.kill("SIGKILL");
    await upstream?.close();
  });
  return {
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    upstream: () => first,
    flags: () => printVersions(versions),
    received() {
      if (upstream !== undefined) void collect(upstream);
      return received;
    },
    change(key: string, isDeletion: boolean) {
      version++;
      const environment = upstream?.environment(sdkKey);
      if (isDeletion && versions.delete(key)) environment?.delete("flags", key, version);
      else {
        versions.set(key, version);
        environment?.patch("flags", flag(key, true, version));
      }
      environment?.setData(data());
    },
    async restartUpstream(ms: number) {
      const before = upstream;
      upstream = undefined;
      await before?.close();
      if (before !== undefined) await collect(before);
      await pause(ms);
      upstream = await createFakeUpstream({ environments: { [sdkKey]: data() } }, port);
    },
    async restartRedis(ms: number) {
      redis.kill("SIGKILL");
      await once(redis, "exit");
      await pause(ms);
      redis = await startRedis(redisPort);
    },
    async stored() {
      const store = redisStore({ url: `redis://127.0.0.1:${redisPort}`, prefix: "soak" })(
        createStoreContext(),
      );
      const items = (await store.read(new AbortController().signal)) ?? [];
      await store.close();
      return printVersions(
        new Map(
          items
            .filter(({ json }) => !JSON.parse(json).deleted)
            .map(({ key, version: number }) => [key, number]),
        ),
      );
    },
  };
}

async function startRedis(port: number) {
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const redis = spawn("redis-server", args, { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((resolve) => {
    let printed = "";
    redis.stdout.on("data", (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes("Ready to accept")) resolve();
    });
  });
  return redis;
}

/** What processes have in memory together, in MiB. */
function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]),
  );
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}

/** Numbers from 0 to below 1 that a seed decides. */
function createRandom(first: number): () => number {
  let state = first;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((again ^ (again >>> 14)) >>> 0) / 4_294_967_296;
  };
}
