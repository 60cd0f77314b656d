import { expect, test } from "vitest";
import { exampleText } from "./example-text.js";
import { told } from "./told.js";

// What is said of names that stand elsewhere, of what declares nothing, and of settings for other executors and platforms.

const train = (s: string) => `root: {dag: {tasks: {train: {${s}}}}}`;
const platforms = (s: string, patch = "{}") => `${patch}\n---\nplatforms: {${s}}`;
const item = "pipelinechannel--prepare-names-loop-item";
const looped = (tasks: string) =>
  `root: {dag: {tasks: {loop: {parameterIterator: {itemInput: ${item}}}, ${tasks}}}}\ncomponents: {comp-loop: {inputDefinitions: {parameters: {item: null, ${item}: {parameterType: STRING}}}, dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: ${item}}}}}}}}}`;
const inBranch = (name: string, more = "") =>
  `components: {comp-branch: {${more}dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: ${name}}}}}}}}}`;
const secret = (input: string) =>
  `kubernetes: {deploymentSpec: {executors: {exec-prepare: {imagePullSecret: [{secretNameParameter: {componentInputParameter: ${input}}}]}}}}`;
const runOnly = "root: {dag: {tasks: {branch: {inputs: null, triggerPolicy: null}}}}";
const job =
  "components: {comp-report: {executorLabel: exec-job}}\ndeploymentSpec: {executors: {exec-report: null, exec-job: {customJob: {customJob: {a: b}}}}}";

const inOther =
  'it is a task of component "comp-branch", whose outputs are those of the task that runs it, such as "branch"';
const ofRoot = "the root has it: declare it here as well, and hand it down from task to task";
const lost =
  "the compiler of the SDK loses items of loops in f-strings and settings: hand the item to a component as an argument of its own";

// biome-ignore format: a table
const rows: readonly (readonly [patch: string, ...told: readonly string[]])[] = [
  [train("dependentTasks: [report]"), `dependent-task-unknown at /root/dag/tasks/train/dependentTasks/0: there is no task "report" in this DAG | ${inOther}`],
  [train("inputs: {parameters: {label: {taskOutputParameter: {producerTask: report}}}}"), `producer-unknown at /root/dag/tasks/train/inputs/parameters/label/taskOutputParameter/producerTask: there is no task "report" in this DAG | ${inOther}`],
  [looped("train: {inputs: {parameters: {label: {taskOutputParameter: {outputParameterKey: names-loop-item}}}}}"), `output-unknown at /root/dag/tasks/train/inputs/parameters/label/taskOutputParameter/outputParameterKey: component "comp-prepare" of task "prepare" has no output parameter "names-loop-item" | ${lost} | see /components/comp-prepare/outputDefinitions: outputs are declared here`],
  [platforms(secret(item), looped("branch: null")), 'component-unused at /components/comp-branch: no task that is reached from the root runs component "comp-branch" | remove it, or refer to it', `platform-input-unknown at /platforms/kubernetes/deploymentSpec/executors/exec-prepare/imagePullSecret/0/secretNameParameter/componentInputParameter: the root has no input parameter "${item}" | ${lost}`],
  [inBranch("mode"), `parent-input-unknown at /components/comp-branch/dag/tasks/report/inputs/parameters/message/componentInputParameter: component "comp-branch" has no input parameter "mode" | ${ofRoot} | see /components/comp-branch/inputDefinitions: inputs are declared here`],
  [`${inBranch("mode", "inputDefinitions: null, ")}\n${runOnly}`, `parent-input-unknown at /components/comp-branch/dag/tasks/report/inputs/parameters/message/componentInputParameter: component "comp-branch" has no input parameter "mode" | ${ofRoot} | see /components/comp-branch: inputs are declared here`],
  ["components: {comp-loop: {inputDefinitions: {artifacts: {data: {artifactType: {schemaTitle: system.Model}}}}}, comp-train: {outputDefinitions: null}}\nroot: {dag: {tasks: {loop: {inputs: {artifacts: {data: {taskOutputArtifact: {producerTask: train, outputArtifactKey: model}}}}}}}}", 'output-unknown at /root/dag/tasks/loop/inputs/artifacts/data/taskOutputArtifact/outputArtifactKey: component "comp-train" of task "train" has no output artifact "model" | see /components/comp-train: outputs are declared here', 'placeholder-unknown at /deploymentSpec/executors/exec-train/container/args/3: component "comp-train" has no output artifact "model" | see /components/comp-train: the component'],
  [platforms("K8s: {}"), 'platform-unknown at /platforms/K8s: the open-source back end ignores the settings of platform "K8s" | write kubernetes'],
  [platforms("k3s: {}"), 'platform-unknown at /platforms/k3s: the open-source back end ignores the settings of platform "k3s" | write kubernetes'],
  [platforms("k4s: {}"), 'platform-unknown at /platforms/k4s: the open-source back end ignores the settings of platform "k4s"'],
  [platforms("kubernetes: {}, other: {deploymentSpec: {executors: {exec-reports: {}, exec-report: {}}}}"), 'platform-unknown at /platforms/other: the open-source back end ignores the settings of platform "other"', 'platform-executor-unknown at /platforms/other/deploymentSpec/executors/exec-reports: there is no executor "exec-reports" | did you mean "exec-report"?'],
  [platforms("kubernetes: {deploymentSpec: {executors: {exec-job: {imagePullPolicy: Always}}}}", job), "executor-unsupported at /deploymentSpec/executors/exec-job/customJob: the open-source back end does not run a custom job", 'platform-executor-not-container at /platforms/kubernetes/deploymentSpec/executors/exec-job: the executor "exec-job" is no container, so that these settings do nothing'],
  [platforms("kubernetes: {pipelineConfig: {workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {accessModes: [[ReadWriteOnce], 5]}}}}}"), 'workspace-invalid at /platforms/kubernetes/pipelineConfig/workspace/kubernetes/pvcSpecPatch/accessModes/0: "[\\"ReadWriteOnce\\"]" is no access mode | did you mean "ReadWriteOnce"?', 'workspace-invalid at /platforms/kubernetes/pipelineConfig/workspace/kubernetes/pvcSpecPatch/accessModes/1: "5" is no access mode | there are "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"'],
];
test.each(rows.map(([patch, ...lines]) => [patch, lines] as const))("%s", (patch, lines) => {
  expect(told(exampleText("patch", patch))).toEqual(lines);
});
