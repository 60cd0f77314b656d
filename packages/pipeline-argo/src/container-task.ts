import type { PipelineContainerSpec } from "@wye/pipeline-spec";
import type { ArgoTask } from "./argo-workflow.js";
import type { Compilation } from "./compilation.js";
import { componentReference } from "./component-reference.js";
import { containerDriver, containerDriverName } from "./driver-template.js";
import { type ExecutorVariant, executorName, executorTemplates } from "./executor-templates.js";
import { condition, dependenciesOf, exitHook, type PlacedTask } from "./placed-task.js";
import { carriedMetadata, metadataInputs } from "./pod-metadata.js";
import { argumentList, input, output, succeeded } from "./references.js";
import { retryValues } from "./retry-values.js";

/** Images that stand for what the driver does itself. */
const volumeImages: ReadonlySet<string> = new Set(["argostub/createpvc", "argostub/deletepvc"]);

/** Two tasks: the driver, and the executor with what the driver has found out. For volume claims the driver alone. */
export function compileContainerTask(
  placed: PlacedTask,
  { image }: PipelineContainerSpec,
  compilation: Compilation,
): ArgoTask[] | undefined {
  const { task, name } = placed;
  const isVolume = volumeImages.has(image);
  const driverName = isVolume ? name : `${name}-driver`;
  const driver = driverTask(placed, driverName, compilation);
  if (driver === undefined) return undefined;
  if (isVolume) return [driver];
  const variant = variantOf(placed, compilation);
  for (const template of executorTemplates(variant, compilation.settings)) {
    compilation.useSystemTemplate(template.name, () => template, { role: "executor", path: task.path });
  }
  return [driver, executorTask(placed, driverName, variant)];
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
      "kubernetes-config": compilation.reference(`kubernetes-${task.spec.componentRef?.name ?? ""}`),
    }),
    ...succeeded(dependenciesOf(placed)),
  };
}

function variantOf({ task }: PlacedTask, compilation: Compilation): ExecutorVariant {
  const implementation = compilation.component(task.spec.componentRef?.name ?? "")?.implementation;
  const label = implementation?.$case === "executorLabel" ? implementation.value : "";
  return {
    retries: task.spec.retryPolicy !== undefined,
    metadata: carriedMetadata(compilation.settingsOf(label)?.config),
  };
}

function executorTask(placed: PlacedTask, driver: string, variant: ExecutorVariant): ArgoTask {
  const cached = { name: "cached-decision", default: "false", value: output(driver, "cached-decision") };
  const patch = { name: "pod-spec-patch", value: output(driver, "pod-spec-patch") };
  const metadata = metadataInputs(variant.metadata).map(([name, value]) => ({ name, value }));
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
