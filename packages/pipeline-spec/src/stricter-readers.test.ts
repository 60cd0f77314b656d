import { expect, test } from "vitest";
import { parsePipeline } from "./index.js";

// What the API server (gopkg.in/yaml.v3) and the SDK (PyYAML) make of these texts was tried with both.

const head =
  "pipelineInfo: {name: a}\nroot: {dag: {}}\ndeploymentSpec:\n  executors:\n    e:\n      container:\n        ";

const found = (line: string) =>
  parsePipeline(head + line.replaceAll("\n", "\n        ")).problems.map(({ severity, message, range }) => [
    severity,
    message,
    (head + line.replaceAll("\n", "\n        ")).slice(range?.start.offset, range?.end.offset),
  ]);

const colon =
  "in brackets the API server and the SDK cannot read a text without quotes that has a colon at its beginning";
const question =
  "in brackets the API server and the SDK cannot read a text without quotes that has a question mark";
const lines =
  "the API server and the SDK cannot read a key in brackets that is not in one line with its colon";
const tab = "the API server cannot read a block of lines that begins with a tab";
const tight = "to the API server the colon belongs to the text before it, and this bracket is a mistake";
const indented = "the API server and the SDK cannot read a line of blanks or a comment that a tab indents";

/** What to do about each of them. */
const hints: Readonly<Record<string, string>> = {
  [colon]: "put it in quotes",
  [question]: "put it in quotes",
  [lines]: "write both in one line",
  [tab]: "say how far the lines are indented, as in |2, or use double quotes",
  [tight]: "put a blank behind it",
  [indented]: "indent with spaces",
};
const hintsOf = (text: string, message: string) =>
  parsePipeline(text)
    .problems.filter((one) => one.message === message)
    .map(({ hint }) => hint);

test.each([
  ["command: [curl, http://x/data?rows=5]", question, "http://x/data?rows=5"],
  ["command: [done?]", question, "done?"],
  ["command: [?a]", question, "?a"],
  ["env: [{name: a, value: b?}]", question, "b?"],
  ["env: [{na?me: a}]", question, "na?me"],
  ["command: [date, :b]", colon, ":b"],
  ["env: [{name: :b}]", colon, ":b"],
  ['env: [{"name"\n: a}]', lines, '"name"\n        :'],
  ["env: [{name\n: a}]", lines, "name\n        :"],
  ["env: [{'na\nme': a}]", lines, "'na\n        me':"],
  ["command:\n- |\n  \ta\n", tab, ""],
  ["command:\n- >-\n\n  \ta\n", tab, ""],
  ["env: [{name:[a]}]", tight, ":["],
  ["env: [{name:{}}]", tight, ":{"],
  ["command: [a:[b]]", tight, ":["],
  ["command: [a]\n\t\nimage: b", indented, ""],
  ["command:\n\t# c\n- a", indented, ""],
  ["command: a\n\t # c", indented, ""],
  ['command: "a"\n  \t# c\nimage: b', indented, ""],
])("%j is an error", (line, message, place) => {
  expect(found(line)).toContainEqual(["error", message, place]);
  expect(hintsOf(head + line.replaceAll("\n", "\n        "), message)).toEqual([hints[message]]);
});

test.each<[line: string, at: string]>([
  ["command:\n- |\n  \ta\n", "9:11"],
  ["command:\n- >-\n\n  \ta\n", "10:11"],
  ["command:\n- |\n\ta\n", "9:9"],
  ["command: [a]\n\t\nimage: b", "8:9"],
  ["command:\n\t# c\n- a", "8:9"],
  ["command: a\n \t # c", "8:10"],
  ['command: "a"\n  \t\t# c\nimage: b', "8:11"],
])("the tab of %j is where it is", (line, at) => {
  const { problems } = parsePipeline(head + line.replaceAll("\n", "\n        "));
  const tabs = problems.filter(({ message }) => message === tab || message === indented);
  expect(tabs.map(({ range }) => `${range?.start.line}:${range?.start.column}`)).toEqual([at]);
});

test.each([
  "command: [curl, 'http://x/data?rows=5', \"a?\"]",
  "command:\n- http://x/data?rows=5\n- a? b\n- :c\n",
  "env: [{name : a, 'value' : b:c}]",
  'env: [{"name":, value: b}, {name: , value: b}]',
  "env: [{\n  name: a,\n  'value': b\n  }]",
  "command: [a\n  b, c]",
  "command:\n- |2\n    \ta\n- |\n  a\n  \tb\n",
  "command: [\"a?\",\n  'b\n  c']",
  'lifecycle: {"preCacheCheck":{"command":[a]}}',
  "lifecycle: {preCacheCheck: {command: [a]}}",
  "command: [a,\n\t# c\n\t\n b]\t# d\nimage:\tb\t\n",
  "command:\t\n- |\n  a\n  \t\n  \t# b\n- 'c\n\t\n\td'\n",
])("%j is not", (line) => {
  expect(found(line)).toEqual([]);
});

test("a colon directly before a bracket is a part of the text to the API server", () => {
  expect(found("env: [{name: a, value:}]")).toEqual([
    ["warning", "to the API server the colon belongs to the text before it", ":"],
  ]);
  const before = "to the API server the colon belongs to the text before it";
  for (const line of ["env: [{name: a, value:}]", "env: [{value:, name: a}]", "env: [name:]"]) {
    expect(found(line)).toContainEqual(["warning", before, ":"]);
    expect(hintsOf(head + line, before)).toEqual(["put a blank behind it"]);
  }
  expect(found('env: [{name: a, value: }, {"name":}]')).toEqual([]);
});

test("a second merge is an error", () => {
  expect(found("env: [{<<: {name: a}, <<: {value: b}}]")).toEqual([
    ["error", 'the key "<<" is here a second time', "<<"],
  ]);
});

test("an empty line behind an escaped break is a break", () => {
  for (const lineEnd of ["\n", "\r\n"]) {
    for (const anchor of ["", "&x "]) {
      const text = `${head}command:\n        - ${anchor}"a\\\n\n          \\ b\\\n \n\n  c"\n`.replaceAll(
        "\n",
        lineEnd,
      );
      const result = parsePipeline(text);
      const { deployment } = result.ok ? result.pipeline : expect.unreachable("it is valid");
      expect(deployment.executors.e?.spec).toMatchObject({ value: { command: ["a\n b\n\nc"] } });
    }
  }
});

const version = "the API server refuses a file of another version of YAML than 1.1";
test.each([
  ["%YAML 1.2", version],
  ["%YAML 1.3", version],
  ["%YAML 2.0", version],
  ["%YAML 1.1\n%YAML 1.1", "the API server and the SDK refuse a second %YAML in one document"],
  ["%FOO bar", "the API server refuses this directive"],
])("the directive %j is an error", (directive, message) => {
  const { ok, problems } = parsePipeline(`# made by a tool\n${directive}\n---\n${head}image: a\n`);
  const last = directive.split("\n").length;
  expect([ok, problems.map((one) => [one.severity, one.message, one.range?.start.line])]).toEqual([
    false,
    [["error", message, last + 1]],
  ]);
  expect(problems.map(({ hint }) => hint)).toEqual(["leave the line out"]);
  const [line = ""] = directive.split("\n");
  expect(problems.map(({ range }) => (range?.end.column ?? 0) - 1)).toEqual([line.length]);
});

test.each(["%YAML 1.1", "%YAML 1.1 # the one that everybody reads", "%TAG !a! tag:a,2026:"])(
  "the directive %j is not",
  (directive) => {
    const text = `${directive}\n---\n${head}image: 'a\n          %b'\n        command: [a, b%c]\n        args:\n        - |\n          %YAML 1.2\n`;
    expect(parsePipeline(text).problems).toEqual([]);
    const platform = `...\n${directive}\n---\nplatforms: {}\n`;
    expect(parsePipeline(text + platform).problems).toEqual([]);
  },
);
