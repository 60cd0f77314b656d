import { describe, expect, test } from "vitest";
import { parsePipeline, settingProblems } from "./index.js";

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

const withType = (type: string): string =>
  `pipelineInfo: {name: a}\nroot: {dag: {}, inputDefinitions: {parameters: {n: {${type}}}}}\n`;

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
  [withTask("parameterIterator: {itemInput: i, items: {raw: [a, it's]}}"), `write '["a","it''s"]'`],
  [
    withTask("inputs: {parameters: {n: {taskOutputParameter: load}}}"),
    "write {producerTask: load, outputParameterKey: …}",
  ],
  [withTask("inputs: {parameters: {n: {taskFinalStatus: load}}}"), "write {producerTask: load}"],
  [withTask("inputs: {parameters: {n: {taskOutputArtifact: {}}}}"), "write taskOutputParameter"],
  [
    withTask("inputs: {artifacts: {d: {runtimeValue: {constant: gs://b/d}}}}"),
    "an artifact comes from a task or an input: import it",
  ],
  [
    withTask("inputs: {artifacts: {d: {taskOutputArtifact: {producerTask: a, outputParameterKey: d}}}}"),
    "write outputArtifactKey",
  ],
  [withTask("cachingOptions: {enableCache: 'Yes'}"), "write true without quotes"],
  [withTask("cachingOptions: {enableCache: 'off'}"), "write false without quotes"],
  [withTask("cachingOptions: [{enableCache: true}]"), "leave out the list around it, or its dash"],
  [withContainer("command: sh -c date"), "make each word an item of the list"],
  [withContainer("image: [python]"), "write python"],
  [withContainer("entrypoint: [sh]"), "write command"],
  [
    withContainer("volumeMounts: []"),
    "it belongs to the settings of the executor in the platform specification",
  ],
  [
    "pipelineInfo: {name: a}\nroot: {dag: {}}\ndeploymentSpec: {exec-a: {container: {image: a}}}",
    "put it below executors",
  ],
  ["pipeline: {name: a}\nroot: {dag: {}}", "write pipelineInfo"],
  [withTask("dependsOn: [load]"), "write dependentTasks"],
  [
    withTask("parameterIterator: {itemInput: a, parallelismLimit: 2}"),
    "write iteratorPolicy.parallelismLimit of the task",
  ],
  [withTask("inputs: {n: {componentInputParameter: n}}"), "put it below parameters"],
  [withTask("inputs: {n: {runtimeValue: {constant: 5}}}"), "put it below parameters"],
  [
    withTask("inputs: {d: {taskOutputArtifact: {producerTask: a, outputArtifactKey: d}}}"),
    "put it below artifacts",
  ],
  [
    "pipelineInfo: {name: a}\nroot: {dag: {}}\n---\nplatforms: {kubernetes: {deploymentSpec: {exec-a: {imagePullPolicy: Always}}}}",
    "put it below executors",
  ],
  [
    "kind: Pipeline\npipelineInfo: {name: a}\nroot: {dag: {}}",
    "leave it out: a pipeline is no resource of Kubernetes",
  ],
  ["pipelineInfo: {name: a}\nroot: {dag: {}}\nexecutors: {}", "write deploymentSpec.executors"],
  [withType("parameterType: int"), 'did you mean "NUMBER_INTEGER"?'],
  [withType("parameterType: [STRING]"), "write STRING"],
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

test("a type in the field of old is told to go into the new one", () => {
  const { problems } = parsePipeline(withType("type: NUMBER_INTEGER"));
  expect(problems.find(({ severity }) => severity === "error")?.hint).toBe(
    "write parameterType: NUMBER_INTEGER",
  );
});

const settings: readonly (readonly [json: unknown, hint: string])[] = [
  [{ imagePullSecret: ["pull"] }, "write {secretNameParameter: {runtimeValue: {constant: pull}}}"],
  [{ imagePullSecret: [{ name: "a" }] }, "write secretNameParameter: {runtimeValue: {constant: a}}"],
  [{ imagePullSecret: [{ secretNameParameter: "a" }] }, "write {runtimeValue: {constant: a}}"],
  [{ imagePullSecret: [{ secretNameParameter: { constant: "a" } }] }, "write runtimeValue.constant"],
  [{ pvcMount: [{ claimName: "a" }] }, "write pvcNameParameter: {runtimeValue: {constant: a}}"],
  [
    { configMapAsVolume: [{ configMap: "a" }] },
    "write configMapNameParameter: {runtimeValue: {constant: a}}",
  ],
  [{ secretAsEnv: [{ keyToEnv: [{ key: "a", envVar: "A" }] }] }, "write secretKey"],
  [{ secretAsEnv: [{ keyToEnv: [{ secretKey: "a", env: "A" }] }] }, "write envVar"],
  [{ configMapAsEnv: [{ keyToEnv: [{ key: "a", envVar: "A" }] }] }, "write configMapKey"],
  [{ nodeSelector: { disk: "ssd" } }, "put it below labels"],
  [{ podMetadata: { team: "a" } }, "put it below labels or annotations"],
  [{ tolerations: [{ key: "a", tolerationSeconds: "10s" }] }, "write 10"],
  [{ activeDeadlineSeconds: "3600s" }, "write 3600"],
];

describe("settings in the form of Kubernetes get a hint that helps:", () => {
  for (const [json, hint] of settings) {
    test(hint, () => expect(settingProblems({ json }).map((problem) => problem.hint)).toEqual([hint]));
  }
});
