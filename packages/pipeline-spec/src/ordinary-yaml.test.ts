import { describe, expect, test } from "vitest";
import { compareReaders } from "../test/yaml-agreement.js";
import { DocumentProblems } from "./document-problems.js";
import { readOrdinaryYaml } from "./ordinary-yaml.js";

const limits = { maxDepth: 5, maxTokens: 30, maxSlowBytes: 10_000, maxAliasedValues: 0 };

function read(text: string): unknown[] | undefined {
  const problems = new DocumentProblems(text, 10);
  return readOrdinaryYaml(text, limits, problems)?.map(({ value }) => value);
}

describe("reads", () => {
  const rows: readonly [name: string, text: string, ...values: unknown[]][] = [
    ["nothing", ""],
    ["comments", "# a\n\n  # b"],
    ["a map", "a: b\nc: 1", { a: "b", c: 1 }],
    ["maps in maps", "a:\n  b:\n    c: d\n  e: f\ng:\n", { a: { b: { c: "d" }, e: "f" }, g: null }],
    ["a list at the indentation of its key", "a:\n- b\n- c\nd: e", { a: ["b", "c"], d: "e" }],
    ["a list further in", "a:\n  - b\n  -\n  - c", { a: ["b", null, "c"] }],
    ["maps in a list", "- a: b\n  c:\n  - d\n-\n  e: f", [{ a: "b", c: ["d"] }, { e: "f" }]],
    ["lists in lists", "- - a\n  - - b\n- c", [["a", ["b"]], "c"]],
    [
      "words and numbers",
      "- ~\n- true\n- 0x1F\n- 1.5\n- yes\n- 2.1.0",
      [null, true, 31, 1.5, "yes", "2.1.0"],
    ],
    ["plain text of several lines", "a: b\n  c\n\n  - d\ne: f", { a: "b c\n- d", e: "f" }],
    ["plain text with signs in it", "a: b#c:d,[e] 'f' -g", { a: "b#c:d,[e] 'f' -g" }],
    ["plain text that starts with a sign", "- -a\n- ?b\n- :c", ["-a", "?b", ":c"]],
    ["text in quotes", "a: 'it''s'\n\"b\": \"\\x41\\u00e9\\U0001F600\\n\"", { a: "it's", b: "Aé😀\n" }],
    ["quotes over several lines", "a: 'b\n\n  c'\nd: \"e\\\n  \\ f\n  g\"", { a: "b\nc", d: "e f g" }],
    ["quotes that are not indented", "a:\n  b: 'c\nd'", { a: { b: "c d" } }],
    ["lines as they are", "a: |\n  b\n   c\n\n  d\n\ne: f", { a: "b\n c\n\nd\n", e: "f" }],
    [
      "lines without and with breaks at the end",
      "- |-\n  a\n- |+\n  b\n\n- |2\n    c",
      ["a", "b\n\n", "  c"],
    ],
    ["lines that the text breaks off", "- |\n  a\n- |+\n  b", ["a\n", "b"]],
    ["a line that the text breaks off behind blanks", "a: >\n  b\n  c  ", { a: "b c  " }],
    ["lines that the text ends", "- |+\n  a\n- |\n  b\n", ["a\n", "b\n"]],
    ["lines with blanks at the end of the text", "a: |\n  b\n ", { a: "b\n" }],
    ["lines with a blank of another kind at the end of the text", "a: |\n  b\n  \u00a0", { a: "b\n\u00a0" }],
    ["lines that are folded", "a: >-\n  b\n  c\n\n  d", { a: "b c\nd" }],
    [
      "brackets and braces",
      "a: [b, 'c', {d: [], \"e\":1}, ]\nf: {}",
      { a: ["b", "c", { d: [], e: 1 }], f: {} },
    ],
    ["brackets over several lines", "{a: [\nb,\n  {c: d\n}],\n'e': f}", { a: ["b", { c: "d" }], e: "f" }],
    ["brackets without blanks", '{"a":[b,-1],"e":{}}', { a: ["b", -1], e: {} }],
    ["quotes with empty lines behind an escaped break", 'a: "b\\\n\n \n  \\ c\\\n"', { a: "b\n\n c" }],
    ["a key of 1,024 characters", `${"a".repeat(1024)}: b`, { ["a".repeat(1024)]: "b" }],
    ["a key that the text ends with", "a:\nb:", { a: null, b: null }],
    ["a dash that the text ends with", "- a\n-", ["a", null]],
    ["the mark of a document that the text ends with", "a: b\n---", { a: "b" }],
    ["dashes and dots further in", "a:\n  ---\nb:\n  ...\nc: d", { a: "---", b: "...", c: "d" }],
    ["keys that begin with dashes and dots", "---a: b\n...c: d", { "---a": "b", "...c": "d" }],
    ["a key in quotes behind quotes over several lines", "a: 'b\n  c'\n'd': e", { a: "b c", d: "e" }],
    ["blanks before a colon in braces", "{a : b, 'c'  : d}", { a: "b", c: "d" }],
    ["values below their keys in braces", "{a:\n  b, 'c':\n\n {d: e}}", { a: "b", c: { d: "e" } }],
    ["times over two lines", "a: 2001-01-01\n  00:00\nb: on", { a: "2001-01-01 00:00", b: "on" }],
    [
      "what others take for something else",
      "a: [b, yes, [1_0, {c: on}]]\nd:\n- e\n- - f\n  - off",
      { a: ["b", "yes", [10, { c: "on" }]], d: ["e", ["f", "off"]] },
    ],
    ["comments in between", "a: # b\n  # c\n  d: e # f\n # g\nh: i", { a: { d: "e" }, h: "i" }],
    ["blanks before a colon", "a : b\n'c'  : d", { a: "b", c: "d" }],
    ["several documents", "a: b\n---\n---\n# c\n- d\n--- # e\nf: g\n", { a: "b" }, ["d"], { f: "g" }],
    [
      "names that objects have",
      "__proto__: a\nconstructor: b",
      JSON.parse('{"__proto__":"a","constructor":"b"}'),
    ],
    [
      "names that objects have in braces",
      "{__proto__: a, constructor: b}",
      JSON.parse('{"__proto__":"a","constructor":"b"}'),
    ],
    ["what begins with a dash in brackets", "[-.5, -A, -z, -1]", [-0.5, "-A", "-z", -1]],
    ["dots further in in brackets", "[a,\n  ...\n]", ["a", "..."]],
    ["what is indented as a whole", "  a:\n  - b\n  c: d\n", { a: ["b"], c: "d" }],
  ];
  for (const [name, text, ...values] of rows) {
    test(name, () => {
      expect(read(text)).toEqual(values);
      expect(compareReaders(text)).toBe("same");
    });

    test(`${name}, with CR LF`, () => {
      const other = text.replaceAll("\n", "\r\n");
      expect(read(other)).toEqual(values);
      expect(compareReaders(other)).toBe("same");
    });
  }
});

describe("hands over", () => {
  const rows: readonly [name: string, text: string][] = [
    ["a scalar alone", "a"],
    ["null alone", "null"],
    ["an anchor", "a: &b c"],
    ["an alias", "a: *b"],
    ["a tag", "a: !!str b"],
    ["a merge", "<<: {}"],
    ["a directive", "%YAML 1.2\n---\na: b"],
    ["the end of a document", "a: b\n...\n"],
    ["text behind the mark of a document", "--- {a: b}"],
    ["a key after a question mark", "? a\n: b"],
    ["a key that is a number", "1: a"],
    ["a key that is a boolean to some", "on: a"],
    ["a key that is null", "~: a"],
    ["a key without a colon", "a: b\nc\n"],
    ["a key over several lines", "'a\n  b': c"],
    ["a key in brackets", "[a]: b"],
    ["a key of more than 1,024 characters", `${"a".repeat(1025)}: b`],
    ["a key twice", "a: b\na: c"],
    ["a key twice in braces", "{a: b, 'a': c}"],
    ["a key over several lines in braces", "{'a\n  b': c}"],
    ["a key without a value in braces", "{a, b: c}"],
    ["a key with nothing behind its colon in braces", "{a: }"],
    ["a pair in brackets", "[a: b]"],
    ["an anchor in braces", "{&a b: c}"],
    ["a tag in braces", "{!!str a: b}"],
    ["a key after a question mark in braces", "{? a: b}"],
    ["a question mark in brackets", "[http://a/b?c=d]"],
    ["a question mark in a key in braces", "{a?b: c}"],
    ["a colon before a bracket", "[a:]"],
    ["a colon before a comma in brackets", "[a:, b]"],
    ["a colon before text in brackets", "[:a]"],
    ["lines that begin with a tab", "a: |\n\n  \tb"],
    ["a dash in brackets", "[-]"],
    ["the end of a document in brackets", "[a,\n...\n]"],
    ["the end of a document in brackets further in", "a:\n  [b,\n...\n]"],
    ["a document that begins in brackets", "[a,\n---\n]"],
    ["a tab behind text in brackets", "[a\t]"],
    ["a comment in brackets", "[a, # b\n]"],
    ["text over several lines in brackets", "[a\nb]"],
    ["a bracket that is not closed", "[a"],
    ["a bracket that closes another", "[a}"],
    ["text behind a bracket", "[a] b"],
    ["a comma too many", "[a,,b]"],
    ["two values in a line", "a: b: c"],
    ["a list in the line of its key", "a: - b"],
    ["a line too far in", "a: b\n   c: d"],
    ["a line too far out", "  a: b\n c: d"],
    ["a line between two blocks", "a:\n    b: c\n  d: e"],
    ["a tab", "a:\tb"],
    ["a tab before a line", "a:\n\tb: c"],
    ["a carriage return alone", "a: b\rc: d\n"],
    ["a carriage return behind another", "a: b\r\r\n"],
    ["a byte order mark", "\ufeffa: b"],
    ["a quote that is not closed", "a: 'b"],
    ["an escape that there is not", 'a: "\\q"'],
    ["a character that there is not", 'a: "\\U00110000"'],
    ["text behind quotes", "a: 'b' c"],
    ["a comment right behind quotes", "a: 'b'# c"],
    ["the mark of a document in quotes", "a: 'b\n--- c'"],
    ["the end of a document in quotes", "a: 'b\n... c'"],
    ["lines that are not there", "a: |\nb: c"],
    ["lines behind a comment", "a: | # b\n  c"],
    ["lines further in than the first, folded", "a: >\n  b\n   c"],
    ["empty lines further in than the first", "a: |\n    \n  b"],
    ["empty lines further in at the end", "a: |\n  b\n    \nc: d"],
    ["a sign that YAML keeps for later", "a: @b"],
    ["a comma before text", "a: ,b"],
    ["more levels than are allowed", "a:\n  - - - - - b"],
    ["more values than are allowed", "- a\n".repeat(30)],
    ["more lists than are allowed", "- []\n".repeat(30)],
    ["more documents than are allowed", "---\n".repeat(17)],
  ];
  for (const [name, text] of rows) {
    test(name, () => expect(read(text)).toBeUndefined());
  }

  test("nothing of as many values and levels as are allowed", () => {
    expect(read("- a\n".repeat(29))).toEqual([Array.from({ length: 29 }, () => "a")]);
    expect(read("- []\n".repeat(29))).toEqual([Array.from({ length: 29 }, () => [])]);
    expect(read("a:\n  - - - - b")).toEqual([{ a: [[[["b"]]]] }]);
  });

  test("without problems that it has already found", () => {
    const text = "a: on\nb: &c d\n";
    const problems = new DocumentProblems(text, 10);
    expect(readOrdinaryYaml(text, limits, problems)).toBeUndefined();
    expect(problems.list()).toEqual([]);
  });
});

describe("takes time in proportion to the length of", () => {
  const size = 3_000_000;
  const rows: readonly [name: string, text: string][] = [
    ["a line of keys", `{x: 1, ${Array.from({ length: size / 12 }, (_, i) => `"k${i}":${i}`).join(",")}}`],
    ["a line of brackets", `a: [${`${"[".repeat(50)}${"]".repeat(50)},`.repeat(size / 101)}]`],
    ["a text of escapes", `a: "${"\\n".repeat(size / 2)}"`],
    ["a text of blanks", `a: "${"b      ".repeat(size / 7)}\n"`],
    ["a text of lines", `a:\n${"  b\n\n".repeat(size / 5)}`],
    ["empty lines", `a: |\n  b\n${"\n".repeat(size)}  c\n`],
    ["a number", `a: ${"1".repeat(size)}`],
  ];
  for (const [name, text] of rows) {
    test(name, () => {
      const before = process.cpuUsage();
      const wide = { maxDepth: 100, maxTokens: 3_000_000, maxSlowBytes: 0, maxAliasedValues: 0 };
      expect(readOrdinaryYaml(text, wide, new DocumentProblems(text, 10))).toHaveLength(1);
      // Ten times what it takes anywhere; looking at all of the text for each part of it would take hours.
      expect(process.cpuUsage(before).user).toBeLessThan(30_000_000);
    });
  }
});
