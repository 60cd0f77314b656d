import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { validatePipeline, validateRuntimeConfig } from "../src/index.js";

/** The types of the reference, one input each; all optional but the first. */
const parsed = parsePipeline(`
pipelineInfo: {name: p}
root:
  dag: {tasks: {}}
  inputDefinitions:
    parameters:
      needed: {parameterType: STRING}
      number: {parameterType: NUMBER_DOUBLE, isOptional: true}
      integer: {parameterType: NUMBER_INTEGER, isOptional: true}
      flag: {parameterType: BOOLEAN, isOptional: true}
      list: {parameterType: LIST, isOptional: true}
      struct: {parameterType: STRUCT, isOptional: true}
      choice: {parameterType: NUMBER_INTEGER, isOptional: true, literals: [1, 2]}
      pair: {parameterType: LIST, isOptional: true, literals: [[1, 2]]}
      nothing: {parameterType: STRING, defaultValue: null}
      status: {parameterType: TASK_FINAL_STATUS, isOptional: true}
      config: {parameterType: TASK_CONFIG, isOptional: true}
      unspecified: {isOptional: true}
`);
if (!parsed.ok) throw new Error("the pipeline cannot be parsed");
const { pipeline } = parsed;

const cases: readonly (readonly [values: Record<string, unknown>, codes: readonly string[]])[] = [
  [{ needed: "x" }, []],
  [{}, ["runtime-parameter-missing"]],
  [{ needed: 5 }, ["runtime-parameter-type"]],
  [{ needed: null }, ["runtime-parameter-type"]],
  [{ needed: "x", status: { state: "SUCCEEDED" } }, ["runtime-parameter-type"]],
  [{ needed: "x", number: 1, integer: 2, flag: false, list: [], struct: {} }, []],
  [{ needed: "x", number: "1" }, ["runtime-parameter-type"]],
  [{ needed: "x", integer: true }, ["runtime-parameter-type"]],
  [{ needed: "x", integer: 1.5 }, ["runtime-integer-range"]],
  [{ needed: "x", integer: 2 ** 53 }, ["runtime-integer-range"]],
  [{ needed: "x", flag: 1 }, ["runtime-parameter-type"]],
  [{ needed: "x", list: {} }, ["runtime-parameter-type"]],
  [{ needed: "x", struct: [] }, ["runtime-parameter-type"]],
  [{ needed: "x", choice: 1.0 }, []],
  [{ needed: "x", pair: [1, 2] }, []],
  [{ needed: "x", pair: [2, 1] }, ["runtime-parameter-not-literal"]],
  [{ needed: "x", choice: 3 }, ["runtime-parameter-not-literal"]],
  [{ needed: "x", unspecified: 1 }, ["runtime-parameter-type"]],
  [{ needed: "x", __proto: 1, constructor: 2 }, ["runtime-parameter-unknown", "runtime-parameter-unknown"]],
];

describe("a runtime configuration", () => {
  for (const [parameterValues, codes] of cases) {
    test(`${JSON.stringify(parameterValues)} gives ${codes.join(", ") || "no problem"}`, () => {
      const { problems } = validateRuntimeConfig(pipeline, { parameterValues });
      expect(problems.map(({ code }) => code)).toEqual(codes);
    });
  }

  const wrongValues: readonly (readonly [name: string, value: unknown, message: string, hint?: string])[] = [
    ["needed", 5, 'the input "needed" is of type STRING and cannot be the number 5'],
    ["unspecified", 1, 'the input "unspecified" is of type unspecified and cannot be the number 1'],
    [
      "status",
      "x",
      'the input "status" is of type TASK_FINAL_STATUS, which no run can give a value',
      "leave it out",
    ],
    [
      "config",
      {},
      'the input "config" is of type TASK_CONFIG, which no run can give a value',
      "leave it out",
    ],
    ["choice", 3, 'the number 3 is not one of the literals of "choice"', "use one of 1,2"],
    ["integer", 1.5, "1.5 is not an integer between -(2^53 - 1) and 2^53 - 1"],
    ["numbr", 1, 'the pipeline has no input "numbr"', 'did you mean "number"?'],
  ];
  for (const [name, value, message, hint] of wrongValues)
    test(`is told what is wrong with ${name}: ${JSON.stringify(value)}`, () => {
      const { problems } = validateRuntimeConfig(pipeline, {
        parameterValues: { needed: "x", [name]: value },
      });
      expect(problems.map((problem) => [problem.path, problem.message, problem.hint])).toEqual([
        [`/parameterValues/${name}`, message, hint],
      ]);
    });

  test("lists ten literals", () => {
    const literals = Array.from({ length: 11 }, (_, index) => index);
    const n = { parameterType: "NUMBER_INTEGER", literals };
    const many = parsePipeline(
      JSON.stringify({
        pipelineInfo: { name: "a" },
        root: { inputDefinitions: { parameters: { n } }, dag: {} },
      }),
    );
    if (!many.ok) expect.unreachable(JSON.stringify(many.problems));
    const { problems } = validateRuntimeConfig(many.pipeline, { parameterValues: { n: 11 } });
    expect(problems.map(({ hint }) => hint)).toEqual(["use one of 0,1,2,3,4,5,6,7,8,9"]);
  });

  test("names the input that is missing or was meant", () => {
    const { problems } = validateRuntimeConfig(pipeline, { parameterValues: { neded: "x" } });
    expect(problems).toMatchObject([
      { path: "/parameterValues/neded", hint: 'did you mean "needed"?' },
      { path: "/parameterValues", hint: 'add "needed"' },
    ]);
  });

  test("has the form of its message", () => {
    const { ok, problems } = validateRuntimeConfig(pipeline, { parameterValue: {} });
    expect(ok).toBe(false);
    expect(problems.map(({ code }) => code)).toEqual(["unknown-field"]);
    expect(validateRuntimeConfig(pipeline, null).ok).toBe(false);
  });

  test("names a bucket that can be written to, or none", () => {
    const codes = (gcsOutputDirectory: string) =>
      validateRuntimeConfig(pipeline, { parameterValues: { needed: "x" }, gcsOutputDirectory }).problems.map(
        ({ code, severity, path }) => [code, severity, path],
      );
    expect(codes("b/x")).toEqual([["pipeline-root-invalid", "warning", "/gcsOutputDirectory"]]);
    expect(codes("gs://b/x")).toEqual([]);
    expect(codes("")).toEqual([]);
  });

  test("is told of what its form is, as the settings say", () => {
    const strange = { parameterValues: { needed: "x" }, strange: 1 };
    const found = (severity: "off" | "warning") => {
      const { ok, problems } = validateRuntimeConfig(pipeline, strange, {
        rules: { "unknown-field": severity },
      });
      return [ok, problems.map(({ code, severity }) => [code, severity])];
    };
    expect(found("warning")).toEqual([true, [["unknown-field", "warning"]]]);
    expect(found("off")).toEqual([true, []]);
  });

  test.each([2, 1000, 2000])("has all of its mistakes of form counted when %d are listed", (maxProblems) => {
    const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`strange${index}`, 1]));
    const report = (rules = {}) =>
      validateRuntimeConfig(
        pipeline,
        { parameterValues: { needed: "x" }, ...fields },
        { maxProblems, rules },
      );
    const { problems, counts } = report();
    expect(counts).toEqual({ error: 3000, warning: 0, info: 0 });
    expect(problems).toHaveLength(maxProblems + 1);
    expect(problems.at(-1)?.message).toBe(`not listed: ${3000 - maxProblems} more errors`);
    expect(report({ "unknown-field": "off" })).toMatchObject({ ok: true, problems: [] });
  });

  test("is judged by the settings", () => {
    const values = { parameterValues: { needed: "x", integer: 1.5 } };
    expect(validateRuntimeConfig(pipeline, values).ok).toBe(true);
    expect(validateRuntimeConfig(pipeline, values, { profile: "spec" }).ok).toBe(false);
    expect(
      validateRuntimeConfig(pipeline, {}, { rules: { "runtime-parameter-missing": "off" } }).problems,
    ).toEqual([]);
  });
});

describe("the configuration of a job is found where it stands", () => {
  const spec = (indent: string) => `${indent}pipelineInfo: {name: a}
${indent}schemaVersion: 2.1.0
${indent}root: {inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}}}, dag: {tasks: {t: {taskInfo: {name: t}, componentRef: {name: comp-a}}}}}
${indent}components: {comp-a: {executorLabel: e}}
${indent}deploymentSpec: {executors: {e: {container: {image: a, command: [b]}}}}
`;
  const lines = "    n: five\n    zz: 1\n";
  const jobs: Readonly<Record<string, string>> = {
    yaml: `displayName: x\npipelineSpec:\n${spec("  ")}runtimeConfig:\n  parameterValues:\n${lines}`,
    "yaml in the other spelling": `display_name: x\npipeline_spec:\n${spec("  ")}runtime_config:\n  parameter_values:\n${lines}`,
  };
  for (const [name, text] of Object.entries(jobs)) {
    test(name, () => {
      const { problems } = validatePipeline(text);
      const found = problems.map(({ code, path, range }) => [
        code,
        path,
        text.slice(range?.start.offset, range?.end.offset),
      ]);
      expect(found).toEqual([
        ["runtime-parameter-type", "/runtimeConfig/parameterValues/n", "five"],
        ["runtime-parameter-unknown", "/runtimeConfig/parameterValues/zz", "zz"],
      ]);
    });
  }

  test("where a comment can disable the rule", () => {
    const comment = "    # wye-disable-next-line runtime-parameter-unknown\n";
    const text = (jobs.yaml ?? "").replace("    zz: 1", `${comment}    zz: 1`);
    expect(validatePipeline(text).problems.map(({ code }) => code)).toEqual(["runtime-parameter-type"]);
  });
});

describe("what a run of the API is started with", () => {
  const spec = (more = "") => ({
    pipelineInfo: { name: "a" },
    schemaVersion: "2.1.0",
    root: {
      inputDefinitions: { parameters: { n: { parameterType: "NUMBER_INTEGER" } } },
      dag: { tasks: { t: { taskInfo: { name: "t" }, componentRef: { name: `comp-a${more}` } } } },
    },
    components: { "comp-a": { executorLabel: "e" } },
    deploymentSpec: { executors: { e: { container: { image: "a:1", command: ["b"] } } } },
  });
  const cron = { cron_schedule: { cron: "0 0 * * * *" } };
  const request = { display_name: "r", pipeline_spec: spec() };
  type Found = readonly [code: string, path: string, text: string];
  const type: Found = ["runtime-parameter-type", "/runtime_config/parameters/n", '"five"'];
  const unknown: Found = ["runtime-parameter-unknown", "/runtime_config/parameters/zz", '"zz"'];
  const missing = (text: string): Found => ["runtime-parameter-missing", "/runtime_config/parameters", text];
  const wrong = { parameters: { n: "five", zz: 1 } };
  const rows: readonly (readonly [name: string, file: object, found: readonly Found[]])[] = [
    ["a request", { ...request, runtime_config: wrong }, [type, unknown]],
    ["a recurring run", { ...request, runtime_config: wrong, trigger: cron }, [type, unknown]],
    [
      "a run with its platform",
      { run_id: "r", pipeline_spec: { pipeline_spec: spec(), platform_spec: {} }, runtime_config: wrong },
      [type, unknown],
    ],
    [
      "a run in the other spelling",
      { runId: "r", pipelineSpec: spec(), runtimeConfig: wrong },
      [type, unknown].map(([code, path, text]) => [code, path.replace("_c", "C"), text]),
    ],
    [
      "a request without a value",
      { ...request, runtime_config: { parameters: {} } },
      [missing('"parameters"')],
    ],
    ["one without values", { ...request, runtime_config: {} }, [missing('"runtime_config"')]],
    ["one that says nothing of values", request, [missing('"pipeline_spec"')]],
    ["one with a value", { ...request, runtime_config: { parameters: { n: 5 } } }, []],
    [
      "a pipeline root without a bucket",
      { ...request, runtime_config: { parameters: { n: 5 }, pipeline_root: "b/x" } },
      [["pipeline-root-invalid", "/runtime_config/pipeline_root", '"b/x"']],
    ],
    [
      "a pipeline root without a bucket in the other spelling",
      { runId: "r", pipelineSpec: spec(), runtimeConfig: { parameters: { n: 5 }, pipelineRoot: "b/x" } },
      [["pipeline-root-invalid", "/runtimeConfig/pipelineRoot", '"b/x"']],
    ],
    ["a version", { pipeline_version_id: "v", display_name: "v", pipeline_spec: spec() }, []],
    // What cannot be read hides what may stand in it, and nothing else.
    [
      "values in a list",
      { ...request, pipeline_spec: spec("x"), runtime_config: { parameters: [] } },
      [
        ["component-unknown", "/pipeline_spec/root/dag/tasks/t/componentRef/name", '"comp-ax"'],
        ["component-unused", "/pipeline_spec/components/comp-a", '"comp-a"'],
        ["wrong-type", "/runtime_config/parameters", "[]"],
      ],
    ],
  ];
  test.each(rows)("%s", (_, file, found) => {
    const text = JSON.stringify(file);
    const { problems } = validatePipeline(text);
    const shown = problems.map(({ code, path, range }) => [
      code,
      path,
      text.slice(range?.start.offset, range?.end.offset),
    ]);
    expect(shown).toEqual(found);
  });

  test("can be checked with other values", () => {
    const result = parsePipeline(JSON.stringify({ ...request, runtime_config: wrong }));
    if (!result.ok) throw new Error("the run cannot be parsed");
    const { run } = result.pipeline;
    expect(validatePipeline(result.pipeline).counts.error).toBe(2);
    expect(validateRuntimeConfig(result.pipeline, run?.runtimeConfig).problems).toMatchObject([
      { code: "runtime-parameter-type", path: "/parameterValues/n" },
      { code: "runtime-parameter-unknown", path: "/parameterValues/zz" },
    ]);
  });
});
