import { describe, expect, test } from "vitest";
import type { BigSegmentStore } from "./big-segment-store.js";
import { unlessOfOthers } from "./unless-of-others.js";

const { signal } = new AbortController();
const lists = { add: [], remove: [] };
const patch = { segmentId: "a.g1", previousVersion: "", version: "v1", included: lists, excluded: lists };

/** A store that writes down what it is asked for; `cursor` says where it stands. */
function setUp(cursor: () => unknown, more: Partial<BigSegmentStore> = {}) {
  const asked: unknown[][] = [];
  const note = <Result>(call: readonly unknown[], answer: Result): Result => {
    asked.push([...call]);
    return answer;
  };
  const inner: BigSegmentStore = {
    cursor: async (...given) => {
      asked.push(["cursor", ...given]);
      // Databases say null for what they do not have.
      return cursor() as string | undefined;
    },
    apply: async (...given) => note(["apply", ...given], true),
    synchronizedOn: async (...given) => note(["synchronizedOn", ...given], 5),
    setSynchronizedOn: async (...given) => note(["setSynchronizedOn", ...given], undefined),
    memberships: async (...given) => note(["memberships", ...given], { included: ["a.g1"], excluded: [] }),
    close: async () => note(["close"], undefined),
    ...more,
  };
  let emptied = 0;
  const store = unlessOfOthers(inner, () => emptied++);
  return { store, asked, emptied: () => emptied };
}

const operations = {
  cursor: (store: BigSegmentStore) => store.cursor(signal),
  apply: (store: BigSegmentStore) => store.apply(patch, signal),
  synchronizedOn: (store: BigSegmentStore) => store.synchronizedOn(signal),
  setSynchronizedOn: (store: BigSegmentStore) => store.setSynchronizedOn(7, signal),
  memberships: (store: BigSegmentStore) => store.memberships("hash", signal),
};
const given = { apply: [patch], setSynchronizedOn: [7], memberships: ["hash"] };
const answers: Partial<Record<string, unknown>> = {
  apply: true,
  synchronizedOn: 5,
  memberships: { included: ["a.g1"], excluded: [] },
};

describe.each(Object.entries(operations))("%s", (name, call) => {
  test("fails, and reaches nothing, as long as the place has memberships of another environment", async () => {
    const { store, asked, emptied } = setUp(() => "v9");
    for (let times = 0; times < 2; times++)
      await expect(call(store)).rejects.toMatchObject({
        code: "store_failed",
        message: "it has the memberships of another environment (empty that place, or choose another one)",
      });
    expect([asked, emptied()]).toEqual([
      [
        ["cursor", signal],
        ["cursor", signal],
      ],
      0,
    ]);
  });

  test.each([undefined, null])(
    "is that of the store once the place was emptied, which is told once (%s)",
    async (none) => {
      let cursor: unknown = "v9";
      const { store, asked, emptied } = setUp(() => cursor);
      await expect(call(store)).rejects.toThrow("another environment");
      cursor = none;
      expect(await call(store)).toEqual(answers[name] ?? (name === "cursor" ? none : undefined));
      cursor = "v10";
      await call(store);
      const own = [name, ...(given[name as "apply"] ?? []), signal];
      expect(asked).toEqual([["cursor", signal], ["cursor", signal], own, own]);
      expect(emptied()).toBe(1);
    },
  );
});

test("a store keeps its name and its time, is closed whatever is in it, and tells why it cannot be asked", async () => {
  const about = { database: "redis", dbPrefix: "ld" } as const;
  const { store, asked } = setUp(() => "v9", { about, timeoutMs: 9 });
  await store.close();
  expect([store.about, store.timeoutMs, asked]).toEqual([about, 9, [["close"]]]);
  expect(Object.keys(setUp(() => "v9").store)).toHaveLength(6);
  const { store: failing, emptied } = setUp(() => {
    throw new Error("no disk");
  });
  await expect(failing.synchronizedOn(signal)).rejects.toThrow("no disk");
  expect(emptied()).toBe(0);
});

test("that the place was emptied is told once, however many ask at a time", async () => {
  const { store, emptied } = setUp(() => undefined);
  await Promise.all(Object.values(operations).map((call) => call(store)));
  expect(emptied()).toBe(1);
});
