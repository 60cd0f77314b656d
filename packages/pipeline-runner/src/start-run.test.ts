import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type PipelineRun, PipelineRunError, resumeRun, startRun, type TaskReport } from "./index.js";

function pipelineOf(root: object, components: object = {}): Pipeline {
  const container = { image: "alpine", command: ["true"] };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "test" },
      root,
      components: {
        leaf: {
          executorLabel: "exec",
          outputDefinitions: { parameters: { out: { parameterType: "NUMBER_INTEGER" } } },
        },
        ...components,
      },
      deploymentSpec: { executors: { exec: { container } } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}
const leaf = (more: object = {}) => ({ componentRef: { name: "leaf" }, ...more });
const dag = (tasks: object, more: object = {}) => ({ dag: { tasks, ...more } });
const runOf = (tasks: object, options = {}): PipelineRun => startRun(pipelineOf(dag(tasks)), options);
const ids = (run: PipelineRun, options = {}) => run.ready(options).map(({ id }) => id);
const failure = { state: "FAILED", error: { message: "no luck" } } as const;
const well = { state: "SUCCEEDED" } as const;

test("a retry policy of a task's own holds, also when it allows none", () => {
  const inner = (more: object) => dag({ pay: leaf(more) });
  const attempts = (more: object) => {
    const outer = { componentRef: { name: "comp" }, retryPolicy: { maxRetryCount: 2 } };
    const run = startRun(pipelineOf(dag({ outer }), { comp: inner(more) }));
    for (let tries = 0; run.state === "RUNNING" && tries < 10; tries++)
      for (const { id } of run.ready()) run.report(id, failure);
    return run.task("outer/pay")?.attempts;
  };
  expect(attempts({})).toBe(3);
  expect(attempts({ retryPolicy: { maxRetryCount: 0 } })).toBe(1);
  expect(attempts({ retryPolicy: { maxRetryCount: 1 } })).toBe(2);
});

describe("what cannot be run is refused with every reason", () => {
  test.each<[string, object, object, string]>([
    ["a root that is no DAG", { executorLabel: "exec" }, {}, "the root is no DAG"],
    [
      "an unknown component",
      dag({ a: { componentRef: { name: "lea" } } }),
      {},
      `no component "lea"; did you mean "leaf"?`,
    ],
    [
      "an unknown executor",
      dag({ a: { componentRef: { name: "b" } } }),
      { b: { executorLabel: "exe" } },
      `no executor "exe"; did you mean "exec"?`,
    ],
    [
      "a cycle",
      dag({ a: leaf({ dependentTasks: ["b"] }), b: leaf({ dependentTasks: ["a"] }) }),
      {},
      "tasks wait for each other: a → b → a",
    ],
  ])("%s", (_, root, components, message) => {
    expect(() => startRun(pipelineOf(root, components))).toThrow(message);
  });

  test("parameters, with their places", () => {
    const root = {
      ...dag({ a: leaf() }),
      inputDefinitions: { parameters: { n: { parameterType: "NUMBER_INTEGER" } } },
    };
    const start = () => startRun(pipelineOf(root), { parameters: { m: 1 } });
    expect(start).toThrow(/\/parameterValues\/m: .*did you mean|\/parameterValues\/n/);
    expect(start).toThrow(PipelineRunError);
  });

  test.each<[string, object]>([
    ["an unknown option", { parametres: {} }],
    ["an unknown limit", { limits: { task: 3 } }],
    ["a limit of nothing", { limits: { tasks: 0 } }],
    ["parameters twice", { parameters: {}, runtimeConfig: {} }],
    ["parameters that are a list", { parameters: [] }],
  ])("%s is a TypeError", (_, options) => expect(() => runOf({ a: leaf() }, options)).toThrow(TypeError));
});

describe("reports that cannot be are refused, and change nothing", () => {
  const nested: unknown = Array.from({ length: 2000 }).reduce((inner) => [inner], 1);
  test.each<[string, string, unknown, string]>([
    ["an unknown task", "aa", well, `the run has no task "aa"; did you mean "a"?`],
    ["a DAG", "d", well, "d is a dag: it ends by itself"],
    ["a task that waits", "b", well, "b is PENDING: only QUEUED or RUNNING leads to SUCCEEDED"],
    [
      "an end before the beginning",
      "a",
      { state: "CANCELLED" },
      "a is QUEUED: only RUNNING leads to CANCELLED",
    ],
    ["no report", "a", null, "it is an object with a state, not null"],
    [
      "an unknown state",
      "a",
      { state: "DONE" },
      `its state is one of RUNNING, SUCCEEDED, FAILED, CANCELLED, QUEUED, not the text "DONE"`,
    ],
    ["a failure without a reason", "a", { state: "FAILED" }, "a failure has an error with a message"],
    ["a moment that is none", "a", { ...well, at: Number.NaN }, "`at` is a moment"],
    [
      "outputs that are not declared",
      "a",
      { ...well, outputs: { parameters: { oat: 1 } } },
      `no output parameter "oat"; did you mean "out"?`,
    ],
    [
      "outputs that are no object",
      "a",
      { ...well, outputs: { parameters: 3 } },
      "the parameters among its outputs are an object",
    ],
    ["an output that is no JSON", "a", { ...well, outputs: { parameters: { out: 1n } } }, "is no JSON"],
    [
      "an output that nests too deep",
      "a",
      { ...well, outputs: { parameters: { out: nested } } },
      "more than 1000 levels",
    ],
  ])("%s", (_, id, report, message) => {
    const inner = pipelineOf(
      dag({ a: leaf(), b: leaf({ dependentTasks: ["a"] }), d: { componentRef: { name: "inner" } } }),
      { inner: dag({ c: leaf() }) },
    );
    const run = startRun(inner);
    const before = JSON.stringify(run.snapshot());
    // Programs without types hand in anything.
    expect(() => run.report(id, report as TaskReport)).toThrow(message);
    expect(JSON.stringify(run)).toBe(before);
    expect(ids(run)).toEqual(["a", "d/c"]);
  });

  test("a second end of a task", () => {
    const run = runOf({ a: leaf() });
    run.report("a", well);
    expect(() => run.report("a", well)).toThrow("a is SUCCEEDED: nothing can follow");
    expect(run.cancel()).toEqual([]);
  });
});

describe("attempts", () => {
  const retryPolicy = { maxRetryCount: 2, backoffDuration: "10s", backoffFactor: 3 };

  test("follow each other, not before their time, as often as the policy says", () => {
    const run = runOf({ a: leaf({ retryPolicy }) });
    run.report("a", { ...failure, at: 1000 });
    expect(run.ready()).toMatchObject([{ attempt: 2, notBefore: 11_000 }]);
    expect(ids(run, { now: 10_999 })).toEqual([]);
    expect(ids(run, { now: 11_000 })).toEqual(["a"]);
    run.report("a", { ...failure, at: 20_000 });
    expect(run.ready()).toMatchObject([{ attempt: 3, notBefore: 50_000 }]);
    expect(run.report("a", failure).map(({ task, state }) => [task, state])).toEqual([
      ["a", "RUNNING"],
      ["a", "FAILED"],
      ["", "FAILED"],
    ]);
    expect(run.task("a")?.attempts).toBe(3);
  });

  test("are of one task, which has started with the first and ended with the last", () => {
    const run = runOf({ a: leaf({ retryPolicy }) });
    run.report("a", { state: "RUNNING", at: 1000 });
    run.report("a", { ...failure, at: 2000 });
    expect(run.task("a")).toMatchObject({ startedAt: 1000 });
    run.report("a", { state: "RUNNING", at: 20_000 });
    expect(run.task("a")).toMatchObject({ startedAt: 1000 });
    run.report("a", { ...well, at: 30_000 });
    expect(run.task("a")).toMatchObject({ startedAt: 1000, endedAt: 30_000 });
  });

  test("end when the host says that another is no use, and when the run is cancelled", () => {
    const useless = runOf({ a: leaf({ retryPolicy }) });
    useless.report("a", { ...failure, retry: false });
    expect(useless.state).toBe("FAILED");
    const cancelled = runOf({ a: leaf({ retryPolicy }) });
    cancelled.report("a", { state: "RUNNING" });
    cancelled.cancel({ reason: "enough" });
    expect(cancelled.state).toBe("CANCELLING");
    cancelled.report("a", failure);
    expect([cancelled.task("a")?.state, cancelled.state]).toEqual(["FAILED", "FAILED"]);
  });

  test("that are lost do not count", () => {
    const run = runOf({ a: leaf() });
    run.report("a", { state: "RUNNING" });
    run.report("a", { state: "QUEUED" });
    expect(run.ready()).toMatchObject([{ id: "a", attempt: 1 }]);
    run.report("a", well);
    expect(run.task("a")).toMatchObject({ attempts: 1, state: "SUCCEEDED" });
  });

  test("follow the policy of the DAG around, unless the task has its own", () => {
    const once = { maxRetryCount: 1 };
    const tasks = { d: { componentRef: { name: "inner" }, retryPolicy: once } };
    const inner = dag({ a: leaf(), b: leaf({ retryPolicy }) });
    const run = startRun(pipelineOf(dag(tasks), { inner }));
    for (const id of ["d/a", "d/a", "d/b", "d/b"]) run.report(id, failure);
    expect([run.task("d/a")?.state, run.task("d/b")?.state]).toEqual(["FAILED", "QUEUED"]);
  });

  test("follow the policy of the loop whose iterations they are", () => {
    const parameterIterator = { items: { raw: "[1, 2]" }, itemInput: "n" };
    const item = {
      executorLabel: "exec",
      inputDefinitions: { parameters: { n: { parameterType: "NUMBER_INTEGER" } } },
    };
    const each = { componentRef: { name: "item" }, retryPolicy: { maxRetryCount: 1 }, parameterIterator };
    const run = startRun(pipelineOf(dag({ each }), { item }));
    for (const id of ["each[0]", "each[0]", "each[1]"]) run.report(id, failure);
    expect([run.task("each[0]")?.state, run.task("each[1]")?.state]).toEqual(["FAILED", "QUEUED"]);
  });
});

describe("after a failure", () => {
  const tasks = {
    a: leaf(),
    b: leaf(),
    c: leaf({ dependentTasks: ["b"] }),
    exit: leaf({ dependentTasks: ["a"], triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } }),
  };

  test("the other tasks go on", () => {
    const run = runOf(tasks);
    run.report("a", failure);
    expect(ids(run)).toEqual(["b", "exit"]);
  });

  test("nothing but exit tasks starts when that is asked for", () => {
    const run = runOf(tasks, { afterFailure: "stop" });
    run.report("a", failure);
    expect(ids(run)).toEqual(["exit"]);
    expect(run.task("c")?.reason).toBe("not started, because a failed");
    run.report("exit", well);
    expect([run.state, run.error]).toEqual(["FAILED", { message: "no luck", task: "a" }]);
  });

  test("iterations that have not started do not, when that is asked for", () => {
    const iterator = {
      parameterIterator: { items: { raw: "[1,2,3]" }, itemInput: "x" },
      iteratorPolicy: { parallelismLimit: 2 },
    };
    const run = runOf({ loop: leaf(iterator) }, { afterFailure: "stop" });
    expect(ids(run)).toEqual(["loop[0]", "loop[1]"]);
    run.report("loop[0]", { state: "RUNNING" });
    run.report("loop[1]", failure);
    expect(ids(run)).toEqual([]);
    run.report("loop[0]", well);
    expect([run.state, run.task("loop[2]")?.state]).toEqual(["FAILED", "SKIPPED"]);
  });
});

describe("limits", () => {
  test("hold a component that contains itself, and a loop over too many items", () => {
    const self = startRun(
      pipelineOf(dag({ a: { componentRef: { name: "inner" } } }), {
        inner: dag({ a: { componentRef: { name: "inner" } } }),
      }),
    );
    expect(self.state).toBe("FAILED");
    expect(self.error?.message).toContain("more than 100 DAGs and loops inside each other");
    const items = { raw: JSON.stringify(Array.from({ length: 20 }, (_, i) => i)) };
    const many = runOf(
      { loop: leaf({ parameterIterator: { items, itemInput: "x" } }) },
      { limits: { tasks: 20 } },
    );
    expect(many.error?.message).toContain("more than 20 tasks");
  });
});

describe("reasons are for people", () => {
  test("a condition says which value made it false, a task what it waited for in vain", () => {
    const triggerPolicy = { condition: "int(inputs.parameter_values['n']) > 5" };
    const inputs = { parameters: { n: { runtimeValue: { constant: 3 } } } };
    const run = runOf({ a: leaf({ inputs, triggerPolicy }), b: leaf({ dependentTasks: ["a"] }) });
    expect(run.task("a")?.reason).toContain(
      "its condition is false because int(inputs.parameter_values['n']) > 5 is false",
    );
    expect(run.task("b")?.reason).toBe("not run, because a was skipped");
    expect(run.state).toBe("SUCCEEDED");
  });

  test("a condition that cannot be evaluated fails the task", () => {
    const run = runOf({ a: leaf({ triggerPolicy: { condition: "inputs.parameter_values['n'] > 5" } }) });
    expect(run.error?.message).toContain("its condition cannot be evaluated: no such key: n");
  });
});

describe("snapshots", () => {
  test("of other formats and other things are refused", () => {
    const snapshot = runOf({ a: leaf() }).snapshot();
    const wrong: unknown[] = [
      null,
      { ...snapshot, format: 2 },
      { ...snapshot, commands: {} },
      { format: 1 },
      { ...snapshot, options: 1 },
    ];
    // Files hold anything.
    for (const one of wrong)
      expect(() => resumeRun(one as typeof snapshot)).toThrow("this is no snapshot of a run");
  });

  test("that cannot be followed say where", () => {
    const snapshot = runOf({ a: leaf() }).snapshot();
    const commands = [{ kind: "report", task: "b", report: well }] as const;
    expect(() => resumeRun({ ...snapshot, commands })).toThrow(`at /commands/0: the run has no task "b"`);
  });
});

test("the condition of a DAG finds no input that nobody gave, which is null for the tasks inside", () => {
  const x = { parameterType: "NUMBER_INTEGER", isOptional: true };
  const inputDefinitions = { parameters: { x } };
  const component = { ...dag({ big: leaf() }), inputDefinitions };
  const condition = "'x' in inputs.parameter_values && inputs.parameter_values['x'] > 100";
  const inputs = { parameters: { x: { componentInputParameter: "x" } } };
  const branch = { componentRef: { name: "branch" }, inputs, triggerPolicy: { condition } };
  const pipeline = pipelineOf({ ...dag({ branch }), inputDefinitions }, { branch: component });
  const states = [{}, { x: 1 }, { x: 101 }].map((parameterValues) => {
    const run = startRun(pipeline, { runtimeConfig: { parameterValues } });
    return [run.task("branch")?.state, run.task("branch")?.inputs?.parameters];
  });
  expect(states).toEqual([
    ["SKIPPED", { x: null }],
    ["SKIPPED", { x: 1 }],
    ["RUNNING", { x: 101 }],
  ]);
});

describe("ready tasks", () => {
  test("are as many as asked for, in the order in which they came", () => {
    const run = runOf({ a: leaf(), b: leaf(), c: leaf() });
    expect(ids(run, { limit: 2 })).toEqual(["a", "b"]);
    expect(() => run.ready(Object.fromEntries([["limits", 1]]))).toThrow(TypeError);
  });

  test("have keys of the cache that do not depend on the run, unless it is off", () => {
    const cachingOptions = { enableCache: true };
    const keyOf = (more: object, runId: string) => {
      const [task] = runOf({ a: leaf(more) }, { runId }).ready();
      return task?.kind === "container" ? task.cacheKey : expect.unreachable("it is a container");
    };
    expect(keyOf({ cachingOptions }, "r1")).toBe(keyOf({ cachingOptions }, "r2"));
    expect(keyOf({}, "r1")).toBeUndefined();
    expect(keyOf({ cachingOptions: { ...cachingOptions, cacheKey: "own" } }, "r1")).not.toBe(
      keyOf({ cachingOptions }, "r1"),
    );
  });
});

test.each([5, null, [], {}, { artifacts: 5 }, { artifacts: [5] }, { artifacts: [{}] }])(
  "artifacts that are no list are refused with the form that they have: %j",
  (list) => {
    const artifacts = { data: list } as never;
    const told = 'the option "artifacts" of startRun has lists: { "data": { artifacts: [{ uri }] } }';
    expect(() => startRun(pipelineOf({ dag: {} }), { artifacts })).toThrow(new TypeError(told));
  },
);
