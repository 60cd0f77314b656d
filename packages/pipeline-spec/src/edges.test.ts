import { describe, expect, test } from "vitest";
import { compareReaders } from "../test/yaml-agreement.js";
import { LineTable, parsePipeline } from "./index.js";

// Second branches, equal bounds and what comes after a failure: each of these was once broken without another test noticing.

const file = (lines: string) => `pipelineInfo:\n  name: a\n${lines}root:\n  dag: {}\n`;

test("what ends with the line of Windows ends before it", () => {
  for (const lines of ["sdkVersion:\n  a: b\n", "components: |\n  a: b\n", "components: >\n  a: b\n\n"]) {
    const [problem] = parsePipeline(file(lines).replaceAll("\n", "\r\n")).problems;
    expect(problem).toMatchObject({ code: "wrong-type", range: { end: { line: 4, column: 7 } } });
  }
});

describe("words that are booleans to the SDK alone", () => {
  const words = (one: string) => [one, `${one[0]?.toUpperCase()}${one.slice(1)}`, one.toUpperCase()];
  const rows = [
    ...["yes", "on"].flatMap((one) => words(one).map((word) => [word, true] as const)),
    ...["no", "off"].flatMap((one) => words(one).map((word) => [word, false] as const)),
  ];
  test.each(rows)("%s, meant as %s", (word, meant) => {
    expect(parsePipeline(file(`sdkVersion: ${word}\n`)).problems).toMatchObject([
      { code: "ambiguous-scalar", hint: `put it in quotes, or write ${meant}` },
    ]);
  });
  test.each(["y", "n", "oN", "Yess", "of"])("%s is none of them", (word) => {
    expect(parsePipeline(file(`sdkVersion: ${word}\n`)).problems).toEqual([]);
  });
});

test("an anchor counts from where it stands, and twice in a document only to the API server", () => {
  const read = (text: string) => {
    const parsed = parsePipeline(
      `pipelineInfo: {name: a}\nroot: {dag: {}, inputDefinitions: {parameters: {p: {parameterType: STRUCT, defaultValue: {${text}}}}}}\n`,
    );
    const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable("nothing is wrong with it");
    const { p } = pipeline.spec.root?.inputDefinitions?.parameters ?? {};
    return [p?.defaultValue, parsed.problems.map(({ severity, message }) => `${severity}: ${message}`)];
  };
  const twice = ["warning: the anchor &x is set a second time, which the Python SDK refuses"];
  expect(read("a: &x {b: &x 1}, c: *x")).toEqual([{ a: { b: 1 }, c: 1 }, twice]);
  expect(read("a: &x [1, &x 2], c: *x")).toEqual([{ a: [1, 2], c: 2 }, twice]);
  expect(read("a: &x 1, b: &x 2, c: *x")).toEqual([{ a: 1, b: 2, c: 2 }, twice]);
  expect(read("a: &x 1, b: &y 2, c: *x")).toEqual([{ a: 1, b: 2, c: 1 }, []]);
});

test("an anchor that contains an alias of itself is told from one that is not there", () => {
  const messages = (value: string) =>
    parsePipeline(file(`x: ${value}\n`)).problems.map(({ message }) => message);
  expect(messages("&a [*a]")).toContain("the anchor &a contains this alias of itself");
  expect(messages("[*a]")).toContain("there is no anchor &a before this alias");
  expect(messages("[&a [b], *a]").join()).not.toContain("alias");
});

test.each([
  ["a", 100],
  ["é", 51],
  ["€", 34],
  ["😀", 25],
])("the limit of bytes counts those of UTF-8: %s", (char, fit) => {
  const comment = (count: number) => `#${char.repeat(count)}`;
  const size = (text: string) => new TextEncoder().encode(text).length;
  const isTooLarge = (text: string, maxBytes: number) =>
    parsePipeline(text, { maxBytes }).problems.some(({ code }) => code === "too-large");
  const bytes = size(comment(fit));
  expect(isTooLarge(comment(fit), bytes)).toBe(false);
  expect(isTooLarge(comment(fit), bytes - 1)).toBe(true);
});

test("a text that cannot be read is not looked at for what others would read", () => {
  const codes = parsePipeline(file('sdkVersion: "a" b\n# \u2028\n')).problems.map(({ message }) => message);
  expect(codes).toHaveLength(1);
  expect(codes[0]).not.toContain("U+2028");
});

test("of two misspellings of one field the first is read", () => {
  const result = parsePipeline(file("schemaVersoin: first\nschemaVersionn: second\n"));
  expect(result).toMatchObject({ ok: false, partial: { spec: { schemaVersion: "first" } } });
  expect(result.problems.map(({ code }) => code)).toEqual(["unknown-field", "unknown-field"]);
});

test.each(["a: |\n  x\n  \n  y\n", "a: |\n  \n  x\n", "a: >-\n  x\n  \n  y\n"])(
  "an empty line as far in as the others is ordinary: %j",
  (text) => expect(compareReaders(text)).toBe("same"),
);

test("lines end with any of the three ends, and positions are those behind it", () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    const text = `a${end}${end}bc`;
    const positions = Array.from(
      { length: text.length + 1 },
      (_, at) => new LineTable(text).range([at, at]).start,
    );
    const second = 1 + end.length;
    const third = second + end.length;
    expect(positions).toEqual(
      positions.map((_, offset) => {
        const [line, start] = offset < second ? [1, 0] : offset < third ? [2, second] : [3, third];
        return { offset, line, column: offset - start + 1 };
      }),
    );
  }
});

test("a carriage return alone ends a line, as it does to the API server, the SDK and editors", () => {
  const lines = "components:\n  c: {dag: 5}\nschemaVersion: |\n  a\n\n  b\nsdkVersion: 'a\n\n  b'\n";
  for (const end of ["\r", "\r\n", "\n"]) {
    const { problems, ...parsed } = parsePipeline(file(lines).replaceAll("\n", end));
    expect(problems).toMatchObject([
      { path: "/components/c/dag", range: { start: { line: 4, column: 12 }, end: { line: 4, column: 13 } } },
    ]);
    expect(parsed).toMatchObject({ partial: { spec: { schemaVersion: "a\n\nb\n", sdkVersion: "a\nb" } } });
  }
  const bytes = new TextEncoder().encode(file("# a\r# b\r"));
  expect(parsePipeline(bytes)).toMatchObject({ ok: true, problems: [] });
});
