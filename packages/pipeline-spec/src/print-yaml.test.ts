import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { anyJson } from "../test/arbitrary-json.js";
import { type BlockStyle, printYaml, yamlLine, yamlLines } from "./print-yaml.js";

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
  ["numbers", [1, -0, 1.5, 1e21, -1e-7, -2.5e300], "- 1\n- -0.0\n- 1.5\n- 1.0e+21\n- -1.0e-7\n- -2.5e+300\n"],
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

describe("a text needs quotes", () => {
  const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
  const isPlain = (text: string) => printYaml(text) === `${text}\n`;

  test("by what it begins with", () => {
    expect(printable.filter((char) => isPlain(`${char}x`)).join("")).toBe(
      "$(+-./0123456789;ABCDEFGHIJKLMNOPQRSTUVWXYZ\\^_abcdefghijklmnopqrstuvwxyz",
    );
    expect(printable.filter((char) => isPlain(`-${char}x`)).join("")).toBe(
      "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
    );
    expect(["\u00a1x", "\u1fffx", "é"].map(isPlain)).toEqual([true, true, true]);
    expect(["\u00a0x", "\u2000x", "\u3001x", "\u0085x", "-é"].map(isPlain)).toEqual(new Array(5).fill(false));
  });

  test("by what is in it", () => {
    expect(printable.filter((char) => !isPlain(`a${char}b`))).toEqual([]);
    expect(printable.filter((char) => !isPlain(`a${char}`)).join("")).toBe(" :");
    expect(["a: b", "a #b", "a b ", "a:\tb", "a\tb", "a\u00a0b", "a\u2000b", "a\x7fb"].map(isPlain)).toEqual(
      new Array(8).fill(false),
    );
    expect(["a:b", "a# b", "a:#b", "a b", "a :b", "a\u00a1b", "a\u1fffb"].map(isPlain)).toEqual(
      new Array(7).fill(true),
    );
  });

  test.each([
    "y",
    "Y",
    "n",
    "N",
    "---",
    "--- a",
    "---a",
    "...",
    "... a",
    "...a",
    "true",
    "Null",
    "0x1f",
    "12:30:45",
  ])("when it is %j", (text) => expect(printYaml(text)).toBe(`"${text}"\n`));

  test.each(["yy", "nn", "ay", "--a", "-a---", "..", "..a", "a...", "a---", "tru", "t", "2.1.0"])(
    "and not when it is %j",
    (text) => expect(printYaml(text)).toBe(`${text}\n`),
  );
});

describe("lines are a block", () => {
  const print = (text: string, style: Partial<BlockStyle> = {}) =>
    yamlLines({ a: text }, "", "", { ofMaps: "  ", ofLists: "", literals: "any", ...style }).join("\n");
  test.each<[text: string, printed: string]>([
    ["b\n", "a: |\n  b"],
    ["b\nc", "a: |-\n  b\n  c"],
    ["b\n\n", "a: |+\n  b\n"],
    ["\nb\n", "a: |\n\n  b"],
    ["b\n\nc\n", "a: |\n  b\n\n  c"],
    ["b\n  c\n", "a: |\n  b\n    c"],
    ["b\tc\nd\u00a0e\u3000f\n", "a: |\n  b\tc\n  d\u00a0e\u3000f"],
    ["\u3001\u{10000}\ud7ff\n", "a: |\n  \u3001\u{10000}\ud7ff"],
    [" \n\n", 'a: " \\n\\n"'],
    // Texts that other readers would take for something else.
    [" b\nc\n", 'a: " b\\nc\\n"'],
    ["\tb\nc\n", 'a: "\\tb\\nc\\n"'],
    ["\u00a0b\n", 'a: "\u00a0b\\n"'],
    ["\u3000b\n", 'a: "\u3000b\\n"'],
    ["\n", 'a: "\\n"'],
    ["b\rc\n", 'a: "b\\rc\\n"'],
    ["b\u2028\n", 'a: "b\\u2028\\n"'],
    ["b\ufeff\n", 'a: "b\\ufeff\\n"'],
    ["b\x7f\n", 'a: "b\\u007f\\n"'],
    ["b\u2000\n", 'a: "b\u2000\\n"'],
  ])("or not: %j", (text, printed) => expect(print(text)).toBe(printed));

  test("as far as they may be", () => {
    expect(["b\n", "b\nc", "b\n\n", "b\n\n\n"].map((text) => print(text, { literals: "closed" }))).toEqual([
      "a: |\n  b",
      "a: |-\n  b\n  c",
      'a: "b\\n\\n"',
      'a: "b\\n\\n\\n"',
    ]);
    expect(print("b\n", { literals: "none" })).toBe('a: "b\\n"');
    expect(print("b\n", { ofMaps: "     " })).toBe("a: |\n     b");
  });
});

test.each<[value: unknown, before: string, lines: string[]]>([
  [{ a: { b: [1, [2, 3], {}] } }, "", ["a:", "    b:", "     - 1", "     - - 2", "       - 3", "     - {}"]],
  [{ a: { b: 1 }, c: [] }, "x:", ["x:", "      a:", "          b: 1", "      c: []"]],
  [{ a: { b: 1 }, c: 2 }, "-", ["- a:", "        b: 1", "    c: 2"]],
  [[1, [2]], "x:", ["x:", "   - 1", "   - - 2"]],
  [[1, { a: 2, b: 3 }], "-", ["- - 1", "    - a: 2", "      b: 3"]],
  [[1, 2], "", ["- 1", "- 2"]],
  ["b", "x:", ["x: b"]],
  [null, "", ["null"]],
  [{}, "-", ["- {}"]],
])("%j behind %j, two in, with wider steps", (value, before, lines) => {
  const style = { ofMaps: "    ", ofLists: " ", literals: "any" } as const;
  const indent = before === "" ? "" : "  ";
  expect(yamlLines(value, before, indent, style)).toEqual(lines);
});

test.each<[value: unknown, line: string]>([
  [[1, [], { a: "b", "c d": null }], "[1, [], {a: b, c d: null}]"],
  [{}, "{}"],
  ["a:b", '"a:b"'],
  ...[",", "?", "[", "]", "{", "}"].map((char): [string, string] => [`a${char}b`, `"a${char}b"`]),
  ["a;b", "a;b"],
  ["yes", '"yes"'],
  [{ "a,b": 1 }, '{"a,b": 1}'],
  [1e21, "1.0e+21"],
  [-0, "-0.0"],
  [true, "true"],
  ["a\nb", '"a\\nb"'],
])("%j is %s in one line", (value, line) => expect(yamlLine(value)).toBe(line));

test("a key of a thousand characters is the longest that is not marked, with its quotes", () => {
  for (const [key, written] of [
    ["k".repeat(1000), "k".repeat(1000)],
    ["#".repeat(998), `"${"#".repeat(998)}"`],
  ] as const) {
    expect(printYaml({ [key]: 1 })).toBe(`${written}: 1\n`);
    const longer = key + (key[0] ?? "");
    const quoted = written.startsWith('"') ? `"${longer}"` : longer;
    expect(printYaml({ [longer]: 1 })).toBe(`? ${quoted}\n: 1\n`);
    expect(printYaml([{ [longer]: [1] }])).toBe(`- ? ${quoted}\n  :\n  - 1\n`);
  }
});

test.each<[text: string, printed: string]>([
  ['"', `'"'`],
  ["\\x: ", "'\\x: '"],
  [`"it's 'it'"`, `'"it''s ''it''"'`],
  ["it's", "it's"],
  ["'", `"'"`],
  [": a", '": a"'],
  ['"\t', '"\\"\\t"'],
  ['"\u3000', '"\\"\u3000"'],
  ['"\u3001\ud7ff\u{1f600}', `'"\u3001\ud7ff\u{1f600}'`],
  ['"\u00a0', '"\\"\u00a0"'],
])("with the fewest escapes %j is %s", (text, printed) => {
  expect(printYaml([text], "fewest")).toBe(`- ${printed}\n`);
});
