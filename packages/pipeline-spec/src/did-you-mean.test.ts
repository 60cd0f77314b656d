import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { didYouMean } from "./index.js";

const names = [
  "componentRef",
  "dependentTasks",
  "inputs",
  "name",
  "taskInfo",
  "env",
  "cpuLimit",
  "sdkVersion",
];

/** The whole table, as the textbook has it. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => [i, ...new Array<number>(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) (table[0] as number[])[j] = j;
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)];
      (table[i] as number[])[j] = Math.min(
        ...steps,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}

describe("numbers at the end", () => {
  const numbered = ["comp-train-1", "comp-trainq-2", "comp-train-12"];
  const rows: readonly [name: string, candidates: readonly string[], meant: string | undefined][] = [
    ["comp-train-2", numbered, "comp-trainq-2"],
    ["comp-train-2", [...numbered].reverse(), "comp-trainq-2"],
    ["comp-train-2", ["comp-train-1", "comp-trnia-2"], "comp-trnia-2"],
    ["comp-train-2", ["comp-trxxn-2", "comp-train-1"], "comp-trxxn-2"],
    ["load-2", ["load-1", "laod-2"], "laod-2"],
    ["path-2", ["path-1", "path", "paht-2"], "paht-2"],
    ["train", ["train-2", "trian"], "trian"],
    ["comp-train-2", ["comp-train-1"], "comp-train-1"],
    ["comp-tarin-2", ["comp-load-2", "comp-train-1"], "comp-train-1"],
  ];
  for (const [name, candidates, meant] of rows) {
    test(`${name} is ${meant} among ${candidates.join(", ")}`, () =>
      expect(didYouMean(name, candidates)).toBe(meant));
  }
});

describe("didYouMean", () => {
  const rows: readonly [name: string, meant: string | undefined][] = [
    ["componentref", "componentRef"],
    ["nv", "env"],
    ["en", "env"],
    ["e", undefined],
    ["nmae", "name"],
    ["nxyz", undefined],
    ["component_ref", "componentRef"],
    ["componetRef", "componentRef"],
    ["componentReff", "componentRef"],
    ["dependantTasks", "dependentTasks"],
    ["nmae", "name"],
    ["naem", "name"],
    ["input", "inputs"],
    ["evn", "env"],
    ["taskinfo", "taskInfo"],
    ["cpu-limit", "cpuLimit"],
    ["_e_n_v_", "env"],
    ["-e-n-v-", "env"],
    ["name", "name"],
    ["apiVersion", undefined],
    ["x", undefined],
    ["something", undefined],
    ["", undefined],
    ["a".repeat(10_000), undefined],
  ];
  for (const [name, meant] of rows) {
    test(`takes ${name.slice(0, 20) || "nothing"} for ${meant}`, () =>
      expect(didYouMean(name, names)).toBe(meant));
  }

  test("takes the nearest, and of equally near ones the first", () => {
    expect(didYouMean("abce", ["abcd", "abc", "abcf"])).toBe("abcd");
    expect(didYouMean("abc", ["abd", "abc"])).toBe("abc");
    expect(didYouMean("abc", [])).toBeUndefined();
    expect(didYouMean("abcdefg", ["abcde", "abcdefh"])).toBe("abcdefh");
    expect(didYouMean("abcdefg", ["cdefg", "bbcdefg"])).toBe("bbcdefg");
    expect(didYouMean("abcdefg", ["abcdefghi", "abcdefh"])).toBe("abcdefh");
  });

  test("takes a name exactly when a third of it may be wrong", { timeout: 300_000 }, () => {
    const letter = fc.constantFrom("a", "b", "c");
    const word = fc.string({ unit: letter, minLength: 3, maxLength: 14 });
    // Two words that have nothing to do with each other are seldom near enough to ask: one is made from the other.
    const mistakes = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.string({ unit: letter, maxLength: 2 })), {
      maxLength: 2,
    });
    fc.assert(
      fc.property(word, mistakes, (a, places) => {
        const b = places.reduce((text, [place, length, by]) => {
          const at = place % (text.length + 1);
          return text.slice(0, at) + by + text.slice(at + length);
        }, a);
        fc.pre(b.length >= 3);
        const steps = distance(a, b);
        const isNear = steps <= Math.max(1, Math.floor(a.length / 3));
        // Where nothing but another word of three letters or more stands in its place, it is no misspelling.
        fc.pre(steps < 3);
        expect(didYouMean(a, [b])).toBe(isNear ? b : undefined);
      }),
      { seed: 5, numRuns: 5000 },
    );
  });

  test("compares names of up to 100 letters, also with longer ones", () => {
    const [longest, longer] = ["a".repeat(100), "a".repeat(101)];
    expect(didYouMean(longest, [longer])).toBe(longer);
    expect(didYouMean(longer, [longest])).toBeUndefined();
    expect(didYouMean(longest, ["a".repeat(200)])).toBeUndefined();
  });

  test("looks at no more names than its budget allows", () => {
    const budget = { steps: 1000 };
    const many = Array.from({ length: 10_000 }, (_, index) => `componentRef${index}`);
    didYouMean("componentReff", many, budget);
    expect(budget.steps).toBeGreaterThan(-1000);
    expect(didYouMean("componentref", ["componentRef"], { steps: 0 })).toBeUndefined();
  });

  test("spends some of it on names that need no comparing", () => {
    const names = ["x", "y", "z", "componentRef"];
    expect(didYouMean("componentref", names, { steps: 90 })).toBeUndefined();
    expect(didYouMean("componentref", names, { steps: 91 })).toBe("componentRef");
  });

  test("takes names without a letter for each other", () => {
    expect(didYouMean("_", ["a", "-"])).toBe("-");
    expect(didYouMean("", ["_"])).toBe("_");
  });
});

test("one letter may be missing, or be there once too often, beside a single one", () => {
  expect(didYouMean("ab", ["a"])).toBe("a");
  expect(didYouMean("ab", ["b"])).toBe("b");
  expect(didYouMean("a", ["ab"])).toBe("ab");
  expect(didYouMean("b", ["ab"])).toBe("ab");
  expect(didYouMean("ab", ["ba"])).toBe("ba");
});

test.each([
  ["abcdefghixyz", "abcdefghiq", true],
  ["abcdefghijklmxyz", "abcdefghijklmpqr", false],
  ["abcdefghijklmuvxyz", "abcdefghijklmpqr", false],
  ["abcdefghijkluvwxy", "abcdefghijklzwq", true],
])(
  "another word of three letters or more is no slip, and all else may be: %s and %s",
  (one, other, isSlip) => {
    expect(didYouMean(one, [other])).toBe(isSlip ? other : undefined);
    expect(didYouMean(other, [one])).toBe(isSlip ? one : undefined);
  },
);

test("one letter is not taken for another", () => {
  expect(didYouMean("x", ["n", "m"])).toBeUndefined();
  expect(didYouMean("N", ["n", "m"])).toBe("n");
});
