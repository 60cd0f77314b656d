import { expect, test } from "vitest";
import { archiveOf } from "../../../scripts/make-archive.js";
import { announced } from "./start-auto-configured.js";
import { type OfflineRelay, startOffline } from "./start-offline.js";
import { flag } from "./start-relay.js";

// Flags of `one` have version 1, those of `two` version 2; `three` tells by its version which archive it was.
type Keys = readonly [sdkKey: string, expiring?: string];
/** The environments of an archive, in their order. */
type Archive = Readonly<Record<string, Keys>>;

const numbers: Readonly<Record<string, number>> = { one: 1, two: 2 };
const dataOf = (version: number) => ({ flags: { a: flag("a", version) }, segments: {} });

function archived(archive: Archive, count: number, expires: number): Buffer {
  const environments = Object.entries(archive).map(([name, [value, expiring]]) => {
    const number = numbers[name] ?? 0;
    const rest = expiring === undefined ? {} : { expiring: { value: expiring, timestamp: expires } };
    const env = announced(number, { version: count, sdkKey: { value, ...rest } });
    return { env, data: dataOf(number) };
  });
  return archiveOf(...environments, { env: announced(3), data: dataOf(count) });
}

/** A relay that has taken archives, one after the other, and what a key got after each. */
async function startWith(archives: readonly Archive[], key: string) {
  const got: unknown[] = [];
  let relay: OfflineRelay | undefined;
  let expires = 0;
  for (const [index, archive] of archives.entries()) {
    const count = index + 1;
    if (relay === undefined) {
      relay = await startOffline("a.tar.gz", undefined);
      expires = relay.clock.now() + 3_600_000;
    }
    const { until, poll } = relay;
    await relay.replace(archived(archive, count, expires));
    await until(async () => JSON.stringify(await poll("sdk-3")) === JSON.stringify({ a: count }));
    got.push(await poll(key));
  }
  return { relay: relay as OfflineRelay, got };
}

const one = { a: 1 };
const two = { a: 2 };

test.each<[what: string, archives: readonly Archive[], got: readonly unknown[]]>([
  [
    "has now, and the other stands first",
    [
      { two: ["sdk-2", "sdk-1"], one: ["sdk-1"] },
      { two: ["sdk-2", "sdk-1"], one: ["sdk-9"] },
    ],
    [one, 503],
  ],
  ["has now, and the other stands last", [{ one: ["sdk-1"], two: ["sdk-2", "sdk-1"] }], [one]],
  [
    "had while it was named, until it was replaced",
    [
      { one: ["sdk-1"], two: ["sdk-2", "sdk-1"] },
      { one: ["sdk-9"], two: ["sdk-2"] },
    ],
    [one, 401],
  ],
  [
    "had while it was named, until it went",
    [{ one: ["sdk-1"], two: ["sdk-2", "sdk-1"] }, { two: ["sdk-2"] }],
    [one, 401],
  ],
  [
    "had while it was named, corrected as both get new keys",
    [
      { one: ["sdk-1"], two: ["sdk-2"] },
      { one: ["sdk-1"], two: ["sdk-8", "sdk-1"] },
      { one: ["sdk-9"], two: ["sdk-8", "sdk-2"] },
    ],
    [one, one, 401],
  ],
  [
    "had before, and is not named by it",
    [
      { one: ["sdk-1"], two: ["sdk-2"] },
      { one: ["sdk-9"], two: ["sdk-2"] },
      { one: ["sdk-9"], two: ["sdk-8", "sdk-1"] },
    ],
    [one, 401, 503],
  ],
  [
    "had before, and remembers as its own expiring one",
    [
      { one: ["sdk-1"], two: ["sdk-2"] },
      { one: ["sdk-9", "sdk-1"], two: ["sdk-2"] },
      { one: ["sdk-9"], two: ["sdk-2", "sdk-1"] },
    ],
    [one, one, one],
  ],
])(
  "a key that is named as expiring, and that another environment %s, never opens the flags of this one",
  async (_, archives, got) => {
    expect((await startWith(archives, "sdk-1")).got).toEqual(got);
  },
);

test.each<[what: string, archives: readonly Archive[], got: readonly unknown[]]>([
  [
    "the other is gone: this is that one under a new name",
    [{ one: ["sdk-1"] }, { two: ["sdk-2", "sdk-1"] }],
    [one, two],
  ],
  [
    "it has been the SDK key of this one since",
    [{ one: ["sdk-1"] }, { one: ["sdk-9"], two: ["sdk-1"] }, { one: ["sdk-9"], two: ["sdk-2", "sdk-1"] }],
    [one, two, two],
  ],
  [
    "the other remembered it as expiring, and it is the SDK key of this one now",
    [{ one: ["sdk-1"] }, { one: ["sdk-9", "sdk-1"] }, { one: ["sdk-9"], two: ["sdk-1"] }],
    [one, one, two],
  ],
])("a key that another environment had opens what it is named for when %s", async (_, archives, got) => {
  const { relay, got: seen } = await startWith(archives, "sdk-1");
  expect(seen).toEqual(got);
  expect(relay.errors.filter(({ message }) => message.includes("expiring"))).toEqual([]);
  expect(relay.relay.status().status).toBe("healthy");
});

test("an environment whose expiring key is one of another is served with its own keys, and told of until that is corrected", async () => {
  const wrong: Archive = { one: ["sdk-1"], two: ["sdk-2", "sdk-1"] };
  const { relay } = await startWith([{ one: ["sdk-1"], two: ["sdk-2"] }, wrong], "sdk-1");
  const sentence = 'its expiring SDK key is one of the environment "env-1"';
  expect(relay.errors.at(-1)?.message).toContain(`environment "env-2": ${sentence}`);
  const problem = () => relay.relay.status().environments["env-2"]?.problem;
  expect(problem()).toContain(sentence);
  expect([await relay.poll("sdk-1"), await relay.poll("sdk-2")]).toEqual([one, two]);
  await relay.replace(archived({ one: ["sdk-1"], two: ["sdk-2"] }, 3, 0));
  await relay.until(() => problem() === undefined);
  expect([await relay.poll("sdk-1"), await relay.poll("sdk-2")]).toEqual([one, two]);
});
