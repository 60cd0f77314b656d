import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type PipelineRun, type RunOptions, startRun, type TaskReport } from "./index.js";
import { describeProblems, describeWait } from "./reasons.js";

// What a run tells of everything that happens to it, word for word.

const container = { image: "alpine", command: ["true"] };
const outputDefinitions = {
  parameters: { out: { parameterType: "NUMBER_INTEGER" } },
  artifacts: { data: { artifactType: { schemaTitle: "system.Artifact" } } },
};

function pipelineOf(tasks: object, components: object, executors: object = {}): Pipeline {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "told" },
      root: { dag: { tasks } },
      components: {
        leaf: { executorLabel: "exec", outputDefinitions },
        item: {
          executorLabel: "exec",
          inputDefinitions: { parameters: { item: { parameterType: "NUMBER_INTEGER" } } },
        },
        ...components,
      },
      deploymentSpec: { executors: { exec: { container }, ...executors } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}
const of = (name: string, more: object = {}) => ({ componentRef: { name }, ...more });
const leaf = (more: object = {}) => of("leaf", more);
const after = (...dependentTasks: readonly string[]) => leaf({ dependentTasks });
const when = (condition: string) => leaf({ triggerPolicy: { condition } });
const exit = (...dependentTasks: readonly string[]) =>
  leaf({ dependentTasks, triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } });
const loop = (items: string) =>
  of("item", { parameterIterator: { items: { raw: items }, itemInput: "item" } });

type Step = readonly [task: string, report: TaskReport] | "cancel";
const well: TaskReport = { state: "SUCCEEDED" };
const begun: TaskReport = { state: "RUNNING" };
const lost: TaskReport = { state: "QUEUED" };
const cached: TaskReport = { state: "SUCCEEDED", cached: true };
const failed = (message = "no luck", more: object = {}): TaskReport => ({
  state: "FAILED",
  error: { message, ...more },
});

function runAfter(
  tasks: object,
  steps: readonly Step[],
  options: RunOptions = {},
  components = {},
): PipelineRun {
  const run = startRun(pipelineOf(tasks, components), options);
  for (const step of steps) {
    if (step === "cancel") run.cancel();
    else run.report(...step);
  }
  return run;
}

describe("each event says why", () => {
  test.each<[string, object, readonly Step[], readonly string[]]>([
    [
      "a task that succeeds",
      { a: leaf() },
      [
        ["a", begun],
        ["a", well],
      ],
      [
        "a QUEUED: nothing is left to wait for",
        "a RUNNING: attempt 1 has started",
        "a SUCCEEDED: it has succeeded",
        "SUCCEEDED: all of its tasks have ended well",
      ],
    ],
    [
      "a result from the cache",
      { a: leaf() },
      [["a", cached]],
      [
        "a QUEUED: nothing is left to wait for",
        "a SUCCEEDED: the result was found in the cache",
        "SUCCEEDED: all of its tasks have ended well",
      ],
    ],
    [
      "a second attempt, at once",
      { a: leaf({ retryPolicy: { maxRetryCount: 1 } }) },
      [
        ["a", failed()],
        ["a", well],
      ],
      [
        "a QUEUED: nothing is left to wait for",
        "a RUNNING: attempt 1 has started",
        "a QUEUED: attempt 1 of 2 failed: no luck; the next one follows at once",
        "a RUNNING: attempt 2 has started",
        "a SUCCEEDED: attempt 2 has succeeded",
        "SUCCEEDED: all of its tasks have ended well",
      ],
    ],
    [
      "a second attempt, after a while",
      { a: leaf({ retryPolicy: { maxRetryCount: 1, backoffDuration: "2.5s" } }) },
      [
        ["a", failed("one")],
        ["a", failed("two")],
      ],
      [
        "a QUEUED: nothing is left to wait for",
        "a RUNNING: attempt 1 has started",
        "a QUEUED: attempt 1 of 2 failed: one; the next one follows after 2.5 s",
        "a RUNNING: attempt 2 has started",
        "a FAILED: two",
        "FAILED: a failed: two",
      ],
    ],
    [
      "an attempt that is lost",
      { a: leaf() },
      [
        ["a", begun],
        ["a", lost],
        ["a", begun],
      ],
      [
        "a QUEUED: nothing is left to wait for",
        "a RUNNING: attempt 1 has started",
        "a QUEUED: the attempt was lost",
        "a RUNNING: attempt 1 has started",
      ],
    ],
    [
      "conditions",
      { a: when("1 == 1"), b: when("1 == 2"), c: after("b") },
      [["a", well]],
      [
        "a QUEUED: its condition is true",
        "b SKIPPED: its condition is false because 1 == 2 is false",
        "c SKIPPED: not run, because b was skipped",
        "a RUNNING: attempt 1 has started",
        "a SUCCEEDED: it has succeeded",
        "SUCCEEDED: all of its tasks have ended well",
      ],
    ],
    [
      "a loop",
      { a: loop("[7, 8]") },
      [
        ["a[0]", well],
        ["a[1]", well],
      ],
      [
        "a RUNNING: a loop of 2 iterations",
        "a[0] QUEUED: its turn has come",
        "a[1] QUEUED: its turn has come",
        "a[0] RUNNING: attempt 1 has started",
        "a[0] SUCCEEDED: it has succeeded",
        "a[1] RUNNING: attempt 1 has started",
        "a[1] SUCCEEDED: it has succeeded",
        "a SUCCEEDED: all iterations have succeeded",
        "SUCCEEDED: all of its tasks have ended well",
      ],
    ],
    [
      "a loop over one, and one over nothing",
      { a: loop("[7]"), b: loop("[]") },
      [],
      [
        "a RUNNING: a loop of 1 iteration",
        "a[0] QUEUED: its turn has come",
        "b RUNNING: a loop of 0 iterations",
        "b SUCCEEDED: all iterations have succeeded",
      ],
    ],
    [
      "a cancellation",
      { a: leaf(), b: leaf(), c: after("a") },
      [["a", begun], "cancel", ["a", { state: "CANCELLED" }]],
      [
        "a QUEUED: nothing is left to wait for",
        "b QUEUED: nothing is left to wait for",
        "a RUNNING: attempt 1 has started",
        "CANCELLING: the run was cancelled",
        "b CANCELLED: the run was cancelled",
        "c CANCELLED: the run was cancelled",
        "a CANCELLED: stopped",
        "CANCELLED: the run was cancelled",
      ],
    ],
    [
      "tasks of a DAG",
      { outer: of("inner") },
      [["outer/a", failed("no luck", { code: 3 })]],
      [
        "outer RUNNING: nothing is left to wait for",
        "outer/a QUEUED: nothing is left to wait for",
        "outer/a RUNNING: attempt 1 has started",
        "outer/a FAILED: no luck",
        "outer FAILED: outer/a failed: no luck",
        "FAILED: outer/a failed: no luck",
      ],
    ],
  ])("%s", (_, tasks, steps, told) => {
    const { events } = runAfter(tasks, steps, {}, { inner: { dag: { tasks: { a: leaf() } } } });
    expect(events.map(({ task, state, reason }) => `${task} ${state}: ${reason}`.trim())).toEqual(told);
    expect(events.map(({ number }) => number)).toEqual(told.map((_one, at) => at + 1));
  });

  test.each<[number, string]>([
    [1, "t1 failed"],
    [2, "t1 failed, t2 failed"],
    [3, "t1 failed, t2 failed, t3 failed"],
    [4, "t1 failed, t2 failed, t3 failed and others did not succeed"],
  ])("with %i tasks before that did not succeed, three are named", (count, named) => {
    const names = Array.from({ length: count }, (_, at) => `t${at + 1}`);
    const tasks = { ...Object.fromEntries(names.map((name) => [name, leaf()])), last: after(...names) };
    const run = runAfter(
      tasks,
      names.map((name) => [name, failed()] as const),
    );
    expect(run.task("last")?.reason).toBe(`not run, because ${named}`);
  });

  test("of those before it only what did not go well is named, with what became of it", () => {
    const tasks = { a: leaf(), b: when("1 == 2"), c: leaf(), d: after("a", "b", "c") };
    const run = runAfter(tasks, [
      ["a", well],
      ["c", failed()],
    ]);
    expect(run.task("d")?.reason).toBe("not run, because b was skipped, c failed");
  });

  test("a task before it that the host has stopped is said to be cancelled", () => {
    const run = runAfter({ a: leaf(), b: after("a") }, [
      ["a", begun],
      ["a", { state: "CANCELLED" }],
    ]);
    expect(run.task("b")?.reason).toBe("not run, because a was cancelled");
  });

  test.each([
    ["a parameter that there is not", { runtimeParameter: "none" }],
    ["nowhere", { constant: "" }],
  ])("an import from %s fails before it begins, and says why", (_, artifactUri) => {
    const typeSchema = { schemaTitle: "system.Artifact" };
    const bring = {
      executorLabel: "bring",
      outputDefinitions: { artifacts: { a: { artifactType: typeSchema } } },
    };
    const pipeline = pipelineOf(
      { a: of("bring"), b: after("a") },
      { bring },
      {
        bring: { importer: { artifactUri, typeSchema } },
      },
    );
    const run = startRun(pipeline);
    const { state, reason, error, attempts } = run.task("a") ?? expect.unreachable();
    expect(reason).toBe("it cannot be imported: the URI of the artifact to import is empty");
    expect([state, error, attempts]).toEqual(["FAILED", { message: reason }, 0]);
    expect([run.state, run.error]).toEqual(["FAILED", { message: reason, task: "a" }]);
    expect(run.task("b")?.reason).toBe("not run, because a failed");
  });

  test("what a failure stops is named with it, and exit tasks run", () => {
    const tasks = { a: leaf(), b: leaf(), c: after("b"), z: exit("a") };
    const run = runAfter(tasks, [["a", failed("no luck", { code: 9 })]], { afterFailure: "stop" });
    expect(run.tasks.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      ["a", "FAILED", "no luck"],
      ["b", "SKIPPED", "not started, because a failed"],
      ["c", "SKIPPED", "not started, because a failed"],
      ["z", "QUEUED", "nothing is left to wait for"],
    ]);
    run.report("z", well);
    expect([run.state, run.error]).toEqual(["FAILED", { message: "no luck", task: "a", code: 9 }]);
  });

  test.each([
    ["tasks", { a: leaf(), b: leaf() }, ["b", "a"], "a"],
    ["iterations", { a: loop("[1, 2]") }, ["a[1]", "a[0]"], "a[0]"],
  ])("of several %s that failed the first is named, whichever ended first", (_, tasks, ids, first) => {
    const run = runAfter(
      tasks,
      ids.map((id) => [id, failed(`no ${id}`)] as const),
    );
    expect(run.error).toEqual({ message: `no ${first}`, task: first });
  });

  const nested = {
    outer: { dag: { tasks: { a: of("inner") } } },
    inner: { dag: { tasks: { a: leaf() } } },
  };
  test.each<[string, object, NonNullable<RunOptions["limits"]>, string, string]>([
    ["a loop", { a: loop("[1, 2]") }, { tasks: 2 }, "a", "2 tasks"],
    ["a DAG", { a: of("outer") }, { tasks: 2 }, "a/a", "2 tasks"],
    ["depth", { a: of("outer") }, { depth: 1 }, "a/a", "1 DAGs and loops inside each other"],
  ])("of a run that is too large: %s", (_, tasks, limits, task, limit) => {
    const run = runAfter(tasks, [], { limits }, nested);
    const message = `the run has more than ${limit}; does a component contain itself, or has a loop too many items?`;
    expect([run.task(task)?.reason, run.error]).toEqual([message, { message, task }]);
  });

  test.each<[string, object, NonNullable<RunOptions["limits"]>]>([
    ["a loop", { a: loop("[1, 2]") }, { tasks: 3 }],
    ["a DAG", { a: of("outer") }, { tasks: 3 }],
    ["depth", { a: of("outer") }, { depth: 2 }],
  ])("a run that is just not too large goes on: %s", (_, tasks, limits) => {
    const run = runAfter(tasks, [], { limits }, nested);
    expect([run.state, run.ready().length > 0]).toEqual(["RUNNING", true]);
  });
});

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b", "c"], "a; b; c"],
  [["a", "b", "c", "d"], "a; b; c; and 1 more"],
  [["a", "b", "c", "d", "e"], "a; b; c; and 2 more"],
])("of the problems %j this is told: %s", (messages, told) => {
  const problems = messages.map((message) => ({ code: "x", severity: "error" as const, path: "", message }));
  const odd = (severity: "warning" | "info") => ({ code: "x", severity, path: "", message: "odd" });
  expect(describeProblems([odd("warning"), ...problems, odd("info")])).toBe(told);
  const hinted = problems.map((problem) => ({ ...problem, hint: "hint" })).slice(0, 1);
  expect(describeProblems(hinted)).toBe(told === "" ? "" : "a; hint");
});

test.each([
  [0, "follows at once"],
  [1, "follows after 0.001 s"],
  [60_000, "follows after 60 s"],
])("an attempt in %i ms %s", (ms, words) => expect(describeWait(ms)).toBe(words));
