import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createLiveFlags } from "./live-flags.js";

const file = readFileSync(new URL("../data/flags.json", import.meta.url), "utf8");

test("an edit raises the version by one, whatever the text says", async () => {
  const flags = createLiveFlags(file);
  const [first] = flags.all();
  if (first === undefined) throw new Error("the file has no flags");
  const saved = await flags.edit(first.key, JSON.stringify({ ...first, on: false, version: 70 }));
  expect(saved).toEqual({ kind: "saved", flag: { ...first, on: false, version: 2 } });
  expect(flags.all()[0]).toMatchObject({ on: false, version: 2 });
  expect(flags.revision).toBe(1);
});

test("an edit of an older version changes nothing", async () => {
  const flags = createLiveFlags(file);
  const [first] = flags.all();
  if (first === undefined) throw new Error("the file has no flags");
  expect(await flags.edit(first.key, JSON.stringify(first), 9)).toEqual({ kind: "outdated", flag: first });
  expect(flags.revision).toBe(0);
});

test("going back to the file keeps versions rising, so that no SDK takes the old flags for outdated ones", async () => {
  const flags = createLiveFlags(file);
  const before = flags.all();
  const [first] = before;
  if (first === undefined) throw new Error("the file has no flags");
  await flags.edit(first.key, JSON.stringify({ ...first, on: false }));
  await flags.reset();
  expect(flags.all()).toEqual(before.map((flag) => ({ ...flag, version: flag === first ? 3 : 2 })));
});

const wrongFiles = [
  { file: "nonsense", says: /not JSON/ },
  { file: "[]", says: /not an object/ },
  { file: '{"flags":{"a":7}}', says: /"a": expected an object/ },
  {
    file: '{"flags":{"a":{"key":"a","on":true,"variations":[1]}}}',
    says: /flag "a" at \/fallthrough: must have/,
  },
];
for (const { file: text, says } of wrongFiles) {
  test(`${text} is refused at the start`, () => expect(() => createLiveFlags(text)).toThrow(says));
}
