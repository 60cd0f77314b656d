import { describe, expect, test } from "vitest";
import { examplePipeline, type ValidateOptions, validatePipeline } from "../src/index.js";

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
    [directive, "", "  ", "# another"],
    [`#${directive.slice(2)}`],
    [`#${" ".repeat(20)}${directive.slice(2)}`],
    [directive.replace("line ", "line: ")],
  ]) {
    test(JSON.stringify(lines), () => {
      const text = withLines(...lines);
      expect(codes(text)).toEqual([]);
      expect(codes(text.replaceAll("\n", "\r\n"))).toEqual([]);
    });
  }

  test("unless more than twenty blanks stand before what it says", () => {
    const comment = `#${" ".repeat(21)}${directive.slice(2)}`;
    expect(codes(withLines(comment))).toEqual(["component-unknown"]);
  });

  test("also where what breaks it goes on for several lines", () => {
    const name = ['  name: "Bad', '    Name!"'];
    const of = (...lines: readonly string[]) =>
      codes(examplePipeline.replace("  name: example", () => lines.join("\n")));
    const comment = "  # wye-disable-next-line pipeline-name-style";
    expect(of(...name)).toEqual(["pipeline-name-style"]);
    expect(of(comment, ...name)).toEqual([]);
  });
});

test("a comment that names no rule is told of, also behind one that does", () => {
  const { problems } = validatePipeline(withLines(directive, directive.slice(0, -18)), {
    rules: { "component-unused": "off" },
  });
  expect(problems.map(({ message, range }) => [message, range?.start.line])).toEqual([
    ["the comment names no rule", 12],
  ]);
});

test("of two comments that disable the same for a line the second is useless", () => {
  const { problems } = validatePipeline(withLines(directive, directive), {
    rules: { "component-unused": "off" },
  });
  expect(problems.map(({ code, range }) => [code, range?.start.line])).toEqual([["disable-useless", 12]]);
});

test("of a rule that is turned off it is not said that a comment is useless", () => {
  const useless = (rules = {}) =>
    validatePipeline(withLines("# wye-disable-next-line image-missing"), { rules })
      .problems.map(({ code }) => code)
      .filter((code) => code.startsWith("disable-"));
  expect(useless()).toEqual(["disable-useless"]);
  expect(useless({ "image-missing": "warning" })).toEqual(["disable-useless"]);
  expect(useless({ "image-missing": "off" })).toEqual([]);
});

test.each(["disable", "enable", "ignore", "no", "off", "skip", "suppress"])(
  "a comment that begins with wye-%s and is none of ours is told of, in any capitals",
  (word) => {
    for (const start of [`wye-${word}`, `WYE_${word}-rule`]) {
      const { problems } = validatePipeline(withLines(`# ${start} component-unknown`));
      expect(problems.map(({ message }) => message)).toContain(`no comment begins with "${start}"`);
    }
    const { problems } = validatePipeline(withLines(`# wye-${word}body component-unknown`));
    expect(problems.filter(({ code }) => code.startsWith("disable-"))).toEqual([]);
  },
);

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

test("a line of a text that begins where lines begin is no comment", () => {
  const flow = (line: string) =>
    `{pipelineInfo: {name: "a\n${line}\n b"}, schemaVersion: 2.1.0,\nroot: {dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-nope}}}}}}\n`;
  expect(codes(flow(directive))).toEqual(codes(flow("x")));
  expect(codes(flow("# wye-disable"))).toEqual(codes(flow("x")));
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
      expect(slip?.hint).toBe("did you mean wye-disable-next-line, on the line before?");
      const { start, end } = slip?.range ?? expect.unreachable("it has a place");
      expect([start.line, line.slice(start.column - 1, end.column - 1)]).toEqual([11, message.slice(24, -1)]);
    });
  }

  test("behind something else", () => {
    const { problems } = validatePipeline(withLines(`        - date ${directive}`), {
      rules: { "component-unused": "off" },
    });
    expect(problems.map(({ code }) => code)).toEqual(["disable-useless", "component-unknown"]);
    expect(problems[0]).toMatchObject({
      message: "a comment behind something else disables nothing",
      hint: "put it on a line of its own before this one",
      range: { start: { line: 11, column: 18 }, end: { line: 11, column: 39 } },
    });
  });

  const useless = (id: string) => `the next line does not break the rule "${id}"`;
  const known = "component-unknown";
  test.each([
    ["", [["the comment names no rule", directive.slice(0, -18), undefined]]],
    [
      " -- for a reason",
      [["the comment names no rule", `${directive.slice(0, -18)} -- for a reason`, undefined]],
    ],
    [` ${known}, task-cycle`, [[useless("task-cycle"), "task-cycle", "remove the comment"]]],
    [
      ` ${known},task-cycle:dag-empty task-cycle`,
      [
        [useless("task-cycle"), "task-cycle", "remove the comment"],
        [useless("dag-empty"), "dag-empty", "remove the comment"],
        [useless("task-cycle"), "task-cycle", "remove the comment"],
      ],
    ],
    [
      ` ${known} task-cycel -- task-cycle`,
      [['there is no rule "task-cycel"', "task-cycel", 'did you mean "task-cycle"?']],
    ],
    [
      ` ${known} - task-cycle`,
      [
        ['there is no rule "-"', "-", undefined],
        [useless("task-cycle"), "task-cycle", "remove the comment"],
      ],
    ],
    [` ${known} qqqq (task-cycle)`, [['there is no rule "qqqq"', "qqqq", undefined]]],
    [` ${known} rule-failed`, [['no comment disables "rule-failed"', "rule-failed", "remove the comment"]]],
  ] as const)("that says%s", (more, told) => {
    const text = withLines(`  ${directive.slice(0, -18)}${more}`);
    const { problems } = validatePipeline(text, { rules: { "component-unused": "off" } });
    const found = problems.filter(({ code }) => code.startsWith("disable-"));
    expect(
      found.map(({ message, hint, range, severity, path }) => [
        message,
        text.slice(range?.start.offset, range?.end.offset),
        hint,
        severity,
        path,
        range?.start.line,
      ]),
    ).toEqual(told.map((one) => [...one, "warning", "", 11]));
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

const final = "nothing can be read of such a file, so that this stays an error";
test.each([
  ["", "empty", final],
  ["a: b\n", "too-large", `raise the limit maxBytes; ${final}`],
])("that %j stays an error is said where an option says otherwise", (text, code, hint) => {
  const parse = { maxBytes: 3 };
  const hints = (rules: ValidateOptions["rules"] = {}) =>
    validatePipeline(text, { parse, rules }).problems.map((problem) => problem.hint);
  expect(hints({ [code]: "warning" })).toEqual([hint]);
  expect(hints({ [code]: "error" })).toEqual(hints());
  expect(hints()).not.toEqual([hint]);
});

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
