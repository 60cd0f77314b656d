import { describe, expect, test } from "vitest";
import { DocumentProblems } from "./document-problems.js";
import { parseYaml } from "./parse-yaml.js";

const limits = { maxDepth: 4, maxTokens: 1000, maxSlowBytes: 10_000, maxAliasedValues: 6 };

/** The values of a text, and its problems in words, each with its place. */
function read(text: string) {
  const problems = new DocumentProblems(text, 10);
  const documents = parseYaml(text, limits, problems);
  const told = problems.list().map(({ code, path, message, range, hint }) => {
    const { start, end } = range ?? expect.unreachable("every problem of a text has a place");
    const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
    return `${place} ${code} ${path}: ${message}${hint === undefined ? "" : `; ${hint}`}`;
  });
  return { values: documents.map(({ value }) => value), told };
}

describe("a text has the values", () => {
  const rows: readonly (readonly [text: string, value: unknown])[] = [
    ["a: ! {b: c}\nd: ! [e]\nf: ! 1", { a: { b: "c" }, d: ["e"], f: "1" }],
    ["a: !!map {b: c}\nd: !!seq [e]\nf: !!str 1", { a: { b: "c" }, d: ["e"], f: "1" }],
    ["a: !!int 0x10\nb: !!float 2\nc: !!bool true\nd: !!null ~", { a: 16, b: 2, c: true, d: null }],
    ["a: {<<: {b: 1, c: 2}, b: 3}", { a: { b: 3, c: 2 } }],
    ["a: {b: 3, <<: [{b: 1, c: 2}, {c: 3, d: 4}]}", { a: { b: 3, c: 2, d: 4 } }],
    ["a: {'<<': b}\nc: {!!str <<: d}", { a: { "<<": "b" }, c: { "<<": "d" } }],
    ["{<<: {toString: 2}, a: 3}", { a: 3, toString: 2 }],
    ["<<: {__proto__: 1}", JSON.parse('{"__proto__":1}')],
    ["a: |\n  b\n  c", { a: "b\nc" }],
    ["a: |\n  b\n  c \n", { a: "b\nc \n" }],
    ["a: |+\n  b\n\n", { a: "b\n\n" }],
    ["a: >\n  b\n  \t", { a: "b\n\t" }],
    ['a: "b\\\n\n  c"', { a: "b\nc" }],
    ['a: "b\\\r\n\r\n  c"', { a: "b\nc" }],
    ['a: "b\\\n\n\n  c"', { a: "b\n\nc" }],
    ["a:\n - - - b", { a: [[["b"]]] }],
  ];
  test.each(rows)("%j", (text, value) => expect(read(text)).toEqual({ values: [value], told: [] }));
});

describe("what is wrong with a value is told, and the rest is there:", () => {
  const tag = (name: string) => `the tag ${name} does not make a JSON value of this; remove the tag`;
  const again = "the anchor &b is set a second time, which the Python SDK refuses; give it another name";
  const tooMany = "aliases stand for more than 6 values";
  const ambiguous = "on without quotes is text to the API server and a boolean to the Python SDK";
  const rows: readonly (readonly [text: string, value: unknown, ...told: string[]])[] = [
    ["a: !!int 1.5", { a: "1.5" }, `1:10-1:13 unsupported-tag /a: ${tag("!!int")}`],
    ["a: !!float x", { a: "x" }, `1:12-1:13 unsupported-tag /a: ${tag("!!float")}`],
    ["a: !!bool yes", { a: "yes" }, `1:11-1:14 unsupported-tag /a: ${tag("!!bool")}`],
    ["a: !!null no", { a: "no" }, `1:11-1:13 unsupported-tag /a: ${tag("!!null")}`],
    ["a: !!seq {b: c}", { a: { b: "c" } }, `1:10-1:16 unsupported-tag /a: ${tag("!!seq")}`],
    ["a: !!map [b]", { a: ["b"] }, `1:10-1:13 unsupported-tag /a: ${tag("!!map")}`],
    ["a: !!set {b}", { a: { b: null } }, `1:10-1:13 unsupported-tag /a: ${tag("!!set")}`],
    [
      "a: [!b c]",
      { a: ["c"] },
      "1:8-1:9 unsupported-tag /a/0: the tag !b does not make a JSON value of this; a text that begins with ! needs quotes",
    ],
    [
      "a: 1\nb: 2\na: [3]\nc: 4",
      { a: 1, b: 2, c: 4 },
      '3:1-3:2 duplicate-key /a: the key "a" is here a second time; remove one of the two',
    ],
    [
      "? [a]\n: b\nc: yes",
      { "": "b", c: "yes" },
      "1:3-1:6 key-not-text : a key must be text, not a list",
      "3:4-3:7 ambiguous-scalar /c: yes without quotes is text to the API server and a boolean to the Python SDK; put it in quotes, or write true",
    ],
    [
      "1: a",
      { 1: "a" },
      '1:1-1:2 key-not-text : a key must be text, not the number 1; put it in quotes: "1"',
    ],
    [
      "{{ a }}: b",
      { "": "b" },
      "1:1-1:8 key-not-text : a key must be text, not an object; put the template in quotes",
      "1:2-1:7 key-not-text : a key must be text, not an object; put the template in quotes",
    ],
    [
      "a: on\n? on\n: !!str on",
      { a: "on", on: "on" },
      `1:4-1:6 ambiguous-scalar /a: ${ambiguous}; put it in quotes, or write true`,
      `2:3-2:5 ambiguous-scalar : ${ambiguous}; put it in quotes, or write true`,
    ],
    [
      "a: &b c\nd: *b\ne: &b f\ng: *b",
      { a: "c", d: "c", e: "f", g: "f" },
      `3:7-3:8 ambiguous-scalar /e: ${again}`,
    ],
    ["a: &b {c: &b d}\ne: *b", { a: { c: "d" }, e: "d" }, `1:14-1:15 ambiguous-scalar /a/c: ${again}`],
    [
      "a: &b {c: *b}",
      { a: { c: null } },
      "1:11-1:13 invalid-alias /a/c: the anchor &b contains this alias of itself",
    ],
    [
      "a: *b\nc: &b d",
      { a: null, c: "d" },
      "1:4-1:6 invalid-alias /a: there is no anchor &b before this alias; a text that begins with * needs quotes",
    ],
    [
      "a: &b [1, 2]\nc: *b\nd: *b\ne: *b\nf: *b",
      { a: [1, 2], c: [1, 2], d: [1, 2], e: null, f: null },
      `4:4-4:6 too-many-aliases /e: ${tooMany}`,
    ],
    [
      "a: &b [1]\nc: &d [*b, *b]\ne: *d\nf: 1",
      { a: [1], c: [[1], [1]], e: null, f: 1 },
      `3:4-3:6 too-many-aliases /e: ${tooMany}`,
    ],
    [
      "a: {<<: {b: 1}, <<: {c: 1}}",
      { a: { b: 1, c: 1 } },
      '1:17-1:19 duplicate-key /a: the key "<<" is here a second time; merge a list of maps',
    ],
    [
      "a: {<<: [b, [c], {d: e}]}",
      { a: { d: "e" } },
      '1:9-1:25 invalid-merge /a: expected a map to merge, got the text "b"',
    ],
    ["a: {<<: [[b]]}", { a: {} }, "1:9-1:14 invalid-merge /a: expected a map to merge, got a list"],
    ["a: {<<: , b: 1}", { a: { b: 1 } }, "1:9-1:9 invalid-merge /a: expected a map to merge, got null"],
    [
      "a:\n - - - - b\n - c",
      { a: [[[null]], "c"] },
      "2:8-2:11 too-deep /a/0/0/0: nested deeper than 4 levels",
    ],
    ["<<: {a: [[[b]]]}", { a: [[null]] }, "1:11-1:14 too-deep /<</a/0/0: nested deeper than 4 levels"],
  ];
  test.each(rows.map((row) => [row] as const))("%j", ([text, value, ...told]) => {
    expect(read(text)).toEqual({ values: [value], told });
  });
});
