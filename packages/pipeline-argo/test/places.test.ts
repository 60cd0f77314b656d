import { locate, parsePipeline, writeJson } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { toArgoWorkflow } from "../src/index.js";
import { dag, exit, importer, type Json, leaf, loop, pipelineOf, to, warningsOf } from "./small-pipelines.js";

const tasks = { a: to("leaf") };
const executor = (settings: Json): Json => ({
  kubernetes: { deploymentSpec: { executors: { e: settings } } },
});
const executors = "/platforms/kubernetes/deploymentSpec/executors/e";
const config = "/platforms/kubernetes/pipelineConfig";

describe("of a setting that has no effect the name is marked, and not its value:", () => {
  const affinity = { topologyKey: "zone", matchPodExpressions: [{ key: "a", operator: "Exists" }] };
  test.each<[name: string, platforms: Json, path: string]>([
    ["affinities of pods", executor({ podAffinity: [affinity] }), `${executors}/podAffinity`],
    ["shared memory", executor({ enabledSharedMemory: { size: "1Gi" } }), `${executors}/enabledSharedMemory`],
    [
      "a workspace without a claim",
      { kubernetes: { pipelineConfig: { workspace: { size: "1Gi" } } } },
      `${config}/workspace`,
    ],
  ])("%s", (_, platforms, path) => {
    const pipeline = pipelineOf({ tasks, platforms });
    const { problems } = toArgoWorkflow(pipeline, { cacheDisabled: true });
    expect(problems.map((one) => [one.code, one.path])).toEqual([["ignored-setting", path]]);
    const name = locate(pipeline, path, "key");
    expect(name).not.toEqual(locate(pipeline, path, "value"));
    expect(problems[0]?.range).toEqual(name);
  });
});

test("of settings that several components have each thing is told once", () => {
  const platforms = executor({
    enabledSharedMemory: { size: "1Gi" },
    nodeSelector: { labels: { a: "x y" } },
  });
  const components = { second: leaf, third: leaf };
  const parts = { tasks: { ...tasks, b: to("second"), c: to("third") }, components, platforms };
  expect(warningsOf(parts).map(([code]) => code)).toEqual(["ignored-setting", "kubernetes-label"]);
});

test("of more mistakes in settings than are told apart each that is told is one", () => {
  const settings = Object.fromEntries(Array.from({ length: 1100 }, (_, index) => [`field${index}`, 1]));
  const { counts } = toArgoWorkflow(pipelineOf({ tasks, platforms: executor(settings) }));
  expect(counts.error).toBe(1000);
});

test("an error that is none of the pipeline's is not kept back", () => {
  const pipeline = pipelineOf({ tasks });
  const broken = new RangeError("broken");
  const spec = {
    ...pipeline.spec,
    get components(): never {
      throw broken;
    },
  };
  expect(() => toArgoWorkflow({ ...pipeline, spec })).toThrow(broken);
});

describe("of a label that no pod has", () => {
  const path = `${executors}/podMetadata/labels`;
  test.each<[what: string, labels: Json, name: string, part: "key" | "value"]>([
    ["the value is marked where that is none", { a: "x y" }, "a", "value"],
    ["the key is marked where that is none", { "x y": "a" }, "x y", "key"],
  ])("%s", (_, labels, name, part) => {
    const pipeline = pipelineOf({ tasks, platforms: executor({ podMetadata: { labels } }) });
    const { problems } = toArgoWorkflow(pipeline, { cacheDisabled: true });
    expect(problems.map(({ code, path, range }) => [code, path, range])).toEqual([
      ["kubernetes-label", `${path}/${name}`, locate(pipeline, `${path}/${name}`, part)],
    ]);
  });
});

test("each component whose name parameters cannot have is told once", () => {
  const model = { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } };
  const made = { executorLabel: "e", outputDefinitions: { artifacts: { artifact: model } } };
  const parts = {
    tasks: { a: to("c.x"), b: to("d.x"), c: to("e.x") },
    components: { "c.x": made, "d.x": made, "e.x": made },
    executor: importer,
  };
  expect(warningsOf(parts).map(([code, path]) => [code, path])).toEqual([
    ["argo-component-name", "/components/c.x"],
    ["argo-component-name", "/components/d.x"],
    ["argo-component-name", "/components/e.x"],
  ]);
});

test("a name of as many characters as there may be is not told to be long", () => {
  const name = `${"c".repeat(126)}_x`;
  const [problem, ...more] = warningsOf({ tasks: { a: to(name) }, components: { [name]: dag } });
  expect(problem?.[2]).toMatch(/has a name that Argo refuses$/);
  expect(more).toEqual([]);
});

describe("the template of an exit task", () => {
  const after = (...dependentTasks: string[]): Json => ({ ...exit, dependentTasks });
  test("is told to be one, and where it comes from", () => {
    const result = toArgoWorkflow(pipelineOf({ tasks: { ...tasks, b: to("leaf", after("a")) } }));
    const sources = result.ok ? result.sources : expect.unreachable();
    expect(sources.find(({ template }) => template === "exit-hook-root-b")).toMatchObject({
      role: "exit-hook",
      from: [{ path: "/root/dag/tasks/b" }],
      tasks: [
        { name: "b-driver", path: "/root/dag/tasks/b" },
        { name: "b", path: "/root/dag/tasks/b" },
      ],
    });
  });

  test("is refused in the words of the back end where there is one of its name", () => {
    const components = {
      x: { dag: { tasks: { a: to("leaf"), "y-b": to("leaf", after("a")) } } },
      "x-y": { dag: { tasks: { a: to("leaf"), b: to("leaf", after("a")) } } },
    };
    const { problems } = toArgoWorkflow(pipelineOf({ tasks: { p: to("x"), q: to("x-y") }, components }));
    expect(problems.map(({ code, backEnd }) => [code, backEnd])).toEqual([
      [
        "duplicate-template",
        'compiling DAG "x-y": DAG: template name="exit-hook-x-y-b": template already exists',
      ],
    ]);
  });
});

test("what runs a component that is refused is not refused for that again", () => {
  const components = { none: { inputDefinitions: {} } };
  const pipeline = pipelineOf({ tasks: { b: to("none"), c: to("none"), ...tasks }, components });
  const { problems } = toArgoWorkflow(pipeline);
  expect(problems.map(({ code, path, range }) => [code, path, range])).toEqual([
    ["no-implementation", "/components/none", locate(pipeline, "/components/none", "key")],
  ]);
});

test("a root that is no DAG is marked by its name", () => {
  const parts = pipelineOf({ tasks });
  const text = JSON.stringify({ ...writeJson("PipelineSpec", parts.spec), root: { executorLabel: "e" } });
  const read = parsePipeline(text);
  const pipeline = read.ok ? read.pipeline : expect.unreachable(JSON.stringify(read.problems));
  const [problem] = toArgoWorkflow(pipeline).problems;
  expect(problem).toMatchObject({ code: "executor-root", path: "/root" });
  expect(problem?.range).toEqual(locate(pipeline, "/root", "key"));
  expect(problem?.range).not.toEqual(locate(pipeline, "/root", "value"));
});

describe("a loop", () => {
  test("has two templates, of which is told what they are and where they come from", () => {
    const result = toArgoWorkflow(pipelineOf({ tasks: { a: to("d", loop) }, components: { d: dag } }));
    const sources = result.ok ? result.sources : expect.unreachable();
    const path = "/root/dag/tasks/a";
    const loops = sources.filter(({ role }) => role === "loop" || role === "iteration");
    const names = ({ name, path }: { readonly name: string; readonly path: string }) => [name, path];
    expect(
      loops.map(({ role, template, from, tasks }) => [
        role,
        template,
        from.map((one) => one.path),
        tasks.map(names),
      ]),
    ).toEqual([
      [
        "iteration",
        "d-iteration",
        [path],
        [
          ["iteration-item-driver", path],
          ["iteration-item", path],
        ],
      ],
      [
        "loop",
        "d-a-iterator",
        [path],
        [
          ["iteration-driver", path],
          ["iteration-iterations", path],
        ],
      ],
    ]);
    expect(
      sources.find(({ template }) => template === "system-dag-driver")?.from.map((one) => one.path),
    ).toEqual([path, "/root"]);
  });

  test("is named once among those that run through a template of the back end, as the next one is", () => {
    const tasks = { a: to("d", loop), b: to("f", loop), c: to("g") };
    const result = toArgoWorkflow(pipelineOf({ tasks, components: { d: dag, f: dag, g: dag } }));
    const sources = result.ok ? result.sources : expect.unreachable();
    const of = (name: string) =>
      sources.find(({ template }) => template === name)?.from.map(({ path }) => path.slice(-7));
    expect(of("system-dag-driver")).toEqual(["tasks/a", "tasks/b", "tasks/c", "/root"]);
  });

  test("comes from its name in the file", () => {
    const pipeline = pipelineOf({ tasks: { a: to("d", loop) }, components: { d: dag } });
    const result = toArgoWorkflow(pipeline);
    const path = "/root/dag/tasks/a";
    const sources = result.ok ? result.sources : expect.unreachable();
    const made = sources.find(({ role }) => role === "loop");
    expect([made?.from[0]?.range, made?.tasks[0]?.range]).toEqual([
      locate(pipeline, path, "key"),
      locate(pipeline, path, "key"),
    ]);
    expect(locate(pipeline, path, "key")).not.toEqual(locate(pipeline, path, "value"));
  });

  test("is refused in the words of the back end where what it runs is", () => {
    const model = { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } };
    const components = { c: { executorLabel: "e", outputDefinitions: { artifacts: { artifact: model } } } };
    const conditional = to("c", { ...loop, triggerPolicy: { condition: "true" } });
    const { problems } = toArgoWorkflow(
      pipelineOf({ tasks: { a: conditional }, components, executor: importer }),
    );
    expect(problems.map(({ code, backEnd }) => [code, backEnd])).toEqual([
      [
        "importer-condition",
        'compiling DAG "root": compiling task "a": iterator task: iterationItem task: compiling task "iteration-item": triggerPolicy.condition on importer task is not supported',
      ],
    ]);
  });
});

test.each([[["a"]], [["a", "b"]]])("of a DAG that loops over artifacts nothing else is told: %j", (names) => {
  const over = {
    artifactIterator: { items: { inputArtifact: "i" }, itemInput: "x" },
    dependentTasks: ["gone"],
  };
  const pipeline = pipelineOf({
    tasks: { ...Object.fromEntries(names.map((name) => [name, to("d", over)])), c: to("leaf") },
    components: { d: dag },
  });
  const paths = names.map((name) => `/root/dag/tasks/${name}/artifactIterator`);
  expect(
    toArgoWorkflow(pipeline, { cacheDisabled: true }).problems.map(({ code, path, range }) => [
      code,
      path,
      range,
    ]),
  ).toEqual(paths.map((path) => ["artifact-iterator", path, locate(pipeline, path, "key")]));
});

test("of several tasks that cannot be compiled each is told, exit tasks too", () => {
  const model = { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } };
  const components = { c: { executorLabel: "e", outputDefinitions: { artifacts: { artifact: model } } } };
  const when = { triggerPolicy: { condition: "true" } };
  const last = {
    triggerPolicy: { ...(exit.triggerPolicy as Json), condition: "true" },
    dependentTasks: ["a"],
  };
  const tasks = { a: to("c", when), b: to("c", when), y: to("c", last), z: to("c", last) };
  const { problems } = toArgoWorkflow(pipelineOf({ tasks, components, executor: importer }));
  const refused = problems.filter(({ code }) => code === "importer-condition");
  expect(refused.map(({ path }) => path)).toEqual(
    ["y", "z", "a", "b"].map((name) => `/root/dag/tasks/${name}/triggerPolicy/condition`),
  );
});

test.each<[code: string, component: Json, executor?: Json]>([
  ["unknown-executor", { executorLabel: "gone" }],
  ["no-implementation", {}],
  ["unsupported-executor", leaf, { resolver: {} }],
])(
  "what is wrong with a component is told once, however many tasks run it: %s",
  (code, component, executor) => {
    const components = { c: component, d: { dag: { tasks: { y: to("c") } } } };
    const tasks = { a: to("c"), b: to("c"), l: to("c", loop), d: to("d"), x: to("c", exit) };
    const { problems } = toArgoWorkflow(pipelineOf({ tasks, components, ...(executor && { executor }) }));
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map((one) => one.code)).toEqual([code]);
  },
);

test("every task is named with each template of the back end that it runs through", () => {
  const result = toArgoWorkflow(pipelineOf({ tasks: { a: to("leaf"), b: to("leaf") } }));
  const sources = result.ok ? result.sources : expect.unreachable();
  const system = sources.filter(({ template }) => template.startsWith("system-container"));
  expect(system.map(({ template, from }) => [template, from.map(({ path }) => path)])).toEqual(
    ["driver", "executor", "impl"].map((name) => [
      `system-container-${name}`,
      ["/root/dag/tasks/a", "/root/dag/tasks/b"],
    ]),
  );
});

test("a task that names no component does not run the one that has its name", () => {
  const { problems } = toArgoWorkflow(pipelineOf({ tasks: { leaf: {} } }));
  expect(problems.map(({ code, path }) => [code, path])).toContainEqual([
    "no-component",
    "/root/dag/tasks/leaf",
  ]);
});

describe("a component that is not compiled before what runs it", () => {
  const inside = (name: string): Json => ({ dag: { tasks: { t: to(name) } } });
  test.each<[what: string, first: string, components: Json, path: string, says: string]>([
    [
      "contains it",
      "a",
      { a: inside("b"), b: inside("a") },
      "/components/b/dag/tasks/t/componentRef/name",
      'the component "a" contains this task, through at least one other component',
    ],
    [
      "is called like the root",
      "root",
      { root: leaf },
      "/root/dag/tasks/t/componentRef/name",
      'the component "root" has the name that the back end gives to the root',
    ],
  ])("%s", (_, first, components, path, says) => {
    const { problems } = toArgoWorkflow(pipelineOf({ tasks: { t: to(first) }, components }));
    expect(problems.find(({ code }) => code === "component-not-ready")).toMatchObject({
      path,
      message: says,
    });
  });
});
