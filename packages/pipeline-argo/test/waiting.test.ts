import { describe, expect, test } from "vitest";
import { exit, importer, type Json, leaf, loop, type Parts, to, warningsOf } from "./small-pipelines.js";

const after = (...dependentTasks: string[]): Json => to("leaf", { dependentTasks });
const input = (producerTask: string): Json => ({
  inputs: { parameters: { i: { taskOutputParameter: { producerTask, outputParameterKey: "o" } } } },
});
const types = { parameters: { i: { parameterType: "STRING" } } };
const talks = {
  ...leaf,
  inputDefinitions: types,
  outputDefinitions: { parameters: { o: { parameterType: "STRING" } } },
};

// Its lexer makes operators and values of these; names are names also when they are those of functions.
const words = [
  ...["and", "or", "not", "in", "contains", "matches", "startsWith", "endsWith"],
  ...["let", "if", "else", "true", "false", "nil"],
];

describe("a task that has a word of the expressions of Argo for a name, and for which others wait, is a warning", () => {
  test.each(words)("%s", (word) => {
    expect(warningsOf({ tasks: { [word]: to("leaf"), other: after(word) } })).toEqual([
      [
        "argo-task-name",
        `/root/dag/tasks/${word}`,
        expect.stringContaining(`"${word}", for which others wait`),
      ],
    ]);
  });

  test.each<[string, Parts, path: string]>([
    [
      "by an input",
      { tasks: { in: to("t"), other: to("t", input("in")) }, components: { t: talks } },
      "/root/dag/tasks/in",
    ],
    [
      "in a DAG below the root",
      { tasks: { a: to("d") }, components: { d: { dag: { tasks: { nil: to("leaf"), x: after("nil") } } } } },
      "/components/d/dag/tasks/nil",
    ],
    ["a loop", { tasks: { not: to("leaf", loop), x: after("not") } }, "/root/dag/tasks/not"],
    [
      "for a loop",
      { tasks: { not: to("leaf"), x: to("leaf", { ...loop, dependentTasks: ["not"] }) } },
      "/root/dag/tasks/not",
    ],
  ])("also %s", (_, parts, path) => {
    expect(warningsOf(parts)).toEqual([["argo-task-name", path, expect.anything()]]);
  });

  test("also an importer", () => {
    const model = { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } };
    const c = { ...leaf, outputDefinitions: { artifacts: { artifact: model } } };
    const d = {
      dag: { tasks: { not: to("c"), x: to("c", loop), y: to("d2", { dependentTasks: ["not"] }) } },
    };
    const d2 = { dag: { tasks: { z: to("c") } } };
    const told = warningsOf({ tasks: { a: to("d") }, components: { c, d, d2 }, executor: importer });
    expect(told.map(([code, path]) => [code, path])).toEqual([
      ["argo-task-name", "/components/d/dag/tasks/not"],
    ]);
  });

  test.each<[string, Json]>([
    ["one for which nothing waits", { contains: to("leaf"), other: to("leaf") }],
    ["one that waits itself", { other: to("leaf"), contains: after("other") }],
    [
      "one for which an exit task waits",
      { contains: to("leaf"), x: to("leaf", { ...exit, dependentTasks: ["contains"] }) },
    ],
    [
      "one with more behind it, or other capitals",
      { "not-now": to("leaf"), Contains: to("leaf"), x: after("not-now", "Contains") },
    ],
    ["the name of a function", { len: to("leaf"), filter: to("leaf"), x: after("len", "filter") }],
  ])("and none is: %s", (_, tasks) => expect(warningsOf({ tasks })).toEqual([]));
});

describe("tasks that wait for each other are a warning", () => {
  test.each<[string, Parts, path: string, says: string]>([
    [
      "two",
      { tasks: { a: after("b"), b: after("a") } },
      "/root/dag/tasks/a",
      'the tasks "a", "b" wait for each other',
    ],
    [
      "one that waits for itself",
      { tasks: { a: after("a") } },
      "/root/dag/tasks/a",
      'the task "a" waits for itself',
    ],
    [
      "one that takes its own output",
      { tasks: { a: to("t", input("a")) }, components: { t: talks } },
      "/root/dag/tasks/a",
      'the task "a" waits for itself',
    ],
    [
      "by inputs",
      { tasks: { a: to("t", input("b")), b: to("t", input("a")) }, components: { t: talks } },
      "/root/dag/tasks/a",
      '"a", "b" wait for each other',
    ],
    [
      "loops in a DAG below the root",
      {
        tasks: { r: to("d") },
        components: {
          leaf2: leaf,
          d: {
            dag: {
              tasks: {
                a: to("leaf", { ...loop, dependentTasks: ["b"] }),
                b: to("leaf2", { ...loop, dependentTasks: ["a"] }),
              },
            },
          },
        },
      },
      "/components/d/dag/tasks/a",
      '"a", "b" wait for each other',
    ],
  ])("%s", (_, parts, path, says) => {
    expect(warningsOf(parts)).toEqual([["circular-dependency", path, expect.stringContaining(says)]]);
  });

  test("each circle once, whatever waits for it", () => {
    const tasks = { a: after("b"), b: after("a"), c: after("c"), d: after("a", "c"), e: after("d") };
    expect(warningsOf({ tasks }).map(([code, path]) => [code, path])).toEqual([
      ["circular-dependency", "/root/dag/tasks/a"],
      ["circular-dependency", "/root/dag/tasks/c"],
    ]);
  });

  test("and no circle leads through an importer, which does not wait", () => {
    const component = {
      ...leaf,
      outputDefinitions: {
        artifacts: { artifact: { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } } },
      },
    };
    const tasks = { a: to("c", { dependentTasks: ["a"] }) };
    const told = warningsOf({ tasks, components: { c: component }, executor: importer });
    expect(told.map(([code]) => code)).toEqual(["importer-does-not-wait"]);
  });
});
