import { describe, expect, test } from "vitest";
import { DocumentProblems } from "./document-problems.js";
import { parsePipeline } from "./index.js";
import { OpenSigns } from "./open-signs.js";
import { hintAt, reportSyntaxErrors } from "./yaml-syntax-errors.js";

const said = (text: string) =>
  parsePipeline(text)
    .problems.filter(({ code }) => code === "yaml-syntax")
    .map(({ severity, range, message, hint }) => {
      const places = [range?.start, range?.end].map((at) => `${at?.line}:${at?.column}`).join("-");
      return `${severity} ${places} ${message}${hint === undefined ? "" : `; ${hint}`}`;
    });

describe("mistakes are told in the words of people, with what to do about them:", () => {
  const inQuotes = "put the text in quotes";
  const missing = "a comma, a line break or quotes may be missing before it";
  const same =
    "all mapping items must start at the same column; give the lines of one map or list the same indentation, and close its bracket";
  const colon = "there is a second colon in the value of this key; put text with a colon in quotes";
  const stray = `this does not belong to what stands before it; ${missing}`;
  const behind = (what: string) => `expected nothing more after the value, got a ${what}; ${missing}`;
  const key = "expected a colon and a value after this key";
  const single = "implicit keys need to be on a single line";
  const block = "block collections are not allowed within flow collections";
  const reserved = (char: string) => `plain value cannot start with reserved character ${char}; ${inQuotes}`;
  const rows: readonly (readonly [text: string, ...problems: string[]])[] = [
    ["a:\n\tb: c\n", "2:1-2:1 a tab indents this line; indent with spaces"],
    ["a: b\n c: d\n e: f", `1:4-1:5 ${colon}`, `2:5-2:6 ${colon}`],
    ["a: b: c\n", `1:4-1:5 ${colon}`],
    ["a: 'b': c\n", `1:4-1:5 ${colon}`],
    ['a: "\\q"\n', "1:5-1:6 invalid escape sequence \\q; write the backslash twice, or use single quotes"],
    ["a: `b`\n", `1:4-1:5 ${reserved("`")}`],
    ["a: @b\n", `1:4-1:5 ${reserved("@")}`],
    ["a: %b\n", `1:4-1:5 plain value cannot start with directive indicator character %; ${inQuotes}`],
    ["a: b\nc\nd: e", `2:1-2:2 ${key}`],
    ["- a\nb: c", `2:1-2:2 ${behind("text")}`, `2:2-2:3 ${stray}`],
    ["a: b\n- c", `2:1-2:2 ${single}`],
    ["a\nb: c", `1:1-2:2 ${single}`],
    ["a: 'b' c", `1:8-1:9 ${behind("text")}`],
    ['a: "b" "c"', `1:8-1:11 ${behind("text")}`],
    ["a: [b]c", `1:7-1:8 ${behind("text")}`],
    ["a: |x\n b", `1:5-1:6 block text header includes extra characters: |x; ${missing}`],
    ["a: &\n", "1:4-1:5 anchor cannot be an empty string"],
    ["a: *\n", "1:4-1:5 alias cannot be an empty string; a text that begins with * needs quotes"],
    ["a: !<b c", "1:4-1:7 verbatim tags must end with a >; a text that begins with ! needs quotes"],
    ["x: &a &b c", "1:7-1:9 a node can have at most one anchor"],
    ["a: {b: c}}\n", `1:10-1:11 ${stray}`],
    ["a: ]\n", `1:4-1:5 ${stray}`],
    // What follows from the first stray sign is not told.
    ["a: ]]]\n", `1:4-1:5 ${stray}`],
    ["]", `1:1-1:2 unexpected bracket: "]"; ${missing}`],
    ["---\n}\na: b", `2:1-2:2 unexpected bracket: "}"; ${missing}`],
    ["a: b\n... ]", `2:5-2:6 ${behind("bracket")}`],
    ["a: [b, , c]", `1:8-1:9 unexpected , in list in brackets; ${missing}`],
    ["a: {b: c,, d: e}", `1:10-1:11 unexpected , in map in braces; ${missing}`],
    ["a:\n  - b\n c: d", `3:1-3:1 ${same}`],
    ["a: - b", `1:4-1:5 unexpected dash on same line with key; ${missing}`, `1:6-1:7 ${key}`],
    ["a: b\n---c\n", `2:1-2:5 ${key}; put a blank behind the dash`],
    ["- a\n-b", `2:1-2:3 ${behind("text")}`],
    ["a: [\n- b\n]", `2:1-2:4 ${block}`],
    ["a: {- b}", `1:5-1:6 ${block}`, "1:7-1:8 missing , or : between map in braces items"],
    ["%YAML 1.1\n", "2:1-2:1 missing directives-end indicator line"],
    ["a: b\nc = d\ne: f", `2:1-2:6 ${key}; write a colon and a blank in the place of =`],
    ["a: b\n- c=d\ne: f", `2:1-2:2 ${single}; write a colon and a blank in the place of =`],
    ["a: b\n-c\nd: e", `2:1-3:2 ${single}; put a blank behind the dash`],
    ["a: b\n--c\nd: e", `2:1-3:2 ${single}; put a blank behind the dash`],
    ["a: b\nc d = e f\ng: h", `2:1-2:10 ${key}`],
    ["a: b\nc =\nd: e", `2:1-2:4 ${key}`],
  ];
  test.each(rows)("%j", (text, ...problems) => {
    expect(said(text)).toEqual(problems.map((problem) => `error ${problem}`));
  });
});

const needsQuotes = (sign: string) => `a text that begins with ${sign} needs quotes`;
const template = "put the template in quotes";
test.each<[text: string, sign: string, hint: string | undefined]>([
  ["a: *b", "*", needsQuotes("*")],
  ["a: !b", "!", needsQuotes("!")],
  ["a: {{b}}", "{", template],
  ["{{b}}", "{", template],
  ["a: [{{b}}]", "b", template],
  ["- *b c", "c", needsQuotes("*")],
  ["[a,*b]", "*", needsQuotes("*")],
  ["a:   *b", "*", needsQuotes("*")],
  ["a: b *c", "*", undefined],
  ["a: b", "b", undefined],
  ["x: *y\na: b", "b", undefined],
  ["a: b\nx: *y", "b", undefined],
  // Only what begins before the place, or there.
  ["a: 'b' *c", "b", undefined],
  ["[b, *c]", "b", undefined],
  ["[b, *c]", ",", needsQuotes("*")],
  ["[*c, {{d}}]", "d", needsQuotes("*")],
])("in %j at %j: %j", (text, sign, hint) => {
  expect(hintAt(text, text.indexOf(sign))).toBe(hint);
});

test("what needs quotes is looked for in the five hundred characters around a place", () => {
  const at = (before: number) => hintAt(`[*a, ${"b".repeat(before)}`, 5 + before);
  expect(at(495)).toBe(needsQuotes("*"));
  expect(at(500)).toBeUndefined();
});

describe("a comma is told to be missing before the key that has none", () => {
  const hintOf = (rest: string) => {
    const text = `a: {b: c ${rest}`;
    const problems = new DocumentProblems(text, 10);
    const message = "Block collections are not allowed within flow collections";
    const errors = [{ code: "BLOCK_IN_FLOW", message, pos: [7, 8] as const }];
    reportSyntaxErrors(errors, { text, signs: new OpenSigns(), maxDepth: 100 }, problems);
    return problems.list().map(({ hint }) => hint);
  };
  const name = (length: number) => "n".repeat(length);
  test.each<[rest: string, hint?: string | undefined]>([
    ["d: e}", 'put a comma before "d"'],
    ["d.e-f_1: g}", 'put a comma before "d.e-f_1"'],
    [`${name(100)}: e}`, `put a comma before "${name(100)}"`],
    [`${name(101)}: e}`, undefined],
    [`${"x".repeat(197)} d: e}`, 'put a comma before "d"'],
    [`${"x".repeat(199)} d: e}`, undefined],
    [", d: e}", undefined],
    ["d e}", undefined],
    ["\nd: e}", 'put a comma before "d"'],
    ["f\n\nd: e}", undefined],
  ])("%j", (rest, hint) => expect(hintOf(rest)).toEqual([hint]));
});

test("too many levels are told once, and not beside other errors", () => {
  const deep = { code: "RESOURCE_EXHAUSTION", message: "too deep", pos: [0, 1] as const };
  const other = { code: "BAD_ALIAS", message: "Other", pos: [2, 3] as const };
  const messages = (
    ...errors: readonly { code: string; message: string; pos: readonly [number, number] }[]
  ) => {
    const problems = new DocumentProblems("a: b", 10);
    reportSyntaxErrors(errors, { text: "a: b", signs: new OpenSigns(), maxDepth: 7 }, problems);
    return problems.list().map(({ code, message }) => `${code}: ${message}`);
  };
  expect(messages(deep)).toEqual(["too-deep: nested deeper than 7 levels"]);
  expect(messages(deep, deep)).toEqual(["too-deep: nested deeper than 7 levels"]);
  expect(messages(deep, other)).toEqual(["too-deep: nested deeper than 7 levels", "yaml-syntax: other"]);
  expect(messages(other, deep)).toEqual(["yaml-syntax: other"]);
});

test("a comment right behind a quote or a bracket is a mistake to some alone, wherever it is", () => {
  const told = "a comment directly behind a quote or a bracket is one to the API server and the SDK alone";
  const errors = (text: string) => said(text).filter((one) => one.includes(told));
  expect(said("a: 'b'#c\n")).toEqual([`warning 1:7-1:9 ${told}; put a blank before it`]);
  for (const text of ['a: "b"#c\n', "a: [b]#c\n", "a: {b: c}#c\n"]) expect(errors(text)).toHaveLength(1);
  expect(said("a: |#c\n b")).toEqual([
    "error 1:5-1:7 comments must be separated from other tokens by white space characters",
  ]);
});

test("of several hints that of the text that needs quotes comes first, and that of the kind of mistake last", () => {
  const hintOf = (text: string) => {
    const problems = new DocumentProblems(text, 10);
    const at = text.indexOf("b");
    const errors = [{ code: "BAD_INDENT", message: "Implicit keys", pos: [at, at + 1] as const }];
    reportSyntaxErrors(errors, { text, signs: new OpenSigns(), maxDepth: 7 }, problems);
    return problems.list().map(({ hint }) => hint);
  };
  expect(hintOf("--a: *b")).toEqual(["a text that begins with * needs quotes"]);
  expect(hintOf("--a: b")).toEqual(["put a blank behind the dash"]);
  expect(hintOf("a: b")).toEqual([
    "give the lines of one map or list the same indentation, and close its bracket",
  ]);
});

test("once the parser has lost its way, no other stray sign is told, and all other mistakes are", () => {
  const stray = "Unexpected x token in YAML stream";
  const errors = [stray, "One", stray, "Two", stray].map((message, at) => ({
    code: "OTHER",
    message,
    pos: [at, at + 1] as const,
  }));
  const problems = new DocumentProblems("abcdef", 10);
  reportSyntaxErrors(errors, { text: "abcdef", signs: new OpenSigns(), maxDepth: 7 }, problems);
  expect(problems.list().map(({ message }) => message)).toEqual([
    "this does not belong to what stands before it",
    "one",
    "two",
  ]);
});

test("what too many levels stand in is no cause of them", () => {
  const problems = new DocumentProblems("<<<<<<< a", 10);
  const deep = { code: "RESOURCE_EXHAUSTION", message: "too deep", pos: [0, 1] as const };
  reportSyntaxErrors([deep], { text: "<<<<<<< a", signs: new OpenSigns(), maxDepth: 7 }, problems);
  expect(problems.list()).toMatchObject([{ code: "too-deep" }]);
});
