import { describe, expect, test } from "vitest";
import {
  buildGraph,
  describeComponent,
  executorSettings,
  inputArtifact,
  inputParameter,
  isExitTask,
  loopedComponents,
  outputArtifact,
  outputParameter,
  type PipelineGraph,
  parsePipeline,
  reachableComponents,
  settingProblems,
} from "../index.js";
import { settingValues } from "./executor-settings.js";

function graphOf(value: object): PipelineGraph {
  const parsed = parsePipeline(JSON.stringify(value));
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  return buildGraph(pipeline ?? expect.unreachable("there is a specification"));
}

const names = ["a", "constructor"];
const graph = graphOf({
  root: {
    inputDefinitions: {
      parameters: { a: { description: "input parameter" } },
      artifacts: { a: { description: "input artifact" } },
    },
    outputDefinitions: {
      parameters: { a: { description: "output parameter" } },
      artifacts: { a: { description: "output artifact" } },
    },
    dag: {
      outputs: {
        parameters: {
          one: { valueFromParameter: { producerSubtask: "t", outputParameterKey: "k" } },
          "a/b": {
            valueFromOneof: { parameterSelectors: [{ producerSubtask: "t" }, { producerSubtask: "u" }] },
          },
          none: {},
        },
        artifacts: { one: { artifactSelectors: [{ producerSubtask: "v", outputArtifactKey: "k" }, {}] } },
      },
      tasks: {
        t: { componentRef: { name: "a" }, triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } },
        u: { componentRef: { name: "b" }, triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_SUCCEEDED" } },
        v: {},
      },
    },
  },
  components: {
    a: { executorLabel: "e" },
    b: { dag: { tasks: { w: { componentRef: { name: "c" } } } } },
    c: {},
  },
  deploymentSpec: { executors: { e: { container: { image: "i" } } } },
});
const { root } = graph;
if (root === undefined) expect.unreachable("it has a root");

test("an input without a value takes nothing", () => {
  const parameters = { a: { runtimeValue: {} }, b: {}, c: { runtimeValue: { constant: null } } };
  const { tasks } = graphOf({
    root: { dag: { tasks: { t: { inputs: { parameters, artifacts: { d: {} } } } } } },
  });
  const sources = tasks[0]?.inputs.map(({ name, source }) => [name, source?.kind]);
  expect(sources).toEqual([
    ["a", undefined],
    ["b", undefined],
    ["c", "constant"],
    ["d", undefined],
  ]);
});

describe("what a component declares", () => {
  const declared = { inputParameter, inputArtifact, outputParameter, outputArtifact };
  const told: Readonly<Record<string, string>> = {
    inputParameter: "input parameter",
    inputArtifact: "input artifact",
    outputParameter: "output parameter",
    outputArtifact: "output artifact",
  };
  test.each(Object.entries(declared))("%s", (name, find) => {
    const [known, inherited] = names.map((one) => find(root, one));
    expect([known?.description, inherited]).toEqual([told[name], undefined]);
    expect(find(graph.component("c") ?? root, "a")).toBeUndefined();
    for (const node of [undefined, null, 5, {}, { spec: 5 }, [], graph.spec]) {
      expect(() => find(node as never, "a")).toThrow(
        new RegExp(`^${name} takes a component of what buildGraph gives, not `),
      );
    }
  });

  test("what it is called", () => {
    expect(graph.components.map(describeComponent)).toEqual([
      "the root",
      'component "a"',
      'component "b"',
      'component "c"',
    ]);
    expect(() => describeComponent({} as never)).toThrow(
      new TypeError("describeComponent takes a component of what buildGraph gives, not an object"),
    );
  });

  test("whether a task runs in any case", () => {
    expect(graph.tasks.map(isExitTask)).toEqual([true, false, false, false]);
    expect(() => isExitTask(5 as never)).toThrow(
      new TypeError("isExitTask takes a task of what buildGraph gives, not the number 5"),
    );
  });
});

test("what is no graph is refused by name", () => {
  for (const [name, find] of Object.entries({ reachableComponents, loopedComponents })) {
    expect(() => find(5 as never)).toThrow(
      new TypeError(`${name} takes an object as its graph, not the number 5`),
    );
    expect(() => find({ tasks: {} } as never)).toThrow(
      new TypeError(`${name} takes a list as its graph.tasks, not an object`),
    );
  }
  expect([...reachableComponents(graph)].map(describeComponent)).toEqual([
    "the root",
    'component "a"',
    'component "b"',
    'component "c"',
  ]);
  expect([...loopedComponents(graph)]).toEqual([]);
  const looped = graphOf({
    root: {
      dag: {
        tasks: {
          t: { componentRef: { name: "a" }, artifactIterator: { itemInput: "i" } },
          u: { componentRef: { name: "b" }, parameterIterator: { itemInput: "i" } },
          v: { componentRef: { name: "c" } },
        },
      },
    },
    components: { a: {}, b: {}, c: {} },
  });
  expect([...loopedComponents(looped)].map(describeComponent)).toEqual(['component "a"', 'component "b"']);
  expect([...reachableComponents(graphOf({ components: { a: {} } }))]).toEqual([]);
});

describe("an output of a DAG", () => {
  const base = "/root/dag/outputs";
  const selected = (...args: Parameters<typeof root.selectorsOf>) =>
    root.selectorsOf(...args).map(({ task, ...one }) => ({ ...one, task: task?.name }));
  const one = `${base}/parameters/one/valueFromParameter`;
  const choice = `${base}/parameters/a~1b/valueFromOneof/parameterSelectors`;
  const artifact = `${base}/artifacts/one/artifactSelectors`;

  test("is one of a task, the first of several, or of none", () => {
    const common = { kind: "parameter", output: "one", producer: "t", task: "t", key: "k" };
    expect(selected("parameter", "one")).toEqual([
      { ...common, at: one, producerAt: `${one}/producerSubtask`, keyAt: `${one}/outputParameterKey` },
    ]);
    expect(selected("parameter", "a/b").map(({ at, task, keyAt }) => [at, task, keyAt])).toEqual([
      [`${choice}/0`, "t", `${choice}/0/outputParameterKey`],
      [`${choice}/1`, "u", `${choice}/1/outputParameterKey`],
    ]);
    expect(selected("artifact", "one")).toEqual([
      {
        ...{ kind: "artifact", output: "one", producer: "v", task: "v", key: "k", at: `${artifact}/0` },
        producerAt: `${artifact}/0/producerSubtask`,
        keyAt: `${artifact}/0/outputArtifactKey`,
      },
      {
        ...{ kind: "artifact", output: "one", producer: "", task: undefined, key: "", at: `${artifact}/1` },
        producerAt: `${artifact}/1/producerSubtask`,
        keyAt: `${artifact}/1/outputArtifactKey`,
      },
    ]);
  });

  test("that there is not has none, nor has a component that is no DAG", () => {
    expect([
      selected("parameter", "none"),
      selected("artifact", "a/b"),
      selected("parameter", "two"),
    ]).toEqual([...[[], [], []]]);
    expect(graph.component("a")?.selectors).toEqual([]);
    expect(graph.component("b")?.selectors).toEqual([]);
  });
});

test.each([8, 9])("of %d inputs each is found by its kind and name alone", (count) => {
  const inputs = Array.from(
    { length: count - 2 },
    (_, i) => [`p${i}`, { runtimeValue: { constant: i } }] as const,
  );
  const [task] = graphOf({
    root: {
      dag: {
        tasks: {
          t: {
            inputs: {
              parameters: { ...Object.fromEntries(inputs), both: { componentInputParameter: "x" } },
              artifacts: { both: { componentInputArtifact: "y" } },
            },
          },
        },
      },
    },
  }).tasks;
  expect(task?.inputs).toHaveLength(count);
  expect(task?.inputs.map(({ kind }) => kind).indexOf("artifact")).toBe(count - 1);
  expect(task?.input("parameter", "p0")?.source).toMatchObject({ kind: "constant", value: 0 });
  expect(task?.input("parameter", "both")?.source).toMatchObject({ name: "x" });
  expect(task?.input("artifact", "both")?.source).toMatchObject({ name: "y" });
  expect(task?.input("artifact", "p0")).toBeUndefined();
  expect(task?.input("parameter", "p")).toBeUndefined();
  expect(task?.inputs.every((input) => input.task === task)).toBe(true);
});

test.each([
  [1, 10, 0],
  [1000, 1000, 0],
  [1000, 1001, 1],
  [2000, 501, 1],
  [2000, 700, 200],
])("of the settings of %i tasks, %i each, so many are not seen: %i", (tasks, settings, unseen) => {
  const all = Array.from({ length: tasks }, (_, i) => [`t${i}`, { componentRef: { name: "c" } }] as const);
  const pvcMount = Array.from({ length: settings }, () => ({
    pvcNameParameter: { runtimeValue: { constant: "a" } },
  }));
  const many = graphOf({
    pipelineSpec: {
      components: {
        c: { executorLabel: "e" },
        d: { dag: { tasks: Object.fromEntries(all.slice(0, tasks / 2)) } },
      },
      root: { dag: { tasks: Object.fromEntries(all.slice(tasks / 2)) } },
      deploymentSpec: { executors: { e: { container: {} }, f: { container: {} } } },
    },
    platformSpec: { platforms: { kubernetes: { deploymentSpec: { executors: { e: { pvcMount } } } } } },
  });
  expect(many.executors.map(({ unseenSettings }) => unseenSettings)).toEqual([unseen, 0]);
});

describe("the settings of an executor on Kubernetes", () => {
  const platform = (executors: object, name = "kubernetes") => {
    const parsed = parsePipeline(
      JSON.stringify({
        pipelineSpec: { root: { dag: {} } },
        platformSpec: { platforms: { [name]: { deploymentSpec: { executors } } } },
      }),
    );
    return parsed.ok ? parsed.pipeline.platform : expect.unreachable("it is valid");
  };
  const path = "/platforms/kubernetes/deploymentSpec/executors/e~1f";

  test("are those of its label, with their place, as far as they can be read", () => {
    const json = { imagePullPolicy: "Always", pvcMount: 5, nope: 1, activeDeadlineSeconds: "x" };
    const settings = executorSettings(platform({ "e/f": json }), "e/f");
    expect(settings).toMatchObject({ path, json, config: { imagePullPolicy: "Always", pvcMount: [] } });
    expect(executorSettings(platform({ "e/f": {} }), "e/f")?.json).toEqual({});
  });

  test("are not what a misspelt field may have meant, and none when they are no object", () => {
    const settings = executorSettings(platform({ "e/f": { imagePullPolcy: "Always" } }), "e/f");
    expect(settings?.config.imagePullPolicy).toBe("");
    for (const json of ["x", 5, true, ["x"], null]) {
      const odd = platform({ "e/f": {} });
      Object.assign(odd?.platforms.kubernetes?.deploymentSpec?.executors ?? {}, { "e/f": json });
      expect(executorSettings(odd, "e/f")).toBeUndefined();
    }
  });

  test("are none elsewhere", () => {
    expect(executorSettings(undefined, "e")).toBeUndefined();
    expect(executorSettings(platform({ e: {} }), "f")).toBeUndefined();
    expect(executorSettings(platform({ e: {} }), "constructor")).toBeUndefined();
    expect(executorSettings(platform({ e: {} }, "nomad"), "e")).toBeUndefined();
    const empty = parsePipeline("root: {dag: {}}\n---\nplatforms: {kubernetes: {}}\n");
    expect(empty.ok && executorSettings(empty.pipeline.platform, "e")).toBeUndefined();
  });

  test("are told what is wrong with them, up to a limit", () => {
    const json = { pvcMount: 5, nope: 1, secretAsEnv: [{ secretName: "a" }], nodeSelector: { disk: "ssd" } };
    const told = settingProblems({ json }).map(({ code, path: at, hint }) => [code, at, hint]);
    expect(told).toEqual([
      ["wrong-type", "/pvcMount", "write [5]"],
      ["unknown-field", "/nope", undefined],
      ["unknown-field", "/nodeSelector/disk", "put it below labels"],
    ]);
    expect(settingProblems({ json }, 1).map(({ code }) => code)).toEqual(["wrong-type", "too-many-problems"]);
    expect(settingProblems({ json: 5 })).toMatchObject([{ code: "wrong-type", path: "" }]);
    const many = { tolerations: Array.from({ length: 1001 }, () => 5) };
    expect(settingProblems({ json: many })).toHaveLength(1001);
  });

  test("take their values from the pipeline where they say so", () => {
    const output = { producerTask: "t", outputParameterKey: "k" };
    const values = (json: object) => {
      const settings = executorSettings(platform({ "e/f": json }), "e/f");
      return (
        settings && settingValues(settings).map(({ at, spec }) => [at.replace(path, ""), spec.kind?.$case])
      );
    };
    expect(
      values({
        secretAsEnv: [
          { secretNameParameter: { componentInputParameter: "a" } },
          { secretName: "b" },
          { secretNameParameter: { runtimeValue: { constant: "c" } } },
        ],
        pvcMount: [
          { constant: "fixed" },
          { componentInputParameter: "a" },
          { taskOutputParameter: output },
          { taskOutputParameter: output, pvcNameParameter: { taskOutputParameter: output } },
          {},
        ],
        tolerations: [{ tolerationJson: { componentInputParameter: "a" } }, { key: "a" }],
      }),
    ).toEqual([
      ["/secretAsEnv/0/secretNameParameter", "componentInputParameter"],
      ["/secretAsEnv/2/secretNameParameter", "runtimeValue"],
      ["/pvcMount/1", "componentInputParameter"],
      ["/pvcMount/2", "taskOutputParameter"],
      ["/pvcMount/3/pvcNameParameter", "taskOutputParameter"],
      ["/tolerations/0/tolerationJson", "componentInputParameter"],
    ]);
  });
});

test("a task that names itself waits for itself, by each of its names at its place", () => {
  const { tasks } = graphOf({
    root: {
      dag: {
        tasks: {
          t: {
            dependentTasks: ["u", "t"],
            inputs: {
              parameters: {
                own: { taskOutputParameter: { producerTask: "t", outputParameterKey: "k" } },
                end: { taskFinalStatus: { producerTask: "t" } },
                gone: { taskFinalStatus: { producerTask: "x" } },
              },
            },
          },
          u: { dependentTasks: ["x"] },
        },
      },
    },
  });
  const told = tasks.map(({ dependencies }) => dependencies.map(({ kind, to, at }) => [kind, to.name, at]));
  const path = "/root/dag/tasks/t";
  expect(told).toEqual([
    [
      ["order", "u", `${path}/dependentTasks/0`],
      ["order", "t", `${path}/dependentTasks/1`],
      ["data", "t", `${path}/inputs/parameters/own/taskOutputParameter/producerTask`],
      ["status", "t", `${path}/inputs/parameters/end/taskFinalStatus/producerTask`],
    ],
    [],
  ]);
});
