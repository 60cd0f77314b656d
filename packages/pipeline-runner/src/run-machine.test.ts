import type { Profile } from "@wye/pipeline-resolver";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { startRun, type TaskReport } from "./index.js";

const int = { parameterType: "NUMBER_INTEGER" };
const list = { parameterType: "LIST" };
const takes = (...names: readonly string[]) => ({
  parameters: Object.fromEntries(names.map((name) => [name, { componentInputParameter: name }])),
});
const constant = (value: number) => ({ parameters: { n: { runtimeValue: { constant: value } } } });

function pipelineOf(tasks: object, components: object) {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "odd" },
      root: {
        inputDefinitions: {
          parameters: { n: { ...int, isOptional: true }, l: { ...list, isOptional: true } },
        },
        dag: { tasks },
      },
      components,
      deploymentSpec: { executors: { exec: { container: { image: "alpine" } } } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

/** A task, a loop, and a DAG that is there twice. */
function oddPipeline() {
  const loop = { parameterIterator: { items: { inputParameter: "l" }, itemInput: "n" } };
  const tasks = {
    a: { componentRef: { name: "leaf" }, inputs: takes("n") },
    b: { componentRef: { name: "leaf" }, inputs: takes("l"), ...loop },
    c: { componentRef: { name: "group" }, inputs: constant(2 ** 62) },
    d: { componentRef: { name: "group" }, inputs: constant(2 ** 63) },
  };
  return pipelineOf(tasks, {
    leaf: {
      executorLabel: "exec",
      inputDefinitions: { parameters: { n: int, l: { ...list, isOptional: true } } },
    },
    group: {
      inputDefinitions: { parameters: { n: int } },
      dag: { tasks: { e: { componentRef: { name: "leaf" }, inputs: takes("n") } } },
    },
  });
}

test("what is odd about values is told with its place, once for each", () => {
  const told = (n: number, l: readonly number[]) => {
    const run = startRun(oddPipeline(), { parameters: { n, l } });
    expect(run.tasks.map(({ id }) => id)).toEqual(["a", "b", "c", "d", "b[0]", "b[1]", "c/e", "d/e"]);
    return run.warnings.map((warning) => warning.replace(/ is beyond .*/, ""));
  };
  const groups = [
    `/root/dag/tasks/c/inputs/parameters/n: input n: ${2 ** 62}`,
    `/root/dag/tasks/d/inputs/parameters/n: input n: ${2 ** 63}`,
    `/components/group/dag/tasks/e/inputs/parameters/n: input n: ${2 ** 62}`,
  ];
  expect(told(1, [1, 2]).sort()).toEqual(groups.sort());
  expect(told(2 ** 60, [1, 2 ** 61]).sort()).toEqual(
    [
      `/parameterValues/n: parameter n: ${2 ** 60}`,
      `/parameterValues/l: parameter l: ${2 ** 61}`,
      `/root/dag/tasks/a/inputs/parameters/n: input n: ${2 ** 60}`,
      `/root/dag/tasks/b/inputs/parameters/l: input l: ${2 ** 61}`,
      `/root/dag/tasks/b/parameterIterator/items: item 1 of the loop: ${2 ** 61}`,
      ...groups,
    ].sort(),
  );
});

test("a DAG of nothing has succeeded as soon as it begins", () => {
  const empty = startRun(pipelineOf({}, {}));
  expect([empty.state, empty.tasks, empty.outputs]).toEqual([
    "SUCCEEDED",
    [],
    { parameters: {}, artifacts: {} },
  ]);
  const tasks = {
    a: { componentRef: { name: "none" } },
    b: { componentRef: { name: "leaf" }, dependentTasks: ["a"] },
  };
  const around = startRun(pipelineOf(tasks, { leaf: { executorLabel: "exec" }, none: { dag: {} } }));
  expect(around.tasks.map(({ id, state }) => [id, state])).toEqual([
    ["a", "SUCCEEDED"],
    ["b", "QUEUED"],
  ]);
});

test("the iterations of an exit loop that have not begun are stopped with it", () => {
  const item = { executorLabel: "exec", inputDefinitions: { parameters: { item: int } } };
  const leaf = { executorLabel: "exec" };
  const failure = { state: "FAILED", error: { message: "no luck" } } as const;
  const z = {
    componentRef: { name: "item" },
    dependentTasks: ["a"],
    triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" },
    parameterIterator: { items: { raw: "[1, 2]" }, itemInput: "item" },
    iteratorPolicy: { parallelismLimit: 1 },
  };
  const run = startRun(pipelineOf({ a: { componentRef: { name: "leaf" } }, z }, { leaf, item }), {
    afterFailure: "stop",
  });
  run.report("a", failure);
  run.report("z[0]", failure);
  expect(run.tasks.map(({ id, state }) => [id, state])).toEqual([
    ["a", "FAILED"],
    ["z", "FAILED"],
    ["z[0]", "FAILED"],
    ["z[1]", "SKIPPED"],
  ]);
});

test("tasks have the times of their first attempt and of their end, also DAGs and loops", () => {
  const retryPolicy = { maxRetryCount: 1 };
  const tasks = {
    a: { componentRef: { name: "group" }, retryPolicy },
    b: { componentRef: { name: "item" }, parameterIterator: { items: { raw: "[1]" }, itemInput: "n" } },
    c: { componentRef: { name: "leaf" }, dependentTasks: ["a"] },
  };
  const run = startRun(
    pipelineOf(tasks, {
      group: { dag: { tasks: { e: { componentRef: { name: "leaf" } } } } },
      item: { executorLabel: "exec", inputDefinitions: { parameters: { n: int } } },
      leaf: { executorLabel: "exec" },
    }),
    { at: 1000 },
  );
  run.report("a/e", { state: "RUNNING", at: 2000 });
  run.report("a/e", { state: "FAILED", error: { message: "no luck" }, at: 3000 });
  run.report("a/e", { state: "RUNNING", at: 4000 });
  run.report("a/e", { state: "SUCCEEDED", at: 5000 });
  run.report("b[0]", { state: "RUNNING" });
  run.report("b[0]", { state: "SUCCEEDED", at: 7000 });
  expect(run.tasks.map(({ id, startedAt, endedAt }) => [id, startedAt, endedAt])).toEqual([
    ["a", 1000, 5000],
    ["b", 1000, 7000],
    ["c", undefined, undefined],
    ["a/e", 2000, 5000],
    ["b[0]", undefined, 7000],
  ]);
});

test("a task is told of itself, and not of what it is in", () => {
  const inputs = {
    parameters: { n: { runtimeValue: { constant: "{{$.pipeline_task_name}} of {{$.pipeline_task_uuid}}" } } },
  };
  const text = { inputDefinitions: { parameters: { n: { parameterType: "STRING" } } } };
  const run = startRun(
    pipelineOf(
      { g: { componentRef: { name: "group" } } },
      {
        group: { dag: { tasks: { a: { componentRef: { name: "leaf" }, inputs } } } },
        leaf: { executorLabel: "exec", ...text },
      },
    ),
  );
  expect(run.task("g/a")?.inputs?.parameters).toEqual({ n: "a of g/a" });
});

describe("a run to the letter of the specification", () => {
  const leaf = { executorLabel: "exec", outputDefinitions: { parameters: { out: int } } };
  const endOf = (tasks: object, components: object, profile: Profile) => {
    const run = startRun(pipelineOf(tasks, { leaf, ...components }), { profile });
    for (const { id } of run.ready())
      run.report(id, { state: "SUCCEEDED", outputs: { parameters: { out: 1 } } });
    return [run.state, run.error?.message ?? ""];
  };

  test("takes no items that are inexact", () => {
    const parameterIterator = { items: { raw: `[${2 ** 60}]` }, itemInput: "n" };
    const item = { ...leaf, inputDefinitions: { parameters: { n: int } } };
    const loop = { componentRef: { name: "item" }, parameterIterator };
    expect(endOf({ loop }, { item }, "kfp")).toEqual(["SUCCEEDED", ""]);
    expect(endOf({ loop }, { item }, "spec")).toEqual([
      "FAILED",
      expect.stringMatching("^its items cannot be resolved: "),
    ]);
  });

  test("takes no output of which there are two", () => {
    const ofOne = (name: string) => ({ producerSubtask: name, outputParameterKey: "out" });
    const outputs = {
      parameters: { one: { valueFromOneof: { parameterSelectors: [ofOne("a"), ofOne("b")] } } },
    };
    const tasks = { a: { componentRef: { name: "leaf" } }, b: { componentRef: { name: "leaf" } } };
    const group = { dag: { tasks, outputs }, outputDefinitions: { parameters: { one: int } } };
    const around = { g: { componentRef: { name: "group" } } };
    expect(endOf(around, { group }, "kfp")).toEqual(["SUCCEEDED", ""]);
    expect(endOf(around, { group }, "spec")).toEqual([
      "FAILED",
      expect.stringMatching("^its outputs cannot be resolved: "),
    ]);
  });
});

test("a snapshot stays what it is, whatever the host does with it, with the run or with its objects", () => {
  const leaf = { executorLabel: "exec" };
  const run = startRun(pipelineOf({ a: { componentRef: { name: "leaf" } } }, { leaf }));
  const [begun, options] = [{ state: "RUNNING", at: 1 } as const, { reason: "enough", at: 2 }];
  run.report("a", begun);
  const early = run.snapshot();
  run.cancel(options);
  const late = run.snapshot();
  Object.assign(begun, { at: 7 });
  options.reason = "changed";
  const commands = [
    { kind: "report", task: "a", report: { state: "RUNNING", at: 1 } },
    { kind: "cancel", options: { reason: "enough", at: 2 } },
  ];
  expect([early.commands, late.commands]).toEqual([commands.slice(0, 1), commands]);
});

test.each([
  [undefined, 3],
  [{}, 3],
  [{ parallelismLimit: 0 }, 3],
  [{ parallelismLimit: 1 }, 1],
  [{ parallelismLimit: 2 }, 2],
  [{ parallelismLimit: 4 }, 3],
])("of three iterations with the policy %j there begin %i at once", (iteratorPolicy, count) => {
  const parameterIterator = { items: { raw: "[1, 2, 3]" }, itemInput: "n" };
  const loop = { componentRef: { name: "item" }, parameterIterator, iteratorPolicy };
  const item = { executorLabel: "exec", inputDefinitions: { parameters: { n: int } } };
  const run = startRun(pipelineOf({ loop }, { item }));
  expect(run.ready().map(({ id }) => id)).toEqual(["loop[0]", "loop[1]", "loop[2]"].slice(0, count));
});

test.each<[TaskReport, object]>([
  [{ state: "SUCCEEDED" }, { state: "SUCCEEDED", error: {} }],
  [{ state: "CANCELLED" }, { state: "CANCELLED", error: {} }],
  [
    { state: "FAILED", error: { message: "no luck", code: 3 } },
    { state: "FAILED", error: { code: 3, message: "no luck" } },
  ],
  [
    { state: "FAILED", error: { message: "no luck" } },
    { state: "FAILED", error: { code: 1, message: "no luck" } },
  ],
])("after %j an exit task is told %j", (report, told) => {
  const z = {
    componentRef: { name: "last" },
    dependentTasks: ["a"],
    triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" },
    inputs: { parameters: { status: { taskFinalStatus: { producerTask: "a" } } } },
  };
  const last = {
    executorLabel: "exec",
    inputDefinitions: { parameters: { status: { parameterType: "TASK_FINAL_STATUS" } } },
  };
  const tasks = { a: { componentRef: { name: "leaf" } }, z };
  const run = startRun(pipelineOf(tasks, { leaf: { executorLabel: "exec" }, last }), { runId: "r" });
  run.report("a", { state: "RUNNING" });
  run.report("a", report);
  const [ready] = run.ready();
  expect(ready?.inputs.parameters.status).toEqual({
    pipelineJobResourceName: "r",
    pipelineTaskName: "a",
    ...told,
  });
});

test("a named key is that of the tasks of one component alone", () => {
  const of = (name: string) => ({
    componentRef: { name },
    cachingOptions: { enableCache: true, cacheKey: "mine" },
  });
  const component = { executorLabel: "exec" };
  const tasks = { a: of("one"), b: of("one"), c: of("other") };
  const ready = startRun(pipelineOf(tasks, { one: component, other: component })).ready();
  const [first, second, third] = ready.map((task) => task.kind === "container" && task.cacheKey);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect([second === first, third === first]).toEqual([true, false]);
});

test("of values that are none of their type the profile tells what becomes, of the run and of each task", () => {
  const inputDefinitions = { parameters: { n: int } };
  const components = { leaf: { executorLabel: "exec", inputDefinitions } };
  const taking = (inputs: object) =>
    pipelineOf({ a: { componentRef: { name: "leaf" }, inputs } }, components);
  const [given, said] = [taking(takes("n")), taking(constant(5.5))];

  const lenient = startRun(given, { profile: "kfp", parameters: { n: 5.5 } });
  expect([lenient.task("a")?.state, lenient.warnings.length]).toEqual(["QUEUED", 2]);
  expect(() => startRun(given, { profile: "spec", parameters: { n: 5.5 } })).toThrow("5.5");

  expect(startRun(said, { profile: "kfp" }).task("a")?.state).toBe("QUEUED");
  const { state, reason } = startRun(said, { profile: "spec" }).task("a") ?? expect.unreachable();
  expect([state, reason]).toEqual([
    "FAILED",
    expect.stringMatching(/^its inputs cannot be resolved: .*5\.5/),
  ]);
});

test("facts of the host come before those of the run, and objects of the host that change later do not count", () => {
  const leaf = { executorLabel: "exec" };
  const options = { facts: { pipeline_root: "/mine", more: "told" } };
  const run = startRun(pipelineOf({ a: { componentRef: { name: "leaf" } } }, { leaf }), options);
  options.facts.more = "changed";
  expect(run.facts).toMatchObject({ pipeline_root: "/mine", more: "told" });
  expect(run.snapshot().options.facts).toEqual({ pipeline_root: "/mine", more: "told" });
});
