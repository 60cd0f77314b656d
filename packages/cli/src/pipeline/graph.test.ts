import { buildGraph, parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { wye } from "../../test/run-program.js";
import { graphData } from "./graph-data.js";

/** A pipeline as lines of a drawing. */
async function drawn(pipeline: object, format: string): Promise<readonly string[]> {
  const input = JSON.stringify({ pipelineInfo: { name: "p" }, ...pipeline });
  const { code, out, err } = await wye(["pipeline", "graph", "-", "--format", format], { input });
  return code === 0 ? out.trimEnd().split("\n") : [`${code} ${err.trimEnd()}`];
}

const leaf = { componentRef: { name: "leaf" } };
const executors = {
  e: { container: { image: "a", command: ["true"] } },
  f: { importer: { artifactUri: { constant: "gs://a/b" }, typeSchema: { schemaTitle: "system.Artifact" } } },
};
const shapes = {
  root: {
    dag: {
      tasks: {
        fetch: { taskInfo: { name: "Fetch  it" }, componentRef: { name: "fetch" } },
        // It waits for two reasons, and for a task that is nowhere.
        inner: {
          componentRef: { name: "inner" },
          dependentTasks: ["fetch", "nowhere"],
          inputs: {
            artifacts: { in: { taskOutputArtifact: { producerTask: "fetch", outputArtifactKey: "out" } } },
          },
        },
        exit: {
          ...leaf,
          dependentTasks: ["inner"],
          triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED", condition: "a\\b" },
        },
      },
    },
  },
  components: {
    leaf: { executorLabel: "e" },
    fetch: { executorLabel: "f" },
    inner: { dag: { tasks: { one: leaf, two: { ...leaf, dependentTasks: ["one"] } } } },
  },
  deploymentSpec: { executors },
};

test("Mermaid gets boxes, groups and each arrow once, behind them", async () => {
  expect(await drawn(shapes, "mermaid")).toEqual([
    "flowchart TD",
    '  t0[("Fetch it")]',
    '  subgraph t1["inner"]',
    '    t3["one"]',
    '    t4["two"]',
    "  end",
    '  t2(["exit (if a#92;b)"])',
    "  t3 --> t4",
    "  t0 --> t1",
    "  t1 -.-> t2",
  ]);
});

test("Graphviz gets the same, with a point in each group that arrows go to", async () => {
  expect(await drawn(shapes, "dot")).toEqual([
    "digraph pipeline {",
    "  compound=true;",
    '  node [shape=box, fontname="sans-serif"];',
    '  t0 [label="Fetch it", shape=cylinder];',
    "  subgraph cluster_t1 {",
    '    label="inner";',
    "    t1 [shape=point, style=invis];",
    '    t3 [label="one"];',
    '    t4 [label="two"];',
    "  }",
    '  t2 [label="exit (if a\\\\b)", style=rounded];',
    "  t3 -> t4;",
    "  t0 -> t1;",
    "  t1 -> t2 [style=dashed];",
    "}",
  ]);
});

test.each([
  [77, `if ${"x".repeat(77)}`],
  [78, `if ${"x".repeat(76)}…`],
])("a condition of %i letters is shown in at most 80", async (length, shown) => {
  const tasks = { a: { ...leaf, triggerPolicy: { condition: "x".repeat(length) } } };
  const [, , , box] = await drawn({ ...shapes, root: { dag: { tasks } } }, "dot");
  expect(box).toBe(`  t0 [label="a (${shown})"];`);
});

/** A pipeline whose components are drawn with so many boxes: a hundred groups, and what else there is. */
const largeGraph = (others: number) => {
  const many = (count: number, name: string, task: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, task]));
  const tasks = { ...many(100, "g", { componentRef: { name: "group" } }), ...many(others, "o", leaf) };
  return { root: { dag: { tasks } }, components: { group: { dag: { tasks: many(999, "t", leaf) } } } };
};

test("a hundred thousand boxes are drawn, and no more", async () => {
  expect((await drawn(largeGraph(0), "mermaid")).filter((line) => line.includes("t99999["))).toHaveLength(1);
  expect(await drawn(largeGraph(1), "mermaid")).toEqual([
    "2 wye: - has more than 100000 boxes to draw: a component is drawn each time that it is used",
  ]);
});

test("a task whose name for people is empty has its own, and what is imported at the end is drawn as imported", async () => {
  const triggerPolicy = { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" };
  const late = { componentRef: { name: "fetch" }, dependentTasks: ["plain"], triggerPolicy };
  const tasks = { plain: { ...leaf, taskInfo: { name: "" } }, late };
  const lines = await drawn({ ...shapes, root: { dag: { tasks } } }, "mermaid");
  expect(lines.slice(1)).toEqual(['  t0["plain"]', '  t1[("late")]', "  t0 -.-> t1"]);
});

test("a component that contains itself is drawn twenty times, and then as a task", async () => {
  const again = { componentRef: { name: "self" } };
  const pipeline = {
    root: { dag: { tasks: { again } } },
    components: { self: { dag: { tasks: { again } } } },
  };
  const lines = await drawn(pipeline, "mermaid");
  expect(lines.filter((line) => line.includes("subgraph"))).toHaveLength(20);
  expect(lines[21]).toBe(`${"  ".repeat(21)}t20["again"]`);
});

test.each(["mermaid", "dot", "svg", "json"])(
  "of what is no pipeline nothing is drawn as %s",
  async (format) => {
    expect(await drawn({ root: 5 }, format)).toEqual([expect.stringMatching(/^1 .*error/)]);
  },
);

test("JSON has each task once, with what it is, where, and all for which it waits", () => {
  const { root, components } = shapes;
  const unnamed = {
    taskInfo: { name: "" },
    componentRef: { name: "inner" },
    parameterIterator: { itemInput: "x", items: { raw: "[]" } },
  };
  const empty = { componentRef: { name: "" }, triggerPolicy: { condition: "" } };
  const tasks = {
    ...root.dag.tasks,
    again: unnamed,
    none: {},
    empty,
    lost: { componentRef: { name: "missing" } },
  };
  const pipeline = {
    ...shapes,
    root: { dag: { tasks } },
    components: { ...components, unused: components.inner },
  };
  const read = parsePipeline(JSON.stringify({ pipelineInfo: { name: "p" }, ...pipeline }));
  if (!read.ok) return expect.unreachable("it is a pipeline");
  const task = (name: string, more: object = {}) => ({
    path: `/root/dag/tasks/${name}`,
    name,
    label: name,
    parent: null,
    component: null,
    kind: null,
    after: [],
    condition: null,
    forEach: false,
    exit: false,
    ...more,
  });
  const after = (name: string, path: string, ...because: readonly string[]) => ({
    task: name,
    path,
    because,
  });
  const inInner = (name: string, more: object = {}) =>
    task(name, {
      path: `/components/inner/dag/tasks/${name}`,
      parent: "inner",
      component: "leaf",
      kind: "container",
      ...more,
    });
  expect(JSON.parse(JSON.stringify(graphData(buildGraph(read.pipeline))))).toEqual({
    pipeline: "p",
    tasks: [
      task("fetch", { label: "Fetch  it", component: "fetch", kind: "importer" }),
      task("inner", {
        component: "inner",
        kind: "dag",
        after: [after("fetch", "/root/dag/tasks/fetch", "order", "data")],
      }),
      task("exit", {
        component: "leaf",
        kind: "container",
        after: [after("inner", "/root/dag/tasks/inner", "order")],
        condition: "a\\b",
        exit: true,
      }),
      task("again", { component: "inner", kind: "dag", forEach: true }),
      task("none"),
      task("empty"),
      task("lost", { component: "missing" }),
      inInner("one"),
      inInner("two", { after: [after("one", "/components/inner/dag/tasks/one", "order")] }),
    ],
  });
});
