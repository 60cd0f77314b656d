import { readdirSync, readFileSync } from "node:fs";
import { parsePipeline } from "@wye/pipeline-spec";
import { validatePipeline } from "@wye/pipeline-validator";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  type GraphDag,
  type GraphLimits,
  type GraphTask,
  graphOf,
  type PipelineGraph,
} from "./pipeline-graph.js";

const data = new URL("../../data/", import.meta.url);
const files = readdirSync(data).filter((name) => name.endsWith(".yaml"));

function graphOfText(text: string, limits?: GraphLimits): PipelineGraph {
  const parsed = parsePipeline(text);
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  return graphOf(pipeline!, validatePipeline(text).problems, limits);
}

function rootOf(text: string): GraphDag {
  const graph = graphOfText(text);
  if (!graph.ok) throw new Error(graph.reason);
  return graph.root;
}

const allTasks = (dag: GraphDag): readonly GraphTask[] =>
  dag.tasks.flatMap((task) => [task, ...(task.inside === undefined ? [] : allTasks(task.inside))]);

interface RawTask {
  readonly componentRef?: { readonly name?: string };
  readonly triggerPolicy?: { readonly condition?: string; readonly strategy?: string };
  readonly parameterIterator?: unknown;
  readonly artifactIterator?: unknown;
}
interface RawComponent {
  readonly dag?: { readonly tasks?: Readonly<Record<string, RawTask>> };
}

/** What the YAML itself says, found without anything of this project. */
function* rawTasks(
  component: RawComponent | undefined,
  components: Readonly<Record<string, RawComponent>>,
  id = "",
): Generator<readonly [string, string | undefined, boolean, boolean]> {
  for (const [name, task] of Object.entries(component?.dag?.tasks ?? {})) {
    const { condition, strategy } = task.triggerPolicy ?? {};
    const isLoop = task.parameterIterator !== undefined || task.artifactIterator !== undefined;
    yield [`${id}/${name}`, condition, isLoop, strategy === "ALL_UPSTREAM_TASKS_COMPLETED"];
    yield* rawTasks(components[task.componentRef?.name ?? ""], components, `${id}/${name}`);
  }
}

describe("the pipelines of the page", () => {
  for (const file of files) {
    test(`${file}: every task is there once, with its condition, loop and trigger`, () => {
      const text = readFileSync(new URL(file, data), "utf8");
      const raw = parse(text);
      const drawn = allTasks(rootOf(text)).map((task) => [
        ...[task.id, task.condition, task.loop !== undefined, task.runsAnyway],
      ]);
      expect(drawn.length).toBeGreaterThan(0);
      expect(drawn).toEqual([...rawTasks(raw.root, raw.components ?? {})]);
    });

    test(`${file}: every arrow joins things of one graph`, () => {
      const text = readFileSync(new URL(file, data), "utf8");
      const dags = (dag: GraphDag): GraphDag[] => [
        dag,
        ...dag.tasks.flatMap(({ inside }) => (inside === undefined ? [] : dags(inside))),
      ];
      for (const { tasks, arrows, outputs } of dags(rootOf(text))) {
        const ids = new Set([...tasks.map(({ id }) => id), ...(outputs === undefined ? [] : [outputs.id])]);
        expect(arrows.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
      }
    });
  }
});

const pipelineOf = (tasks: string, components = "  comp-a: {executorLabel: exec-a}"): string => `
pipelineInfo: {name: test}
schemaVersion: 2.1.0
root:
  dag:
    tasks:
${tasks}
components:
${components}
deploymentSpec: {executors: {exec-a: {container: {image: busybox, command: [date]}}}}
`;
const plain = (name: string, more = ""): string =>
  `      ${name}: {taskInfo: {name: "${name}"}, componentRef: {name: comp-a}${more}}`;

describe("arrows", () => {
  const cases = [
    { name: "order", more: ", dependentTasks: [first]", arrow: { kind: "order", labels: [] } },
    {
      name: "a parameter, which is also an order",
      more: ", dependentTasks: [first], inputs: {parameters: {x: {taskOutputParameter: {producerTask: first, outputParameterKey: out}}}}",
      arrow: { kind: "data", labels: ["out"] },
    },
    {
      name: "an artifact and a parameter",
      more: ", inputs: {parameters: {x: {taskOutputParameter: {producerTask: first, outputParameterKey: out}}}, artifacts: {y: {taskOutputArtifact: {producerTask: first, outputArtifactKey: model}}}}",
      arrow: { kind: "data", labels: ["out", "model"] },
    },
    {
      name: "a final status",
      more: ", dependentTasks: [first], inputs: {parameters: {x: {taskFinalStatus: {producerTask: first}}}}",
      arrow: { kind: "status", labels: [] },
    },
  ];
  for (const { name, more, arrow } of cases) {
    test(`one arrow for ${name}`, () => {
      const { arrows } = rootOf(pipelineOf(`${plain("first")}\n${plain("second", more)}`));
      expect(arrows).toEqual([{ from: "/first", to: "/second", ...arrow }]);
    });
  }

  test("none from a task that does not exist", () => {
    expect(rootOf(pipelineOf(plain("one", ", dependentTasks: [toString]"))).arrows).toEqual([]);
  });

  test("lead to what leaves the graph", () => {
    const text = readFileSync(new URL("training.yaml", data), "utf8");
    const loop = rootOf(text).tasks.find(({ name }) => name === "for-each-rate")!;
    expect(loop.inside?.outputs).toEqual({ id: "/for-each-rate/~outputs", names: ["accuracy"] });
    expect(loop.inside?.arrows.at(-1)).toEqual({
      from: "/for-each-rate/evaluate",
      to: "/for-each-rate/~outputs",
      kind: "data",
      labels: ["accuracy"],
    });
    expect(loop.loop).toEqual({ items: "rates", atOnce: 2 });
  });
});

describe("mistakes", () => {
  test("a cycle is drawn", () => {
    const { tasks, arrows } = rootOf(
      pipelineOf(`${plain("a", ", dependentTasks: [b]")}\n${plain("b", ", dependentTasks: [a]")}`),
    );
    expect(arrows.map(({ from, to }) => [from, to])).toEqual([
      ["/b", "/a"],
      ["/a", "/b"],
    ]);
    expect(tasks.some(({ problems }) => problems.error > 0)).toBe(true);
  });

  test("a component that contains itself is followed once", () => {
    const inner = "{taskInfo: {name: again}, componentRef: {name: comp-b}}";
    const root = rootOf(
      pipelineOf(
        "      start: {taskInfo: {name: start}, componentRef: {name: comp-b}}",
        `  comp-b: {dag: {tasks: {again: ${inner}}}}`,
      ),
    );
    expect(allTasks(root).map(({ id, kind, inside }) => [id, kind, inside === undefined])).toEqual([
      ["/start", "dag", false],
      ["/start/again", "dag", true],
    ]);
  });

  test("names that mean something to JavaScript are names", () => {
    const tasks = rootOf(
      pipelineOf([plain("__proto__"), plain("constructor"), plain("a/b")].join("\n")),
    ).tasks;
    expect(tasks.map(({ id, kind }) => [id, kind])).toEqual([
      ["/__proto__", "container"],
      ["/constructor", "container"],
      ["/a~1b", "container"],
    ]);
    const [odd] = rootOf(pipelineOf("      odd: {componentRef: {name: constructor}}")).tasks;
    expect([odd?.kind, odd?.places]).toEqual(["unknown", ["/root/dag/tasks/odd"]]);
  });

  test("problems are counted where they are: in the task, in what it runs, and in what it is inside of", () => {
    const text = readFileSync(new URL("training-with-mistakes.yaml", data), "utf8");
    const errors = allTasks(rootOf(text)).map(({ id, problems }) => [id, problems.error]);
    expect(Object.fromEntries(errors)).toEqual({
      "/import-table": 0,
      "/split": 1,
      "/for-each-rate": 2,
      "/for-each-rate/fit": 1,
      "/for-each-rate/evaluate": 0,
      "/choose": 1,
      "/publish": 1,
      "/notify": 0,
    });
  });

  test("problems of a specification inside of a job are found as well", () => {
    const job = { pipelineSpec: parse(readFileSync(new URL("training-with-mistakes.yaml", data), "utf8")) };
    const errors = rootOf(JSON.stringify(job)).tasks.map(({ problems }) => problems.error);
    expect(errors).toEqual([0, 1, 2, 1, 1, 0]);
  });
});

describe("limits", () => {
  test("too many tasks are refused in words, before they are all there", () => {
    // Each graph runs the next one twice: 2 to the power of 40 tasks in 41 components.
    const component = (place: number): string => {
      const task = `{componentRef: {name: comp-${place + 1}}}`;
      return `  comp-${place}: {dag: {tasks: {one: ${task}, two: ${task}}}}`;
    };
    const components = Array.from({ length: 40 }, (_, place) => component(place)).join("\n");
    const text = pipelineOf("      start: {componentRef: {name: comp-0}}", components);
    expect(graphOfText(text, { maxDepth: 50 })).toEqual({
      ok: false,
      reason: "There are more than 600 tasks: too many to draw.",
    });
    expect(graphOfText(text)).toEqual({
      ok: false,
      reason: "Graphs are nested more than 30 deep: too much to draw.",
    });
  });

  test("no tasks are no graph", () => {
    expect(graphOfText("pipelineInfo: {name: x}")).toEqual({ ok: false, reason: "There are no tasks yet." });
  });
});
