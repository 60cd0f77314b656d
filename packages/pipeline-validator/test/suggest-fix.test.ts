import { describe, expect, test } from "vitest";
import { suggestFix, type ValidationProblem } from "../src/index.js";

function applied(text: string, problem: ValidationProblem): string | undefined {
  const fix = suggestFix(text, problem);
  return fix && text.slice(0, fix.from) + fix.text + text.slice(fix.to);
}

const problem = (source: string, there: string, message: string, hint?: string): ValidationProblem => {
  const at = source.indexOf(there);
  const place = (offset: number) => ({ line: 1, column: offset + 1, offset });
  const range = { start: place(at), end: place(at + there.length) };
  return { code: "x", severity: "error", path: "", message, range, ...(hint === undefined ? {} : { hint }) };
};

describe("an edit", () => {
  const cases = [
    { of: "a plain name", source: "a: laod # load", there: "laod", mended: "a: load # load" },
    { of: "a name in quotes", source: "a: 'laod'", there: "'laod'", mended: "a: 'load'" },
    { of: "JSON", source: '{"a": "laod"}', there: '"laod"', mended: '{"a": "load"}' },
    {
      of: "one of several words",
      source: "a: {{$.laod.x['loads']}}",
      there: "{{$.laod.x['loads']}}",
      mended: "a: {{$.load.x['loads']}}",
    },
  ];
  for (const { of, source, there, mended } of cases) {
    test(`keeps what is around ${of}`, () => {
      expect(applied(source, problem(source, there, 'there is no task "laod"', 'did you mean "load"?'))).toBe(
        mended,
      );
    });
  }

  const source = "a: laod, laod-er laod";
  const none = {
    "a hint that is advice": problem(source, "laod", 'there is no task "laod"', "add one"),
    "no hint": problem(source, "laod", 'there is no task "laod"'),
    "no place": {
      code: "x",
      severity: "error",
      path: "",
      message: 'no "laod"',
      hint: 'did you mean "load"?',
    },
    "a name that stands there twice": problem(
      source,
      source,
      'there is no task "laod"',
      'did you mean "load"?',
    ),
    "a name that only begins a word": problem(
      source,
      "laod-er",
      'there is no task "laod"',
      'did you mean "load"?',
    ),
    "a name that needs quotes": problem(source, "laod", 'there is no task "laod"', 'did you mean "a: load"?'),
    "a name that YAML takes for another type": problem(
      source,
      "laod",
      'there is no task "laod"',
      'did you mean "On"?',
    ),
  } as const;
  for (const [of, given] of Object.entries(none)) {
    test(`is not suggested for ${of}`, () => {
      expect(suggestFix(source, given)).toBeUndefined();
    });
  }
});

describe("a name", () => {
  const meant = (name: string) =>
    suggestFix("laod", problem("laod", "laod", 'there is no task "laod"', `did you mean "${name}"?`))?.text;

  test.each(["a", "_", "_a", "A1", "a.b-c_1", "a--b", "onto", "nobody", "true1", "nullable", "of"])(
    "%s needs no quotes",
    (name) => expect(meant(name)).toBe(name),
  );

  test.each(
    ["true", "false", "null", "yes", "no", "on", "off"].flatMap((word) => [word, word.toUpperCase()]),
  )("%s would be something else", (name) => expect(meant(name)).toBeUndefined());

  test.each(["1a", "-a", "a-", "a.", ".a", "a b", "a:b", "ä", "a/b"])("%s may need quotes", (name) => {
    expect(meant(name)).toBeUndefined();
  });
});

describe("what is replaced", () => {
  const rows: readonly (readonly [message: string, source: string, mended: string | undefined])[] = [
    ['component "a" has no "b"', "a b", "a load"],
    ['component "a" has no "c"', "a b", "load b"],
    ['component "c" has no "d"', "a b", undefined],
    ["unknown variable: a", "b a", "b load"],
    ["a: unknown variable", "b a", "b load"],
    ["a is unknown", "b a", undefined],
    ["no such field: a.b-c", "x a.b-c", "x load"],
    ['there is no "a"', "a-b a", "a-b load"],
    ['there is no "a"', "b-a a_ _a a", "b-a a_ _a load"],
    ['there is no "a"', "'a' b", "'load' b"],
    ['there is no "a"', "a a", undefined],
    ['there is no "a" in "b"', "a a b", "a a load"],
    ['there is no "a" in "b"', "a b b", "load b b"],
    ['there is no "a\\n"', "a\\n", undefined],
  ];
  test.each(rows)("%s, in %s: %s", (message, source, mended) => {
    expect(applied(source, problem(source, source, message, 'did you mean "load"?'))).toBe(mended);
  });

  test("stands in the place of the problem only", () => {
    const source = "laod: [x, laod, laod]";
    const one = problem(source, "x, laod", 'there is no "laod"', "did you mean load? It is a task");
    expect(suggestFix(source, one)).toEqual({ from: 10, to: 14, text: "load" });
  });

  test("is told by the beginning of the hint alone", () => {
    const told = (hint: string) => suggestFix("laod", problem("laod", "laod", 'no "laod"', hint))?.text;
    expect(told("did you mean load?")).toBe("load");
    expect(told('add it; did you mean "load"?')).toBeUndefined();
    expect(told("did you mean load")).toBeUndefined();
  });
});
