import {
  buildExecutorInput,
  parameterTypeOf,
  type ResolvedResources,
  type RunFacts,
  resolveContainer,
  type TaskInputs,
  taskConfig,
} from "@wye/pipeline-resolver";
import type { ComponentNode, PipelineContainerSpec } from "@wye/pipeline-spec";

/**
 * The inputs of a task with what only the system can give: those of type TASK_CONFIG hold the settings of its pod that its component
 * passes on, as far as its container says them. Settings of platforms are not known here.
 */
export function withTaskConfig(inputs: TaskInputs, component: ComponentNode, facts: RunFacts): TaskInputs {
  const { spec, executor } = component;
  const declared = Object.entries(spec.inputDefinitions?.parameters ?? {});
  const names = declared.flatMap(([name, one]) => (parameterTypeOf(one) === "TASK_CONFIG" ? [name] : []));
  const work = executor?.spec.spec;
  if (names.length === 0 || work?.$case !== "container") return inputs;
  const { env } = work.value;
  const resources = resourcesOf(work.value, component, inputs, facts);
  const { value } = taskConfig(spec.taskConfigPassthroughs, {
    ...(env.length === 0 ? {} : { env: env.map(({ name, value }) => ({ name, value })) }),
    ...(resources === undefined ? {} : { resources }),
  });
  const filled = Object.fromEntries(names.map((name) => [name, value]));
  return { ...inputs, parameters: { ...inputs.parameters, ...filled } };
}

/** A container without the variables that its component passes on and does not keep. */
export function ownContainer(
  container: PipelineContainerSpec,
  { taskConfigPassthroughs }: ComponentNode["spec"],
): PipelineContainerSpec {
  const { own } = taskConfig(taskConfigPassthroughs, { env: container.env });
  return own.env === undefined ? { ...container, env: [] } : container;
}

/** What a container asks for, as Kubernetes writes it. Texts that cannot be filled in fail the task when it starts. */
function resourcesOf(
  container: PipelineContainerSpec,
  { spec }: ComponentNode,
  inputs: TaskInputs,
  facts: RunFacts,
): object | undefined {
  const executorInput = buildExecutorInput(spec, inputs, { artifactUri: (key) => key });
  const alone = { ...container, image: "", command: [], args: [], env: [] };
  const filled = resolveContainer(alone, { executorInput, facts });
  if (!filled.ok) return undefined;
  const { cpuLimit, cpuRequest, memoryLimit, memoryRequest, accelerator }: ResolvedResources =
    filled.container.resources;
  const parts = {
    limits: {
      ...(cpuLimit !== undefined && { cpu: cpuLimit }),
      ...(memoryLimit !== undefined && { memory: memoryLimit }),
      ...(accelerator !== undefined && { [accelerator.type]: accelerator.count }),
    },
    requests: {
      ...(cpuRequest !== undefined && { cpu: cpuRequest }),
      ...(memoryRequest !== undefined && { memory: memoryRequest }),
    },
  };
  const asked = Object.entries(parts).filter(([, amounts]) => Object.keys(amounts).length > 0);
  return asked.length === 0 ? undefined : Object.fromEntries(asked);
}
