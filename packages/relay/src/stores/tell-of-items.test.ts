import { parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { isKeepable, readStoredItem, tellOfLeftOut } from "./tell-of-items.js";

function voice() {
  const told: string[] = [];
  const about = { database: "redis", dbPrefix: "ld" } as const;
  return { told, about, logger: { ...silentLogger, error: (message: string) => void told.push(message) } };
}

test("what is no item is told with the store, its place and what becomes of it", () => {
  const { told, ...rest } = voice();
  const at = { kind: "flags", key: "a", place: '"a" of ld:features' } as const;
  expect(readStoredItem({ ...at, text: "no JSON" }, rest)).toBeUndefined();
  expect(told).toEqual([
    'data store: redis, prefix "ld": what "a" of ld:features holds is not JSON with a version: it is left out, and gives way to the next full set or change',
  ]);
  expect(readStoredItem({ ...at, text: '{"version":1}' }, rest)?.version).toBe(1);
  expect(told).toHaveLength(1);
});

test("what a database does not take is told with its name, however long that is", () => {
  const { told, ...rest } = voice();
  tellOfLeftOut(parseItem("segments", "x".repeat(5000), '{"version":1}'), "has a key of 5000 bytes", rest);
  expect(told).toEqual([
    `data store: redis, prefix "ld": segments "${"x".repeat(200)}" has a key of 5000 bytes, which the database does not take: it is served from memory, and SDKs that read the database do not get it`,
  ]);
  readStoredItem({ kind: "flags", key: "a", place: "y".repeat(5000), text: "" }, rest);
  expect(told[1]).toContain(`what ${"y".repeat(200)} holds`);
});

test.each([
  ["\ud83d\ude00", '{"version":1}', undefined],
  ["", "{}", undefined],
  ["\ud83d", '{"version":1}', 'flags "\\ud83d" has half a character in its key'],
  ["a", "null", 'flags "a" is none: expected an object, got null'],
  ["a", '{"version":"1"}', 'flags "a" is none: its version is not a number'],
])("what no database can keep so that it is read again is told: %j with %s", (key, text, problem) => {
  const { told, ...rest } = voice();
  expect(isKeepable(parseItem("flags", key, text), rest)).toBe(problem === undefined);
  expect(told).toEqual(
    problem === undefined ? [] : [expect.stringContaining(`${problem}, which the database does not take`)],
  );
});
