import {
  type ArtifactList,
  type ComponentInputArtifactSpec,
  type ComponentSpec,
  type InputArtifactSpec,
  ownEntry,
  type PipelineTaskSpec,
} from "@wye/pipeline-spec";
import { itemInputOf } from "./iterations.js";
import type { TaskScope } from "./task-values.js";
import type { ValueProblems } from "./value-problem.js";

/** The input artifacts of a task, from those of the DAG around it and the outputs of its siblings. */
export function resolveTaskArtifacts(
  task: PipelineTaskSpec,
  component: ComponentSpec,
  scope: TaskScope,
  problems: ValueProblems,
): Record<string, ArtifactList> {
  const declared = component.inputDefinitions?.artifacts ?? {};
  const given = task.inputs?.artifacts ?? {};
  const found: [string, ArtifactList][] = [];
  for (const [name, spec] of Object.entries(given)) {
    const list = resolveArtifact(name, spec, ownEntry(declared, name), scope, problems);
    if (list) found.push([name, list]);
  }
  for (const [name, { isOptional }] of Object.entries(declared)) {
    if (isOptional || Object.hasOwn(given, name) || itemInputOf(task) === name) continue;
    const path = ["inputs", "artifacts", name];
    problems.error("missing", path, `the required input artifact ${name} is missing`);
  }
  return Object.fromEntries(found);
}

function resolveArtifact(
  name: string,
  { kind }: InputArtifactSpec,
  declared: ComponentInputArtifactSpec | undefined,
  scope: TaskScope,
  problems: ValueProblems,
): ArtifactList | undefined {
  const path = ["inputs", "artifacts", name];
  const isOptional = declared?.isOptional ?? true;
  if (kind?.$case === "componentInputArtifact") {
    const list = ownEntry(scope.artifacts, kind.value);
    if (list || isOptional) return list;
    const message = `the enclosing DAG has no input artifact ${kind.value}`;
    return problems.error("unknown-source", [...path, kind.$case], message);
  }
  if (kind?.$case !== "taskOutputArtifact") {
    return problems.error("no-source", path, `nothing says where the artifact ${name} comes from`);
  }
  const { producerTask, outputArtifactKey } = kind.value;
  const list = ownEntry(scope.outputs.get(producerTask)?.artifacts, outputArtifactKey);
  if (list || isOptional) return list;
  const message = noOutput(scope, producerTask, outputArtifactKey);
  return problems.error("unknown-source", [...path, kind.$case], message);
}

/** Why an output of a task is not there: the task failed, was skipped or did not make it. */
export function noOutput(scope: TaskScope, task: string, key: string): string {
  const why = scope.outputs.has(task) ? `has made no output ${key}` : "has not succeeded";
  return `the task ${task} ${why}`;
}
