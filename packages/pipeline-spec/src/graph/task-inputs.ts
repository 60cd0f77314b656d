import type { InputArtifactSpec, InputParameterSpec } from "../gen/ml_pipelines/pipeline_spec.js";
import { pointer } from "../json-pointer.js";
import { plainValue } from "../typed-value.js";
import type { ComponentNode, InputSource, OutputReference, TaskInput, TaskNode } from "./pipeline-graph.js";

/** The inputs that a task supplies, parameters first. */
export function taskInputs(task: TaskNode): readonly TaskInput[] {
  const { parameters = {}, artifacts = {} } = task.spec.inputs ?? {};
  const inputs: TaskInput[] = [];
  for (const [name, spec] of Object.entries(parameters)) {
    const at = pointer(`${task.path}/inputs/parameters`, name);
    inputs.push({ kind: "parameter", task, name, at, spec, source: parameterSource(spec, at, task.parent) });
  }
  for (const [name, spec] of Object.entries(artifacts)) {
    const at = pointer(`${task.path}/inputs/artifacts`, name);
    inputs.push({ kind: "artifact", task, name, at, spec, source: artifactSource(spec, at, task.parent) });
  }
  return inputs;
}

/** What an input parameter takes. @param at  where it stands @param parent  the component around its task */
export function parameterSource(
  { kind }: Pick<InputParameterSpec, "kind">,
  at: string,
  parent: ComponentNode,
): InputSource | undefined {
  switch (kind?.$case) {
    case "componentInputParameter":
      return { kind: "input", name: kind.value, at: `${at}/componentInputParameter` };
    case "taskOutputParameter": {
      const { producerTask, outputParameterKey } = kind.value;
      const place = `${at}/taskOutputParameter`;
      return { kind: "output", ...reference(parent, producerTask, outputParameterKey, place, "Parameter") };
    }
    case "taskFinalStatus": {
      const { producerTask: producer } = kind.value;
      const place = `${at}/taskFinalStatus`;
      const producerAt = `${place}/producerTask`;
      return { kind: "status", at: place, producer, producerAt, task: parent.tasks?.get(producer) };
    }
    case "runtimeValue": {
      const { value } = kind.value;
      if (value === undefined) return undefined;
      const place = `${at}/runtimeValue/${value.$case}`;
      // The old name of what is an input of the enclosing component.
      if (value.$case === "runtimeParameter") return { kind: "input", name: value.value, at: place };
      return {
        kind: "constant",
        at: place,
        value: value.$case === "constant" ? value.value : plainValue(value.value),
      };
    }
    default:
      return undefined;
  }
}

function artifactSource(
  { kind }: InputArtifactSpec,
  at: string,
  parent: ComponentNode,
): InputSource | undefined {
  if (kind?.$case === "componentInputArtifact") {
    return { kind: "input", name: kind.value, at: `${at}/componentInputArtifact` };
  }
  if (kind?.$case !== "taskOutputArtifact") return undefined;
  const { producerTask, outputArtifactKey } = kind.value;
  const place = `${at}/taskOutputArtifact`;
  return { kind: "output", ...reference(parent, producerTask, outputArtifactKey, place, "Artifact") };
}

function reference(
  { tasks }: ComponentNode,
  producer: string,
  key: string,
  at: string,
  of: "Parameter" | "Artifact",
): OutputReference {
  const producerAt = `${at}/producerTask`;
  return { at, producer, producerAt, task: tasks?.get(producer), key, keyAt: `${at}/output${of}Key` };
}
