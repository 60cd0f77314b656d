import { expect, test, vi } from "vitest";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { type Announcement, AutoConfigModel } from "./auto-config-model.js";
import { createRandom, type Random } from "./lifecycle/random.js";
import { type AutoConfigured, announced, startAutoConfigured } from "./start-auto-configured.js";

const until = (look: () => unknown) => vi.waitFor(look, { timeout: 120_000, interval: 2 });
const allKeys = Array.from({ length: 12 }, (_, n) => `sdk-${n}`);

/** Four environments with three keys each, in two projects; four filters, two of which have the same key. */
function randomAnnouncement(random: Random): Announcement {
  const version = 1 + random.below(9);
  const n = random.below(4);
  const isGone = random.below(4) === 0;
  const projKey = random.below(2) === 0 ? "shop" : "other";
  if (random.below(3) === 0) {
    const item = { projKey, key: `f${n % 3}`, version };
    return { kind: "filters", id: `filter-${n}`, version, ...(isGone ? {} : { item }) };
  }
  const key = `sdk-${3 * n + random.below(3)}`;
  const envName = `${key} version ${version} ${random.below(1000)}`;
  // The model reads the key where no other reader looks for one.
  const item = announced(n, { version, projKey, envName, envKey: key, sdkKey: { value: key } });
  return { kind: "environments", id: `env-${n}`, version, ...(isGone ? {} : { item }) };
}

/** A full set, which has each ID once and nothing that is gone. */
function randomSet(random: Random): Announcement[] {
  const some = Array.from({ length: random.below(7) }, () => randomAnnouncement(random));
  const byId = new Map(some.filter(({ item }) => item !== undefined).map((one) => [one.id, one]));
  return [...byId.values()];
}

/** The last thing that is said in each step: when it shows, everything before it has been dealt with. */
function marker(step: number): Announcement {
  const item = announced(99, { version: step, envName: `step ${step}`, envKey: "sdk-99", projKey: "marker" });
  return { kind: "environments", id: "env-99", version: step, item };
}

const configurationOf = (all: readonly Announcement[]) => ({
  environments: byId(all, "environments"),
  filters: byId(all, "filters"),
});
const byId = (all: readonly Announcement[], kind: Announcement["kind"]) =>
  Object.fromEntries(all.filter((one) => one.kind === kind).map(({ id, item }) => [id, item]));

/** Says a few things to the model and to the relay; both have heard the marker in the end. */
async function takeStep(
  step: number,
  random: Random,
  model: AutoConfigModel,
  relay: AutoConfigured,
  clock: ManualClock,
): Promise<void> {
  const { configuration } = relay;
  const say = (announcement: Announcement) => {
    const { kind, id, item, version } = announcement;
    model.say(announcement);
    if (item === undefined) configuration.delete(kind, id, version);
    else configuration.patch(kind, id, item);
  };
  const choice = random.below(8);
  if (choice <= 1) {
    const all = [...randomSet(random), marker(step)];
    model.sayAll(all);
    if (choice === 0) configuration.put(configurationOf(all));
    else {
      configuration.setConfiguration(configurationOf(all));
      configuration.drop();
    }
  } else {
    for (let left = 1 + random.below(4); left > 0; left--) say(randomAnnouncement(random));
    if (choice === 2) configuration.send("future", {});
    say(marker(step));
  }
  await until(() => {
    if (choice === 1) clock.advance(1000);
    expect(relay.relay.status().environments["env-99"]?.envName).toBe(`step ${step}`);
  });
}

for (let seed = 1; seed <= 8; seed++) {
  test(`what is said in any order is served as the model has it: seed ${seed}`, async () => {
    const random = createRandom(seed);
    const model = new AutoConfigModel();
    const clock = createManualClock();
    model.sayAll([marker(1)]);
    const relay = await startAutoConfigured(configurationOf([marker(1)]), {
      options: { clock, random: () => 0, initTimeout: 0 },
    });
    for (let step = 2; step <= 25; step++) {
      await takeStep(step, random, model, relay, clock);
      const { environments } = relay.relay.status();
      const served = Object.entries(environments).map(([name, { envName }]) => [name, envName]);
      expect(Object.fromEntries(served), `step ${step}`).toEqual(model.served());
      const accepted = await relay.accepted(...allKeys);
      expect(accepted, `step ${step}`).toEqual(allKeys.filter((key) => model.sdkKeys().includes(key)));
    }
  });
}
