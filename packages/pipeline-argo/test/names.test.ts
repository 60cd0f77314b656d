import { describe, expect, test } from "vitest";
import {
  dag,
  exit,
  importer,
  type Json,
  leaf,
  loop,
  type Parts,
  retries,
  to,
  warningsOf,
} from "./small-pipelines.js";

// What Argo says to such names is in its validation of workflows: letters, digits and hyphens, 128 at most; no digit first where tasks
// wait for each other; each name once; underscores in parameters alone.

const settings = { kubernetes: { deploymentSpec: { executors: { e: { imagePullPolicy: "Always" } } } } };
const long = "a".repeat(122);
const model = {
  ...leaf,
  outputDefinitions: {
    artifacts: { artifact: { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } } },
  },
};

describe("a name that Argo refuses is a warning", () => {
  test.each<[string, Parts, code: string, path: string, says: string]>([
    [
      "a digit first",
      { tasks: { "1st": to("leaf") } },
      "argo-task-name",
      "/root/dag/tasks/1st",
      "begins with a digit",
    ],
    [
      "an underscore",
      { tasks: { a_b: to("leaf") } },
      "argo-task-name",
      "/root/dag/tasks/a_b",
      "is none for Argo",
    ],
    [
      "a dot in a DAG",
      { tasks: { "a.b": to("d") }, components: { d: dag } },
      "argo-task-name",
      "/root/dag/tasks/a.b",
      "none for Argo",
    ],
    [
      "a name that the driver of another gets",
      { tasks: { a: to("leaf"), "a-driver": to("leaf") } },
      "argo-task-name",
      "/root/dag/tasks/a-driver",
      '"a-driver", which is the name of another one',
    ],
    [
      "a name whose driver has a longer one",
      { tasks: { [long]: to("leaf") } },
      "argo-task-name",
      `/root/dag/tasks/${long}`,
      "129 characters, of 128",
    ],
    [
      "a DAG with an underscore",
      { tasks: { a: to("comp_x") }, components: { comp_x: dag } },
      "argo-component-name",
      "/components/comp_x",
      '"comp_x"',
    ],
    [
      "a DAG with a hyphen first",
      { tasks: { a: to("-x") }, components: { "-x": dag } },
      "argo-component-name",
      "/components/-x",
      '"-x"',
    ],
    [
      "a DAG of 129 characters",
      { tasks: { a: to("c".repeat(129)) }, components: { ["c".repeat(129)]: dag } },
      "argo-component-name",
      `/components/${"c".repeat(129)}`,
      "129 characters",
    ],
    [
      "a DAG that is told once",
      { tasks: { a: to("c.x") }, components: { "c.x": dag } },
      "argo-component-name",
      "/components/c.x",
      '"c.x"',
    ],
    [
      "a loop whose template has both names",
      { tasks: { ["t".repeat(60)]: to("c".repeat(60), loop) }, components: { ["c".repeat(60)]: leaf } },
      "argo-component-name",
      `/root/dag/tasks/${"t".repeat(60)}`,
      "130 characters",
    ],
    [
      "an exit task in a DAG of a long name",
      {
        tasks: { a: to("c".repeat(70)) },
        components: {
          ["c".repeat(70)]: {
            dag: {
              tasks: { x: to("leaf"), ["y".repeat(60)]: to("leaf", { ...exit, dependentTasks: ["x"] }) },
            },
          },
        },
      },
      "argo-component-name",
      `/components/${"c".repeat(70)}/dag/tasks/${"y".repeat(60)}`,
      "141 characters",
    ],
    [
      "an importer after which parameters are named",
      { tasks: { a: to("c.x") }, components: { "c.x": model }, executor: importer },
      "argo-component-name",
      "/components/c.x",
      "parameters of the workflow",
    ],
    [
      "a container with settings",
      { tasks: { a: to("ü") }, components: { ü: leaf }, platforms: settings },
      "argo-component-name",
      "/components/ü",
      "parameters of the workflow",
    ],
    [
      "a pipeline with capitals",
      { tasks: { a: to("leaf") }, name: "My Pipeline" },
      "workflow-name",
      "/pipelineInfo/name",
      '"My Pipeline-"',
    ],
  ])("%s", (_, parts, code, path, says) => {
    expect(warningsOf(parts)).toEqual([[code, path, expect.stringContaining(says)]]);
  });

  test.each<[string, Parts]>([
    ["121 characters", { tasks: { ["a".repeat(121)]: to("leaf") } }],
    [
      "a digit first where nothing waits",
      { tasks: { "1st": to("c") }, components: { c: model }, executor: importer },
    ],
    [
      "a component with a dot and no settings, which is named by its hash",
      { tasks: { a: to("c.x") }, components: { "c.x": leaf } },
    ],
    [
      "an importer with an underscore",
      { tasks: { a: to("c_x") }, components: { c_x: model }, executor: importer },
    ],
    [
      "a template of 128 characters, a digit first",
      { tasks: { a: to(`1${"c".repeat(127)}`) }, components: { [`1${"c".repeat(127)}`]: dag } },
    ],
    [
      "a name with that of a driver inside",
      { tasks: { "b-driver": to("leaf"), "b-driver-second": to("leaf") } },
    ],
    ["a pipeline of a project, with dots", { tasks: { a: to("leaf") }, name: "My Project/a.b-1" }],
  ])("and no other is: %s", (_, parts) => expect(warningsOf(parts)).toEqual([]));
});

test("a digit first is none where only an exit task waits", () => {
  const tasks = { "1st": to("leaf", loop), x: to("leaf", { ...exit, dependentTasks: ["1st"] }) };
  expect(warningsOf({ tasks }).map(([code]) => code)).toEqual(["lost-exit-task"]);
});

test("a word of expressions is told where others wait for it, also behind one for which none does", () => {
  const tasks = { and: to("leaf"), or: to("leaf"), z: to("leaf", { dependentTasks: ["or"] }) };
  expect(warningsOf({ tasks }).map(([code, path]) => [code, path])).toEqual([
    ["argo-task-name", "/root/dag/tasks/or"],
  ]);
});

describe("what nobody expects of exit tasks is a warning", () => {
  const x = (...dependentTasks: string[]): Json => to("leaf", { ...exit, dependentTasks });

  test("one that follows several tasks runs after each of them", () => {
    expect(warningsOf({ tasks: { a: to("leaf"), b: to("leaf"), x: x("a", "b") } })).toEqual([
      ["repeated-exit-task", "/root/dag/tasks/x", 'the exit task "x" runs 2 times: after each of "a", "b"'],
    ]);
  });

  test("one that follows no task never runs", () => {
    expect(warningsOf({ tasks: { a: to("leaf"), x: x() } })).toEqual([
      ["lost-exit-task", "/root/dag/tasks/x", expect.stringContaining("never runs: it names no task")],
    ]);
  });

  test("one that follows one task runs once", () => {
    expect(warningsOf({ tasks: { a: to("leaf"), x: x("a") } })).toEqual([]);
  });
});

describe("a retry policy that holds for the tasks of others is a warning", () => {
  const of = (components: Json, tasks: Json) =>
    warningsOf({ tasks, components }).filter(([code]) => code === "shared-retries");

  test.each<[string, Json, string]>([
    ["another", { a: to("d", retries(5)), b: to("d", retries(2)) }, 'the retry policy of the task "a"'],
    ["none", { a: to("d", retries(5)), b: to("d") }, 'the retry policy of the task "a"'],
    [
      "one where the first has none",
      { a: to("d"), b: to("d", retries(5)) },
      'no retry policy, like the task "a"',
    ],
  ])("where the second use of a DAG has %s", (_, tasks, says) => {
    expect(of({ d: dag }, tasks)).toEqual([
      ["shared-retries", "/root/dag/tasks/b", `what is in "d" has ${says}, also where "b" runs it`],
    ]);
  });

  test("also for what is in a DAG inside", () => {
    const components = { d: { dag: { tasks: { m: to("m") } } }, m: dag };
    const told = of(components, { a: to("d", retries(5)), b: to("d") });
    expect(told.map(([, path]) => path)).toEqual(["/root/dag/tasks/b"]);
  });

  test("and none where what is inside is never tried, as what its driver does", () => {
    const told = (image: string) =>
      warningsOf({
        tasks: { a: to("d", retries(5)), b: to("d") },
        components: { d: dag },
        executor: { container: { image } },
      }).filter(([code]) => code === "shared-retries").length;
    expect(["argostub/createpvc", "argostub/deletepvc", "argostub/other"].map(told)).toEqual([0, 0, 1]);
  });

  test.each<[string, Json, Json]>([
    ["both have equal ones", { d: dag }, { a: to("d", retries(5)), b: to("d", retries(5)) }],
    ["neither has one", { d: dag }, { a: to("d"), b: to("d") }],
    [
      "the tasks inside have their own",
      { d: { dag: { tasks: { x: to("leaf", retries(1)) } } } },
      { a: to("d", retries(5)), b: to("d") },
    ],
    [
      "the tasks of the DAG inside have their own",
      {
        m: { dag: { tasks: { b: to("b") } } },
        b: { dag: { tasks: { x: to("leaf", retries(1)) } } },
      },
      { a: to("m"), p: to("m", retries(0)) },
    ],
    ["no DAG is shared", {}, { a: to("leaf", retries(5)), b: to("leaf") }],
  ])("and none where %s", (_, components, tasks) => expect(of(components, tasks)).toEqual([]));
});
