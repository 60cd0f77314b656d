import { describe, expect, test } from "vitest";
import { parsePipeline } from "./index.js";

/** A pipeline with something of another form in its task or in its container. */
const withTask = (task: string): string => `
pipelineInfo: {name: a}
root: {dag: {tasks: {t: {${task}}}}}
`;
const withContainer = (container: string): string => `
pipelineInfo: {name: a}
root: {dag: {}}
deploymentSpec: {executors: {e: {container: {${container}}}}}
`;

const rows: readonly (readonly [text: string, hint: string])[] = [
  ["pipelineInfo: train\nroot: {dag: {}}", "write {name: train}"],
  [
    "pipelineInfo: {name: a}\nroot: {dag: {tasks: [{taskInfo: {name: t}}]}}",
    "write a name and a colon in the place of each dash",
  ],
  [withTask("componentRef: comp-fit"), "write {name: comp-fit}"],
  [withTask("taskInfo: fit"), "write {name: fit}"],
  [withTask("cachingOptions: true"), "write {enableCache: true}"],
  [
    withTask("triggerPolicy: \"inputs.parameter_values['a'] == 'b'\""),
    `write {condition: "inputs.parameter_values['a'] == 'b'"}`,
  ],
  [withTask("inputs: {parameters: {lr: 0.1}}"), "write {runtimeValue: {constant: 0.1}}"],
  [withTask("inputs: {parameters: {lr: [a, b]}}"), "write {runtimeValue: {constant: [a, b]}}"],
  [withTask("inputs: {parameters: {lr: {runtimeValue: a}}}"), "write {constant: a}"],
  [
    withTask("inputs: {parameters: {n: {taskOutputParameter: load.outputs.count}}}"),
    "write {producerTask: load, outputParameterKey: count}",
  ],
  [
    withTask("inputs: {artifacts: {d: {taskOutputArtifact: load.data}}}"),
    "write {producerTask: load, outputArtifactKey: data}",
  ],
  [withTask("parameterIterator: {itemInput: i, items: [a, it's]}"), `write {raw: '["a","it''s"]'}`],
  [withTask("parameterIterator: {itemInput: i, items: names}"), "write {inputParameter: names}"],
  [withTask("dependentTasks: load"), "write [load]"],
  [withContainer("env: {LOG: debug}"), "write a list of {name: LOG, value: debug}"],
  [withContainer("env: [LOG=a=b]"), "write {name: LOG, value: a=b}"],
  [withContainer("env: [{LOG: debug}]"), "write {name: LOG, value: debug}"],
  [withContainer("args: {path: a}"), "put a dash before each item"],
  [
    withContainer("resources: {limits: {cpu: 2, memory: 4Gi}}"),
    "write resourceCpuLimit and resourceMemoryLimit",
  ],
  [withContainer("resources: {requests: {cpu: 2}}"), "write resourceCpuRequest and resourceMemoryRequest"],
  [
    `pipelineInfo: {name: a}\nroot: {dag: {}, outputDefinitions: {artifacts: {m: {artifactType: system.Model}}}}`,
    "write {schemaTitle: system.Model}",
  ],
];

describe("what people write in another form gets a hint that helps:", () => {
  for (const [text, hint] of rows) {
    test(hint, () => expect(parsePipeline(text).problems.map((problem) => problem.hint)).toEqual([hint]));
  }
});

test("long values are not repeated", () => {
  const { problems } = parsePipeline(withTask(`inputs: {parameters: {lr: ${"a".repeat(100)}}}`));
  expect(problems[0]?.hint).toBe("write {runtimeValue: {constant: …}}");
});

test("where nothing is known, nothing is said", () => {
  for (const text of [withTask("componentRef: 5"), withTask("taskInfo: [a]"), withContainer("env: [5]")]) {
    expect(parsePipeline(text).problems).toMatchObject([{ code: "wrong-type" }]);
    expect(parsePipeline(text).problems[0]?.hint).toBeUndefined();
  }
});
