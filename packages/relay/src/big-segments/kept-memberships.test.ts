import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { hashOf, setUpReader as setUp } from "../../test/set-up-reader.js";

test("however long the keys of contexts are, what is kept of them is short, and nobody is taken for another", async () => {
  const { reader, status, asked, answerWith } = setUp();
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const keyOf = (index: number) => `${index}`.padStart(500_000, "x");
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  await status(keyOf(0));
  const before = used();
  for (let index = 1; index <= 100; index++) await reader.read([keyOf(index)]);
  expect(used() - before).toBeLessThan(20_000_000);
  // It is kept all the same.
  expect(reader.read([keyOf(100)])).toBeInstanceOf(Map);
  answerWith(async () => ({ included: [], excluded: [] }));
  for (const key of [hashOf(keyOf(100)), "x".repeat(43), "x".repeat(44)])
    expect((await reader.read([key])).get(key)?.segments).toEqual(new Map());
  expect(asked).toHaveLength(104);
});

test("of a context only the segments that there are take room, and nothing does for long", async () => {
  const { status, answerWith, reader, state, clock, asked } = setUp();
  const others = Array.from({ length: 1000 }, (_, index) => `other-${index}.g1`);
  answerWith(async () => ({ included: ["beta.g1", ...others], excluded: ["beta.g1", "gone.g1"] }));
  await status("a");
  const known = await reader.read(["a"]);
  expect(known.get("a")?.segments).toEqual(new Map([["beta.g1", true]]));
  state.segments.add("gone.g1");
  reader.clear();
  await status("a");
  expect((await reader.read(["a"])).get("a")?.segments).toEqual(
    new Map([
      ["gone.g1", false],
      ["beta.g1", true],
    ]),
  );
  clock.advance(5000);
  reader.sweep();
  asked.length = 0;
  await status("a");
  expect(asked).toEqual(["a"]);
});

test("what is known of a context is let go of when it is too old, and not before", async () => {
  const { status, reader, clock, asked } = setUp();
  await status("a");
  const known = new WeakRef((await reader.read(["a"])).get("a")?.segments ?? {});
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  clock.advance(4999);
  reader.sweep();
  await new Promise(setImmediate);
  collect();
  expect([known.deref() !== undefined, await status("a"), asked]).toEqual([true, "HEALTHY", ["a"]]);
  clock.advance(1);
  reader.sweep();
  await new Promise(setImmediate);
  collect();
  expect(known.deref()).toBeUndefined();
});

test("each time that memberships have changed counts, and makes them be asked for anew", async () => {
  const { status, reader, asked } = setUp();
  for (let times = 0; times < 3; times++) {
    expect(reader.revision).toBe(times);
    await status("a");
    await status("a");
    reader.clear();
  }
  expect(asked).toEqual(["a", "a", "a"]);
});

test("a context in ten thousand segments that there are is asked about once, and all of them are known", async () => {
  const { status, answerWith, reader, state, asked } = setUp();
  const many = Array.from({ length: 10_000 }, (_, index) => `segment-${index}.g1`);
  for (const id of many) state.segments.add(id);
  answerWith(async () => ({ included: many.slice(0, 6000), excluded: many.slice(4000) }));
  expect(await status("a")).toBe("HEALTHY");
  const { segments } = (await reader.read(["a"])).get("a") ?? {};
  expect(segments).toEqual(new Map(many.map((id, index) => [id, index < 6000])));
  expect(asked).toEqual(["a"]);
});

test("of more than a thousand contexts the one that was not asked about for longest is forgotten", async () => {
  const { status, asked } = setUp();
  for (let index = 0; index < 1000; index++) await status(`user-${index}`);
  await status("user-0");
  await status("one-more");
  asked.length = 0;
  await status("user-0");
  await status("user-2");
  expect(asked).toEqual([]);
  await status("user-1");
  expect(asked).toEqual(["user-1"]);
});
