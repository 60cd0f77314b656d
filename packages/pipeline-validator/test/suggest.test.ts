import { describe, expect, test } from "vitest";
import { NameHints, near } from "../src/name-hint.js";
import { suggest, suggestMeant } from "../src/suggest.js";

/** Names that are not like each other, nor like the one that is looked for. */
const others = ["alpha", "bravo", "kilo", "lima", "oscar", "tango", "victor", "whiskey"];
const sought = "zzzzzz";
const first = (count: number) => others.slice(0, count);
const listOf = (count: number) =>
  `there ${count === 1 ? "is" : "are"} ${first(count)
    .map((name) => `"${name}"`)
    .join(", ")}`;

describe("of names none of which is near", () => {
  test.each([1, 2, 5, 6])("%i are listed, and as many beside one that was not meant", (count) => {
    expect(suggest(sought, first(count))).toBe(listOf(count));
    expect(suggest(sought, first(count), "zulu")).toBe(listOf(count));
    expect(suggest(sought, [...first(count), "zulu"], "zulu")).toBe(listOf(count));
    expect(suggest(sought, ["zulu", ...first(count)], "zulu")).toBe(listOf(count));
    expect(suggestMeant(sought, first(count))).toBeUndefined();
  });

  test.each([7, 8])("%i are not listed, nor as many beside one that was not meant", (count) => {
    expect(suggest(sought, first(count))).toBeUndefined();
    expect(suggest(sought, first(count), "zulu")).toBeUndefined();
    expect(suggest(sought, [...first(count), "zulu"], "zulu")).toBeUndefined();
  });

  test("nothing is told where there are none, or none but what was not meant", () => {
    expect([suggest(sought, []), suggest(sought, ["zulu"], "zulu")]).toEqual([undefined, undefined]);
  });
});

test.each([1, 6, 7, 100])(
  "the one that was meant is told among %i others, unless it is excepted",
  (count) => {
    const many = Array.from({ length: count }, (_, i) => others[i] ?? `other-${i}-of-many`);
    const meant = 'did you mean "comp-train"?';
    for (const name of ["comp-trian", "exec-train", "train"]) {
      expect(suggest(name, [...many, "comp-train"])).toBe(meant);
      expect(suggestMeant(name, [...many, "comp-train"])).toBe(meant);
      expect(suggestMeant(name, [...many, "comp-train"], "comp-train")).toBeUndefined();
    }
  },
);

describe("two things together", () => {
  const hint = (names: readonly string[], also: readonly string[], rest = {}) =>
    new NameHints().textOf(
      near(sought, Object.fromEntries(names.map((name) => [name, {}])), {
        also: new Map(also.map((one) => [one, 0])),
        ...rest,
      }),
    );
  test("have a list of six names at most, each once", () => {
    expect(hint(first(3), others.slice(3, 6))).toBe(listOf(6));
    expect(hint(first(6), first(6))).toBe(listOf(6));
    expect(hint(first(6), [...first(6), "zulu"], { except: "zulu" })).toBe(listOf(6));
    expect(hint(first(3), others.slice(3, 7))).toBeUndefined();
    expect(hint([], [])).toBeUndefined();
  });
  test("have no list where there is something else to do, and are asked first for what was meant", () => {
    const elsewhere = "look elsewhere";
    expect(hint(first(2), [], { elsewhere })).toBe(elsewhere);
    expect(hint(first(7), ["zzzzzy"], { elsewhere })).toBe('did you mean "zzzzzy"?');
    expect(hint(first(7), [], { otherwise: "do otherwise" })).toBe("do otherwise");
    expect(hint(first(6), [], { otherwise: "do otherwise" })).toBe(listOf(6));
  });
});
