import {
  buildGraph,
  ComponentSpec,
  DagSpec,
  ExecutorInput,
  ImporterSpec,
  InputParameterSpec,
  PipelineContainerSpec,
  PipelineTaskSpec,
  parsePipeline,
  RetryPolicy,
  RuntimeArtifact,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type AnyFunction, namesIt, rawErrors } from "../../../scripts/raw-errors.js";
import * as api from "./index.js";

// Whoever hands over something else than what a function takes gets a TypeError that names the function, and never one of the
// engine from deep inside. Every function of the front door has a row; one that has none fails the test below.

const parsed = parsePipeline(
  "pipelineInfo: {name: a}\nroot: {dag: {tasks: {t: {componentRef: {name: c}}}}}\ncomponents: {c: {executorLabel: e}}",
);
const graph = buildGraph(parsed.ok ? parsed.pipeline : expect.unreachable("the pipeline is a good one"));
const task = graph.task("/root/dag/tasks/t");
const loop = PipelineTaskSpec.create({
  iterator: {
    $case: "parameterIterator",
    value: { items: { kind: { $case: "raw", value: "[1]" } }, itemInput: "i" },
  },
});
const component = ComponentSpec.create({
  inputDefinitions: { parameters: { i: { parameterType: 3 } }, artifacts: { m: {} } },
  outputDefinitions: { parameters: { x: { parameterType: 3 } }, artifacts: { m: {} } },
});
const container = PipelineContainerSpec.create({ image: "a", command: ["b"] });
const executorInput = ExecutorInput.create({
  inputs: {},
  outputs: { artifacts: { m: { artifacts: [{}] } } },
});
const inputs = { parameters: { i: 1 }, artifacts: {}, defaulted: [] };
const outputs = { parameters: { x: "1" }, artifacts: {} };
const scope = { parameters: {}, artifacts: {}, outputs: new Map([["t", outputs]]) };
const places = { artifactUri: (key: string) => `gs://b/${key}` };
const results = { executorOutput: "{}", parameterFile: () => "x" };
const status = { state: "FAILED", taskName: "t", jobResourceName: "r", error: { code: 1, message: "m" } };
const parts = { containerSpec: { image: "a" } };
const { root: node } = api.compileExpression("inputs.parameter_values['a'] == 1", "condition");

/** Arguments that each function takes; what is computed by a function that it gives is computed as well. */
const rows: Readonly<Record<string, readonly unknown[]>> = {
  buildExecutorInput: [component, inputs, places],
  cacheKey: [parts],
  cacheKeyParts: [{ component, container, inputs, executorInput, claims: ["a"] }],
  collectIterations: [component, [outputs]],
  collectOutputs: [component, executorInput, results, { missingFile: "error" }],
  compileCacheKey: [component, container],
  compileContainer: [container],
  compileExpression: ["true", "condition", { limits: { maxSteps: 5 } }],
  compileTaskInputs: [PipelineTaskSpec.create(), component, {}],
  compileTrigger: [PipelineTaskSpec.create({ triggerPolicy: { condition: "true" } })],
  containerPath: [RuntimeArtifact.create({ uri: "gs://b/c" })],
  convertParameter: ["x", "STRING", {}],
  explainCacheKey: [parts, parts],
  explainInput: [task, "i", "parameter"],
  explainOutput: [task, "x", "parameter"],
  finalStatusPayload: [status, {}],
  operandsOf: [node],
  parameterTypeOf: [{ parameterType: 3, type: 0 }],
  parseContainerElement: ["a"],
  parsePlaceholders: ["a"],
  printExpression: [node],
  printPlaceholder: [{ kind: "input-parameter", name: "x" }],
  resolveContainer: [container, { executorInput }],
  resolveCustomJob: [{ a: "b" }, { executorInput }],
  resolveDagOutputs: [DagSpec.create(), scope.outputs, {}],
  resolveImporter: [ImporterSpec.create({ typeSchema: {} }), component, inputs, {}],
  resolveInput: [InputParameterSpec.create(), scope, {}],
  resolveIterations: [loop, component, inputs, {}],
  resolvePlaceholders: ["{{$}}", { executorInput }],
  resolveRootInputs: [component, { parameterValues: { i: "1" } }, {}],
  resolveTaskInputs: [PipelineTaskSpec.create(), component, scope, {}],
  retryDelayMs: [RetryPolicy.create({ maxRetryCount: 2 }), 1],
  runRoot: ["gs://b", "p", "r"],
  taskConfig: [[], {}],
  taskRoot: ["gs://b", "t", "e"],
};

/** What the functions take that compiling gives. */
const compiled: Readonly<Record<string, readonly unknown[]>> = {
  compileCacheKey: [{ inputs, executorInput }],
  compileContainer: [{ executorInput }],
  compileTaskInputs: [scope],
};

const functions = Object.entries(api).filter(([, value]) => typeof value === "function");

test("every function has a row", () => {
  expect(functions.map(([name]) => name).sort()).toEqual(Object.keys(rows).sort());
});

describe("given nonsense, a TypeError names", () => {
  for (const [name, args] of Object.entries(rows)) {
    const call: AnyFunction = Reflect.get(api, name);
    // What compiling gives says what it does, and not that it was compiled.
    const isOurs = namesIt(name.replace(/^compile/, ""));
    test(name, async () => {
      expect(() => call(...args)).not.toThrow();
      expect(await rawErrors(name, call, args, isOurs)).toEqual([]);
    });
    const then = compiled[name];
    if (then === undefined) continue;
    test(`${name}, when what it gives is called`, async () => {
      const given = call(...args) as AnyFunction;
      expect(() => given(...then)).not.toThrow();
      expect(await rawErrors(name, given, then, isOurs)).toEqual([]);
    });
  }
});
