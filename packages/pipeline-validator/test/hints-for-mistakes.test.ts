import { describe, expect, test } from "vitest";
import { examplePipeline, validatePipeline } from "../src/index.js";
import { pipeline } from "./human-mistakes.js";

// Each row is one edit of the file that mistakes are made in, and what there is to do about it.

const rows: readonly (readonly [before: string, after: string, ...hints: readonly string[]])[] = [
  // Names of another family or form.
  ["{name: comp-train}", "{name: exec-train}", 'did you mean "comp-train"?'],
  ["executorLabel: exec-train", "executorLabel: train", 'did you mean "exec-train"?'],
  [
    "limit: {componentInputParameter: rows}",
    "limit: {componentInputParameter: pipelinechannel--rows}",
    'did you mean "rows"?',
  ],
  [
    "limit: {componentInputParameter: rows}",
    `limit: {componentInputParameter: "{{$.inputs.parameters['rows']}}"}`,
    'did you mean "rows"?',
  ],
  ["items: {inputParameter: names}", "items: {inputParameter: \"'names'\"}", 'did you mean "names"?'],
  // Names of another scope.
  [
    "{producerTask: train, outputParameterKey: score}",
    "{producerTask: good, outputParameterKey: score}",
    'it is a task of component "comp-branches", whose outputs are those of the task that runs it, such as "branches"',
  ],
  ["dependentTasks: [make]", "dependentTasks: [train]", "it is a task of the root"],
  [
    "text: {componentInputParameter: name}",
    "text: {componentInputParameter: notify}",
    "the root has it: declare it here as well, and hand it down from task to task",
  ],
  // Values in quotes, and values of another form.
  [
    "epochs: {runtimeValue: {constant: 5}}",
    "epochs: {runtimeValue: {constant: '5'}}",
    "write 5 without the quotes around it",
  ],
  [
    "labels: {taskOutputParameter: {producerTask: load, outputParameterKey: labels}}",
    "labels: {runtimeValue: {constant: '[\"a\"]'}}",
    'write ["a"] without the quotes around it',
  ],
  [
    "labels: {taskOutputParameter: {producerTask: load, outputParameterKey: labels}}",
    "labels: {runtimeValue: {constant: a}}",
    "make it a list of one item",
  ],
  [
    "notify: {parameterType: BOOLEAN, defaultValue: true",
    "notify: {parameterType: BOOLEAN, defaultValue: 'True'",
    "write true without the quotes around it",
  ],
  ["resourceMemoryRequest: 1Gi", "resourceMemoryRequest: 128Ki", "write 128Mi"],
  ["resourceMemoryRequest: 1Gi", "resourceMemoryRequest: '4'", "write 4Gi"],
  ["resourceMemoryRequest: 1Gi", "resourceMemoryRequest: '512'", "write 512Mi"],
  ["backoffMaxDuration: 600s", "backoffMaxDuration: 7200s", "write 3600s"],
  // Settings.
  [
    "pvcNameParameter: {componentInputParameter: claim}",
    "claimName: data",
    "write pvcNameParameter: {runtimeValue: {constant: data}}",
  ],
  [
    "{secretNameParameter: {runtimeValue: {constant: registry}}}",
    "{secretNameParameter: {constant: registry}}",
    "write runtimeValue.constant",
  ],
  ["operator: In, values: [a, b]", "operator: Gt, values: [4]", "put it in quotes"],
  ["\n  kubernetes:\n", "\n  k8s:\n", "write kubernetes"],
  // Types and URIs.
  [
    "typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}",
    "typeSchema: {schemaTitle: system.Dataset@0.0.1}",
    "write schemaTitle: system.Dataset and schemaVersion: 0.0.1",
  ],
  ["constant: gs://bucket/extra.csv", "constant: gcs://bucket/extra.csv", "write gs://"],
  [
    "constant: gs://bucket/extra.csv",
    `constant: "{{$.inputs.parameters['uri']}}"`,
    "write runtimeParameter: uri",
  ],
  [
    "image: argostub/createpvc",
    "image: argostub/create-pvc",
    "write argostub/createpvc: the driver makes and deletes volume claims for this name only, which is no image",
  ],
];

describe("there is a hint for", () => {
  for (const [before, after, ...hints] of rows) {
    test(after, () => {
      expect(pipeline).toContain(before);
      const { problems } = validatePipeline(pipeline.replace(before, () => after));
      const told = problems.filter(({ code }) => code !== "component-unused" && code !== "executor-unused");
      expect(told.map(({ hint }) => hint)).toEqual(expect.arrayContaining(hints));
    });
  }
});

const loop = (input: string): string => `
pipelineInfo: {name: a}
schemaVersion: 2.1.0
root:
  dag:
    tasks:
      each:
        taskInfo: {name: each}
        componentRef: {name: comp-each}
        parameterIterator: {itemInput: pipelinechannel--loop-item-param-1, items: {raw: '[{"cpu": "1"}]'}}
components:
  comp-each:
    inputDefinitions: {parameters: {pipelinechannel--loop-item-param-1: {parameterType: STRUCT}}}
    dag: {tasks: {say: {taskInfo: {name: say}, componentRef: {name: comp-say}, inputs: {parameters: {text: {componentInputParameter: ${input}}}}}}}
  comp-say: {executorLabel: exec-say, inputDefinitions: {parameters: {text: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-say: {container: {image: a, command: [a, "{{$.inputs.parameters['text']}}"]}}}}
`;

test("an item that the compiler has lost is told as that, and a misspelt one as misspelt", () => {
  const hintFor = (input: string) => validatePipeline(loop(input)).problems.map(({ hint }) => hint);
  const lost =
    "the compiler of the SDK loses items of loops in f-strings and settings: hand the item to a component as an argument of its own";
  expect(hintFor("pipelinechannel--loop-item-param-1-subvar-cpu")).toEqual([lost]);
  expect(hintFor("loop-item-param-1-subvar-cpu")).toEqual([lost]);
  expect(hintFor("pipelinechannel--loop-item-parm-1")).toEqual([
    'did you mean "pipelinechannel--loop-item-param-1"?',
  ]);
});

test("a parameter and an artifact of one task that are misnamed are each told by their right names", () => {
  const text = examplePipeline
    .replace("data: {taskOutputArtifact", "dat: {taskOutputArtifact")
    .replace(/(?<=\n {6}train:[\s\S]*?) label: (?=\{taskOutputParameter)/, " lable: ");
  const { problems } = validatePipeline(text);
  const missing = problems.filter(({ code }) => code === "input-missing");
  expect(missing.map(({ path, hint }) => [path, hint])).toEqual([
    ["/root/dag/tasks/train/inputs/artifacts/dat", 'rename "dat" to "data"'],
    ["/root/dag/tasks/train/inputs/parameters/lable", 'rename "lable" to "label"'],
  ]);
});

test("an item that no loop has is not told as lost", () => {
  const hints = validatePipeline(loop("loop-item-param-7-subvar-cpu")).problems.map(({ hint = "" }) => hint);
  expect(hints).not.toContainEqual(expect.stringContaining("loses items"));
});

test("of a task elsewhere the first of the tasks that run it is named", () => {
  const again = `      again:
        taskInfo: {name: again}
        componentRef: {name: comp-branch}
        inputs:
          parameters:
            label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}
      loop:
`;
  const text = examplePipeline
    .replace("      loop:\n", again)
    .replace("dependentTasks: [prepare]", "dependentTasks: [prepare, report]");
  const hints = validatePipeline(text).problems.map(({ hint }) => hint);
  expect(hints).toContain(
    'it is a task of component "comp-branch", whose outputs are those of the task that runs it, such as "branch"',
  );
});

test("settings that are too many for so many tasks are named among what was not checked", () => {
  const count = 1_002;
  const tasks = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `t${i}`,
      { taskInfo: { name: `t${i}` }, componentRef: { name: "comp-c" } },
    ]),
  );
  const secretAsEnv = Array.from({ length: count }, (_, i) => ({
    secretNameParameter: { componentInputParameter: i === count - 1 ? "lost" : "name" },
    keyToEnv: [{ secretKey: "k", envVar: `E${i}` }],
  }));
  const text = JSON.stringify({
    pipelineSpec: {
      pipelineInfo: { name: "many" },
      schemaVersion: "2.1.0",
      root: {
        dag: { tasks },
        inputDefinitions: { parameters: { name: { parameterType: "STRING" } } },
      },
      components: { "comp-c": { executorLabel: "exec-c" } },
      deploymentSpec: { executors: { "exec-c": { container: { image: "i", command: ["c"] } } } },
    },
    platformSpec: {
      platforms: { kubernetes: { deploymentSpec: { executors: { "exec-c": { secretAsEnv } } } } },
    },
  });
  const { problems, unchecked } = validatePipeline(text);
  expect(problems.filter(({ code }) => code === "too-large")).toMatchObject([
    {
      severity: "info",
      message:
        '4 of the values that the settings of "exec-c" take from the pipeline were not checked: there are too many for so many tasks',
    },
  ]);
  expect(unchecked).toMatchObject([{ reason: "too-large", hidden: 0 }]);
  expect(unchecked[0]?.path).toContain("/executors/exec-c");
});
