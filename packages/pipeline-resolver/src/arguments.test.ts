import { ComponentSpec, DagSpec, ExecutorInput, PipelineTaskSpec } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import * as api from "./index.js";

// Callers without types may hand over anything: they get a TypeError that names the function, not one from deep inside.
type Anything = never;
const anything = (value: unknown): Anything => value as Anything;

const component = ComponentSpec.create({ outputDefinitions: { parameters: { x: { parameterType: 3 } } } });
const task = PipelineTaskSpec.create();
const scope = (outputs: unknown) => anything({ parameters: {}, artifacts: {}, outputs });
const results = (parameterFile: unknown, executorOutput?: unknown) =>
  anything({ executorOutput, parameterFile });
const input = ExecutorInput.create();
const condition = api.compileExpression("inputs.parameter_values['a'] == 1", "condition");
const evaluate = (value: unknown) => condition.evaluate(anything(value));

const calls: readonly (readonly [name: string, call: () => unknown, message: string | RegExp])[] = [
  [
    "outputs in an object",
    () => api.resolveDagOutputs(DagSpec.create(), anything({ t: {} })),
    "resolveDagOutputs takes a Map",
  ],
  [
    "outputs of siblings in an object",
    () => api.resolveTaskInputs(task, component, scope({})),
    "resolveTaskInputs takes a Map",
  ],
  [
    "no outputs of siblings",
    () => api.resolveTaskInputs(task, component, scope(undefined)),
    "resolveTaskInputs takes a Map",
  ],
  [
    "a source with outputs in an object",
    () => api.resolveInput(anything({}), scope({})),
    "resolveInput takes a Map",
  ],
  [
    "files that are read later",
    () =>
      api.collectOutputs(
        component,
        input,
        results(async () => "x"),
      ),
    "the parameterFile of collectOutputs gives a text, or undefined when there is no file, not an object",
  ],
  [
    "bytes of a file",
    () =>
      api.collectOutputs(
        component,
        input,
        results(() => new Uint8Array(1)),
      ),
    "the parameterFile of collectOutputs gives",
  ],
  [
    "no files",
    () => api.collectOutputs(component, input, results(undefined)),
    "collectOutputs takes a function as its parameterFile",
  ],
  [
    "an output that was read",
    () =>
      api.collectOutputs(
        component,
        input,
        results(() => "", {}),
      ),
    "collectOutputs takes a text as its executorOutput",
  ],
  [
    "no settings",
    () => api.taskConfig([], anything(undefined)),
    "taskConfig takes an object as its settings",
  ],
  [
    "a root that is none",
    () => api.runRoot("gs://b", anything(5), "r"),
    "runRoot takes a text as its pipelineName",
  ],
  [
    "no execution",
    () => api.taskRoot("gs://b", "t", anything(undefined)),
    "taskRoot takes a text as its executionId",
  ],
  [
    "names as conditions spell them",
    () => evaluate({ inputs: { parameter_values: { a: 1 } } }),
    "with parameterValues, not parameter_values",
  ],
  [
    "a file as conditions spell it",
    () => evaluate({ outputs: { output_file: "x" } }),
    "with outputFile, not output_file",
  ],
  ["nothing to evaluate", () => evaluate(undefined), "evaluate takes an object as its input"],
];

describe("refused by name:", () => {
  for (const [name, call, message] of calls) {
    test(name, () => {
      expect(call).toThrow(TypeError);
      expect(call).toThrow(message);
    });
  }

  for (const [name, value] of Object.entries(api)) {
    if (typeof value !== "function") continue;
    test(`${name} without arguments`, () => {
      let thrown: unknown;
      try {
        (value as () => unknown)();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(TypeError);
      // What the engine says when it stumbles over undefined.
      expect(String(thrown)).not.toMatch(/Cannot|is not (?:iterable|a function|defined)|reading '/);
    });
  }
});

test("an output file in a Map of another realm is as good", () => {
  const outputs = { get: () => undefined, has: () => false };
  expect(api.resolveDagOutputs(DagSpec.create(), anything(outputs)).ok).toBe(true);
});
