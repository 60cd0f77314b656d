import { PlatformSpec, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

const codesOf = (text: string, options = {}) =>
  validatePipeline(text, options).problems.map(({ code }) => code);
const misspelt = examplePipeline.replace("{name: comp-branch}", "{name: comp-brunch}");

describe("a problem", () => {
  test("has a pointer, a range, a message and a hint", () => {
    const problem = validatePipeline(misspelt).problems.find(({ code }) => code === "component-unknown");
    expect(problem).toMatchObject({
      path: "/root/dag/tasks/branch/componentRef/name",
      severity: "error",
      message: 'there is no component "comp-brunch"',
      hint: 'did you mean "comp-branch"?',
    });
    const { start, end } = problem?.range ?? expect.fail("no range");
    expect(misspelt.slice(start.offset, end.offset)).toBe("comp-brunch");
  });

  test("has related places with ranges", () => {
    const text = examplePipeline
      .replace("label: {componentInputParameter: label}", "label: {componentInputParameter: lable}")
      .replace("message: {componentInputParameter: label}", "message: {componentInputParameter: lable}");
    const found = validatePipeline(text).problems.find(({ code }) => code === "parent-input-unknown");
    const [related] = found?.related ?? [];
    expect(related).toMatchObject({
      path: "/components/comp-branch/inputDefinitions",
      message: "inputs are declared here",
    });
    expect(text.slice(related?.range?.start.offset, related?.range?.end.offset)).toBe("inputDefinitions");
  });
});

const conditions: readonly (readonly [name: string, written: string])[] = [
  ["plain", "inputs.parameter_values['lable'] == 'large'"],
  ["in double quotes", `"inputs.parameter_values['lable'] == 'large'"`],
  ["in single quotes with doubled ones", "'inputs.parameter_values[''lable''] == ''large'''"],
  ["with escapes", `"\\x69nputs.parameter_values[\\u0027lable\\u0027] == 'large'"`],
  [
    "folded",
    `>-\n            inputs.parameter_values['x'] == 'y' ||\n            inputs.parameter_values['lable'] == 'large'`,
  ],
  ["literal", `|-\n            'a' == 'b' ||\n            inputs.parameter_values['lable'] == 'large'`],
  [
    "over two plain lines",
    "'a' == 'b' ||\n            inputs.parameter_values['lable'] == 'large'".replace("'a'", "1 == 1 || 'a'"),
  ],
];

describe("a range inside an expression", () => {
  for (const [name, written] of conditions) {
    test(`is exact when the text is ${name}`, () => {
      const text = examplePipeline.replace("inputs.parameter_values['label'] == 'large'", written);
      const problems = validatePipeline(text).problems.filter(({ message }) => message.includes('"lable"'));
      expect(problems.map(({ code }) => code)).toEqual(["condition-input-unknown"]);
      const range = problems[0]?.range;
      expect(text.slice(range?.start.offset, range?.end.offset).replaceAll(/\\u0027|''/g, "'")).toContain(
        "'lable",
      );
      expect((range?.end.offset ?? 0) - (range?.start.offset ?? 0)).toBeLessThan(20);
      const before = text.slice(0, range?.start.offset).split("\n");
      expect([range?.start.line, range?.start.column]).toEqual([
        before.length,
        (before.at(-1)?.length ?? 0) + 1,
      ]);
    });
  }

  test("is exact in JSON", () => {
    const text = JSON.stringify(parse(examplePipeline)).replace("['label'] == ", "['lable'] == ");
    const [problem] = validatePipeline(text).problems;
    expect(text.slice(problem?.range?.start.offset, problem?.range?.end.offset)).toBe("'lable'");
  });
});

describe("carriers", () => {
  const spec: unknown = parse(misspelt);
  const carriers: readonly (readonly [name: string, text: string, path: string])[] = [
    ["a job", JSON.stringify({ pipelineSpec: spec }), "/pipelineSpec/root"],
    [
      "a bundle",
      JSON.stringify({ pipeline_spec: spec, platform_spec: { platforms: {} } }),
      "/pipeline_spec/root",
    ],
    ["two documents", `${stringify(spec)}---\nplatforms: {kubernetes: {}}\n`, "/root"],
    ["bytes", misspelt, "/root"],
  ];
  for (const [name, text, path] of carriers) {
    test(`${name}: pointers begin at the root of the document, and ranges fit`, () => {
      const input = name === "bytes" ? new TextEncoder().encode(text) : text;
      const found = validatePipeline(input).problems.find(({ code }) => code === "component-unknown");
      expect(found?.path).toBe(`${path}/dag/tasks/branch/componentRef/name`);
      expect(text.slice(found?.range?.start.offset, found?.range?.end.offset).replaceAll('"', "")).toBe(
        "comp-brunch",
      );
    });
  }

  test("a job's runtime configuration is checked, without what may still be given", () => {
    const job = (values: unknown) =>
      JSON.stringify({ pipelineSpec: parse(examplePipeline), runtimeConfig: { parameterValues: values } });
    expect(codesOf(job({}))).toEqual([]);
    expect(codesOf(job({ rows: "x", other: 1 })).sort()).toEqual([
      "runtime-parameter-type",
      "runtime-parameter-unknown",
    ]);
  });

  test("a parsed pipeline is judged like its text", () => {
    const parsed = parsePipeline(misspelt);
    expect(parsed.ok && validatePipeline(parsed.pipeline, { source: misspelt })).toEqual(
      validatePipeline(misspelt),
    );
  });

  test("a platform specification may come from elsewhere", () => {
    const platform = PlatformSpec.create({
      platforms: { kubernetes: { deploymentSpec: { executors: { "exec-x": {} } } } },
    });
    expect(codesOf(examplePipeline, { platform })).toEqual(["platform-executor-unknown"]);
    const parsed = parsePipeline(examplePipeline);
    const { problems } = validatePipeline(parsed.ok ? parsed.pipeline : expect.unreachable(), { platform });
    expect(problems.map(({ code }) => code)).toEqual(["platform-executor-unknown"]);
  });

  test("of a specification that a program has made no problem has a range", () => {
    const parsed = parsePipeline(misspelt);
    const { spec } = parsed.ok ? parsed.pipeline : expect.unreachable();
    const deploymentSpec = { executors: { "exec-prepare": { container: { image: 5 } } } };
    const { problems } = validatePipeline({ spec: { ...spec, deploymentSpec } });
    expect(problems).toContainEqual(expect.objectContaining({ code: "wrong-type" }));
    expect(problems).toContainEqual(expect.objectContaining({ code: "component-unknown" }));
    for (const problem of problems) expect(problem).not.toHaveProperty("range");
  });
});

describe("settings", () => {
  test("turn rules off and change their severity", () => {
    expect(codesOf(misspelt, { rules: { "component-unknown": "off", "component-unused": "off" } })).toEqual(
      [],
    );
    const report = validatePipeline(misspelt, { rules: { "component-unknown": "warning" } });
    expect(report.ok).toBe(true);
    expect(report.problems.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
  });

  test("reach the problems of form as well", () => {
    const text = `${examplePipeline}sdkVersions: x\n`;
    expect(codesOf(text)).toEqual(["unknown-field"]);
    expect(codesOf(text, { rules: { "unknown-field": "off" } })).toEqual([]);
  });

  test("refuse what does not exist", () => {
    expect(() => validatePipeline("", { rules: { "no-such-rule": "off" } })).toThrow(TypeError);
    expect(() => validatePipeline("", { rules: { "component-unknown": "fatal" as "error" } })).toThrow(
      TypeError,
    );
    expect(() => validatePipeline("", { profile: "vertex" as "kfp" })).toThrow(TypeError);
  });

  for (const [name, input] of Object.entries({
    nothing: undefined,
    "the result of parsing": parsePipeline(""),
    "a number": 5,
  })) {
    test(`do not save ${name} from being refused`, () => {
      expect(() => validatePipeline(input as never)).toThrow(TypeError);
    });
  }

  test("bound the number of problems", () => {
    const tasks = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`t${index}`, { componentRef: { name: "x" } }]),
    );
    const text = JSON.stringify({
      pipelineInfo: { name: "p" },
      schemaVersion: "2.1.0",
      root: { dag: { tasks } },
    });
    const codes = codesOf(text, { maxProblems: 10 });
    expect(codes).toHaveLength(11);
    expect(codes).toContain("too-many-problems");
  });
});

describe("comments", () => {
  const disabled = (comment: string) =>
    misspelt.replace(
      "        componentRef: {name: comp-brunch}",
      `        ${comment}\n        componentRef: {name: comp-brunch}`,
    );

  test("disable a rule for the next line", () => {
    expect(codesOf(disabled("# wye-disable-next-line component-unknown"))).toEqual(["component-unused"]);
    expect(codesOf(disabled("# wye-disable-next-line component-unknown\n\n        # because"))).toEqual([
      "component-unused",
    ]);
  });

  test("take several rules, and mention those that do nothing", () => {
    const text = disabled("# wye-disable-next-line component-unknown, task-cycle no-such");
    const problems = validatePipeline(text).problems.filter(({ code }) => code.startsWith("disable"));
    expect(problems.map(({ code }) => code)).toEqual(["disable-useless", "disable-unknown-rule"]);
    expect(problems.map(({ range }) => text.slice(range?.start.offset, range?.end.offset))).toEqual([
      "task-cycle",
      "no-such",
    ]);
  });

  test("have to name a rule and stand before a line", () => {
    expect(codesOf(disabled("# wye-disable-next-line"))).toContain("disable-unknown-rule");
    expect(codesOf(`${examplePipeline}# wye-disable-next-line task-cycle\n`)).toEqual(["disable-useless"]);
  });

  test("say nothing of rules that are off anyway", () => {
    const text = `${examplePipeline}# wye-disable-next-line task-cycle\n`;
    expect(codesOf(text, { rules: { "task-cycle": "off" } })).toEqual([]);
    expect(codesOf(text, { rules: { "disable-useless": "off" } })).toEqual([]);
  });
});

describe("names that objects inherit", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    test(`${name} is a name like any other`, () => {
      const refer = examplePipeline.replace("{name: comp-branch}", `{name: ${name}}`);
      expect(codesOf(refer)).toContain("component-unknown");
      const source = examplePipeline.replace(
        "{componentInputParameter: rows}",
        `{componentInputParameter: ${name}}`,
      );
      expect(codesOf(source)).toContain("parent-input-unknown");
      const declare = examplePipeline.replaceAll("comp-branch", `"${name}"`);
      const aboutNames = ["component-name-style", "template-name-invalid"];
      expect(codesOf(declare).filter((code) => !aboutNames.includes(code))).toEqual([]);
    });
  }
});

test("a long chain of tasks is no cycle, and a long ring is one", () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `t-${index}`);
  const tasks = (first: string[]) =>
    Object.fromEntries(
      names.map((name, index) => [
        name,
        {
          taskInfo: { name },
          componentRef: { name: "comp-a" },
          dependentTasks: index === 0 ? first : [`t-${index - 1}`],
        },
      ]),
    );
  const spec = (first: string[]) =>
    JSON.stringify({
      pipelineInfo: { name: "p" },
      schemaVersion: "2.1.0",
      root: { dag: { tasks: tasks(first) } },
      components: { "comp-a": { executorLabel: "exec-a" } },
      deploymentSpec: { executors: { "exec-a": { container: { image: "i", command: ["c"] } } } },
    });
  expect(codesOf(spec([]))).toEqual(["too-large"]);
  const cycle = validatePipeline(spec(["t-19999"])).problems.find(({ severity }) => severity === "error");
  expect(cycle?.code).toBe("task-cycle");
  expect(cycle?.message.length).toBeLessThan(400);
});
