import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type ExecutorInput,
  type MessageName,
  ParameterType,
  type PipelineContainerSpec,
  PipelineSpec,
  PipelineTaskState,
  PrimitiveType,
  type ReadResult,
  readBinary,
  readJson,
  TriggerStrategy,
  writeJson,
} from "./index.js";

test("enums are values and types", () => {
  const type: ParameterType = ParameterType.LIST;
  expect(type).toBe(5);
  expectTypeOf<ParameterType.LIST>().toEqualTypeOf<5>();
  expect(Object.keys(ParameterType)).toContain("TASK_CONFIG");
  expect([
    PrimitiveType.INT,
    TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED,
    PipelineTaskState.UNSCHEDULABLE,
  ]).toEqual([1, 2, 13]);
});

test("messages are values and types, under the last part of their name", () => {
  const spec: PipelineSpec = PipelineSpec.create();
  expect(spec).toEqual({
    pipelineInfo: undefined,
    sdkVersion: "",
    schemaVersion: "",
    deploymentSpec: undefined,
    components: {},
    root: undefined,
    defaultPipelineRoot: "",
  });
  expectTypeOf<PipelineContainerSpec["image"]>().toEqualTypeOf<string>();
});

test("a name decides what is read and written", () => {
  const result = readJson("ExecutorInput", { inputs: { parameterValues: { n: 3 } } });
  expectTypeOf(result).toEqualTypeOf<ReadResult<ExecutorInput>>();
  expect(result).toMatchObject({ ok: true, problems: [], value: { inputs: { parameterValues: { n: 3 } } } });
  expectTypeOf(readBinary("PipelineSpec", new Uint8Array())).toEqualTypeOf<ReadResult<PipelineSpec>>();
  expect(writeJson("PipelineInfo", { name: "p", displayName: "", description: "" })).toEqual({ name: "p" });
  // @ts-expect-error a PipelineInfo is not a PipelineSpec
  expect(writeJson("PipelineSpec", { name: "p" })).toEqual({});
});

test("a name that there is not is a mistake of the program", () => {
  expect(() => readJson("Nope" as MessageName, {})).toThrow(
    new TypeError('readJson knows no message called "Nope"'),
  );
  expect(() => readJson("ParameterType" as MessageName, {})).toThrow(TypeError);
});

describe("readJson", () => {
  test("finds every problem at once", () => {
    const result = readJson("PipelineTaskSpec", {
      componentRef: { nmae: "x" },
      dependentTasks: ["a", 1],
      triggerPolicy: { strategy: "ALL_UPSTREAM_TASK_COMPLETED" },
      artifactIterator: {},
      parameterIterator: {},
    });
    expect(result.problems).toEqual([
      {
        code: "unknown-field",
        severity: "error",
        path: "/componentRef/nmae",
        message: 'ComponentRef has no field "nmae"',
        hint: 'did you mean "name"?',
      },
      {
        code: "wrong-type",
        severity: "error",
        path: "/dependentTasks/1",
        message: "expected text, got the number 1",
        hint: "put it in quotes",
      },
      {
        code: "unknown-enum-value",
        severity: "error",
        path: "/triggerPolicy/strategy",
        message: 'TriggerStrategy has no value "ALL_UPSTREAM_TASK_COMPLETED"',
        hint: 'did you mean "ALL_UPSTREAM_TASKS_COMPLETED"?',
      },
      {
        code: "oneof-conflict",
        severity: "error",
        path: "/parameterIterator",
        message: '"parameterIterator" cannot be set together with "artifactIterator"',
        hint: "remove one of the two",
      },
    ]);
  });

  test("shares nothing with what it read", () => {
    const json = { deploymentSpec: { executors: {} }, components: { a: { inputDefinitions: {} } } };
    const result = readJson("PipelineSpec", json);
    const value = result.ok ? result.value : undefined;
    expect(value?.deploymentSpec).toEqual(json.deploymentSpec);
    expect(value?.deploymentSpec).not.toBe(json.deploymentSpec);
    expect(value?.deploymentSpec?.executors).not.toBe(json.deploymentSpec.executors);
  });

  test("leaves out unknown fields and enum names when that is wanted", () => {
    const json = { nope: 1, triggerPolicy: { strategy: "NOPE" } };
    const result = readJson("PipelineTaskSpec", json, { ignoreUnknownFields: true });
    expect(result).toMatchObject({ ok: true, problems: [], value: { triggerPolicy: { strategy: 0 } } });
  });

  test("lists so many errors, and says how many there are", () => {
    const result = readJson(
      "ArtifactList",
      { artifacts: Array.from({ length: 50 }, () => 1) },
      { maxProblems: 2 },
    );
    expect(result.problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "wrong-type /artifacts/0",
      "wrong-type /artifacts/1",
      "too-many-problems ",
    ]);
    expect(result.problems.at(-1)?.message).toBe("not listed: 48 more errors");
  });

  test("says how many remarks are not listed", () => {
    const properties = { properties: {}, customProperties: {} };
    const result = readJson("ArtifactList", { artifacts: [properties, properties] }, { maxProblems: 3 });
    expect(result.ok).toBe(true);
    expect(result.problems.at(-1)?.message).toBe("not listed: 1 more remark");
  });

  test("limits the depth", () => {
    expect(readJson("PipelineSpec", { deploymentSpec: { a: [[]] } }, { maxDepth: 3 }).problems).toMatchObject(
      [{ code: "too-deep", path: "/deploymentSpec/a/0" }],
    );
  });
});

test.each([
  ["RuntimeConfig", { parameters: { s: "a" } }, "/parameters/s", "did you mean parameterValues?"],
  ["ValueOrRuntimeParameter", { constantValue: 5 }, "/constantValue", "did you mean constant?"],
  [
    "PipelineDeploymentConfig",
    { executors: { e: { importer: { artifactUri: { constantValue: 5 } } } } },
    "/executors/e/importer/artifactUri/constantValue",
    "did you mean constant?",
  ],
  [
    "ExecutorInput",
    { inputs: { parameters: { s: "a" } } },
    "/inputs/parameters/s",
    "did you mean parameterValues?",
  ],
  ["RuntimeArtifact", { properties: { s: "a" } }, "/properties/s", undefined],
  ["RuntimeArtifact", { properties: { parameters: "a" } }, "/properties/parameters", undefined],
] as const)("a plain value where typed ones stand: %s %j", (name, json, path, hint) => {
  const { problems } = readJson(name, json, { deprecations: false });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ code: "wrong-type", path });
  expect(problems[0]?.hint).toBe(hint);
});

test.each([
  ["enableCache", "write cachingOptions.enableCache"],
  ["enable_cache", "write cachingOptions.enable_cache"],
  ["maxRetryCount", "write retryPolicy.maxRetryCount"],
])("a field that stands one level too high is told where it belongs: %s", (name, hint) => {
  const { problems } = readJson("PipelineTaskSpec" as "PipelineSpec", { [name]: 1 });
  expect(problems).toMatchObject([{ code: "unknown-field", path: `/${name}`, hint }]);
});
