import type { PipelineContainerSpec } from "@wye/pipeline-spec";
import type { ArgoTask } from "../argo-workflow.js";
import { containerDriver, containerDriverName } from "../templates/driver-template.js";
import {
  type ExecutorVariant,
  executor,
  executorName,
  implementation,
  implementationName,
} from "../templates/executor-templates.js";
import { metadataInputs } from "../templates/pod-metadata.js";
import { argumentList, input, output, succeeded } from "../templates/references.js";
import { retryValues } from "../templates/retry-values.js";
import type { Compilation } from "./compilation.js";
import { componentReference } from "./component-reference.js";
import { isVolumeImage } from "./dag-warnings.js";
import { warnOfIgnoredRetries, warnOfLostRetries } from "./lost-retries.js";
import { condition, dependenciesOf, exitHook, type PlacedTask } from "./placed-task.js";

/** Two tasks: the driver, and the executor with what the driver has found out. For volume claims the driver alone. */
export function compileContainerTask(
  placed: PlacedTask,
  { image }: PipelineContainerSpec,
  compilation: Compilation,
): ArgoTask[] | undefined {
  const { task, name } = placed;
  const isVolume = isVolumeImage(image);
  const driverName = isVolume ? name : `${name}-driver`;
  const driver = driverTask(placed, driverName, compilation);
  if (driver === undefined) return undefined;
  if (isVolume) {
    warnOfIgnoredRetries(task, "what its driver does", compilation);
    return [driver];
  }
  warnOfLostRetries(task, compilation);
  const variant = variantOf(placed, compilation);
  const use = { role: "executor", path: task.path } as const;
  compilation.useSystemTemplate(executorName(variant), () => executor(variant), use);
  const { settings } = compilation;
  compilation.useSystemTemplate(implementationName(variant), () => implementation(variant, settings), use);
  return [driver, executorTask(placed, driverName, variant, compilation)];
}

function driverTask(placed: PlacedTask, driverName: string, compilation: Compilation): ArgoTask | undefined {
  const { task, iterationIndex } = placed;
  const component = componentReference(placed, "components", compilation);
  const container = componentReference(placed, "implementations", compilation);
  if (component === undefined || container === undefined) return undefined;
  const { pipelineName, settings } = compilation;
  compilation.useSystemTemplate(containerDriverName, () => containerDriver(pipelineName, settings), {
    role: "driver",
    path: task.path,
  });
  return {
    name: driverName,
    template: containerDriverName,
    arguments: argumentList({
      component,
      task: compilation.counted(task.text),
      container,
      "task-name": task.name,
      "parent-dag-id": input("parent-dag-id"),
      "iteration-index": iterationIndex,
      "kubernetes-config": compilation.reference(`kubernetes-${task.component?.name}`),
    }),
    ...succeeded(dependenciesOf(placed)),
  };
}

function variantOf({ task }: PlacedTask, compilation: Compilation): ExecutorVariant {
  return {
    retries: task.spec.retryPolicy !== undefined,
    metadata: compilation.settingsOf(task.component?.label ?? "")?.metadata,
  };
}

function executorTask(
  placed: PlacedTask,
  driver: string,
  variant: ExecutorVariant,
  compilation: Compilation,
): ArgoTask {
  const cached = { name: "cached-decision", default: "false", value: output(driver, "cached-decision") };
  const patch = { name: "pod-spec-patch", value: output(driver, "pod-spec-patch") };
  const metadata = metadataInputs(variant.metadata).map(([name, value]) => ({
    name,
    value: compilation.counted(value),
  }));
  const retries = argumentList(retryValues(placed.task.spec.retryPolicy)).parameters;
  return {
    name: placed.name,
    template: executorName(variant),
    arguments: { parameters: [patch, cached, ...metadata, ...retries] },
    ...succeeded([driver]),
    ...condition(placed, output(driver, "condition")),
    ...exitHook(placed, input("parent-dag-id")),
  };
}
