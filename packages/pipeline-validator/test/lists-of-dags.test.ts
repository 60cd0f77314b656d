import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

const list =
  "outputDefinitions: {artifacts: {all: {isArtifactList: true, artifactType: {schemaTitle: system.Artifact}}}}";
const dag =
  "dag: {outputs: {artifacts: {all: {artifactSelectors: [{producerSubtask: make, outputArtifactKey: one}]}}}, tasks: {make: {taskInfo: {name: make}, componentRef: {name: comp-make}}}}";
const body = `comp-body: {${dag}, ${list}}`;
const task = "{taskInfo: {name: b}, componentRef: {name: comp-body}";

/** Which outputs are told of that select one artifact for a list. */
function found(root: string, body: string, profile: "kfp" | "spec" = "kfp"): readonly string[] {
  const text = `pipelineInfo: {name: p}
schemaVersion: 2.1.0
root: {${root}}
components: {${body}${body && ", "}comp-make: {executorLabel: e, outputDefinitions: {artifacts: {one: {artifactType: {schemaTitle: system.Artifact}}}}}}
deploymentSpec: {executors: {e: {container: {image: "a:1", args: ["{{$}}"]}}}}
`;
  return validatePipeline(text, { profile }).problems.flatMap(({ code, path }) =>
    code === "dag-output-artifact-mismatch" ? [path.split("/dag/")[0] ?? ""] : [],
  );
}

const collected =
  "iteratorPolicy: {parallelismLimit: 1}, parameterIterator: {itemInput: i, items: {raw: '[1]'}}";

test.each<[what: string, root: string, components: string, kfp: readonly string[]]>([
  ["the body of a loop", `dag: {tasks: {b: ${task}, ${collected}}}}`, body, []],
  ["a component that runs once", `dag: {tasks: {b: ${task}}}}`, body, ["/components/comp-body"]],
  ["a component that runs both ways", `dag: {tasks: {b: ${task}}, c: ${task}, ${collected}}}}`, body, []],
  ["a component that nobody runs", "dag: {tasks: {}}", body, []],
  ["the root, which nobody runs in a loop", `${dag}, ${list}`, "", ["/root"]],
])("%s: whether it may give one artifact where a list is declared", (_, root, components, kfp) => {
  expect(found(root, components)).toEqual(kfp);
  expect(found(root, components, "spec")).toEqual(components === "" ? ["/root"] : ["/components/comp-body"]);
});
