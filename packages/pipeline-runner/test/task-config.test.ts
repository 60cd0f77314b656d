import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { startRun } from "../src/index.js";
import { runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

interface Settings {
  readonly passthroughs?: readonly object[];
  readonly container?: object;
  readonly task?: object;
}

/** A task whose component has an input of type TASK_CONFIG and prints it and a variable into its output. */
function pipelineOf({ passthroughs = [], container = {}, task = {} }: Settings) {
  const string = { parameterType: "STRING" };
  const text = JSON.stringify({
    pipelineInfo: { name: "config" },
    schemaVersion: "2.1.0",
    sdkVersion: "kfp-2.14.0",
    root: {
      inputDefinitions: { parameters: { memory: { ...string, defaultValue: "2Gi" } } },
      dag: {
        tasks: {
          train: {
            taskInfo: { name: "train" },
            componentRef: { name: "comp" },
            inputs: { parameters: { memory: { componentInputParameter: "memory" } } },
            ...task,
          },
        },
      },
    },
    components: {
      comp: {
        executorLabel: "exec",
        taskConfigPassthroughs: passthroughs,
        inputDefinitions: { parameters: { config: { parameterType: "TASK_CONFIG" }, memory: string } },
        outputDefinitions: { parameters: { out: string } },
      },
    },
    deploymentSpec: {
      executors: {
        exec: {
          container: {
            image: "alpine",
            command: ["sh", "-c", 'printf "%s %s" "$2" "$WYE_TEST_LEVEL" > "$1"', "sh"],
            args: ["{{$.outputs.parameters['out'].output_file}}", "{{$.inputs.parameters['config']}}"],
            ...container,
          },
        },
      },
    },
  });
  const parsed = parsePipeline(text);
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

const env = [{ name: "WYE_TEST_LEVEL", value: "debug" }];
const resources = {
  resourceCpuLimit: "2",
  resourceMemoryRequest: "{{$.inputs.parameters['memory']}}",
  memoryLimit: 4,
  accelerator: { resourceType: "nvidia.com/gpu", resourceCount: "1" },
};
const asKubernetes = {
  limits: { cpu: "2", memory: "4G", "nvidia.com/gpu": "1" },
  requests: { memory: "2Gi" },
};

describe("an input of type TASK_CONFIG", () => {
  test.each<[string, Settings, object]>([
    ["nothing", { container: { env, resources } }, {}],
    ["variables", { passthroughs: [{ field: "ENV" }], container: { env } }, { env }],
    [
      "resources, with their placeholders filled in",
      { passthroughs: [{ field: "RESOURCES", applyToTask: true }], container: { env, resources } },
      { resources: asKubernetes },
    ],
    [
      "what there is of all",
      {
        passthroughs: [{ field: "RESOURCES" }, { field: "ENV" }, { field: "KUBERNETES_VOLUMES" }],
        container: { env },
      },
      { env },
    ],
  ])("holds what the component passes on: %s", (_, settings, config) => {
    const [ready] = startRun(pipelineOf(settings)).ready();
    expect(ready?.inputs.parameters.config).toEqual(config);
    expect(ready?.executorInput.inputs?.parameterValues.config).toEqual(config);
  });

  const both = [{ field: "RESOURCES" }, { field: "ENV" }];
  test.each<[container: object, config: object]>([
    [{}, {}],
    [{ resources: {} }, {}],
    [{ env }, { env }],
    [{ resources: { resourceCpuLimit: "2" } }, { resources: { limits: { cpu: "2" } } }],
    [{ resources: { resourceMemoryLimit: "1Gi" } }, { resources: { limits: { memory: "1Gi" } } }],
    [{ resources: { resourceCpuRequest: "1" } }, { resources: { requests: { cpu: "1" } } }],
    [{ resources: { resourceMemoryRequest: "1Gi" } }, { resources: { requests: { memory: "1Gi" } } }],
    [
      { resources: { accelerator: { resourceType: "nvidia.com/gpu", resourceCount: "2" } } },
      { resources: { limits: { "nvidia.com/gpu": "2" } } },
    ],
    [
      { env, resources: { resourceCpuLimit: "2", resourceCpuRequest: "1" } },
      { env, resources: { limits: { cpu: "2" }, requests: { cpu: "1" } } },
    ],
    [{ resources: { resourceCpuLimit: "{{$.inputs.parameters['gone']}}" } }, {}],
  ])("holds of %j no more than is said: %j", (container, config) => {
    const [ready] = startRun(pipelineOf({ passthroughs: both, container })).ready();
    expect(ready?.inputs.parameters.config).toStrictEqual(config);
  });

  test("holds it in each iteration of a loop, with the values of that iteration", () => {
    const passthroughs = [{ field: "RESOURCES" }];
    const task = { parameterIterator: { items: { raw: '["1Gi", "2Gi"]' }, itemInput: "memory" }, inputs: {} };
    const ready = startRun(pipelineOf({ passthroughs, task, container: { resources } })).ready();
    expect(ready.map(({ inputs }) => inputs.parameters.config)).toEqual(
      ["1Gi", "2Gi"].map((amount) => ({
        resources: { ...asKubernetes, requests: { memory: amount } },
      })),
    );
  });

  test("holds that also where the task is given something else for it", () => {
    const config = { runtimeValue: { constant: { own: true } } };
    const inputs = { parameters: { config, memory: { componentInputParameter: "memory" } } };
    const [ready] = startRun(
      pipelineOf({ passthroughs: both, container: { env }, task: { inputs } }),
    ).ready();
    expect(ready?.inputs.parameters.config).toEqual({ env });
  });

  test("is part of what makes results equal", () => {
    const keyOf = (value: string) => {
      const cachingOptions = { enableCache: true };
      const container = { env: [{ name: "WYE_TEST_LEVEL", value }] };
      const settings = { passthroughs: [{ field: "ENV" }], container, task: { cachingOptions } };
      const [ready] = startRun(pipelineOf(settings)).ready();
      return ready?.kind === "container" ? ready.cacheKey : undefined;
    };
    expect(keyOf("debug")).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf("debug")).toBe(keyOf("debug"));
    expect(keyOf("debug")).not.toBe(keyOf("warn"));
  });
});

describe("on this machine", () => {
  const outOf = async (field: object) => {
    const pipeline = pipelineOf({ passthroughs: [field], container: { env } });
    const result = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
    return result.tasks[0]?.outputs?.parameters.out;
  };

  test("variables that are passed on are not those of the task, unless they are to be both", async () => {
    const config = '{"env":[{"name":"WYE_TEST_LEVEL","value":"debug"}]}';
    expect(await outOf({ field: "ENV" })).toBe(`${config} `);
    expect(await outOf({ field: "ENV", applyToTask: true })).toBe(`${config} debug`);
  });
});
