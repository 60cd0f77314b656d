import { pointer } from "../json-pointer.js";
import type { ComponentNode, OutputSelector, ValueKind } from "./pipeline-graph.js";

/** Everything that the outputs of a DAG are made of; nothing for a component that is no DAG. */
export function outputSelectors(dag: ComponentNode): readonly OutputSelector[] {
  const { implementation } = dag.spec;
  if (implementation?.$case !== "dag") return [];
  const { parameters = {}, artifacts = {} } = implementation.value.outputs ?? {};
  const selectors: OutputSelector[] = [];
  const add = (kind: ValueKind, output: string, producer: string, key: string, at: string): void => {
    const keyAt = `${at}/${kind === "parameter" ? "outputParameterKey" : "outputArtifactKey"}`;
    const task = dag.tasks?.get(producer);
    selectors.push({ kind, output, at, producer, producerAt: `${at}/producerSubtask`, task, key, keyAt });
  };
  for (const [output, { kind }] of Object.entries(parameters)) {
    const base = pointer(`${dag.path}/dag/outputs/parameters`, output);
    const isOneof = kind?.$case === "valueFromOneof";
    const choices = isOneof ? kind.value.parameterSelectors : kind === undefined ? [] : [kind.value];
    for (const [position, { producerSubtask, outputParameterKey }] of choices.entries()) {
      const at = isOneof ? `valueFromOneof/parameterSelectors/${position}` : "valueFromParameter";
      add("parameter", output, producerSubtask, outputParameterKey, `${base}/${at}`);
    }
  }
  for (const [output, { artifactSelectors }] of Object.entries(artifacts)) {
    const base = pointer(`${dag.path}/dag/outputs/artifacts`, output);
    for (const [position, { producerSubtask, outputArtifactKey }] of artifactSelectors.entries()) {
      add("artifact", output, producerSubtask, outputArtifactKey, `${base}/artifactSelectors/${position}`);
    }
  }
  return selectors;
}
