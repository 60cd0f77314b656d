import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { wye } from "./run-program.js";

const graphOf = async (pipeline: object) => {
  const { code, out, err } = await wye(["pipeline", "graph", "-", "--json"], {
    input: JSON.stringify(pipeline),
  });
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};

test("the graph as data has each task with what it waits for and why", async () => {
  const graph = await graphOf({
    pipelineInfo: { name: "shapes" },
    root: {
      dag: {
        tasks: {
          fetch: { taskInfo: { name: "Fetch" }, componentRef: { name: "fetch" } },
          loop: {
            componentRef: { name: "inner" },
            dependentTasks: ["fetch"],
            inputs: {
              artifacts: { in: { taskOutputArtifact: { producerTask: "fetch", outputArtifactKey: "out" } } },
            },
            parameterIterator: { items: { raw: "[1]" }, itemInput: "x" },
            triggerPolicy: { condition: "1 == 1" },
          },
          exit: {
            componentRef: { name: "leaf" },
            dependentTasks: ["loop"],
            triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" },
          },
          lost: { componentRef: { name: "nowhere" } },
        },
      },
    },
    components: {
      fetch: { executorLabel: "f" },
      inner: { dag: { tasks: { step: { componentRef: { name: "leaf" } } } } },
      leaf: { executorLabel: "e" },
      unused: { dag: { tasks: { never: { componentRef: { name: "leaf" } } } } },
    },
    deploymentSpec: {
      executors: {
        e: { container: { image: "a", command: ["true"] } },
        f: {
          importer: {
            artifactUri: { constant: "gs://a/b" },
            typeSchema: { schemaTitle: "system.Artifact" },
          },
        },
      },
    },
  });
  const plain = { parent: null, after: [], condition: null, forEach: false, exit: false };
  const at = (name: string) => `/root/dag/tasks/${name}`;
  expect(graph).toEqual({
    pipeline: "shapes",
    tasks: [
      { ...plain, path: at("fetch"), name: "fetch", label: "Fetch", component: "fetch", kind: "importer" },
      {
        ...plain,
        path: at("loop"),
        name: "loop",
        label: "loop",
        component: "inner",
        kind: "dag",
        after: [{ task: "fetch", path: at("fetch"), because: ["order", "data"] }],
        condition: "1 == 1",
        forEach: true,
      },
      {
        ...plain,
        path: at("exit"),
        name: "exit",
        label: "exit",
        component: "leaf",
        kind: "container",
        after: [{ task: "loop", path: at("loop"), because: ["order"] }],
        exit: true,
      },
      { ...plain, path: at("lost"), name: "lost", label: "lost", component: "nowhere", kind: null },
      {
        ...plain,
        path: "/components/inner/dag/tasks/step",
        name: "step",
        label: "step",
        parent: "inner",
        component: "leaf",
        kind: "container",
      },
    ],
  });
});

test("the graph as data has a task once however often its component is used, also inside itself", async () => {
  const inner = { componentRef: { name: "c" } };
  const { tasks } = await graphOf({
    pipelineInfo: { name: "self" },
    root: { dag: { tasks: { a: inner, b: inner } } },
    components: { c: { dag: { tasks: { again: inner } } } },
  });
  expect(tasks.map(({ path }: { readonly path: string }) => path)).toEqual([
    "/root/dag/tasks/a",
    "/root/dag/tasks/b",
    "/components/c/dag/tasks/again",
  ]);
});

test("--json and --format json give the same, and not together", async () => {
  const url = new URL(
    "../../pipeline-spec/testdata/pipelines/valid/pipeline_with_importer.json",
    import.meta.url,
  );
  const input = readFileSync(url, "utf8");
  const graph = ["pipeline", "graph", "-"];
  const given = await wye([...graph, "--json"], { input });
  expect(given.code).toBe(0);
  expect(await wye([...graph, "--format", "json"], { input })).toEqual(given);
  expect((await wye([...graph, "--json", "--format", "dot"], { input })).code).toBe(2);
});
