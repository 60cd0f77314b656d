import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

const found = (patch: string) =>
  validatePipeline(exampleText("patch", patch)).problems.map(({ code, severity }) => `${severity} ${code}`);

describe("a file of schema 2.0.0", () => {
  const text = readFileSync(new URL("../testdata/older/schema_2_0_0.json", import.meta.url), "utf8");

  test("is refused as the server does, with one finding that says so", () => {
    expect(validatePipeline(text).problems.map(({ code }) => code)).toEqual(["schema-version-unsupported"]);
  });

  test("is a file like any other by the document", () => {
    expect(validatePipeline(text, { profile: "spec" }).ok).toBe(true);
  });

  test("is still searched for mistakes", () => {
    const broken = text.replace('"name": "comp-make"', '"name": "comp-mkae"');
    expect(validatePipeline(broken).problems.map(({ code }) => code)).toContain("component-unknown");
  });
});

describe("the outputs of a loop are lists, whatever its body declares", () => {
  const collected = (kind: string, declared: string) => `
root:
  dag:
    tasks:
      sum: {taskInfo: {name: sum}, componentRef: {name: comp-sum}, dependentTasks: [loop], inputs: {parameters: {numbers: {taskOutputParameter: {producerTask: loop, outputParameterKey: text}}}}}
components:
  comp-sum: {executorLabel: exec-sum, inputDefinitions: {parameters: {numbers: {parameterType: ${kind}}}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: NUMBER_INTEGER}}}}
  comp-loop:
    outputDefinitions: {parameters: {text: {parameterType: ${declared}}}}
    dag: {outputs: {parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}}}
deploymentSpec: {executors: {exec-sum: {container: {image: busybox, command: [sum]}}}}
`;
  for (const declared of ["NUMBER_INTEGER", "LIST"]) {
    test(`and fit a list when it declares ${declared}`, () =>
      expect(found(collected("LIST", declared))).toEqual([]));
    test(`and no number when it declares ${declared}`, () => {
      expect(found(collected("NUMBER_INTEGER", declared))).toEqual(["error input-type-mismatch"]);
    });
  }

  test("and lists of artifacts", () => {
    const patch = (isArtifactList: boolean) => `
root:
  dag:
    tasks:
      sum: {taskInfo: {name: sum}, componentRef: {name: comp-sum}, dependentTasks: [loop], inputs: {artifacts: {all: {taskOutputArtifact: {producerTask: loop, outputArtifactKey: text}}}}}
components:
  comp-sum: {executorLabel: exec-sum, inputDefinitions: {artifacts: {all: {artifactType: {schemaTitle: system.HTML}, isArtifactList: ${isArtifactList}}}}}
  comp-report: {outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML}}}}}
  comp-loop:
    outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML}}}}
    dag: {outputs: {artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}}}
deploymentSpec: {executors: {exec-sum: {container: {image: busybox, command: [sum]}}}}
`;
    expect(found(patch(true))).toEqual([]);
    expect(found(patch(false))).toEqual(["error artifact-list-mismatch"]);
  });
});

const good: readonly (readonly [name: string, patch: string])[] = [
  [
    "an optional root input of a type that only the system fills",
    "root: {inputDefinitions: {parameters: {status: {parameterType: TASK_FINAL_STATUS, isOptional: true}}}}",
  ],
  [
    "a relative mount path",
    "{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {pvcMount: [{constant: c, mountPath: path}]}}}}}",
  ],
  [
    "a claim patch of a workspace that leaves all to the server",
    "{}\n---\nplatforms: {kubernetes: {pipelineConfig: {workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {}}}}}}",
  ],
  [
    "a claim patch that only names a storage class",
    "{}\n---\nplatforms: {kubernetes: {pipelineConfig: {workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {storageClassName: fast}}}}}}",
  ],
];
describe("no error is found in", () => {
  for (const [name, patch] of good) {
    test(name, () => expect(found(patch).filter((line) => line.startsWith("error"))).toEqual([]));
  }
});

describe("a placeholder for an image", () => {
  const withImage = (supplied: unknown, text = "{{$.inputs.parameters['base_image']}}") => {
    const pipeline = parse(examplePipeline);
    pipeline.deploymentSpec.executors["exec-train"].container.image = text;
    pipeline.root.dag.tasks.train.inputs.parameters.base_image = supplied;
    return validatePipeline(stringify(pipeline)).problems.map(({ code }) => code);
  };

  test("may name an input that tasks supply and no component declares", () => {
    expect(withImage({ runtimeValue: { constant: "python:3.12" } })).toEqual([]);
    const label = { producerTask: "prepare", outputParameterKey: "label" };
    expect(withImage({ taskOutputParameter: label })).toEqual([]);
  });

  test("gives nothing when that is no text", () => {
    expect(withImage({ runtimeValue: { constant: 3.12 } })).toEqual(["placeholder-not-text"]);
    expect(withImage({ componentInputParameter: "rows" })).toEqual(["placeholder-not-text"]);
  });

  for (const text of ["{{$.inputs.parameters('label')}}", "{{$.inputs.parameters[0]}}"]) {
    test(`is one in its exact form only: not ${text}`, () => {
      expect(withImage({ runtimeValue: { constant: "x" } }, text)).toContain("placeholder-invalid");
    });
  }
});
