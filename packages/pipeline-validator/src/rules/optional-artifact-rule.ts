import {
  type ComponentNode,
  inputArtifact,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { suppliedArtifacts } from "../parameter-source.js";
import { quote } from "../quote.js";
import { type RelatedFinding, type Rule, underKfp } from "../rule.js";

const handedOn = (given: string) => `
root: {dag: {tasks: {branch: {inputs: {artifacts: {extra: ${given}}}}}}}
components:
  comp-branch:
    inputDefinitions: {artifacts: {extra: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, isOptional: true}}}
    dag: {tasks: {report: {inputs: {artifacts: {extra: {componentInputArtifact: extra}}}}}}
  comp-report:
    inputDefinitions: {artifacts: {extra: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, isOptional: true}}}
`;

export const optionalArtifactHandedOn: Rule = {
  id: "optional-artifact-handed-on",
  summary: "An optional artifact that a DAG hands on is given wherever the DAG is run.",
  reason:
    "The driver of the back end fails with `parent DAG does not have input artifact`, where an optional parameter would be null.",
  severity: underKfp("warning"),
  examples: {
    wrong: handedOn("null"),
    right: handedOn("{taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}"),
  },
  *check(index) {
    for (const { task, name, source } of index.once(suppliedArtifacts)) {
      if (source?.kind !== "input" || task.component === undefined) continue;
      // One that is required where it is handed to is reported as such.
      if (inputArtifact(task.component, name)?.isOptional !== true) continue;
      const giver = index.once(notGiven).get(task.parent)?.get(source.name);
      if (giver === undefined) continue;
      const isRun = giver === "run";
      const who = isRun ? "no run can give" : `task ${quote(giver.name)} does not give`;
      const message = `${who} the optional artifact ${quote(source.name)}, without which this task fails`;
      const related: RelatedFinding[] = isRun
        ? []
        : [{ at: giver.path, part: "key", message: "not given here" }];
      const sought = isRun ? [] : [pointer(`${giver.path}/inputs/artifacts`, source.name)];
      const hint = isRun ? "leave it out here" : "give it there, or leave it out here";
      yield { at: source.at, message, hint, related, sought };
    }
  },
};

/** Of each optional artifact of a DAG the first task that runs the DAG and does not give it, or the run of the pipeline. */
function notGiven({
  components,
  root,
}: PipelineGraph): ReadonlyMap<ComponentNode, ReadonlyMap<string, TaskNode | "run">> {
  const found = new Map<ComponentNode, Map<string, TaskNode | "run">>();
  for (const component of components) {
    if (component.tasks === undefined) continue;
    for (const [name, { isOptional }] of Object.entries(component.spec.inputDefinitions?.artifacts ?? {})) {
      if (!isOptional) continue;
      const giver = component === root ? "run" : component.uses.find((task) => !gives(task, name));
      if (giver === undefined) continue;
      const names = found.get(component) ?? new Map<string, TaskNode | "run">();
      found.set(component, names.set(name, giver));
    }
  }
  return found;
}

function gives(task: TaskNode, name: string): boolean {
  return task.input("artifact", name) !== undefined || task.spec.iterator?.value.itemInput === name;
}
