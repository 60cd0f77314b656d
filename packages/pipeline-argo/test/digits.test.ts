import { expect, test } from "vitest";
import { container, dag, exit, importer, type Json, leaf, loop, to, warningsOf } from "./small-pipelines.js";

// Argo reads the name of a task that others wait for in an expression, in which it cannot begin with a digit.

const artifactType = { schemaTitle: "system.Model", schemaVersion: "0.0.1" };
const model = { ...leaf, outputDefinitions: { artifacts: { artifact: { artifactType } } } };
const body = { ...dag, inputDefinitions: { parameters: { i: { parameterType: "NUMBER_INTEGER" } } } };
const components = { model, dag, body, again: body };
const volume = { container: { image: "argostub/createpvc" } };
const after = (name: string, more: Json = {}): Json => ({ ...more, dependentTasks: [name] });

test.each<[what: string, tasks: Json, executor: Json, told: readonly string[]]>([
  ["a container has a driver to wait for", { "1st": to("leaf") }, container, ["1st"]],
  ["a DAG has a driver to wait for", { "1st": to("dag") }, importer, ["1st"]],
  ["a volume alone waits for nothing", { "1st": to("leaf") }, volume, []],
  ["a volume waits for one before it", { "1st": to("leaf"), b: to("leaf", after("1st")) }, volume, ["1st"]],
  ["a loop alone waits for nothing", { "1st": to("body", loop) }, importer, []],
  [
    "a loop waits for one before it",
    { "1st": to("body", loop), b: to("again", after("1st", loop)) },
    importer,
    ["1st"],
  ],
  ["an importer waits for nothing", { "1st": to("model"), b: to("model", after("1st")) }, importer, []],
  [
    "an importer in a hook waits for nothing, whatever others do",
    { a: to("dag"), "1st": to("model", after("a", exit)) },
    importer,
    [],
  ],
  [
    "what waits in a hook does not count for those outside of it",
    { "1st": to("body", loop), b: to("model"), last: to("dag", after("b", exit)) },
    importer,
    [],
  ],
  [
    "a DAG in a hook waits for its driver",
    { a: to("body", loop), b: to("model"), "1st": to("dag", after("b", exit)) },
    importer,
    ["1st"],
  ],
])("%s", (_, tasks, executor, told) => {
  const names = warningsOf({ tasks, components, executor }).filter(([code]) => code === "argo-task-name");
  expect(names).toEqual(
    told.map((name) => [
      "argo-task-name",
      `/root/dag/tasks/${name}`,
      `the name of the task "${name}" begins with a digit, in a DAG whose tasks wait for each other`,
    ]),
  );
});

test.each<[what: string, task: Json, executor: Json]>([
  ["a volume", to("leaf"), volume],
  ["an importer", to("model"), importer],
])("%s has no driver, whose name could be too long or taken", (_, task, executor) => {
  const tasks = { ["x".repeat(128)]: task, a: task, "a-driver": task };
  const names = warningsOf({ tasks, components, executor }).filter(([code]) => code === "argo-task-name");
  expect(names).toEqual([]);
});

test("an exit task may have the name of a driver, as it runs in a hook", () => {
  const of = (more: Json) =>
    warningsOf({ tasks: { a: to("leaf"), "a-driver": to("leaf", more) } }).filter(
      ([code]) => code === "argo-task-name",
    );
  expect(of(after("a", exit))).toEqual([]);
  expect(of({})).toEqual([
    [
      "argo-task-name",
      "/root/dag/tasks/a-driver",
      'the driver of the task "a" gets the name "a-driver", which is the name of another one',
    ],
  ]);
});

test("an exit task runs as often as there are tasks that it starts after, each of which counts once", () => {
  const of = (dependentTasks: readonly string[]) =>
    warningsOf({
      tasks: {
        a: to("leaf"),
        b: to("leaf"),
        l: to("body", loop),
        last: to("dag", { ...exit, dependentTasks }),
      },
      components,
    })
      .filter(([code]) => code === "repeated-exit-task" || code === "lost-exit-task")
      .map(([, , message]) => message);
  expect(of(["a", "a"])).toEqual([]);
  expect(of(["l", "a", "b", "l"])).toEqual([
    'the exit task "last" never runs after "l"',
    'the exit task "last" runs 2 times: after each of "a", "b"',
  ]);
});
