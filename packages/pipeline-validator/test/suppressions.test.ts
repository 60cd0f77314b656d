import { describe, expect, test } from "vitest";
import { type ValidateOptions, validatePipeline } from "../src/index.js";

const directive = "# wye-disable-next-line component-unknown";
/** A pipeline with an error in its last line, and these lines before it. */
const withLines = (...lines: readonly string[]): string => `pipelineInfo: {name: hello}
schemaVersion: 2.1.0
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec:
  executors:
    exec-greet:
      container:
        image: busybox
        command:
        - sh
${lines.join("\n")}
root: {dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-nope}}}}}
`;
const codes = (text: string) =>
  validatePipeline(text, { rules: { "component-unused": "off" } }).problems.map(({ code }) => code);

describe("a comment disables a rule for the next line", () => {
  for (const lines of [
    [directive],
    ["", `  ${directive}`],
    [`${directive} -- it comes with the next release`],
    [`${directive} (it comes with the next release)`],
    [directive, "# another", ""],
    [`#${directive.slice(2)}`],
    [directive.replace("line ", "line: ")],
  ]) {
    test(JSON.stringify(lines), () => expect(codes(withLines(...lines))).toEqual([]));
  }
});

test("of two comments that disable the same for a line the second is useless", () => {
  const { problems } = validatePipeline(withLines(directive, directive), {
    rules: { "component-unused": "off" },
  });
  expect(problems.map(({ code, range }) => [code, range?.start.line])).toEqual([["disable-useless", 12]]);
});

describe("what only looks like a comment disables nothing, and is not complained about", () => {
  const rows: Readonly<Record<string, readonly string[]>> = {
    "a line of a script": ["        - |", `          ${directive}`],
    "a line of a folded text": ["        - >-", "          cat", `          ${directive}`],
    "a line in single quotes": ["        - 'cat", `          ${directive}'`],
    "a line in double quotes": ['        - "cat', `          ${directive}"`],
    "a comment about us": ["# wye-runner takes this for granted", "# wyeth-disable, or the wye"],
  };
  for (const [name, lines] of Object.entries(rows)) {
    test(name, () => expect(codes(withLines(...lines))).toEqual(["component-unknown"]));
  }
});

describe("a comment that was to disable a rule, and disables none, is told", () => {
  const slips = [
    ["# wye-disable-nextline component-unknown", 'no comment begins with "wye-disable-nextline"'],
    ["# wye-disable-next-lines component-unknown", 'no comment begins with "wye-disable-next-lines"'],
    ["  # WYE-DISABLE-NEXT-LINE component-unknown", 'no comment begins with "WYE-DISABLE-NEXT-LINE"'],
    ["# wye_disable_next_line component-unknown", 'no comment begins with "wye_disable_next_line"'],
    ["#wye-disalbe-next-line component-unknown", 'no comment begins with "wye-disalbe-next-line"'],
    ["# wye-disable-line component-unknown", 'no comment begins with "wye-disable-line"'],
    ["# wye-disable", 'no comment begins with "wye-disable"'],
    ["# wye-ignore: component-unknown", 'no comment begins with "wye-ignore"'],
    ["        - date # wye-disable component-unknown", 'no comment begins with "wye-disable"'],
  ] as const;
  for (const [line, message] of slips) {
    test(line, () => {
      const { problems } = validatePipeline(withLines(line), { rules: { "component-unused": "off" } });
      const [slip, ...rest] = problems;
      expect(rest.map(({ code }) => code)).toEqual(["component-unknown"]);
      expect(slip).toMatchObject({ code: "disable-unknown-rule", severity: "warning", message });
      expect(slip?.hint).toContain("wye-disable-next-line");
      const { start, end } = slip?.range ?? expect.unreachable("it has a place");
      expect([start.line, line.slice(start.column - 1, end.column - 1)]).toEqual([11, message.slice(24, -1)]);
    });
  }

  test("behind something else", () => {
    const { problems } = validatePipeline(withLines(`        - date ${directive}`), {
      rules: { "component-unused": "off" },
    });
    expect(problems.map(({ code }) => code)).toEqual(["disable-useless", "component-unknown"]);
    expect(problems[0]).toMatchObject({ message: "a comment behind something else disables nothing" });
  });
});

const unreadable: readonly (readonly [code: string, text: string, options?: ValidateOptions])[] = [
  ["yaml-syntax", "# wye-disable-next-line yaml-syntax\na: b: c\n"],
  ["not-a-pipeline", "# wye-disable-next-line not-a-pipeline\na: b\n"],
  ["empty", "", { rules: { empty: "off" } }],
  ["yaml-syntax", "a: b: c\n", { rules: { "yaml-syntax": "warning" } }],
  ["too-large", "a: b\n", { parse: { maxBytes: 3 }, rules: { "too-large": "off" } }],
];
for (const [code, text, options] of unreadable) {
  test(`what makes a file unreadable cannot be disabled: ${JSON.stringify([text, options])}`, () => {
    const { ok, problems } = validatePipeline(text, options);
    expect(ok).toBe(false);
    expect(problems).toMatchObject([{ code, severity: "error" }]);
  });
}

test("a mistake of form that is disabled hides nothing that follows from it", () => {
  const lost = "# wye-disable-next-line wrong-type\ncomponents: 5\n";
  const text = `pipelineInfo: {name: greeting}\nschemaVersion: 2.1.0\n${lost}root: {dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-greet}}}}}\n`;
  const { problems, unchecked } = validatePipeline(text);
  expect(problems.map(({ code }) => code)).toEqual(["component-unknown"]);
  expect(unchecked).toEqual([]);
  const open = validatePipeline(text.replace("# wye-disable-next-line wrong-type\n", ""));
  expect(open.problems.map(({ code }) => code)).toEqual(["wrong-type"]);
  expect(open.unchecked).toMatchObject([{ path: "/components", reason: "wrong-type", hidden: 1 }]);
});
