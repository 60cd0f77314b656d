import { buildGraph, type ComponentNode, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { ownContainer, withTaskConfig } from "./with-task-config.js";

function componentOf(
  container: object,
  passthroughs: readonly object[],
  parameters: object = { config: { parameterType: "TASK_CONFIG" } },
): ComponentNode {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "config" },
      root: { dag: { tasks: { t: { componentRef: { name: "comp" } } } } },
      components: {
        comp: {
          executorLabel: "exec",
          taskConfigPassthroughs: passthroughs,
          inputDefinitions: { parameters },
        },
      },
      deploymentSpec: { executors: { exec: { container: { image: "{{$.no}}", ...container } } } },
    }),
  );
  const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
  return buildGraph(pipeline).component("comp") ?? expect.unreachable("there is a component");
}

const inputs = { parameters: { memory: "3Gi" }, artifacts: {}, defaulted: [] };
const all = [{ field: "ENV" }, { field: "RESOURCES" }];
const env = [
  { name: "A", value: "1" },
  { name: "B", value: "2" },
];
const configOf = (container: object, passthroughs: readonly object[] = all) =>
  withTaskConfig(inputs, componentOf(container, passthroughs), {}).parameters.config;

describe("what a component passes on", () => {
  test.each<[name: string, container: object, config: object]>([
    ["nothing", {}, {}],
    ["variables", { env }, { env }],
    [
      "limits and requests, each by its name",
      {
        resources: {
          resourceCpuLimit: "4",
          resourceCpuRequest: "2",
          resourceMemoryLimit: "8Gi",
          resourceMemoryRequest: "1Gi",
        },
      },
      { resources: { limits: { cpu: "4", memory: "8Gi" }, requests: { cpu: "2", memory: "1Gi" } } },
    ],
    [
      "requests alone",
      { resources: { resourceMemoryRequest: "1Gi" } },
      { resources: { requests: { memory: "1Gi" } } },
    ],
    [
      "limits alone, filled in",
      { resources: { resourceMemoryLimit: "{{$.inputs.parameters['memory']}}" } },
      { resources: { limits: { memory: "3Gi" } } },
    ],
    [
      "an accelerator",
      { resources: { accelerator: { resourceType: "nvidia.com/gpu", resourceCount: "2" } } },
      { resources: { limits: { "nvidia.com/gpu": "2" } } },
    ],
    [
      "variables, where resources cannot be filled in",
      { env, resources: { resourceMemoryLimit: "{{$.inputs.parameters['none']}}" } },
      { env },
    ],
  ])("is said of its container: %s", (_, container, config) => {
    expect(configOf(container)).toEqual(config);
  });

  test("is no more than it says", () => {
    const container = { env, resources: { resourceCpuLimit: "4" } };
    expect(configOf(container, [{ field: "ENV" }])).toEqual({ env });
    expect(configOf(container, [{ field: "RESOURCES" }])).toEqual({ resources: { limits: { cpu: "4" } } });
    expect(configOf(container, [])).toEqual({});
  });
});

test("inputs without one of type TASK_CONFIG stay as they are, as the others do beside one", () => {
  const plain = componentOf({ env }, all, { memory: { parameterType: "STRING" } });
  expect(withTaskConfig(inputs, plain, {})).toBe(inputs);
  expect(withTaskConfig(inputs, componentOf({ env }, all), {})).toEqual({
    ...inputs,
    parameters: { memory: "3Gi", config: { env } },
  });
});

test("variables that are passed on are kept where the component says that it is for itself as well", () => {
  const own = (passthroughs: readonly object[]) => {
    const { spec, executor } = componentOf({ env }, passthroughs);
    const work = executor?.spec.spec;
    const container = work?.$case === "container" ? work.value : expect.unreachable("it is a container");
    return ownContainer(container, spec).env;
  };
  expect(own([])).toEqual(env);
  expect(own([{ field: "RESOURCES" }])).toEqual(env);
  expect(own([{ field: "ENV" }])).toEqual([]);
  expect(own([{ field: "ENV", applyToTask: true }])).toEqual(env);
  const container = { image: "alpine", command: ["sh"], args: ["-c"], env };
  const passthroughs = [{ field: "ENV" }];
  const { spec, executor } = componentOf(container, passthroughs);
  const work = executor?.spec.spec;
  const whole = work?.$case === "container" ? work.value : expect.unreachable("it is a container");
  expect(ownContainer(whole, spec)).toEqual({ ...whole, env: [] });
});
