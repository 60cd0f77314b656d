import { describe, expect, test } from "vitest";
import { type AnyFunction, namesIt, rawErrors } from "../../../scripts/raw-errors.js";
import * as api from "./index.js";

// Whoever hands over something else than what a function takes gets a TypeError that names the function, and never one of the
// engine from deep inside. Every function of the front door has a row; one that has none fails the test below.

const text =
  "pipelineInfo: {name: a}\nroot: {dag: {tasks: {t: {componentRef: {name: c}}}}}\ncomponents: {c: {executorLabel: e}}\ndeploymentSpec: {executors: {e: {container: {image: b}}}}";
const parsed = api.parsePipeline(text);
const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable("the pipeline is a good one");
const graph = api.buildGraph(pipeline);
const task = graph.task("/root/dag/tasks/t");
const component = task?.component;
const edges = (_node: object) => [];

/** Arguments that each function takes. */
const rows: Readonly<Record<string, readonly unknown[]>> = {
  buildGraph: [pipeline],
  commentOffsets: ["# a"],
  configFromFile: [pipeline],
  describeComponent: [component],
  describeValue: [5],
  didYouMean: ["nmae", ["name"], { steps: 5 }],
  durationMs: ["5s"],
  enumName: [api.ParameterType, 1],
  executorSettings: [{ platforms: {} }, "e"],
  findCycles: [[{}], edges],
  inputArtifact: [component, "a"],
  inputParameter: [component, "a"],
  isExitTask: [task],
  isObject: [{}],
  jsonEquals: [1, 1],
  inexactIntegers: ["9007199254740993"],
  jsonProblem: [{ a: 1 }],
  locate: [pipeline, "/root", "key"],
  loopedComponents: [graph],
  outputArtifact: [component, "a"],
  outputParameter: [component, "a"],
  ownEntry: [{ a: 1 }, "a"],
  parsePipeline: [text, {}],
  pathFromPointer: ["/a"],
  plainValue: [{ value: { $case: "intValue", value: "1" } }],
  pointer: ["/a", "b"],
  printPipeline: [pipeline, { format: "json" }],
  printYaml: [{ a: 1 }, "double"],
  reachableComponents: [graph],
  readBinary: ["DagSpec", new Uint8Array(), {}],
  readJson: ["DagSpec", {}, {}],
  rewritePipeline: [text, () => undefined, {}],
  settingProblems: [{ json: {} }],
  sha256: ["a"],
  sortedMembers: [{ a: 1 }],
  unpackPipeline: [new TextEncoder().encode(text), {}],
  walkMessages: ["DagSpec", api.DagSpec.create(), "/root"],
  writeJson: ["DagSpec", api.DagSpec.create()],
};

/** Those that refuse what others are given speak in their names: what these take behind the name. */
const checks: Readonly<Record<string, readonly unknown[]>> = {
  checkArguments: ["text", { a: "b" }],
  checkMessage: ["DagSpec", { dag: { tasks: {} } }],
  checkOptions: [{}],
  checkParseOptions: [{}],
  checkPipeline: [pipeline],
};

/** Classes, with what they are made of. */
const classes: Readonly<Record<string, readonly unknown[]>> = {
  LineTable: ["a"],
  PipelineSpecError: ["unwritable", "/a", "message"],
  ProblemList: [5],
  Sha256Prefix: ["a"],
};

/** What cannot be written is a matter of the message, and told as such. */
const isOurs = (name: string) => (error: unknown) =>
  error instanceof api.PipelineSpecError || namesIt(name)(error);

const functions = Object.entries(api).filter(([, value]) => typeof value === "function");

test("every function has a row", () => {
  const names = [rows, checks, classes].flatMap((table) => Object.keys(table)).sort();
  expect(functions.map(([name]) => name).sort()).toEqual(names);
});

describe("given nonsense, a TypeError names", () => {
  for (const [name, args] of Object.entries(rows)) {
    const call: AnyFunction = Reflect.get(api, name);
    test(name, async () => {
      await call(...args);
      expect(await rawErrors(name, call, args, isOurs(name))).toEqual([]);
    });
  }
  for (const [name, args] of Object.entries(checks)) {
    const check: AnyFunction = Reflect.get(api, name);
    const checkAs = (...list: readonly unknown[]) =>
      check("anyone", ...list, ...(name === "checkOptions" ? [{}] : []));
    test(name, async () => {
      checkAs(...args);
      expect(
        (await rawErrors("anyone", checkAs, args, isOurs("anyone"))).filter((error) => !error.includes(name)),
      ).toEqual([]);
    });
  }
  for (const [name, args] of Object.entries(classes)) {
    const make: AnyFunction = (...list) => Reflect.construct(Reflect.get(api, name), list);
    test(name, async () => {
      make(...args);
      expect(await rawErrors(name, make, args, isOurs(name))).toEqual([]);
    });
  }
});
