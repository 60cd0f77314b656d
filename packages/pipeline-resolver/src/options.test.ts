import {
  ComponentSpec,
  DagSpec,
  ExecutorInput,
  ImporterSpec,
  PipelineContainerSpec,
  PipelineTaskSpec,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  buildExecutorInput,
  collectOutputs,
  compileContainer,
  compileExpression,
  compileTaskInputs,
  convertParameter,
  finalStatusPayload,
  resolveContainer,
  resolveCustomJob,
  resolveDagOutputs,
  resolveImporter,
  resolveInput,
  resolveIterations,
  resolvePlaceholders,
  resolveRootInputs,
  resolveTaskInputs,
} from "./index.js";

const component = ComponentSpec.create();
const task = PipelineTaskSpec.create({ iterator: { $case: "parameterIterator", value: {} } });
const scope = { parameters: {}, artifacts: {}, outputs: new Map() };
const inputs = { parameters: {}, artifacts: {}, defaulted: [] };
const results = { executorOutput: undefined, parameterFile: () => undefined };
const executorInput = ExecutorInput.create();
const container = PipelineContainerSpec.create();
const artifactUri = () => "";
const status = { state: "SUCCEEDED", taskName: "t", jobResourceName: "j" } as const;

/** A call of every function that takes options, and how callers without types may be wrong about their values. */
const functions: readonly (readonly [
  name: string,
  call: (options: object) => unknown,
  ...wrong: readonly object[],
])[] = [
  [
    "compileExpression",
    (options) => compileExpression("true", "condition", options),
    { limits: { maxStep: 1 } },
    { limits: { maxSteps: "many" } },
    { limits: { maxDepth: Number.NaN } },
    { limits: { maxLength: -1 } },
    { limits: { maxPatternLength: null } },
    { limits: [] },
  ],
  ["resolveRootInputs", (options) => resolveRootInputs(component, {}, options), { profile: "kpf" }],
  ["resolveTaskInputs", (options) => resolveTaskInputs(task, component, scope, options), { profile: "kpf" }],
  ["compileTaskInputs", (options) => compileTaskInputs(task, component, options), { profile: 1 }],
  ["resolveInput", (options) => resolveInput({ kind: undefined } as never, scope, options), { profile: "" }],
  ["resolveIterations", (options) => resolveIterations(task, component, inputs, options), { profile: "a" }],
  ["convertParameter", (options) => convertParameter(1, "STRING", options), { profile: "Spec" }],
  [
    "collectOutputs",
    (options) => collectOutputs(component, executorInput, results, options),
    { missingFile: "warn" },
  ],
  [
    "resolveDagOutputs",
    (options) => resolveDagOutputs(DagSpec.create(), new Map(), options),
    { profile: {} },
  ],
  ["resolveImporter", (options) => resolveImporter(ImporterSpec.create(), component, inputs, options)],
  [
    "finalStatusPayload",
    (options) => finalStatusPayload(status, options),
    { states: "backend" },
    { keys: "camel" },
  ],
  [
    "resolvePlaceholders",
    (options) => resolvePlaceholders("", { executorInput, ...options }),
    { unresolved: "kep" },
  ],
  [
    "resolveContainer",
    (options) => resolveContainer(container, { executorInput, ...options }),
    { unresolved: true },
  ],
  [
    "compileContainer",
    (options) => compileContainer(container)({ executorInput, ...options }),
    { unresolved: 1 },
  ],
  ["resolveCustomJob", (options) => resolveCustomJob({}, { executorInput, ...options }), { unresolved: "" }],
  ["buildExecutorInput", (options) => buildExecutorInput(component, inputs, { artifactUri, ...options })],
];

for (const [name, call, ...wrong] of functions) {
  describe(name, () => {
    test("takes no options", () => expect(() => call({})).not.toThrow());

    test.each([{ zzz: 1 }, { constructor: 1 }, ...wrong])("refuses %j", (options) => {
      expect(() => call(options)).toThrow(TypeError);
    });
  });
}

test("limits that are undefined are the usual ones", () => {
  const { problems } = compileExpression("[".repeat(300), "condition", {
    limits: { maxDepth: undefined as never },
  });
  expect(problems).toMatchObject([{ code: "limit" }]);
});

test("no limit of depth ends in the stack", () => {
  const limits = { maxDepth: Number.POSITIVE_INFINITY, maxLength: Number.POSITIVE_INFINITY };
  for (const text of [
    `${"(".repeat(100_000)}1${")".repeat(100_000)} == 1`,
    `${"!".repeat(100_000)}true`,
    `1${" + 1".repeat(100_000)} == 1`,
    `[${"[".repeat(50_000)}${"]".repeat(50_000)}]`,
  ]) {
    const condition = compileExpression(text, "condition", { limits });
    condition.evaluate({});
    condition.explain({});
  }
});
