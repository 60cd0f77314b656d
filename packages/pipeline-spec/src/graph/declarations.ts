import {
  type ComponentInputArtifactSpec,
  type ComponentInputParameterSpec,
  type ComponentOutputArtifactSpec,
  type ComponentOutputParameterSpec,
  TriggerStrategy,
} from "../gen/ml_pipelines/pipeline_spec.js";
import { ownEntry } from "../own-entry.js";
import { checkNode } from "./check-node.js";
import type { ComponentNode, TaskNode } from "./pipeline-graph.js";

/** The declaration of an input parameter. */
export function inputParameter(
  component: ComponentNode,
  name: string,
): ComponentInputParameterSpec | undefined {
  checkNode("inputParameter", "component", component);
  return ownEntry(component.spec.inputDefinitions?.parameters, name);
}

/** The declaration of an input artifact. */
export function inputArtifact(
  component: ComponentNode,
  name: string,
): ComponentInputArtifactSpec | undefined {
  checkNode("inputArtifact", "component", component);
  return ownEntry(component.spec.inputDefinitions?.artifacts, name);
}

/** The declaration of an output parameter. */
export function outputParameter(
  component: ComponentNode,
  name: string,
): ComponentOutputParameterSpec | undefined {
  checkNode("outputParameter", "component", component);
  return ownEntry(component.spec.outputDefinitions?.parameters, name);
}

/** The declaration of an output artifact. */
export function outputArtifact(
  component: ComponentNode,
  name: string,
): ComponentOutputArtifactSpec | undefined {
  checkNode("outputArtifact", "component", component);
  return ownEntry(component.spec.outputDefinitions?.artifacts, name);
}

/** How a message speaks of a component. */
export function describeComponent(component: ComponentNode): string {
  checkNode("describeComponent", "component", component);
  return component.name === undefined ? "the root" : `component ${JSON.stringify(component.name)}`;
}

/** True for a task that runs however the tasks before it have ended. */
export function isExitTask(task: TaskNode): boolean {
  checkNode("isExitTask", "task", task);
  return task.spec.triggerPolicy?.strategy === TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED;
}
