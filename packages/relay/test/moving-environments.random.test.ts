import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileStore } from "../src/stores/file-store.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { createRandom, type Random } from "./lifecycle/random.js";
import { allKeys, allMobileKeys, MovingEnvironments, openedBy, type Said } from "./moving-environments.js";
import { type AutoConfigured, announced, startAutoConfigured } from "./start-auto-configured.js";
import { flag } from "./start-relay.js";

const alice = Buffer.from('{"key":"alice"}').toString("base64url");

/** The version of the one flag that a key opens, or the status without flags. */
async function opens({ fetch, poll }: AutoConfigured, key: string): Promise<number> {
  if (key.startsWith("sdk-")) return poll(key);
  const answer = await fetch("GET", `/msdk/evalx/contexts/${alice}`, { headers: { authorization: key } });
  return answer.status === 200 ? Number(JSON.parse(answer.body).a?.version) : answer.status;
}

/** What keys open that they should not. */
async function wronglyOpened(relay: AutoConfigured, keys: readonly string[]): Promise<string[]> {
  const opened = await Promise.all(keys.map(async (key) => [key, await opens(relay, key)] as const));
  return opened.flatMap(([key, what]) =>
    [openedBy(key), 401, 503].includes(what) ? [] : [`${key} opens ${what}`],
  );
}

/** Tells a relay what upstream says, and what has been said so far. */
class Teller {
  readonly log: string[] = [];
  readonly #relay: AutoConfigured;
  #markers = 1;

  constructor(relay: AutoConfigured) {
    this.#relay = relay;
  }

  say({ id, version, item }: Said): void {
    const { configuration } = this.#relay;
    this.log.push(`${id}: ${JSON.stringify(item?.sdkKey ?? "gone")}`);
    if (item === undefined) configuration.delete("environments", id, version);
    else configuration.patch("environments", id, item);
  }

  sayAll(environments: Record<string, unknown>): void {
    this.log.push(`all: ${JSON.stringify(environments)}`);
    this.#relay.configuration.put({ environments: { ...environments, "env-99": this.#marker() } });
  }

  /** Waits until all that has been said is heard. */
  async heard(): Promise<void> {
    const { configuration, relay } = this.#relay;
    const marker = this.#marker();
    configuration.patch("environments", "env-99", marker);
    const nameNow = () => relay.status().environments["env-99"]?.envName;
    await expect.poll(nameNow, { interval: 2 }).toBe(marker.envName);
    this.log.push("heard");
  }

  #marker(): Record<string, unknown> {
    const version = ++this.#markers;
    return announced(99, { version, envName: `marker ${version}`, sdkKey: { value: "sdk-marker" } });
  }
}

/** One thing happens, and is said at once or bit by bit. */
async function takeStep(teller: Teller, random: Random, world: MovingEnvironments): Promise<void> {
  const messages = world.happen();
  const isOncePerId = new Set(messages.map(({ id }) => id)).size === messages.length;
  if (isOncePerId && random.below(4) === 0) return teller.sayAll(world.all());
  for (const said of messages) {
    teller.say(said);
    if (random.below(3) === 0) await teller.heard();
  }
}

async function start(seed: number, world: MovingEnvironments) {
  const clock = createManualClock(Date.now());
  const directory = await mkdtemp(join(tmpdir(), "wye-moving-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const relay = await startAutoConfigured(
    { environments: world.all() },
    {
      autoConfig: seed % 2 === 0 ? { store: fileStore({ directory }) } : {},
      options: { clock, random: () => 0 },
      prepare: ({ environment }) => {
        environment("sdk-marker").answer("silent");
        for (const key of allKeys) environment(key).setData({ flags: { a: flag("a", openedBy(key)) } });
      },
    },
  );
  return { relay, clock };
}

const seeds = process.env.WYE_ALL_ROUNDS ? 12 : 4;
for (let seed = 1; seed <= seeds; seed++) {
  test(`no key opens the flags of another environment, whatever is announced where: seed ${seed}`, async () => {
    const random = createRandom(seed);
    const world = new MovingEnvironments(random);
    const { relay, clock } = await start(seed, world);
    const teller = new Teller(relay);
    const message = () => teller.log.join("\n");
    for (let step = 1; step <= 15; step++) {
      for (const key of allKeys)
        relay.upstream.environment(key).answer(random.below(2) === 0 ? "data" : "silent");
      for (let left = 1 + random.below(3); left > 0; left--) await takeStep(teller, random, world);
      await teller.heard();
      expect(await wronglyOpened(relay, [...world.keysSoFar(), ...allMobileKeys]), message()).toEqual([]);
    }
    for (const key of allKeys) {
      relay.upstream.environment(key).answer("data");
      relay.upstream.environment(key).drop();
    }
    const opened = () => {
      clock.advance(60_000);
      return Promise.all(world.keysNow().map((key) => opens(relay, key)));
    };
    await expect.poll(opened, { message: message() }).toEqual(world.keysNow().map(openedBy));
  });
}
