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
  cacheKey,
  collectIterations,
  collectOutputs,
  compileCacheKey,
  compileContainer,
  compileExpression,
  compileTaskInputs,
  compileTrigger,
  convertParameter,
  explainCacheKey,
  finalStatusPayload,
  parseContainerElement,
  parsePlaceholders,
  resolveContainer,
  resolveCustomJob,
  resolveDagOutputs,
  resolveImporter,
  resolveInput,
  resolveIterations,
  resolvePlaceholders,
  resolveRootInputs,
  resolveTaskInputs,
  retryDelayMs,
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

/** Every value that a choice has, for the functions that have it. */
const choices: Readonly<Record<string, readonly object[]>> = {
  resolveRootInputs: [{ profile: "kfp" }, { profile: "spec" }, { artifacts: {} }],
  resolveTaskInputs: [{ profile: "kfp" }, { profile: "spec" }],
  compileTaskInputs: [{ profile: "kfp" }, { profile: "spec" }],
  resolveInput: [{ profile: "kfp" }, { profile: "spec" }, { declared: undefined }],
  resolveIterations: [{ profile: "kfp" }, { profile: "spec" }, { facts: {} }],
  convertParameter: [{ profile: "kfp" }, { profile: "spec" }],
  collectOutputs: [{ missingFile: "error" }, { missingFile: "absent" }],
  resolveDagOutputs: [{ profile: "kfp" }, { profile: "spec" }],
  resolveImporter: [{ plainPaths: true }, { plainPaths: false }, { facts: {} }],
  finalStatusPayload: [
    { states: "proto" },
    { states: "back-end" },
    { keys: "lowerCamel" },
    { keys: "snake" },
  ],
  resolvePlaceholders: [
    { unresolved: "problem" },
    { unresolved: "keep" },
    { facts: {} },
    { environment: {} },
  ],
  resolveContainer: [{ unresolved: "problem" }, { unresolved: "keep" }, { facts: {} }, { environment: {} }],
  resolveCustomJob: [{ unresolved: "problem" }, { unresolved: "keep" }, { pathOf: () => "" }],
  buildExecutorInput: [{ parameterFile: () => "" }, { outputFile: "/out" }],
  compileExpression: [
    { limits: {} },
    { limits: { maxLength: 9, maxDepth: 9, maxPatternLength: 9, maxSteps: 9 } },
  ],
};
test.each(Object.entries(choices))("%s takes each value that there is", (name, given) => {
  const [, call = expect.unreachable()] = functions.find(([one]) => one === name) ?? [];
  for (const options of given) expect(() => call(options)).not.toThrow();
});

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

/** Calls of callers without types who have forgotten something or taken one thing for another. */
const none: never = undefined as never;
const policy = {
  maxRetryCount: 3,
  backoffDuration: undefined,
  backoffFactor: 2,
  backoffMaxDuration: undefined,
};
const mistakes: readonly (readonly [call: () => unknown, message: RegExp])[] = [
  [() => compileExpression("1", "foo" as never), /"condition" or a "selector", not the text "foo"/],
  [() => compileExpression("1", "constructor" as never), /"condition" or a "selector"/],
  [() => compileExpression("true", "condition").evaluate(none), /evaluate takes an object as its input/],
  [() => resolveContainer(container, none), /resolveContainer takes an object as its context/],
  [() => resolveContainer(none, { executorInput }), /resolveContainer takes an object as its container/],
  [() => resolveCustomJob([] as never, { executorInput }), /its customJob, not a list/],
  [() => resolvePlaceholders("", none), /resolvePlaceholders takes an object as its context/],
  [() => resolveTaskInputs(task, component, none), /resolveTaskInputs takes an object as its scope/],
  [() => resolveTaskInputs(task, none, scope), /resolveTaskInputs takes an object as its component/],
  [() => resolveInput(none, scope), /resolveInput takes an object as its spec/],
  [() => resolveIterations(none, component, inputs), /resolveIterations takes an object as its task/],
  [() => collectIterations(component, none), /collectIterations takes a list as its iterations/],
  [() => collectIterations(none, []), /collectIterations takes an object as its component/],
  [() => collectOutputs(component, executorInput, none), /collectOutputs takes an object as its results/],
  [() => resolveDagOutputs(DagSpec.create(), none), /resolveDagOutputs takes a Map from task to outputs/],
  [() => resolveImporter(none, component, inputs), /resolveImporter takes an object as its importer/],
  [() => resolveRootInputs(none), /resolveRootInputs takes an object as its root/],
  [() => buildExecutorInput(component, inputs, none), /buildExecutorInput takes an object as its places/],
  [() => cacheKey(none), /cacheKey takes an object as its parts/],
  [() => compileCacheKey(component, none), /compileCacheKey takes an object as its container/],
  [() => explainCacheKey(none), /explainCacheKey takes an object as its parts/],
  [() => compileTrigger(none), /compileTrigger takes an object as its task/],
  [() => parsePlaceholders(5 as never), /parsePlaceholders takes a text as its text, not the number 5/],
  [() => parseContainerElement(5 as never), /parseContainerElement takes a text/],
  [() => convertParameter("x", "INT" as never), /convertParameter knows no type the text "INT"/],
  [
    () => finalStatusPayload({ ...status, state: "DONE" as never }),
    /one of SUCCEEDED, .*, not the text "DONE"/,
  ],
  [() => retryDelayMs(policy, 0), /from 1, not the number 0/],
  [() => retryDelayMs(undefined, Number.NaN), /from 1, not the number NaN/],
  [() => retryDelayMs(policy, 1.5), /from 1, not the number 1.5/],
];
test.each(mistakes)("%s is refused by name", (call, message) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message);
});

describe("what surrounds a task is refused by name in", () => {
  const noObjects = [undefined, null, [], "x", 5, true] as const;
  const words = ["a value of type undefined", "null", "a list", 'the text "x"', "the number 5", "true"];

  /** Calls that take what surrounds a task, by what they call it. */
  const withScope: Readonly<Record<string, (scope: never) => unknown>> = {
    resolveInput: (one) => resolveInput({} as never, one),
    resolveTaskInputs: (one) => resolveTaskInputs(task, component, one),
  };
  const withInputs: Readonly<Record<string, (inputs: never) => unknown>> = {
    buildExecutorInput: (one) => buildExecutorInput(component, one, { artifactUri }),
    compileCacheKey: (one) =>
      compileCacheKey(
        component,
        PipelineContainerSpec.create({ image: "x" }),
      )({ executorInput, ...{ inputs: one, claims: [] } } as never),
    resolveIterations: (one) => resolveIterations(task, component, one),
  };
  const withOutputs: Readonly<Record<string, (outputs: never) => unknown>> = {
    resolveDagOutputs: (one) => resolveDagOutputs(DagSpec.create(), one),
    resolveInput: (one) => resolveInput({} as never, { ...scope, outputs: one }),
    resolveTaskInputs: (one) => resolveTaskInputs(task, component, { ...scope, outputs: one }),
  };

  /** How a call refuses each of some values. */
  const refusals = (call: (one: never) => unknown, values: readonly unknown[]) =>
    values.map((value) => {
      try {
        return call(value as never);
      } catch (error) {
        return String(error);
      }
    });

  for (const [whole, calls, good] of [
    ["scope", withScope, scope],
    ["inputs", withInputs, inputs],
  ] as const) {
    for (const [name, call] of Object.entries(calls)) {
      test(`${name}: no ${whole}, and no parameters or artifacts of it`, () => {
        expect(refusals(call, noObjects)).toEqual(
          words.map((word) => `TypeError: ${name} takes an object as its ${whole}, not ${word}`),
        );
        for (const part of ["parameters", "artifacts"]) {
          const values = noObjects.map((value) => ({ ...good, [part]: value }));
          expect(refusals(call, values)).toEqual(
            words.map((word) => `TypeError: ${name} takes an object as its ${whole}.${part}, not ${word}`),
          );
        }
      });
    }
  }

  for (const [name, call] of Object.entries(withOutputs)) {
    test(`${name}: outputs without the ways of a Map`, () => {
      const others = [{}, new Set(), { has: () => true }, { get: () => undefined }];
      expect(refusals(call, [...noObjects, ...others])).toEqual(
        [...words, ...others.map(() => "an object")].map(
          (word) => `TypeError: ${name} takes a Map from task to outputs as its outputs, not ${word}`,
        ),
      );
      expect(() => call(new Map() as never)).not.toThrow();
    });
  }
});
