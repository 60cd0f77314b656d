import { describe, expect, test } from "vitest";
import { parsePipeline } from "./index.js";

// What the API server (gopkg.in/yaml.v3) and the SDK (PyYAML) make of these texts was tried with both.

const file = (lines: string) => `pipelineInfo:\n  name: a\n${lines}root:\n  dag: {}\n`;
const found = (text: string) =>
  parsePipeline(text).problems.map(({ severity, message, range }) => [
    severity,
    message.replace(/U\+\S+ .*/, "U"),
    `${range?.start.line}:${range?.start.column}`,
  ]);

describe.each(["\u0085", "\u2028", "\u2029"])("%j ends a line in YAML 1.1", (char) => {
  test.each([
    ["in a comment", `# a${char}b: c\n`, "3:4"],
    ["in a text without quotes", `sdkVersion: a${char}b\n`, "3:14"],
    ["in a block", `sdkVersion: |\n  a${char}b\n`, "4:4"],
    ["in a list in brackets", `x-y: [a${char}b]\n`, "3:8"],
    ["in a key", `sdk${char}: a\n`, "3:4"],
  ])("%s, and is an error there", (_, lines, place) => {
    expect(found(file(lines))).toContainEqual(["error", "the character U", place]);
  });

  test("in quotes it stays", () => {
    for (const lines of [`sdkVersion: "a${char}b"\n`, `sdkVersion: 'a${char}b'\n`]) {
      const result = parsePipeline(file(lines));
      expect(result.ok && result.pipeline.spec.sdkVersion).toBe(`a${char}b`);
      expect(found(file(lines))).toEqual(char === "\u0085" ? [["warning", "the character U", "3:15"]] : []);
    }
  });

  test("in JSON nothing is said", () => {
    expect(found(JSON.stringify({ pipelineInfo: { name: `a${char}` }, root: { dag: {} } }))).toEqual([]);
  });
});

describe("escapes that the API server cannot read are warnings, the first of each kind", () => {
  const slash = "the API server cannot read the escape \\/";
  const halves = "the API server and the Python SDK cannot read a character that is escaped in two halves";
  test.each([
    ["\\/", [["warning", slash, "3:14"]]],
    ["x\\/\\/", [["warning", slash, "3:15"]]],
    ["\\ud83d\\ude00", [["warning", halves, "3:14"]]],
    [
      "\\uD83D\\uDE00 \\/",
      [
        ["warning", halves, "3:14"],
        ["warning", slash, "3:27"],
      ],
    ],
    ["\\\\/", []],
    ["\\\\ud83d", []],
    ["\\\\\\/", [["warning", slash, "3:16"]]],
    ["\\ue000 \\ud7ff", []],
    ["/ 😀", []],
  ])("%s", (written, expected) => {
    expect(found(file(`sdkVersion: "${written}"\n`))).toEqual(expected);
    const json = `{"pipelineInfo": {"name": "a"},\n\n"sdkVersion":"${written}", "root": {"dag": {}}}`;
    const places = expected.map(([severity, message, place]) => [
      severity,
      message,
      place?.replace(/\d+$/, (n) => `${Number(n) + 1}`),
    ]);
    expect(found(json)).toEqual(places);
  });

  test("with the path of what they are in", () => {
    const paths = (text: string) => parsePipeline(text).problems.map(({ path }) => path);
    const specification = "pipelineInfo: {name: a}\nroot:\n  dag: {}\n";
    const executors =
      'deploymentSpec:\n  executors:\n    e/1:\n      container:\n        image: a\n        args: [b, "\\/"]\n';
    expect(paths(specification + executors)).toEqual(["/deploymentSpec/executors/e~11/container/args/1"]);
    const platform =
      '---\nplatforms:\n  kubernetes:\n    deploymentSpec: {executors: {e: {podMetadata: {labels: {"a\\ud83d\\ude00": b}}}}}\n';
    const label = "/platforms/kubernetes/deploymentSpec/executors/e/podMetadata/labels/a😀";
    expect(paths(specification + platform)).toEqual([label]);
    expect(paths('{"pipelineInfo": {"name": "\\/"}, "root": {"dag": {}}}')).toEqual(["/pipelineInfo/name"]);
    expect(paths(`${specification}sdkVersion: "a\u0085"\n`)).toEqual(["/sdkVersion"]);
  });

  test("not in other texts", () => {
    expect(found(file("sdkVersion: 'a\\/'\nschemaVersion: 2.1.0\\/\n"))).toEqual([]);
  });
});

describe("what to do about each is told", () => {
  const messages = (text: string) =>
    parsePipeline(text).problems.map(({ code, message, hint, range }) => [
      ...[code, message, hint],
      text.slice(range?.start.offset, range?.end.offset),
    ]);
  const ends = (char: string) =>
    `the character U+${char} ends a line to the API server and the Python SDK, but for texts in quotes`;
  const remove = "remove it, or put the text in double quotes";
  const blank = "the character U+0085 is a blank to the API server and the Python SDK";
  const write = "write \\N in double quotes, or a blank";
  const halves = "the API server and the Python SDK cannot read a character that is escaped in two halves";
  test.each<[line: string, ...problem: unknown[]]>([
    ["# \u2028", "yaml-syntax", ends("2028"), remove, "\u2028"],
    ["# \u2029", "yaml-syntax", ends("2029"), remove, "\u2029"],
    ["# \u0085", "yaml-syntax", ends("0085"), remove, "\u0085"],
    ['sdkVersion: "a\u0085b"', "ambiguous-scalar", blank, write, "\u0085"],
    ["sdkVersion: 'a\u0085b'", "ambiguous-scalar", blank, write, "\u0085"],
    [
      'sdkVersion: "\\/"',
      "ambiguous-scalar",
      "the API server cannot read the escape \\/",
      "write / alone",
      "\\/",
    ],
    [
      'sdkVersion: "\\ud83d\\ude00"',
      "ambiguous-scalar",
      halves,
      "write the character itself",
      "\\ud83d\\ude00",
    ],
    [
      'sdkVersion: "\\U0000D83D\\ude00"',
      "ambiguous-scalar",
      halves,
      "write the character itself",
      "\\U0000D83D\\ude00",
    ],
  ])("%j", (line, ...problem) => {
    const told = messages(file(`${line}\n`));
    expect(told).toContainEqual(problem);
    expect(told.filter(([, , hint]) => hint === problem[2])).toHaveLength(1);
  });

  test("of a tab behind a dash, which only what stands behind a dash is", () => {
    const text = file("root2:\n  b:\n  -\ta\n");
    expect(messages(text)).toContainEqual(["yaml-syntax", "a tab stands behind this dash", "use blanks", ""]);
    const [tab] = parsePipeline(text).problems.filter(({ message }) => message.includes("tab"));
    expect(tab?.range?.end).toEqual(tab?.range?.start);
    for (const line of ["# -\ta", "sdkVersion: a -\tb", "sdkVersion: [a,\tb]", "'-': a\t# b"]) {
      expect(found(file(`${line}\n`)).filter(([, message]) => message?.includes("tab stands"))).toEqual([]);
    }
  });
});

test.each([
  ["-\ta\n", "5:4"],
  ["- \ta\n", "5:5"],
  ["- -\ta\n", "5:6"],
])("a tab behind a dash is no blank to the back ends: %j", (item, place) => {
  const text = file(`root2:\n  b:\n  ${item}`);
  expect(found(text)).toContainEqual(["error", "a tab stands behind this dash", place]);
});

test("a tab elsewhere is one", () => {
  expect(found(file("sdkVersion:\ta\nschemaVersion: x -\t1\n"))).toEqual([]);
  expect(found(file('sdkVersion: "-\ta"\nschemaVersion: |\n  -\tx\n'))).toEqual([]);
});

test.each(['sdkVersion: "a"# b\n', "sdkVersion: 'a'# b\n", "defaultPipelineRoot: 'x'#\n"])(
  "a comment directly behind a quote is one to the back ends: %s",
  (lines) => {
    const told = "a comment directly behind a quote or a bracket is one to the API server and the SDK alone";
    expect(parsePipeline(file(lines)).ok).toBe(true);
    expect(found(file(lines))).toEqual([["warning", told, expect.stringMatching(/^3:/)]]);
  },
);

test("a comment behind a bracket, too, and none behind a block", () => {
  expect(parsePipeline("pipelineInfo: {name: a}# b\nroot: {dag: {}}# c\n").ok).toBe(true);
  expect(parsePipeline(file("sdkVersion: |# b\n  a\n")).ok).toBe(false);
});
