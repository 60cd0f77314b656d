import { expectFindings, type FindingRow, k8s, looped, train } from "./expect-findings.js";

// All that is found of right and wrong inputs that tasks supply, and settings take from elsewhere, in the order of the file, with severity and place.

// biome-ignore format: a table
const rows: readonly FindingRow[] = [
  ["an input that is written like the item of the loop", "kfp", looped("inputs: {parameters: {itm: {runtimeValue: {constant: a}}}}"), ["warning input-undeclared /root/dag/tasks/loop/inputs/parameters/itm"]],
  ["an input that is written like a required one that is missing", "kfp", train("inputs: {parameters: {label: null, labl: {runtimeValue: {constant: a}}}}"), ["error input-missing /root/dag/tasks/train/inputs/parameters/labl"]],
  ["an artifact that is written like a required one that is missing", "kfp", train("inputs: {artifacts: {data: null, dat: {taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}}}"), ["error input-missing /root/dag/tasks/train/inputs/artifacts/dat"]],
  ["an artifact that is written like an optional one that is missing", "kfp", `${train("inputs: {artifacts: {data: null, dat: {taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}}}")}\ncomponents: {comp-train: {inputDefinitions: {artifacts: {data: {isOptional: true}}}}}`, ["warning input-misspelt /root/dag/tasks/train/inputs/artifacts/dat"]],
  ["an input that is written like one with a default", "kfp", train("inputs: {parameters: {epoch: {runtimeValue: {constant: 5}}}}"), ["warning input-misspelt /root/dag/tasks/train/inputs/parameters/epoch"]],
  ["an input that is written like one with a default that is there as well", "kfp", train("inputs: {parameters: {epochs: {runtimeValue: {constant: 5}}, epoch: {runtimeValue: {constant: 5}}}}"), ["warning input-undeclared /root/dag/tasks/train/inputs/parameters/epoch"]],
  ["an input that is written like one with a default, by the document", "spec", train("inputs: {parameters: {epoch: {runtimeValue: {constant: 5}}}}"), ["error input-undeclared /root/dag/tasks/train/inputs/parameters/epoch"]],
  ["an undeclared input with a placeholder", "kfp", train("inputs: {parameters: {zzz: {runtimeValue: {constant: \"{{$.inputs.parameters['label']}}\"}}}}"), []],
  ["an undeclared input of a compiler", "kfp", train("inputs: {parameters: {pipelinechannel--x: {runtimeValue: {constant: 5}}}}"), []],
  ["an undeclared input with a template of another tool", "kfp", train("inputs: {parameters: {zzz: {runtimeValue: {constant: '{{ a }}'}}}}"), ["warning input-undeclared /root/dag/tasks/train/inputs/parameters/zzz"]],
  ["a claim from a text of the pipeline", "kfp", k8s("pvcMount: [{componentInputParameter: mode, mountPath: /a}]").replace("exec-report", "exec-prepare"), []],
  ["a secret from an output of a loop", "kfp", k8s("secretAsVolume: [{secretNameParameter: {taskOutputParameter: {producerTask: loop, outputParameterKey: text}}, mountPath: /a}]").replace("exec-report", "exec-train"), ["error platform-reference-order /platforms/kubernetes/deploymentSpec/executors/exec-train/secretAsVolume/0/secretNameParameter/taskOutputParameter/producerTask", "error platform-input-unknown /platforms/kubernetes/deploymentSpec/executors/exec-train/secretAsVolume/0/secretNameParameter/taskOutputParameter/outputParameterKey"]],
  ["a secret from an output of a task", "kfp", k8s("secretAsVolume: [{secretNameParameter: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}, mountPath: /a}]").replace("exec-report", "exec-train"), []],
  ["a node selector from an output of a task", "kfp", k8s("nodeSelector: {nodeSelectorJson: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}").replace("exec-report", "exec-train"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-train/nodeSelector/nodeSelectorJson/taskOutputParameter"]],
];

expectFindings(rows);
