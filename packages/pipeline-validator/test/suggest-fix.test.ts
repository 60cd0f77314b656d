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
