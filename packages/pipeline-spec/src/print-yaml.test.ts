import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { anyJson } from "../test/arbitrary-json.js";
import { printYaml } from "./print-yaml.js";

const cases: readonly [name: string, value: unknown, yaml: string][] = [
  ["a map", { a: 1, b: { c: true } }, "a: 1\nb:\n  c: true\n"],
  [
    "a list in a map, indented like the map",
    { a: [1, [2, 3], { b: 4, c: 5 }] },
    "a:\n- 1\n- - 2\n  - 3\n- b: 4\n  c: 5\n",
  ],
  ["empty collections", { a: {}, b: [], c: [{}, []] }, "a: {}\nb: []\nc:\n- {}\n- []\n"],
  ["a scalar alone", "text", "text\n"],
  ["lines alone", "a\nb", '"a\\nb"\n'],
  [
    "plain text",
    { a: "python:3.12", b: "int(x) > 5", c: "--flag", d: "{{$.x}}" },
    'a: python:3.12\nb: int(x) > 5\nc: --flag\nd: "{{$.x}}"\n',
  ],
  ["a literal block", { a: "b\nc\n" }, "a: |\n  b\n  c\n"],
  ["a block without an end of line", ["b\nc"], "- |-\n  b\n  c\n"],
  ["a block with more ends of line", { a: "\nb\n\n" }, "a: |+\n\n  b\n\n"],
  ["lines that start with a space", { a: " b\nc" }, 'a: " b\\nc"\n'],
  ["ends of lines only", { a: "\n\n" }, 'a: "\\n\\n"\n'],
  [
    "text that some reader takes for something else",
    ["yes", "n", "1e3", "08", "1:30", "2001-01-01", "null", "~", ""],
    '- "yes"\n- "n"\n- "1e3"\n- "08"\n- "1:30"\n- "2001-01-01"\n- "null"\n- "~"\n- ""\n',
  ],
  [
    "text that would end a plain scalar",
    ["a: b", "a #b", "a:", "a "],
    '- "a: b"\n- "a #b"\n- "a:"\n- "a "\n',
  ],
  ["numbers", [1, -0, 1.5, 1e21, 1e-7, -2.5e300], "- 1\n- -0.0\n- 1.5\n- 1.0e+21\n- 1.0e-7\n- -2.5e+300\n"],
  ["keys in quotes", { "a: b": 1, "": 2, "1": 3 }, '"1": 3\n"a: b": 1\n"": 2\n'],
  ["a long key", { ["k".repeat(1001)]: { a: 1 } }, `? ${"k".repeat(1001)}\n:\n  a: 1\n`],
  [
    "characters that YAML does not allow",
    { a: "\u0000\u0085\u2028\ufeff" },
    'a: "\\u0000\\u0085\\u2028\\ufeff"\n',
  ],
];

describe("prints", () => {
  for (const [name, value, yaml] of cases) test(name, () => expect(printYaml(value)).toBe(yaml));
});

/** What the YAML library reads by one of its own schemas, which know nothing of ours. */
function readBack(yaml: string, schema: "core" | "yaml-1.1"): unknown {
  const document = parseDocument(yaml, {
    schema,
    version: schema === "core" ? "1.2" : "1.1",
    logLevel: "silent",
  });
  expect(document.errors).toEqual([]);
  return document.toJS();
}

for (const [schema, quotes] of [
  ["core", "double"],
  ["yaml-1.1", "double"],
  ["core", "fewest"],
  ["yaml-1.1", "fewest"],
] as const) {
  test(`with ${quotes} quotes gives the same value to a reader of the ${schema} schema`, () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const yaml = printYaml({ value }, quotes);
        expect(isDeepStrictEqual(readBack(yaml, schema), { value }) ? "" : yaml).toBe("");
      }),
      { seed: 7, numRuns: 1500 },
    );
  });
}

test("single quotes save escapes, and stand only where they do", () => {
  expect(printYaml({ '"a': `{"it's": 1}`, no: "yes", lines: '"\n', odd: '"\u2028' }, "fewest")).toBe(
    `'"a': '{"it''s": 1}'\n"no": "yes"\nlines: |\n  "\nodd: "\\"\\u2028"\n`,
  );
});
