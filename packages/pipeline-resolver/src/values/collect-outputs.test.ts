import { ComponentSpec, ExecutorInput, RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { buildExecutorInput, collectOutputs, defaultPipelineRoot, runRoot, taskRoot } from "../index.js";

const component = ComponentSpec.create({
  outputDefinitions: {
    parameters: {
      text: { parameterType: 3 },
      int: { parameterType: 2 },
      double: { parameterType: 1 },
      bool: { parameterType: 4 },
      list: { parameterType: 5 },
      struct: { parameterType: 6 },
    },
    artifacts: {
      model: {
        artifactType: { kind: { $case: "schemaTitle", value: "system.Model" } },
        metadata: { a: 1, c: 0 },
      },
      log: {},
    },
  },
});
const inputs = { parameters: { n: 3 }, artifacts: {}, defaulted: [] };
const executorInput = buildExecutorInput(component, inputs, { artifactUri: (key) => `gs://b/${key}` });
const files: Readonly<Record<string, string>> = {
  text: " a\n",
  int: " 42\n",
  double: "2.50",
  bool: "True",
  list: "[1]",
  struct: ' {"a": [1.0]}',
};
const parsed = { text: " a\n", int: 42, double: 2.5, bool: true, list: [1], struct: { a: [1] } };
const collect = (
  executorOutput: unknown,
  changed: Readonly<Record<string, string | undefined>> = {},
  missingFile?: "absent",
) =>
  collectOutputs(
    component,
    executorInput,
    {
      executorOutput:
        typeof executorOutput === "object"
          ? JSON.stringify(executorOutput)
          : (executorOutput as string | undefined),
      parameterFile: (key) => ({ ...files, ...changed })[key],
    },
    missingFile && { missingFile },
  );

test.each([
  ["struct", '{"a": {"b": 1, "b": 2}}'],
  ["struct", '{"a": "\\ud800"}'],
  ["struct", '{"\ud800": 1}'],
  ["list", '[{"a": 1, "\\u0061": 1}]'],
  ["list", "[1]\u0085"],
])("a file of a %s is JSON to the back end: not %j", (name, text) => {
  expect(collect(undefined, { [name]: text })).toMatchObject({ ok: false, problems: [{ code: "output" }] });
});

test.each([
  ["struct", '{"a": {"b": 1, "c": {"b": 1}}, "d:e,": ":"}', { a: { b: 1, c: { b: 1 } }, "d:e,": ":" }],
  ["struct", '{"__proto__": 1, "a\\":": "\\ud83d\\ude00"}', JSON.parse('{"__proto__": 1, "a\\":": "😀"}')],
])("a file of a %s is JSON to the back end: %j", (name, text, value) => {
  const result = collect(undefined, { [name]: text });
  expect(result.ok && result.value.parameters[name]).toEqual(value);
});

test("the executor input says where everything goes", () => {
  expect(executorInput).toMatchObject({
    inputs: { parameterValues: { n: 3 } },
    outputs: {
      parameters: { int: { outputFile: "/tmp/kfp/outputs/int" } },
      artifacts: {
        model: {
          artifacts: [
            {
              name: "model",
              uri: "gs://b/model",
              metadata: { a: 1, c: 0 },
              type: { kind: { value: "system.Model" } },
            },
          ],
        },
      },
      outputFile: "/tmp/kfp_outputs/output_metadata.json",
    },
  });
  const own = buildExecutorInput(component, inputs, {
    artifactUri: String,
    parameterFile: (key) => `/here/${key}`,
    outputFile: "/here/out.json",
  });
  expect(own.outputs).toMatchObject({
    parameters: { int: { outputFile: "/here/int" } },
    outputFile: "/here/out.json",
  });
  expect(
    buildExecutorInput(ComponentSpec.create(), inputs, { artifactUri: String }).outputs?.outputFile,
  ).not.toBe("");
});

describe("outputs are read", () => {
  test("from files, by their declared types", () => {
    expect(collect(undefined)).toMatchObject({ ok: true, value: { parameters: parsed } });
  });

  test("from the executor output, which wins with values that are empty too", () => {
    const told = { text: "", int: 0, double: 0, bool: false, list: [], struct: {} };
    expect(collect({ parameterValues: told })).toMatchObject({ ok: true, value: { parameters: told } });
    const result = collect({ parameterValues: { ...told, text: null } });
    expect(result.ok && result.value.parameters.text).toBe(null);
  });

  test("from the executor output, which wins", () => {
    const output = { parameterValues: { text: "told", list: [2] }, parameters: { int: { intValue: "7" } } };
    expect(collect(output, { int: "no number", text: undefined })).toMatchObject({
      ok: true,
      value: { parameters: { ...parsed, text: "told", list: [2], int: 7 } },
    });
  });

  test("of integers with or without a sign", () => {
    for (const [int, value] of [
      ["+5", 5],
      ["-5", -5],
      ["05", 5],
    ] as const) {
      expect(collect(undefined, { int })).toMatchObject({ ok: true, value: { parameters: { int: value } } });
    }
    for (const int of ["++5", "5.0", "+", "1e3"]) expect(collect(undefined, { int }).ok).toBe(false);
  });

  test("for artifacts: announced ones, with what is said about the first", () => {
    const output = {
      artifacts: {
        model: {
          artifacts: [
            { uri: "gs://other", metadata: { b: 2, c: 3 }, customPath: "/p" },
            { uri: "gs://second" },
          ],
        },
        undeclared: { artifacts: [{ uri: "gs://x" }] },
      },
    };
    const result = collect(output);
    expect(result).toMatchObject({
      value: {
        artifacts: {
          model: {
            artifacts: [
              { name: "model", uri: "gs://other", metadata: { a: 1, b: 2, c: 3 }, customPath: "/p" },
            ],
          },
          log: { artifacts: [{ uri: "gs://b/log" }] },
        },
      },
    });
    expect(result.ok && Object.keys(result.value.artifacts)).toEqual(["model", "log"]);
    expect(collect({ artifacts: { model: { artifacts: [{}] } } })).toMatchObject({
      value: { artifacts: { model: { artifacts: [{ uri: "gs://b/model", metadata: { a: 1 } }] } } },
    });
  });

  test("for artifacts: those that were announced behind the first stay, whatever is said", () => {
    const artifacts = ["gs://b/first", "gs://b/second"].map((uri) =>
      RuntimeArtifact.create({ uri, customPath: "/chosen" }),
    );
    const announced = ExecutorInput.create({ outputs: { artifacts: { model: { artifacts } } } });
    const other = { uri: "gs://other" };
    for (const [told, first] of [
      [undefined, "gs://b/first"],
      [[], "gs://b/first"],
      [[{}], "gs://b/first"],
      [[other], "gs://other"],
      [[other, { uri: "gs://x" }], "gs://other"],
    ] as const) {
      const executorOutput = told && JSON.stringify({ artifacts: { model: { artifacts: told } } });
      const results = { executorOutput, parameterFile: (key: string) => files[key] };
      expect(collectOutputs(component, announced, results)).toMatchObject({
        ok: true,
        value: { artifacts: { model: { artifacts: [{ ...artifacts[0], uri: first }, artifacts[1]] } } },
      });
    }
  });

  test("a missing file is an error, or no output when asked so", () => {
    const message = "the task has not written its output parameter int";
    expect(collect(undefined, { int: undefined })).toEqual({
      ok: false,
      problems: [{ code: "output", severity: "error", path: "/parameters/int", message }],
    });
    const result = collect(undefined, { int: undefined }, "absent");
    expect(result.ok && Object.hasOwn(result.value.parameters, "int")).toBe(false);
  });

  const typeNames: Readonly<Record<string, string>> = {
    int: "NUMBER_INTEGER",
    double: "NUMBER_DOUBLE",
    bool: "BOOLEAN",
    list: "LIST",
    struct: "STRUCT",
  };
  const wrong: Readonly<Record<string, readonly string[]>> = {
    int: ["", "1.5", "0x10", "1e3", "many"],
    double: ["", "x", "Infinity", "NaN"],
    bool: ["yes", "tRUE", ""],
    list: ["{}", "[", ""],
    struct: ["[]", "1", "{"],
  };
  for (const [key, texts] of Object.entries(wrong)) {
    for (const text of texts) {
      test(`${JSON.stringify(text)} is no ${key}`, () => {
        const message = `the output parameter ${key} is no ${typeNames[key]}: ${JSON.stringify(text)}`;
        expect(collect(undefined, { [key]: text }).problems).toEqual([
          { code: "output", severity: "error", path: `/parameters/${key}`, message },
        ]);
      });
    }
  }

  const noJson = "the executor output is no JSON: ";
  const isWrong = "the executor output is wrong: ";
  test.each([
    ["", "", `${noJson}Unexpected end of JSON input`],
    ['{"a": 1e400}', "", `${noJson}a number in it is beyond all bounds`],
    ["[]", "", isWrong],
    ['{"parameterValue": {}}', "/parameterValue", isWrong],
    ['{"parameterValues": 1}', "/parameterValues", isWrong],
    ['{"artifacts": {"a": {"artifact": []}}}', "/artifacts/a/artifact", isWrong],
  ])("%j is no executor output", (text, path, message) => {
    expect(collect(text)).toEqual({
      ok: false,
      problems: [
        expect.objectContaining({
          ...{ code: "output", severity: "error", path },
          message: message === isWrong ? expect.stringMatching(`^${isWrong}.`) : message,
        }),
      ],
    });
  });

  test("JSON that is nested very deep is a problem, not a crash", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(collect(undefined, { list: deep }).problems).toMatchObject([{ path: "/parameters/list" }]);
    expect(collect(`{"parameterValues": {"list": ${deep}}}`).ok).toBe(false);
    const flat = `["${"[".repeat(1_000)}\\""]`;
    expect(collect(undefined, { list: flat })).toMatchObject({ ok: true });
  });

  test.each([
    ["x".repeat(50), "x".repeat(50)],
    [` ${"x".repeat(50)} `, "x".repeat(50)],
    ["x".repeat(51), `${"x".repeat(49)}…`],
    ["x".repeat(1000), `${"x".repeat(49)}…`],
  ])("a long wrong text is cut in the message: %j", (text, shown) => {
    expect(collect(undefined, { int: text }).problems.map(({ message }) => message)).toEqual([
      `the output parameter int is no NUMBER_INTEGER: "${shown}"`,
    ]);
  });

  test("of booleans as Go spells them", () => {
    for (const [value, texts] of [
      [true, ["1", "t", "T", "true", "TRUE", "True", " true\n"]],
      [false, ["0", "f", "F", "false", "FALSE", "False", "\tf"]],
    ] as const) {
      for (const bool of texts)
        expect(collect(undefined, { bool })).toMatchObject({
          ok: true,
          value: { parameters: { bool: value } },
        });
    }
  });
});

test("the places of a run", () => {
  expect(runRoot("gs://b/root/", "pipe", "run-1")).toBe("gs://b/root/pipe/run-1");
  expect(runRoot("s3://b/root?region=x", "pipe", "run-1")).toBe("s3://b/root/pipe/run-1?region=x");
  expect(taskRoot("s3://b/root/pipe/run-1?region=x", "train", "uuid")).toBe(
    "s3://b/root/pipe/run-1/train/uuid",
  );
  expect(runRoot("s3://b/root?one=?&two", "pipe", "run-1")).toBe("s3://b/root/pipe/run-1?one=?&two");
  expect(runRoot("file://", "p", "r")).toBe("file:///p/r");
  expect(runRoot("?a=b", "p", "r")).toBe("/p/r?a=b");
  expect(runRoot(defaultPipelineRoot, "p", "r")).toBe("minio://mlpipeline/v2/artifacts/p/r");
});

test("numbers in lists and objects are within bounds", () => {
  expect(collect(undefined, { list: "[1e308, [2e99]]" })).toMatchObject({ ok: true });

  for (const list of ["[1e400]", '[[{"a": -1e+999}]]', `[${"9".repeat(400)}]`]) {
    expect(collect(undefined, { list }).ok).toBe(false);
  }
});

describe("the numbers of files are those of Go", () => {
  const rows: readonly (readonly [text: string, integer: number | undefined, double: number | undefined])[] =
    [
      ["42", 42, 42],
      ["+7", 7, 7],
      ["-0", 0, -0],
      ["007", 7, 7],
      ["\u0085 42\u00a0\n", 42, 42],
      ["\ufeff42", undefined, undefined],
      ["4 2", undefined, undefined],
      ["", undefined, undefined],
      ["9223372036854775807", 2 ** 63, 2 ** 63],
      ["9223372036854775808", undefined, 2 ** 63],
      ["-9223372036854775808", -(2 ** 63), -(2 ** 63)],
      ["-9223372036854775809", undefined, -(2 ** 63)],
      ["1_000", undefined, 1000],
      ["1__0", undefined, undefined],
      ["_1", undefined, undefined],
      ["1_", undefined, undefined],
      ["1_0.5_0e1_0", undefined, 10.5e10],
      ["1.", undefined, 1],
      [".5", undefined, 0.5],
      ["-.5E-1", undefined, -0.05],
      [".", undefined, undefined],
      ["1e", undefined, undefined],
      ["1e400", undefined, undefined],
      ["0x10", undefined, undefined],
      ["0b1", undefined, undefined],
      ["0o7", undefined, undefined],
      ["Infinity", undefined, undefined],
      ["NaN", undefined, undefined],
      ["٣", undefined, undefined],
    ];
  const value = (key: string, text: string) => {
    const result = collect(undefined, { [key]: text });
    return result.ok ? result.value.parameters[key] : undefined;
  };
  for (const [text, integer, double] of rows) {
    test(JSON.stringify(text), () => {
      expect(value("int", text)).toBe(integer);
      expect(value("double", text)).toBe(double);
    });
  }

  test("and of a length that numbers have", () => {
    expect(value("int", `${"0".repeat(399)}7`)).toBe(7);
    expect(value("int", `${"0".repeat(400)}7`)).toBeUndefined();
    expect(value("double", `0.${"3".repeat(1998)}`)).toBe(1 / 3);
    expect(value("double", `0.${"3".repeat(1999)}`)).toBeUndefined();
  });
});
