import { describe, expect, test } from "vitest";
import { bareName, sameFamily } from "../src/name-families.js";
import { NameHints, near } from "../src/name-hint.js";
import { quote, quoteList } from "../src/quote.js";
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

describe("a name of the same family", () => {
  const many = Array.from({ length: 2000 }, (_, i) => `other-${i}`);
  test.each<[name: string, candidates: readonly string[], found: string | undefined]>([
    ["exec-train", ["comp-train"], "comp-train"],
    ["comp-train", ["train"], "train"],
    ["mode", ["pipelinechannel--mode"], "pipelinechannel--mode"],
    ["{{$.inputs.parameters['mode']}}", ["x", "comp-mode", "y"], "comp-mode"],
    ["exec-train", ["comp-train", "pipelinechannel--train"], undefined],
    ["train", ["comp-comp-train", "comp-trains", "untrain"], undefined],
    ["comp-", ["exec-"], undefined],
    ["", ["comp-"], undefined],
  ])("as %j among %j is %j", (name, candidates, found) => {
    expect(sameFamily(name, candidates)).toBe(found);
  });

  test("is looked for among two thousand names, and not among more", () => {
    const [, ...fewer] = many;
    expect(sameFamily("train", [...fewer, "comp-train"])).toBe("comp-train");
    expect(sameFamily("train", ["comp-train", ...fewer])).toBe("comp-train");
    expect(sameFamily("train", [...many, "comp-train"])).toBeUndefined();
    expect(sameFamily("train", ["comp-train", ...many])).toBeUndefined();
  });
});

const long = "a".repeat(200);
test.each([
  ["a", "a"],
  ["comp-a", "a"],
  ["comp-exec-a", "exec-a"],
  ["'a'", "a"],
  ['"comp-a"', "a"],
  ["`a`", "a"],
  ["{{$.outputs.artifacts['a'].uri}}", "a"],
  ["{{$.inputs.parameters['a']}} b", "{{$.inputs.parameters['a']}} b"],
  ["''", "''"],
  [`'${long}'`, long],
  [`'${long}a'`, `'${long}a'`],
])("without what stands around it %s is %s", (name, bare) => expect(bareName(name)).toBe(bare));

test("a name is quoted on one line of 80 characters at most, and of many the first five", () => {
  expect(quote('a\n"b"')).toBe('"a\\n\\"b\\""');
  expect(quote("a".repeat(80))).toBe(`"${"a".repeat(80)}"`);
  expect(quote("a".repeat(81))).toBe(`"${"a".repeat(77)}…"`);
  expect(quoteList(["a", "b", "c", "d", "e"])).toBe('"a", "b", "c", "d", "e"');
  expect(quoteList(["a", "b", "c", "d", "e", "f"])).toBe('"a", "b", "c", "d", "e" and 1 more');
  expect(quoteList(["a", "b", "c"], 1)).toBe('"a" and 2 more');
});
