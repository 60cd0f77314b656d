import { describe, expect, test } from "vitest";
import { parsePipeline } from "./index.js";
import { SecondValue } from "./second-value.js";

const found = (text: string): readonly string[] =>
  parsePipeline(text).problems.map(
    ({ message, range }) => `${range?.start.line}:${range?.start.column} ${message}`,
  );
const second = "a second value begins here, below the one that is the document";

describe("a file with a value in each line is told of once", () => {
  test.each([
    ["{pipelineInfo: {name: a}}\n{platforms: {}}\n{a: 1}\n", "2:1"],
    ["{pipelineInfo: {name: a}}\n\n  # c\n  [1]\n", "4:3"],
    ['\ufeff{"a": {"b": "}"}}\r\n{"b": 1}\r\n', "2:1"],
    ["%YAML 1.1\n---\n# c\n[1]\n[2]", "5:1"],
    [`${'{"a": [1, {}]}\n'.repeat(5_000)}`, "2:1"],
  ])("%j", (text, place) => {
    expect(found(text)).toEqual([`${place} ${second}`]);
    const [problem] = parsePipeline(text).problems;
    expect(text.slice(problem?.range?.start.offset, problem?.range?.end.offset)).toMatch(/^[{[]$/);
    expect(problem?.hint).toBe("put --- between documents; a file with a value in each line is no pipeline");
  });
});

test.each([
  "{pipelineInfo: {name: a}}\n# c\n",
  "%YAML 1.1\n---\n{pipelineInfo: {name: a}} # c\n\n# d\n---\n{platforms: {}}\n",
  "{pipelineInfo: {name: a}}\n...\n{platforms: {}}\n",
  '{"pipelineInfo":\n{"name":\n"a"}}\n',
])("a document below another is none: %j", (text) => expect(found(text)).toEqual([]));

test.each(["{a: 1}: x\n{b: 1}: y\n", '{a: 1}\n"b": {}\n', "a: {}\n{b: 1}\n"])(
  "other mistakes are told as what they are: %j",
  (text) => {
    const told = found(text);
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((one) => one.includes(second))).toEqual([]);
  },
);

describe("of a text that is no YAML a bounded part is looked at", () => {
  test.each(["[]", "{a}", "]", "'' ", "*a ", "! ", "[x] [y] {}\n", "- a: b: c\n"])("%j", (part) => {
    const { ok, problems, counts } = parsePipeline(`x: ${part.repeat(20_000)}`);
    expect([ok, problems.length > 0, counts.error <= 1_000]).toEqual([false, true, true]);
  });
});

test.each<[lexemes: readonly string[], at: number]>([
  [["{", "}", "\n", "...", "\n", "[", "]", "\n", "["], 8],
  [["{", "}", "\r", "["], 3],
  [["a", "\n", "---", "{", "}", "\n", "["], 6],
  [["\ufeff", "{", "}", "\n", "# a", "\n", "["], 6],
  [["[", "{", "}", "\n", "{", "}", "]", "["], -1],
])("of the lexemes %j the second value begins at %i", (lexemes, at) => {
  const second = new SecondValue();
  expect(lexemes.findIndex((lexeme) => second.see(lexeme))).toBe(at);
});
