import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type ArgoOptions, type ArgoResult, printArgoWorkflow, toArgoWorkflow } from "../src/index.js";
import { mistakesOf } from "./check-workflow.js";

function parsed(document: unknown): Pipeline {
  const result = parsePipeline(JSON.stringify(document), { maxTokens: 100_000_000 });
  return result.ok ? result.pipeline : expect.unreachable(JSON.stringify(result.problems.slice(0, 3)));
}

const executors = { e: { container: { image: "python" } } };
const run = (name: string) => ({ componentRef: { name } });

function pipelineOf(tasks: object, components: object = { c: { executorLabel: "e" } }): Pipeline {
  const spec = { pipelineInfo: { name: "hostile" }, root: { dag: { tasks } }, components };
  return parsed({ ...spec, deploymentSpec: { executors } });
}

const codes = ({ problems }: ArgoResult) => problems.map(({ code }) => code);

describe("deep", () => {
  test("20,000 DAGs in each other are compiled without a stack", () => {
    const components = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`c${i}`, { dag: { tasks: { t: run(`c${i + 1}`) } } }]),
    );
    const result = toArgoWorkflow(
      pipelineOf({ t: run("c0") }, { ...components, c20000: { executorLabel: "e" } }),
    );
    expect(result.ok && result.workflow.spec.templates?.length).toBe(20_006);
  });

  test("a circle of DAGs is refused, a DAG inside itself is a warning", () => {
    const components = { a: { dag: { tasks: { t: run("b") } } }, b: { dag: { tasks: { t: run("a") } } } };
    const circle = toArgoWorkflow(pipelineOf({ t: run("a") }, components));
    expect(circle).toMatchObject({ ok: false });
    expect(circle.problems[0]).toMatchObject({
      code: "component-not-ready",
      path: "/components/b/dag/tasks/t/componentRef/name",
      backEnd:
        'compiling DAG "b": compiling task "t": using component spec: failed to find workflow parameter "components-a"',
    });
    const self = toArgoWorkflow(pipelineOf({ t: run("a") }, { a: { dag: { tasks: { t: run("a") } } } }));
    expect(self.ok).toBe(true);
    expect(codes(self)).toEqual(["recursive-component"]);
  });

  test("values nested as deep as a file may have them", () => {
    const constant = JSON.parse(`${"[".repeat(900)}${"]".repeat(900)}`);
    const tasks = { t: { ...run("c"), inputs: { parameters: { p: { runtimeValue: { constant } } } } } };
    const spec = {
      pipelineInfo: { name: "deep" },
      root: { dag: { tasks } },
      components: { c: { executorLabel: "e" } },
    };
    const read = parsePipeline(JSON.stringify({ ...spec, deploymentSpec: { executors } }), {
      maxDepth: 1000,
    });
    expect(toArgoWorkflow(read.ok ? read.pipeline : expect.unreachable()).ok).toBe(true);
  });

  test("a patch that is nested too deep is refused", () => {
    const nested = (levels: number): NonNullable<ArgoOptions["specPatch"]> => {
      let patch = {};
      for (let i = 0; i < levels; i++) patch = { dag: { tasks: [{ name: "x", inline: patch }] } };
      return { templateDefaults: { ...patch, plugin: { x: patch } } };
    };
    const pipeline = pipelineOf({ t: run("c") });
    expect(codes(toArgoWorkflow(pipeline, { specPatch: nested(200) }))).toEqual([
      "invalid-spec-patch",
      "invalid-spec-patch",
    ]);
    expect(() => toArgoWorkflow(pipeline, { specPatch: nested(20_000) })).toThrow("levels deep");
  });
});

describe("wide", () => {
  test("5,000 tasks, each after the one before", () => {
    const name = (i: number) => `t${String(i).padStart(5, "0")}`;
    const tasks = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [
        name(i),
        { ...run("c"), dependentTasks: i === 0 ? [] : [name(i - 1)] },
      ]),
    );
    const result = toArgoWorkflow(pipelineOf(tasks));
    if (!result.ok) expect.unreachable();
    expect(mistakesOf(result.workflow)).toEqual([]);
    expect(codes(result)).toEqual(["long-argument", "too-large"]);
    expect(result.sources.find(({ template }) => template === "root")?.tasks).toHaveLength(10_000);
  });

  test("100,000 dependencies of one task are each looked up once", () => {
    const first = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`t${i}`, run("c")]));
    const all = { ...first, last: { ...run("c"), dependentTasks: Object.keys(first) } };
    const result = toArgoWorkflow(pipelineOf(all));
    expect(result.ok).toBe(true);
  });

  test("all mistakes are found, as many listed as are wanted, and counted", () => {
    const tasks = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`t${i}`, run(`gone-${i}`)]));
    const result = toArgoWorkflow(pipelineOf(tasks));
    expect(result).toMatchObject({ ok: false, counts: { error: 5_000 } });
    expect(result.problems).toHaveLength(1_001);
    expect(result.problems.at(-1)).toMatchObject({
      code: "too-many-problems",
      severity: "info",
      hint: "raise the limit maxProblems",
    });
    expect(toArgoWorkflow(pipelineOf(tasks), { maxProblems: 2 }).problems).toHaveLength(3);
  });

  test("settings that many components share do not make a workflow without bounds", () => {
    const annotations = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, "value"]));
    const names = Array.from({ length: 2_000 }, (_, i) => `c${i}`);
    const pipelineSpec = {
      pipelineInfo: { name: "shared" },
      root: { dag: { tasks: Object.fromEntries(names.map((name) => [name, run(name)])) } },
      components: Object.fromEntries(names.map((name) => [name, { executorLabel: "e" }])),
      deploymentSpec: { executors },
    };
    const settings = { e: { podMetadata: { annotations } } };
    const platformSpec = { platforms: { kubernetes: { deploymentSpec: { executors: settings } } } };
    const result = toArgoWorkflow(parsed({ pipelineSpec, platformSpec }));
    expect(result.ok).toBe(false);
    expect(codes(result)).toEqual(["over-limit", "long-argument"]);
  });

  test("long names are cut in problems", () => {
    const long = "x".repeat(1_000);
    const tasks = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`${i}${long}`, run(`${i}${long}`)]),
    );
    const { problems, counts } = toArgoWorkflow(pipelineOf(tasks));
    // Names that are not there, names that are too long for Argo.
    expect(counts).toMatchObject({ error: 20, warning: 20 });
    expect(JSON.stringify(problems).length).toBeLessThan(60_000);
  });
});

describe("names", () => {
  const odd = [
    "__proto__",
    "constructor",
    "toString",
    "10",
    "9",
    "a/b",
    "a~b",
    "",
    " ",
    "\u0000",
    "😀",
    "\uffee",
    "é",
  ];

  test("are data, wherever they stand", () => {
    const entries = <T>(value: (name: string) => T) =>
      Object.fromEntries(odd.map((name) => [name, value(name)]));
    const text = JSON.stringify({
      pipelineInfo: { name: "a/__proto__" },
      root: { dag: { tasks: entries((name) => run(name || "x")) } },
      components: { ...entries((name) => ({ executorLabel: name || "x" })), x: { executorLabel: "x" } },
      deploymentSpec: {
        executors: {
          ...entries((name) => ({ container: { image: `i${name}` } })),
          x: { container: { image: "x" } },
        },
      },
    });
    const read = parsePipeline(text);
    const result = toArgoWorkflow(read.ok ? read.pipeline : expect.unreachable());
    if (!result.ok) expect.unreachable(JSON.stringify(result.problems[0]));
    expect(result.workflow.metadata.generateName).toBe("__proto__-");
    expect(parse(printArgoWorkflow(result.workflow))).toEqual(result.workflow);
    const root = result.workflow.spec.templates?.find(({ name }) => name === "root");
    // By their bytes in UTF-8.
    const sorted = [...odd].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(root?.dag?.tasks.map(({ name }) => name)).toEqual(
      sorted.flatMap((name) => [`${name}-driver`, name]),
    );
  });

  test("of the back end for components of a pipeline", () => {
    const loop = { dag: { tasks: { t: run("c") } } };
    const taken = pipelineOf(
      { a: run("system-dag-driver") },
      { c: { executorLabel: "e" }, "system-dag-driver": loop },
    );
    expect(codes(toArgoWorkflow(taken))).toEqual(["reserved-template-name", "reserved-template-name"]);
    const root = pipelineOf(
      { a: run("b") },
      { b: { dag: { tasks: { t: run("root") } } }, root: { executorLabel: "e" } },
    );
    expect(toArgoWorkflow(root).problems[0]).toMatchObject({
      code: "component-not-ready",
      message: 'the component "root" has the name that the back end gives to the root',
    });
  });
});

describe("wrong types, in pipelines made by hand", () => {
  const good = pipelineOf({ t: run("c") });
  const { spec, deployment } = good;
  // Callers without types may hand over anything.
  const attempts: Readonly<Record<string, object>> = {
    "components are null": { ...good, spec: { ...spec, components: null } },
    "tasks are a text": {
      ...good,
      spec: { ...spec, root: { implementation: { $case: "dag", value: { tasks: "x" } } } },
    },
    "a task is a number": {
      ...good,
      spec: { ...spec, root: { implementation: { $case: "dag", value: { tasks: { t: 5 } } } } },
    },
    "a label is an object": {
      ...good,
      spec: { ...spec, components: { c: { implementation: { $case: "executorLabel", value: {} } } } },
    },
    "executors are a list": { ...good, deployment: { executors: [] } },
    "a container is null": {
      ...good,
      deployment: { executors: { e: { spec: { $case: "container", value: null } } } },
    },
    "half of a surrogate pair": {
      ...good,
      deployment: {
        executors: {
          e: {
            ...deployment.executors.e,
            spec: { $case: "container", value: { image: "\ud800", command: [], args: [], env: [] } },
          },
        },
      },
    },
    "a number that is none": {
      ...good,
      spec: {
        ...spec,
        root: {
          ...spec.root,
          inputDefinitions: {
            artifacts: {},
            parameters: {
              p: {
                type: 0,
                parameterType: 0,
                isOptional: false,
                description: "",
                literals: [],
                defaultValue: Number.NaN,
              },
            },
          },
        },
      },
    },
    "the name is a list": { ...good, spec: { ...spec, pipelineInfo: { name: [] } } },
    "a platform that is a text": { ...good, platform: "kubernetes" },
  };
  for (const [name, pipeline] of Object.entries(attempts)) {
    test(name, () => {
      const result = toArgoWorkflow(pipeline as Pipeline);
      expect(result.ok).toBe(false);
      expect(result.problems[0]).toMatchObject({ severity: "error", message: expect.stringMatching(/./) });
    });
  }

  test("what is no pipeline at all is refused by name", () => {
    const anything = (value: unknown) => () => toArgoWorkflow(value as Pipeline);
    expect(anything(undefined)).toThrow("toArgoWorkflow takes an object as its pipeline");
    expect(anything({})).toThrow("toArgoWorkflow takes an object as its pipeline.spec");
    expect(anything({ spec: {} })).toThrow("toArgoWorkflow takes an object as its pipeline.deployment");
  });
});

describe("options that there are not, or that make no sense, are refused by name", () => {
  const refused: readonly (readonly [options: object, message: string])[] = [
    [{ drivrImage: "x" }, 'has no option "drivrImage": did you mean "driverImage"?'],
    [{ target: "2.15" }, 'the option "target" of toArgoWorkflow is "main" or "2.17" or "2.16"'],
    [{ driverImage: 5 }, 'the option "driverImage" of toArgoWorkflow is a text'],
    [{ driverCommand: "driver" }, 'the option "driverCommand" of toArgoWorkflow is a list of texts'],
    [{ launcherCommand: [1] }, 'the option "launcherCommand" of toArgoWorkflow is a list of texts'],
    [{ runAsUser: "0" }, 'the option "runAsUser" of toArgoWorkflow is a whole number'],
    [{ defaultRunAsGroup: 0.5 }, 'the option "defaultRunAsGroup" of toArgoWorkflow is a whole number'],
    [{ specPatch: [] }, 'the option "specPatch" of toArgoWorkflow is an object'],
    [{ specPatch: { priority: 5n } }, 'the option "specPatch" of toArgoWorkflow has to be JSON'],
    [{ specPatch: { affinity: new Map() } }, "it holds a Map"],
    [{ defaultWorkspace: { a: () => 1 } }, 'the option "defaultWorkspace" of toArgoWorkflow has to be JSON'],
    [
      { driverPodLabels: { a: 1 } },
      'the option "driverPodLabels" of toArgoWorkflow is an object whose values are texts',
    ],
    [{ caBundle: { secret: "x" } }, 'the option caBundle has no option "secret"'],
    [
      { runtimeConfig: { parameterValues: 5 } },
      'the option "runtimeConfig" of toArgoWorkflow, at /parameterValues',
    ],
    [{ runtimeConfig: { parameterValues: { a: Number.NaN } } }, "NaN"],
    [{ runtimeConfig: { values: {} } }, 'no field "values"'],
    [{ maxProblems: -1 }, 'the option "maxProblems" of toArgoWorkflow is a number, zero or more'],
  ];
  for (const [options, message] of refused) {
    test(message, () => expect(() => toArgoWorkflow(pipelineOf({ t: run("c") }), options)).toThrow(message));
  }
});
