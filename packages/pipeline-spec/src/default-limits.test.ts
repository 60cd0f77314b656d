import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type ParseOptions, parsePipeline } from "./index.js";

const told = (text: string) => parsePipeline(text).problems.map(({ code, message }) => `${code}: ${message}`);

test("a file may have 32 MiB", () => {
  expect(told(`#${"a".repeat(2 ** 25 - 1)}`)).toEqual(["empty: there is no document in this text"]);
  expect(told(`#${"a".repeat(2 ** 25)}`)).toEqual(["too-large: the text has more than 33554432 bytes"]);
});

test("a file may have three million values", () => {
  expect(told("-\n".repeat(3_000_000))).toEqual(["too-large: the text has more than 3000000 values"]);
});

test("a file with more than a MiB is read by our own reader alone", () => {
  const file = (size: number) => {
    const text = "pipelineInfo: &a {name: b}\nroot: {dag: {}}\n#";
    return text + "a".repeat(size - text.length);
  };
  expect(told(file(2 ** 20))).toEqual([]);
  const [problem, ...others] = parsePipeline(file(2 ** 20 + 1)).problems;
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    code: "too-large",
    message:
      "what stands here is a mistake, or is read by a slower reader, which takes no text of more than 1048576 bytes",
    range: { start: { line: 1, column: 15 }, end: { line: 1, column: 16 } },
  });
});

test("aliases may stand for a million values", () => {
  const ten = (name: string) => `[${`*${name}, `.repeat(10)}]`;
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [index, name] of [..."bcdefgh"].entries())
    lines.push(`${name}: &${name} ${ten("abcdefg"[index] ?? "")}`);
  expect(told(lines.join("\n"))).toContain("too-many-aliases: aliases stand for more than 1000000 values");
});

test("bytes may come from elsewhere", () => {
  const bytes = runInNewContext("new Uint8Array([35, 97])") as Uint8Array;
  expect(bytes).not.toBeInstanceOf(Uint8Array);
  expect(parsePipeline(bytes).problems).toMatchObject([{ code: "empty" }]);
});

const ofTokens = "raise the limit maxTokens";
const slower =
  "what stands here is a mistake, or is read by a slower reader, which takes no text of more than 9 bytes";
const mend =
  "mend it, or write it without anchors, tags, tabs and the like; to be told what it is, raise the limit maxSlowBytes";
test.each<[text: string, options: ParseOptions, message: string, place: string, hint?: string | undefined]>([
  ["a: b", { maxBytes: 3 }, "the text has more than 3 bytes", "0-0", "raise the limit maxBytes"],
  [
    "- a\n- b\n- c\n",
    { maxTokens: 3, maxSlowBytes: 9 },
    "the text has more than 3 values",
    "10-10",
    ofTokens,
  ],
  ["&a [b, c, d, e]", { maxTokens: 8 }, "the text has more than 8 YAML tokens", "7-7", ofTokens],
  ["[[[a, b]]]", { maxDepth: 2, maxSlowBytes: 9 }, "nested deeper than 2 levels", "2-3"],
  ["&a [[[b]]]", { maxDepth: 2 }, "nested deeper than 2 levels", "5-6"],
  ["a: b\nc: &d e", { maxSlowBytes: 9 }, slower, "8-9", mend],
])(
  "what is beyond a limit is told where it begins, with the limit: %j, %j",
  (text, options, message, place, hint) => {
    const [problem, ...others] = parsePipeline(text, options).problems;
    const { start, end } = problem?.range ?? {};
    expect([problem?.message, `${start?.offset}-${end?.offset}`, problem?.hint]).toEqual([
      message,
      place,
      hint,
    ]);
    expect(others).toEqual([]);
  },
);
