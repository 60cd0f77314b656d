import { describe, expect, test } from "vitest";
import { corpus } from "../../test/corpus.js";
import {
  buildGraph,
  type InputSource,
  loopedComponents,
  type PipelineGraph,
  parsePipeline,
  reachableComponents,
  type TaskNode,
  writeJson,
} from "../index.js";

function graphOf(text: string): PipelineGraph {
  const parsed = parsePipeline(text);
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  return buildGraph(pipeline ?? expect.unreachable("the text holds a specification"));
}

const namesOf = (tasks: Iterable<TaskNode>) => [...tasks].map(({ name }) => name);

const nested = graphOf(`
pipelineInfo: {name: nested}
root:
  inputDefinitions: {parameters: {rows: {parameterType: NUMBER_INTEGER}}}
  dag:
    outputs:
      parameters:
        best: {valueFromOneof: {parameterSelectors: [{producerSubtask: loop, outputParameterKey: score}, {producerSubtask: gone, outputParameterKey: score}]}}
      artifacts: {model: {artifactSelectors: [{producerSubtask: loop, outputArtifactKey: model}]}}
    tasks:
      make: {componentRef: {name: comp-make}, inputs: {parameters: {rows: {componentInputParameter: rows}, old: {runtimeValue: {runtimeParameter: rows}}}}}
      loop:
        componentRef: {name: comp-loop}
        dependentTasks: [make, make, nobody]
        parameterIterator: {itemInput: item, items: {inputParameter: list}}
        inputs:
          parameters: {list: {taskOutputParameter: {producerTask: make, outputParameterKey: list}}}
          artifacts: {data: {taskOutputArtifact: {producerTask: make, outputArtifactKey: data}}}
      report:
        componentRef: {name: comp-make}
        triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}
        inputs: {parameters: {status: {taskFinalStatus: {producerTask: loop}}, rows: {runtimeValue: {constant: 3}}, typed: {runtimeValue: {constantValue: {intValue: 4}}}, empty: {}}}
components:
  comp-make: {executorLabel: exec-make}
  comp-loop: {dag: {tasks: {train: {componentRef: {name: comp-make}, inputs: {artifacts: {data: {componentInputArtifact: data}}}}}}}
  comp-spare: {executorLabel: exec-gone}
deploymentSpec: {executors: {exec-make: {container: {image: python}}}}
`);

const at = (path: string): TaskNode => nested.task(path) ?? expect.unreachable(`${path} is a task`);

describe("nodes", () => {
  test("know what they belong to", () => {
    const train = at("/components/comp-loop/dag/tasks/train");
    expect(train.parent).toBe(nested.component("comp-loop"));
    expect(train.component).toBe(nested.component("comp-make"));
    expect(train.component?.executor).toBe(nested.executor("exec-make"));
    expect(nested.executor("exec-make")?.components).toEqual([nested.component("comp-make")]);
    expect(namesOf(nested.component("comp-make")?.uses ?? [])).toEqual(["make", "report", "train"]);
    expect(namesOf(nested.root?.tasks?.values() ?? [])).toEqual(["make", "loop", "report"]);
    expect(nested.component("comp-spare")?.executor).toBeUndefined();
    expect(nested.task("/root/dag/tasks/nobody")).toBeUndefined();
  });

  test("of what a run can come to, and of what runs once per item", () => {
    const names = (components: Iterable<{ readonly name: string | undefined }>) =>
      [...components].map(({ name }) => name);
    expect(names(reachableComponents(nested))).toEqual([undefined, "comp-make", "comp-loop"]);
    expect(names(loopedComponents(nested))).toEqual(["comp-loop", "comp-make"]);
  });

  test("of a graph that is asked once compute once", () => {
    let count = 0;
    const compute = ({ tasks }: PipelineGraph) => tasks.length + ++count;
    expect([nested.once(compute), nested.once(compute)]).toEqual([5, 5]);
  });
});

describe("inputs", () => {
  const members = ["kind", "at", "value", "name", "producer", "producerAt", "key", "keyAt"];
  const told = (source: InputSource) => ({
    ...Object.fromEntries(
      members.flatMap((name) => (name in source ? [[name, Reflect.get(source, name)]] : [])),
    ),
    ...("task" in source && { task: source.task?.name }),
  });
  const sources = (task: TaskNode) =>
    Object.fromEntries(task.inputs.map(({ name, source }) => [name, source && told(source)]));

  test("say what they take", () => {
    const base = "/root/dag/tasks/loop/inputs";
    expect(sources(at("/root/dag/tasks/loop"))).toEqual({
      list: {
        kind: "output",
        at: `${base}/parameters/list/taskOutputParameter`,
        producer: "make",
        producerAt: `${base}/parameters/list/taskOutputParameter/producerTask`,
        task: "make",
        key: "list",
        keyAt: `${base}/parameters/list/taskOutputParameter/outputParameterKey`,
      },
      data: {
        kind: "output",
        at: `${base}/artifacts/data/taskOutputArtifact`,
        producer: "make",
        producerAt: `${base}/artifacts/data/taskOutputArtifact/producerTask`,
        task: "make",
        key: "data",
        keyAt: `${base}/artifacts/data/taskOutputArtifact/outputArtifactKey`,
      },
    });
    const values = "/root/dag/tasks/report/inputs/parameters";
    expect(sources(at("/root/dag/tasks/report"))).toEqual({
      status: {
        kind: "status",
        at: `${values}/status/taskFinalStatus`,
        producer: "loop",
        producerAt: `${values}/status/taskFinalStatus/producerTask`,
        task: "loop",
      },
      rows: { kind: "constant", at: `${values}/rows/runtimeValue/constant`, value: 3 },
      typed: { kind: "constant", at: `${values}/typed/runtimeValue/constantValue`, value: 4 },
      empty: undefined,
    });
    const make = "/root/dag/tasks/make/inputs/parameters";
    expect(sources(at("/root/dag/tasks/make"))).toEqual({
      rows: { kind: "input", name: "rows", at: `${make}/rows/componentInputParameter` },
      old: { kind: "input", name: "rows", at: `${make}/old/runtimeValue/runtimeParameter` },
    });
  });

  test("are found by kind and name", () => {
    const train = at("/components/comp-loop/dag/tasks/train");
    expect(train.input("artifact", "data")?.source).toMatchObject({ kind: "input", name: "data" });
    expect(train.input("parameter", "data")).toBeUndefined();
  });
});

describe("dependencies", () => {
  test("say why and where, and are found from both ends", () => {
    const { dependencies } = at("/root/dag/tasks/loop");
    expect(dependencies.map(({ kind, to, at }) => [kind, to.name, at])).toEqual([
      ["order", "make", "/root/dag/tasks/loop/dependentTasks/0"],
      ["order", "make", "/root/dag/tasks/loop/dependentTasks/1"],
      ["data", "make", "/root/dag/tasks/loop/inputs/parameters/list/taskOutputParameter/producerTask"],
      ["data", "make", "/root/dag/tasks/loop/inputs/artifacts/data/taskOutputArtifact/producerTask"],
    ]);
    expect(at("/root/dag/tasks/make").dependents).toEqual(dependencies);
    expect(at("/root/dag/tasks/report").dependencies.map(({ kind, to }) => [kind, to.name])).toEqual([
      ["status", "loop"],
    ]);
    expect(at("/root/dag/tasks/report").dependents).toEqual([]);
  });

  test("come from the settings of the platform too", () => {
    const graph = graphOf(`
pipelineInfo: {name: volume}
root:
  dag:
    tasks:
      claim: {componentRef: {name: comp-claim}}
      old: {componentRef: {name: comp-old}, dependentTasks: [claim]}
      use: {componentRef: {name: comp-use}}
components: {comp-claim: {executorLabel: claim}, comp-use: {executorLabel: use}, comp-old: {executorLabel: old}}
deploymentSpec: {executors: {claim: {container: {image: argostub/createpvc}}, use: {container: {image: python}}, old: {container: {image: python}}}}
---
platforms:
  kubernetes:
    deploymentSpec:
      executors:
        use:
          pvcMount: [{mountPath: /a, constant: old, pvc_name_parameter: {taskOutputParameter: {producerTask: claim, outputParameterKey: name}}}]
          secretAsEnv: [{secretNameParameter: {componentInputParameter: secret}}, {secretNameParameter: {runtimeValue: {constant: s}}}]
        old: {pvcMount: [{mountPath: /a, taskOutputParameter: {producerTask: claim, outputParameterKey: name}}, {constant: fixed}], nodeSelector: wrong}
`);
    const dependencies = (name: string) =>
      graph.task(`/root/dag/tasks/${name}`)?.dependencies.map(({ kind, to, at }) => [kind, to.name, at]);
    const base = "/platforms/kubernetes/deploymentSpec/executors";
    expect(dependencies("use")).toEqual([
      ["platform", "claim", `${base}/use/pvcMount/0/pvcNameParameter/taskOutputParameter/producerTask`],
    ]);
    expect(dependencies("old")).toEqual([
      ["order", "claim", "/root/dag/tasks/old/dependentTasks/0"],
      ["platform", "claim", `${base}/old/pvcMount/0/taskOutputParameter/producerTask`],
    ]);
    expect(graph.task("/root/dag/tasks/use")?.platformInputs.map(({ source }) => source?.kind)).toEqual([
      "input",
      "constant",
      "output",
    ]);
    expect(graph.executor("use")?.settings?.config.pvcMount[0]?.mountPath).toBe("/a");
    expect(graph.executor("use")?.settings).toBe(graph.executor("use")?.settings);
    expect(graph.executor("claim")?.settings).toBeUndefined();
    expect(dependencies("claim")).toEqual([]);
  });

  test("lead from what a DAG gives to the tasks that give it", () => {
    const selectors = nested.root?.selectors.map(({ kind, output, producer, task, at }) => ({
      ...{ kind, output, producer, at },
      task: task?.name,
    }));
    const outputs = "/root/dag/outputs";
    const choices = `${outputs}/parameters/best/valueFromOneof/parameterSelectors`;
    expect(selectors).toEqual([
      { kind: "parameter", output: "best", producer: "loop", task: "loop", at: `${choices}/0` },
      { kind: "parameter", output: "best", producer: "gone", task: undefined, at: `${choices}/1` },
      {
        kind: "artifact",
        output: "model",
        producer: "loop",
        task: "loop",
        at: `${outputs}/artifacts/model/artifactSelectors/0`,
      },
    ]);
  });

  for (const { name, text } of corpus("valid")) {
    test(`${name}: every producer that the text names, and nothing else`, () => {
      const graph = graphOf(text);
      const seen = new Map<string, string[]>();
      JSON.stringify(writeJson("PipelineSpec", graph.spec), (key, value) => {
        if (key !== "tasks") return value;
        for (const [task, spec] of Object.entries<{ readonly dependentTasks?: string[] }>(value)) {
          const named = [...JSON.stringify(spec).matchAll(/"producerTask":"([^"]+)"/g)].map(([, one]) => one);
          const all = new Set([...(spec.dependentTasks ?? []), ...named]);
          seen.set(`${task} ${JSON.stringify(Object.keys(value))}`, [...all].map(String).sort());
        }
        return value;
      });
      expect(graph.tasks.length).toBeGreaterThan(0);
      for (const { name, parent, dependencies } of graph.tasks) {
        const own = [...new Set(namesOf(dependencies.map(({ to }) => to)))].sort();
        expect(own).toEqual(seen.get(`${name} ${JSON.stringify([...(parent.tasks?.keys() ?? [])])}`));
      }
    });
  }
});

test("names that every object has, and those with slashes, are data", () => {
  const graph = graphOf(
    JSON.stringify({
      pipelineInfo: { name: "odd" },
      root: { dag: { tasks: { "a/b~c": { componentRef: { name: "constructor" } } } } },
      components: JSON.parse('{"__proto__": {"executorLabel": "toString"}}'),
    }),
  );
  expect(graph.task("/root/dag/tasks/a~1b~0c")?.component).toBeUndefined();
  expect(graph.component("__proto__")?.path).toBe("/components/__proto__");
  expect(graph.component("__proto__")?.executor).toBeUndefined();
});

test("tasks are found by their paths alone", () => {
  const graph = graphOf(`
root: {dag: {tasks: {t: {}, "": {}}}}
components: {c: {dag: {tasks: {t: {}}}}, root: {dag: {tasks: {t: {}}}}}
`);
  for (const task of graph.tasks) expect(graph.task(task.path)).toBe(task);
  expect(graph.tasks).toHaveLength(4);
  const others = [
    "",
    "t",
    "/root/t",
    "/root/dag/tasks/t/x",
    "/components/c/dag/tasks/u",
    "/components/d/dag/tasks/t",
  ];
  for (const path of [...others, "/components/c/dag/outputs/t", "/root/c/dag/tasks/t", "/root/dag/tasks/~t"])
    expect(graph.task(path)).toBeUndefined();
});

test("the name of a component costs its length once, not once per task", () => {
  const tasks = Object.fromEntries(Array.from({ length: 1600 }, (_, i) => [`t${i}`, {}]));
  const { spec } = graphOf(JSON.stringify({ components: { c: { dag: { tasks } } } }));
  const { c: component } = spec.components;
  if (component === undefined) expect.unreachable("it was read");
  const before = process.cpuUsage();
  const components = { ["k".repeat(160_000)]: component };
  const graph = buildGraph({
    spec: { ...spec, components },
    deployment: { executors: {} },
    platform: undefined,
  });
  expect(graph.tasks).toHaveLength(1600);
  // It took 12 s when all paths were in a map, and takes milliseconds.
  expect(process.cpuUsage(before).user).toBeLessThan(4_000_000);
});

test("100,000 dependencies of one task take no search each", () => {
  const tasks: Record<string, object> = { hub: {} };
  for (let i = 0; i < 100_000; i++) tasks[`t${i}`] = { dependentTasks: ["hub"] };
  const graph = graphOf(JSON.stringify({ pipelineInfo: { name: "wide" }, root: { dag: { tasks } } }));
  expect(graph.task("/root/dag/tasks/hub")?.dependents).toHaveLength(100_000);
  expect(graph.tasks.reduce((sum, { dependents }) => sum + dependents.length, 0)).toBe(100_000);
});

/** Tasks that run one component, whose executor has settings on Kubernetes that take a constant or an output. */
function manySettings(tasks: number, settings: number, source: object) {
  const all = Array.from({ length: tasks }, (_, i) => [`t${i}`, { componentRef: { name: "c" } }] as const);
  const pvcMount = Array.from({ length: settings }, () => ({ pvcNameParameter: source }));
  return graphOf(
    JSON.stringify({
      pipelineSpec: {
        pipelineInfo: { name: "many" },
        root: { dag: { tasks: Object.fromEntries(all) } },
        components: { c: { executorLabel: "e" } },
        deploymentSpec: { executors: { e: { container: { image: "i" } } } },
      },
      platformSpec: { platforms: { kubernetes: { deploymentSpec: { executors: { e: { pvcMount } } } } } },
    }),
  );
}

test.each([
  [10, 1000, 1000],
  [2000, 500, 500],
  [2000, 501, 500],
  [3001, 400, 333],
  [4000, 4000, 250],
])("%i tasks see %i settings of one executor each, up to 1,000,000: %i", (tasks, settings, seen) => {
  const graph = manySettings(tasks, settings, {
    taskOutputParameter: { producerTask: "t0", outputParameterKey: "o" },
  });
  for (const task of graph.tasks) expect(task.platformInputs).toHaveLength(seen);
  expect(graph.tasks[1]?.dependencies).toHaveLength(seen);
  expect(graph.tasks[1]?.platformInputs).toBe(graph.tasks[2]?.platformInputs);
});
