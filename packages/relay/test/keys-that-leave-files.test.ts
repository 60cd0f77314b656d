import { expect, test } from "vitest";
import { startOffline } from "./start-offline.js";

const environment = (name: string) => `  ${name}: { sdkKey: sdk-${name} }\n`;
const file = (value: number, ...names: string[]) =>
  `flags: { a: ${value} }\nenvironments:\n${names.map(environment).join("")}`;

/** A relay on a file with the environments `one`, `two` and `three`, and what it said. */
async function start() {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const logger = { debug() {}, info: say, warn: say, error: say };
  const relay = await startOffline("flags.yml", file(1, "one", "two", "three"), {}, { logger });
  const said = (text: string) => lines.filter((line) => line.includes(text));
  await relay.until(async () => (await relay.poll("sdk-three")) !== 503);
  return { relay, said };
}

const missing = "are not in it any more";

test.each([
  ["with other flags each time", (count: number) => file(count, "one")],
  ["with the same flags", () => file(2, "one")],
])("a file that is written anew all the time takes its keys away all the same, %s", async (_, contents) => {
  const { relay, said } = await start();
  const { clock, poll } = relay;
  let [count, written] = [1, Number.NEGATIVE_INFINITY];
  await relay.until(async () => {
    if (clock.now() - written >= 2000) {
      await relay.replace(contents(++count));
      written = clock.now();
    }
    return (await poll("sdk-two")) === 401;
  });
  expect(count).toBeGreaterThan(3);
  expect(await poll("sdk-three")).toBe(401);
  await relay.until(async () => JSON.stringify(await poll("sdk-one")) !== '{"a":1}');
  expect(said(missing)).toHaveLength(1);
});

test.each([
  ["as it was", file(1, "one", "two", "three"), "is as it was"],
  ["with other flags", file(7, "one", "two", "three"), "read anew"],
])("a key that comes back with the file %s has its whole time again", async (_, back, word) => {
  const { relay, said } = await start();
  for (const round of [1, 2, 3]) {
    await relay.replace(file(round, "one", "two"));
    // It is told of when it has time left.
    await relay.until(() => said(missing).length === round);
    expect(await relay.poll("sdk-three")).not.toBe(401);
    const before = said(word).length;
    await relay.replace(back.replace("a: 7", `a: ${7 + round}`));
    await relay.until(() => said(word).length > before);
    expect(await relay.poll("sdk-three")).not.toBe(401);
  }
});

test("each key has its own time, and the file is taken when that of the last one is over", async () => {
  const { relay, said } = await start();
  await relay.replace(file(2, "one", "two"));
  await relay.until(() => said('keys of "three" are not').length === 1);
  const begun = relay.clock.now();
  await relay.replace(file(3, "one"));
  await relay.until(() => said('keys of "two" are not').length === 1);
  const second = relay.clock.now();
  expect([await relay.poll("sdk-two"), await relay.poll("sdk-three")]).not.toContain(401);
  await relay.until(async () => (await relay.poll("sdk-three")) === 401);
  expect(await relay.poll("sdk-two")).toBe(401);
  expect(second).toBeGreaterThan(begun);
  // What was seen first was seen up to one look before it was told.
  expect(relay.clock.now() - second).toBeGreaterThan(4000);
});

test("a key that is new while another one is missing is answered 503 until it is taken, and told of in the status", async () => {
  const { relay, said } = await start();
  const { poll, until } = relay;
  const problemOf = (name: string) => relay.relay.status().environments[name]?.problem;
  await relay.replace(file(2, "one", "two", "four").replace("sdk-two", "sdk-new"));
  await until(() => said(missing).length === 1);
  await until(async () => (await poll("sdk-four")) === 503);
  expect(await poll("sdk-new")).toBe(503);
  expect([await poll("sdk-one"), await poll("sdk-two"), await poll("sdk-three")]).toEqual(
    Array(3).fill({ a: 1 }),
  );
  expect([problemOf("one"), problemOf("three")]).toEqual([undefined, undefined]);
  for (const name of ["two", "four"]) expect(problemOf(name)).toContain("have been missing");
  await until(async () => (await poll("sdk-three")) === 401);
  const keys = ["sdk-one", "sdk-new", "sdk-four", "sdk-two"];
  expect(await Promise.all(keys.map(poll))).toEqual([{ a: 2 }, { a: 2 }, { a: 1 }, 401]);
  for (const name of ["one", "two", "four"]) expect(problemOf(name)).toBeUndefined();
});

test("a key that was new, and goes again before it is taken, is unknown again", async () => {
  const { relay, said } = await start();
  await relay.replace(file(2, "one", "two", "four"));
  await relay.until(async () => (await relay.poll("sdk-four")) === 503);
  await relay.replace(file(1, "one", "two", "three"));
  await relay.until(() => said("is as it was").length === 1);
  await relay.until(async () => (await relay.poll("sdk-four")) === 401);
  expect(relay.relay.status().environments).not.toHaveProperty("four");
  expect(await relay.poll("sdk-three")).toEqual({ a: 1 });
});
