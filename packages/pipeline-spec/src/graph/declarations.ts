import {
  type ComponentInputArtifactSpec,
  type ComponentInputParameterSpec,
  type ComponentOutputArtifactSpec,
  type ComponentOutputParameterSpec,
  TriggerStrategy,
} from "../gen/ml_pipelines/pipeline_spec.js";
import { ownEntry } from "../own-entry.js";
import type { ComponentNode, TaskNode } from "./pipeline-graph.js";

/** The declaration of an input parameter. */
export function inputParameter(
  { spec }: ComponentNode,
  name: string,
): ComponentInputParameterSpec | undefined {
  return ownEntry(spec.inputDefinitions?.parameters, name);
}

/** The declaration of an input artifact. */
export function inputArtifact({ spec }: ComponentNode, name: string): ComponentInputArtifactSpec | undefined {
  return ownEntry(spec.inputDefinitions?.artifacts, name);
}

/** The declaration of an output parameter. */
export function outputParameter(
  { spec }: ComponentNode,
  name: string,
): ComponentOutputParameterSpec | undefined {
  return ownEntry(spec.outputDefinitions?.parameters, name);
}

/** The declaration of an output artifact. */
export function outputArtifact(
  { spec }: ComponentNode,
  name: string,
): ComponentOutputArtifactSpec | undefined {
  return ownEntry(spec.outputDefinitions?.artifacts, name);
}

/** How a message speaks of a component. */
export function describeComponent(component: ComponentNode): string {
  return component.name === undefined ? "the root" : `component ${JSON.stringify(component.name)}`;
}

/** True for a task that runs however the tasks before it have ended. */
export function isExitTask({ spec }: TaskNode): boolean {
  return spec.triggerPolicy?.strategy === TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED;
}
