import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedValues } from "./shared-values.js";

/** What becomes of a list when its items come by one after the other. */
function shared(text: string): unknown[] {
  const values = new SharedValues();
  const items: unknown[] = JSON.parse(text);
  for (const item of items) values.within(item);
  return items;
}

const member = (item: unknown, name: string): unknown => (item as Record<string, unknown>)[name];

describe("equal lists and objects within items", () => {
  test.each([
    ["lists", '["ccs","chademo"]'],
    ["empty lists", "[]"],
    ["objects", '{"3.7":3.7,"11.0":11}'],
    ["lists of objects", '[{"percentage":0,"power":95},{"percentage":100,"power":11}]'],
    ["nested ones", '{"ports":["type2"],"powers":{"11.0":11}}'],
    ["such as have texts, truth and nothing", '["a",true,false,null]'],
  ])("are one and the same: %s", (_, value) => {
    const [one, other] = shared(`[{"a":${value}},{"b":${value}}]`);
    expect(member(one, "a")).toBe(member(other, "b"));
    expect(JSON.stringify(member(one, "a"))).toBe(value);
  });

  test("also where only a part of them is equal", () => {
    const [one, other] = shared('[{"a":{"n":1,"ports":["x"]}},{"a":{"n":2,"ports":["x"]}}]');
    expect(member(one, "a")).toEqual({ n: 1, ports: ["x"] });
    expect(member(other, "a")).toEqual({ n: 2, ports: ["x"] });
    expect(member(member(one, "a"), "ports")).toBe(member(member(other, "a"), "ports"));
  });
});

describe("memory and time for it are bounded", () => {
  test.each([
    [4, true],
    [5, false],
  ])("lists in %d levels: %s", (levels, isShared) => {
    const text = `{"a":${"[".repeat(levels)}1${"]".repeat(levels)}}`;
    const [one, other] = shared(`[${text},${text}]`);
    expect(member(one, "a")).toEqual(member(other, "a"));
    expect(member(one, "a") === member(other, "a")).toBe(isShared);
  });

  test("the first 20,000 values are remembered", () => {
    const texts = Array.from({ length: 20_001 }, (_, at) => `{"a":[${at}]}`);
    const items = shared(`[${[...texts, ...texts].join(",")}]`);
    const isShared = (at: number): boolean =>
      member(items[at], "a") === member(items[at + texts.length], "a");
    expect([0, 1, 19_999, 20_000].map(isShared)).toEqual([true, true, true, false]);
  });

  test("of values that differ in what is not counted, the first is remembered", () => {
    const [first, second, third, fourth] = shared(
      '[{"a":[0.0001]},{"a":[0.0002]},{"a":[0.0001]},{"a":[0.0002]}]',
    ).map((item) => member(item, "a"));
    expect([third === first, fourth === second]).toEqual([true, false]);
  });
});

describe("what is only alike stays apart", () => {
  test.each([
    ["[1]", "[2]"],
    ["[1]", '["1"]'],
    ["[0]", "[-0]"],
    ["[1]", "[1,1]"],
    ["[]", "{}"],
    ["[null]", "[false]"],
    ["[true]", "[1]"],
    ['{"a":1}', '{"b":1}'],
    ['{"a":1,"b":1}', '{"b":1,"a":1}'],
    ['{"a":1}', '{"a":1,"b":1}'],
    ['["aaaaaaaaaaaaaaaaaaaaaaaab"]', '["aaaaaaaaaaaaaaaaaaaaaaaac"]'],
    ["[0.0001]", "[0.0002]"],
  ])("%s and %s", (a, b) => {
    const items = shared(`[{"x":${a}},{"x":${b}},{"x":${a}}]`);
    const same = JSON.parse(`[{"x":${a}},{"x":${b}},{"x":${a}}]`);
    expect(items).toStrictEqual(same);
  });
});

describe("nothing changes in what is said", () => {
  test("whatever it is", () => {
    const leaf = fc.constantFrom(
      "[]",
      "{}",
      "1",
      '"a"',
      "null",
      "[1]",
      '{"a":1}',
      '{"__proto__":[1]}',
      '{"b":[1]}',
    );
    const value = fc.oneof(leaf, fc.json({ maxDepth: 5 }));
    const item = fc.array(value, { maxLength: 4 }).map((values) => {
      return `{${values.map((text, at) => `"${["a", "b", "__proto__", "length"][at]}":${text}`).join(",")}}`;
    });
    const items = fc.array(fc.oneof(item, value), { maxLength: 8 }).map((list) => `[${list.join(",")}]`);
    fc.assert(
      fc.property(items, (text) => {
        expect(JSON.stringify(shared(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { seed: 17, numRuns: 2000 },
    );
  });

  test("also where it is nested 20,000 levels deep, or one of 100,000 that all differ", () => {
    const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const [one, other] = shared(`[${deep},${deep}]`);
    expect([member(one, "a"), member(other, "a")]).toEqual([expect.any(Array), expect.any(Array)]);
    const many = Array.from({ length: 100_000 }, (_, at) => `{"a":[${at}]}`);
    expect(JSON.stringify(shared(`[${many.join(",")}]`)) === `[${many.join(",")}]`).toBe(true);
  });
});
