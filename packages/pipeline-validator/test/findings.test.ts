import { expect, test } from "vitest";
import { type Profile, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

// All that is found of some more right and wrong things, in the order of the file, with severity and place.

const container = (s: string) => `deploymentSpec: {executors: {exec-report: {container: {${s}}}}}`;
const k8s = (s: string) =>
  `{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {${s}}}}}}`;
const prepare = (s: string) => k8s(s).replace("exec-report", "exec-prepare");
const train = (s: string) => `root: {dag: {tasks: {train: {${s}}}}}`;
const condition = (s: string) =>
  `root: {dag: {tasks: {branch: {triggerPolicy: {condition: ${JSON.stringify(s)}}}}}}`;
const selector = (s: string) =>
  train(`inputs: {parameters: {label: {parameterExpressionSelector: ${JSON.stringify(s)}}}}`);
const label = "inputs.parameter_values['label']";
const loopOver = (type: string, value: string) => `
root: {dag: {tasks: {loop: {inputs: {parameters: {rows: {runtimeValue: {constant: ${value}}}}}, parameterIterator: {items: {raw: null, inputParameter: rows}}}}}}
components: {comp-loop: {inputDefinitions: {parameters: {rows: {parameterType: ${type}}}}}}
`;
const looped = (s: string, more = "") => `root: {dag: {tasks: {loop: {${s}}}}}${more}`;
const again = (s: string) =>
  `root: {dag: {tasks: {again: {taskInfo: {name: again}, componentRef: {name: comp-report}, ${s}}}}}`;
const said = "inputs: {parameters: {message: {runtimeValue: {constant: x}}}}";
const exit = "triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}";
const model = (s: string) =>
  `components: {comp-train: {outputDefinitions: {artifacts: {model: {artifactType: {${s}}}}}}}`;
const epochs = (s: string) => `components: {comp-train: {inputDefinitions: {parameters: {epochs: {${s}}}}}}`;
const spare = (s: string) => `components: {comp-spare: {${s}}}\n`;
const oneOf = (name: string) =>
  `${name}: {valueFromOneof: {parameterSelectors: [{producerSubtask: report, outputParameterKey: text}, {producerSubtask: report, outputParameterKey: other}]}}`;

// biome-ignore format: a table
const rows: readonly (readonly [thing: string, profile: Profile, patch: string, found: readonly string[]])[] = [
  ["two variables of one name from a config map", "kfp", k8s("configMapAsEnv: [{configMapNameParameter: {runtimeValue: {constant: a}}, keyToEnv: [{configMapKey: a, envVar: A}, {configMapKey: b, envVar: A}]}]"), ["warning env-name-clash /platforms/kubernetes/deploymentSpec/executors/exec-report/configMapAsEnv/0/keyToEnv/1/envVar"]],
  ["a mount path with a colon, which is relative as well", "kfp", k8s("emptyDirMounts: [{volumeName: v, mountPath: 'a:b'}]"), ["error platform-value-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/emptyDirMounts/0/mountPath"]],
  ["a relative mount path", "kfp", k8s("emptyDirMounts: [{volumeName: v, mountPath: a/b}]"), ["warning mount-path-relative /platforms/kubernetes/deploymentSpec/executors/exec-report/emptyDirMounts/0/mountPath"]],
  ["a label that is filled in", "kfp", k8s("podMetadata: {labels: {team: '{{$.inputs}}'}}"), []],
  ["an annotation of any value, whose name has capitals", "kfp", k8s("podMetadata: {annotations: {Team: 'any: value'}}"), []],
  ["a label of a bad value and an annotation of that value", "kfp", k8s("podMetadata: {labels: {a: '!'}, annotations: {b: '!'}}"), ["error label-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/podMetadata/labels/a"]],
  ["a config map without keys", "kfp", k8s("configMapAsEnv: [{configMapNameParameter: {runtimeValue: {constant: a}}}]"), ["warning secret-keys-missing /platforms/kubernetes/deploymentSpec/executors/exec-report/configMapAsEnv/0"]],
  ["a config map where artifacts are kept", "kfp", k8s("configMapAsVolume: [{configMapNameParameter: {runtimeValue: {constant: a}}, mountPath: /minio}]"), ["warning mount-path-read-only /platforms/kubernetes/deploymentSpec/executors/exec-report/configMapAsVolume/0/mountPath"]],
  ["a secret beside where artifacts are kept", "kfp", k8s("secretAsVolume: [{secretNameParameter: {runtimeValue: {constant: a}}, mountPath: /s3/more}]"), []],
  ["an empty directory where artifacts are kept", "kfp", k8s("emptyDirMounts: [{volumeName: v, mountPath: /gcs}]"), []],
  ["a volume called like a config map with a dot", "kfp", k8s("configMapAsVolume: [{configMapNameParameter: {runtimeValue: {constant: a.b}}, mountPath: /a}]"), ["error kubernetes-name-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/configMapAsVolume/0/configMapNameParameter/runtimeValue/constant"]],
  ["the same by the document", "spec", k8s("configMapAsVolume: [{configMapNameParameter: {runtimeValue: {constant: a.b}}, mountPath: /a}]"), []],
  ["variables of a secret with a dot, which are no volume", "kfp", k8s("secretAsEnv: [{secretNameParameter: {runtimeValue: {constant: a.b}}, keyToEnv: [{secretKey: k, envVar: K}]}]"), []],
  ["a variable of an init container that programs cannot read", "kfp", k8s("initContainers: [{name: a, image: 'b:1', env: [{name: A-B, value: x}]}]"), ["warning env-name-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/initContainers/0/env/0/name"]],
  ["a variable of a config map that programs cannot read", "kfp", k8s("configMapAsEnv: [{configMapNameParameter: {runtimeValue: {constant: a}}, keyToEnv: [{configMapKey: a, envVar: A-B}]}]"), ["warning env-name-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/configMapAsEnv/0/keyToEnv/0/envVar"]],
  ["two variables without names", "kfp", container("env: [{value: a}, {value: b}]"), ["error env-name-missing /deploymentSpec/executors/exec-report/container/env/0", "error env-name-missing /deploymentSpec/executors/exec-report/container/env/1"]],
  ["variables of names that are refused, and one that is odd", "kfp", container("env: [{name: 'A=B', value: a}, {name: 'A B', value: b}, {name: 'A\u00e4', value: b}, {name: 'A~', value: c}]"), ["error env-name-refused /deploymentSpec/executors/exec-report/container/env/0/name", "warning env-name-invalid /deploymentSpec/executors/exec-report/container/env/1/name", "error env-name-refused /deploymentSpec/executors/exec-report/container/env/2/name", "warning env-name-invalid /deploymentSpec/executors/exec-report/container/env/3/name"]],
  ["a variable that is set three times", "kfp", container("env: [{name: A, value: a}, {name: A, value: b}, {name: A, value: c}]"), ["warning env-name-repeated /deploymentSpec/executors/exec-report/container/env/1/name", "warning env-name-repeated /deploymentSpec/executors/exec-report/container/env/2/name"]],
  ["a reference with two dollars, which is none", "kfp", container("env: [{name: A, value: $$(B)}, {name: B, value: b}]"), []],
  ["a reference to what nobody defines", "kfp", container("env: [{name: A, value: $(C)}]"), []],
  ["a number for a text by the document", "spec", train("inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: rows}}}"), ["error input-type-mismatch /root/dag/tasks/train/inputs/parameters/label/componentInputParameter"]],
  ["a number for a text on the back end", "kfp", train("inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: rows}}}"), ["warning input-type-converted /root/dag/tasks/train/inputs/parameters/label/componentInputParameter"]],
  ["an optional input for one with a default", "kfp", "root: {inputDefinitions: {parameters: {rows: {isOptional: true}}}}\ncomponents: {comp-prepare: {inputDefinitions: {parameters: {rows: {defaultValue: 5}}}}}", []],
  ["an optional input for an optional one", "kfp", "root: {inputDefinitions: {parameters: {rows: {isOptional: true}}}}\ncomponents: {comp-prepare: {inputDefinitions: {parameters: {rows: {isOptional: true}}}}}", []],
  ["an optional input with a default for a required one", "kfp", "root: {inputDefinitions: {parameters: {rows: {isOptional: true, defaultValue: 5}}}}", []],
  ["a member of an input that the task does not have", "kfp", condition(`has(inputs.parameter_values.lable.a) && ${label} == 'a'`), ["error condition-input-unknown /root/dag/tasks/branch/triggerPolicy/condition"]],
  ["a question whether there is an input, which the task does not have", "kfp", condition(`has(inputs.parameter_values.lable) || ${label} == 'a'`), []],
  ["an unknown name in a condition that reads nothing", "kfp", condition("'a' == nope"), ["error condition-invalid /root/dag/tasks/branch/triggerPolicy/condition"]],
  ["a condition that reads nothing", "kfp", condition("'a' == 'b' || 1 < 2"), ["warning condition-constant /root/dag/tasks/branch/triggerPolicy/condition"]],
  ["values of two types on either side of a choice", "kfp", condition(`${label} == 'a' ? ${label} == 5 : ${label} == 6`), ["warning condition-never-equal /root/dag/tasks/branch/triggerPolicy/condition", "warning condition-never-equal /root/dag/tasks/branch/triggerPolicy/condition"]],
  ["a selector that cannot be read", "kfp", selector("5 +"), ["error selector-invalid /root/dag/tasks/train/inputs/parameters/label/parameterExpressionSelector"]],
  ["a selector with an unknown name", "kfp", selector("nope"), ["error selector-invalid /root/dag/tasks/train/inputs/parameters/label/parameterExpressionSelector"]],
  ["a selector that reads nothing", "kfp", selector("'a'"), ["warning selector-constant /root/dag/tasks/train/inputs/parameters/label/parameterExpressionSelector"]],
  ["a selector that gives a number for a text", "kfp", selector("5"), ["warning selector-constant /root/dag/tasks/train/inputs/parameters/label/parameterExpressionSelector"]],
  ["items in a list by the document", "spec", loopOver("LIST", "[a]"), ["error iterator-items-not-list /root/dag/tasks/loop/parameterIterator/items/inputParameter"]],
  ["items in a list", "kfp", loopOver("LIST", "[a]"), []],
  ["items in a text by the document", "spec", loopOver("STRING", `'["a"]'`), []],
  ["items in a number", "kfp", loopOver("NUMBER_INTEGER", "5"), ["error iterator-items-not-list /root/dag/tasks/loop/parameterIterator/items/inputParameter"]],
  ["an empty list of items", "kfp", loopOver("LIST", "[]"), ["warning iterator-items-empty /root/dag/tasks/loop/inputs/parameters/rows/runtimeValue/constant"]],
  ["items in a text that is filled in", "kfp", loopOver("STRING", "'{{$.pipeline_job_name}}'"), []],
  ["items in a text that is no list", "kfp", loopOver("STRING", "'5'"), ["error iterator-items-invalid /root/dag/tasks/loop/inputs/parameters/rows/runtimeValue/constant"]],
  ["a negative limit of a loop by the document", "spec", looped("iteratorPolicy: {parallelismLimit: -1}"), ["error parallelism-negative /root/dag/tasks/loop/iteratorPolicy/parallelismLimit"]],
  ["no limit of a loop", "kfp", looped("iteratorPolicy: {parallelismLimit: 0}"), []],
  ["a policy without a loop", "kfp", again(`${said}, iteratorPolicy: {parallelismLimit: 2}`), ["warning iterator-policy-unused /root/dag/tasks/again/iteratorPolicy"]],
  ["a loop over a container", "kfp", again(`parameterIterator: {items: {raw: '["c"]'}, itemInput: message}`), ["warning iterator-on-executor /root/dag/tasks/again/parameterIterator"]],
  ["an item that is supplied as well", "kfp", looped("inputs: {parameters: {item: {runtimeValue: {constant: a}}}}"), ["error iterator-item-supplied /root/dag/tasks/loop/inputs/parameters/item"]],
  ["a retry less than none", "kfp", train("retryPolicy: {maxRetryCount: -1}"), ["error retry-count-negative /root/dag/tasks/train/retryPolicy/maxRetryCount"]],
  ["a negative greatest delay and factor", "kfp", train("retryPolicy: {maxRetryCount: 1, backoffMaxDuration: -1s, backoffFactor: -1}"), ["error retry-backoff-negative /root/dag/tasks/train/retryPolicy/backoffMaxDuration", "error retry-backoff-negative /root/dag/tasks/train/retryPolicy/backoffFactor"]],
  ["delays of an hour and no factor", "kfp", train("retryPolicy: {maxRetryCount: 1, backoffDuration: 3600s, backoffMaxDuration: 3600s, backoffFactor: 0}"), []],
  ["a retry of a DAG by the document", "spec", looped("retryPolicy: {maxRetryCount: 1}"), ["warning retry-of-dag /root/dag/tasks/loop/retryPolicy"]],
  ["a retry of a container by the document", "spec", train("retryPolicy: {maxRetryCount: 1}"), []],
  ["a cache key where caching is off", "kfp", train("cachingOptions: {cacheKey: a, enableCache: false}"), ["warning cache-key-unused /root/dag/tasks/train/cachingOptions/cacheKey"]],
  ["an empty cache key where caching is off", "kfp", train("cachingOptions: {cacheKey: '', enableCache: false}"), []],
  ["an empty display name", "kfp", train("taskInfo: {name: ''}"), ["warning task-display-name-missing /root/dag/tasks/train"]],
  ["an exit task that follows nothing that there is", "kfp", again(`${said}, dependentTasks: [none], ${exit}`), ["error dependent-task-unknown /root/dag/tasks/again/dependentTasks/0"]],
  ["an exit task of two tasks", "kfp", again(`${said}, dependentTasks: [prepare, train], ${exit}`), ["warning exit-task-repeated /root/dag/tasks/again/dependentTasks/1"]],
  ["an exit task of a loop", "kfp", again(`${said}, dependentTasks: [loop], ${exit}`), ["warning exit-task-lost /root/dag/tasks/again/dependentTasks/0"]],
  ["a task that depends on an exit task", "kfp", `${again(`${said}, dependentTasks: [train], ${exit}`).slice(0, -3)}, more: {taskInfo: {name: more}, componentRef: {name: comp-report}, ${said}, dependentTasks: [again]}}}}`, ["error exit-task-upstream /root/dag/tasks/more/dependentTasks/0"]],
  ["an exit task that takes an output", "kfp", again(`dependentTasks: [train], inputs: {parameters: {message: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}}, ${exit}`), ["warning input-lost-on-failure /root/dag/tasks/again/inputs/parameters/message", "warning exit-task-repeated /root/dag/tasks/again/inputs/parameters/message/taskOutputParameter/producerTask"]],
  ["a container without anything to run", "kfp", container("command: null, args: null"), ["error command-missing /deploymentSpec/executors/exec-report/container"]],
  ["a container with arguments alone", "kfp", container("command: null, args: ['{{$}}']"), []],
  ["a container without image", "kfp", container("image: null"), ["error image-missing /deploymentSpec/executors/exec-report/container"]],
  ["an executor of nothing", "kfp", "deploymentSpec: {executors: {exec-report: {container: null}}}", ["error executor-empty /deploymentSpec/executors/exec-report"]],
  ["a type by a URI", "kfp", model("schemaTitle: null, schemaUri: a"), ["error schema-uri-unsupported /components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaUri"]],
  ["a type by a URI, by the document", "spec", model("schemaTitle: null, schemaUri: a"), ["warning schema-uri-unsupported /components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaUri"]],
  ["an empty title of a type", "kfp", model("schemaTitle: ''"), ["error artifact-type-missing /components/comp-train/outputDefinitions/artifacts/model/artifactType"]],
  ["a title with capitals of the system", "kfp", model("schemaTitle: System.Model"), ["warning schema-title-unknown /components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaTitle"]],
  ["a title without namespace that the system has", "kfp", model("schemaTitle: Model"), ["warning schema-title-format /components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaTitle"]],
  ["a title without namespace that nobody has", "kfp", model("schemaTitle: Churn"), ["warning schema-title-format /components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaTitle"]],
  ["a title without namespace, by the document", "spec", model("schemaTitle: Churn"), ["error schema-title-format /components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaTitle"]],
  ["a version of two parts", "kfp", model("schemaVersion: '1.0'"), ["warning schema-version-format /components/comp-train/outputDefinitions/artifacts/model/artifactType/schemaVersion"]],
  ["a version of two digits", "kfp", model("schemaVersion: 0.0.10"), []],
  ["a name of an input that begins with a digit", "kfp", epochs("parameterType: NUMBER_INTEGER").replace("epochs", "'2nd'"), ["error input-missing /root/dag/tasks/train/inputs", "warning input-name-style /components/comp-train/inputDefinitions/parameters/2nd"]],
  ["an unusual name of an output", "kfp", "components: {comp-train: {outputDefinitions: {parameters: {'a.b': {parameterType: STRING}}}}}", ["warning output-unwritten /components/comp-train/outputDefinitions/parameters/a.b", "warning input-name-style /components/comp-train/outputDefinitions/parameters/a.b"]],
  ["an input of a DAG that is called Output", "kfp", "components: {comp-loop: {inputDefinitions: {parameters: {Output: {parameterType: STRING, isOptional: true}}}}}", []],
  ["an input of a container that is called Output", "kfp", "components: {comp-train: {inputDefinitions: {parameters: {Output: {parameterType: STRING, isOptional: true}}}}}", ["warning input-name-reserved /components/comp-train/inputDefinitions/parameters/Output"]],
  ["a task of an unusual name", "kfp", "root: {dag: {tasks: {Again: {taskInfo: {name: again}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}", ["warning task-name-style /root/dag/tasks/Again"]],
  ["a default of another type that is a text", "kfp", epochs("defaultValue: [5]"), ["error default-type-mismatch /components/comp-train/inputDefinitions/parameters/epochs/defaultValue"]],
  ["a default that is a number in a text, by the document", "spec", epochs("defaultValue: '5'"), ["error default-type-mismatch /components/comp-train/inputDefinitions/parameters/epochs/defaultValue"]],
  ["a default that is a number with blanks", "kfp", epochs("defaultValue: ' 5 '"), ["warning default-number-in-quotes /components/comp-train/inputDefinitions/parameters/epochs/defaultValue"]],
  ["a default that begins with a number", "kfp", epochs("defaultValue: 5 times"), ["error default-type-mismatch /components/comp-train/inputDefinitions/parameters/epochs/defaultValue"]],
  ["literals of another type", "kfp", epochs("literals: [a, 5]"), ["warning default-not-literal /components/comp-train/inputDefinitions/parameters/epochs/defaultValue", "error literal-type-mismatch /components/comp-train/inputDefinitions/parameters/epochs/literals/0"]],
  ["a variable of version 1 in what a task is given", "kfp", train("inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: '{{inputs.parameters.a}}'}}}}"), ["warning placeholder-version-1 /root/dag/tasks/train/inputs/parameters/label/runtimeValue/constant"]],
  ["an image in capitals", "kfp", container("image: Report:1"), ["error image-invalid /deploymentSpec/executors/exec-report/container/image"]],
  ["an image of a digest that is too short", "kfp", container("image: 'report@sha256:abc'"), ["error image-invalid /deploymentSpec/executors/exec-report/container/image"]],
  ["an image that is filled in", "kfp", container(`image: "{{$.inputs.parameters['message']}}"`), []],
  ["a component that nobody runs", "kfp", `${spare("executorLabel: exec-spare")}deploymentSpec: {executors: {exec-spare: {container: {image: 'a:1', command: [b]}}}}`, ["warning component-unused /components/comp-spare"]],
  ["a component that contains itself, which nobody runs", "kfp", spare("dag: {tasks: {again: {taskInfo: {name: again}, componentRef: {name: comp-spare}}}}"), ["warning component-unused /components/comp-spare", "warning component-cycle /components/comp-spare/dag/tasks/again/componentRef/name"]],
  ["an empty reference to a component", "kfp", train("componentRef: {name: ''}"), ["error component-ref-missing /root/dag/tasks/train", "warning component-unused /components/comp-train"]],
  ["a task without reference to a component", "kfp", train("componentRef: null"), ["error component-ref-missing /root/dag/tasks/train", "warning component-unused /components/comp-train"]],
  ["a task that depends on one of another DAG", "kfp", again(`${said}, dependentTasks: [report]`), ["error dependent-task-unknown /root/dag/tasks/again/dependentTasks/0"]],
  ["a task that depends on itself", "kfp", again(`${said}, dependentTasks: [again]`), ["error task-cycle /root/dag/tasks/again/dependentTasks/0"]],
  ["an artifact from a parameter of the producer", "kfp", train("inputs: {artifacts: {data: {taskOutputArtifact: {outputArtifactKey: label}}}}"), ["error output-unknown /root/dag/tasks/train/inputs/artifacts/data/taskOutputArtifact/outputArtifactKey"]],
  ["a list for a single artifact", "kfp", "components: {comp-prepare: {outputDefinitions: {artifacts: {data: {isArtifactList: true}}}}}", ["error artifact-list-mismatch /root/dag/tasks/train/inputs/artifacts/data/taskOutputArtifact/outputArtifactKey", "warning executor-output-list /components/comp-prepare/outputDefinitions/artifacts/data"]],
  ["another major version of a type", "kfp", "components: {comp-train: {inputDefinitions: {artifacts: {data: {artifactType: {schemaVersion: 1.0.0}}}}}}", ["error artifact-type-mismatch /root/dag/tasks/train/inputs/artifacts/data/taskOutputArtifact/outputArtifactKey"]],
  ["another minor version of a type", "kfp", "components: {comp-train: {inputDefinitions: {artifacts: {data: {artifactType: {schemaVersion: 0.9.0}}}}}}", []],
  ["no version of a type, which is like one of 0", "kfp", "components: {comp-train: {inputDefinitions: {artifacts: {data: {artifactType: {schemaVersion: null}}}}}}", []],
  ["a memory limit below the request", "kfp", container("resources: {resourceMemoryLimit: 1G, resourceMemoryRequest: 2G}"), ["error resource-request-above-limit /deploymentSpec/executors/exec-report/container/resources/resourceMemoryRequest"]],
  ["a memory limit like the request", "kfp", container("resources: {resourceMemoryLimit: 2G, resourceMemoryRequest: 2000M}"), []],
  ["a processor limit below the request", "kfp", container("resources: {resourceCpuLimit: '1', resourceCpuRequest: '1.5'}"), ["error resource-request-above-limit /deploymentSpec/executors/exec-report/container/resources/resourceCpuRequest"]],
  ["a processor limit like the request", "kfp", container("resources: {resourceCpuLimit: '1.5', resourceCpuRequest: 1500m}"), []],
  ["an amount of nothing", "kfp", container("resources: {resourceCpuLimit: '0'}"), []],
  ["an amount less than nothing", "kfp", container("resources: {resourceMemoryRequest: '-1'}"), ["error resource-invalid /deploymentSpec/executors/exec-report/container/resources/resourceMemoryRequest"]],
  ["a memory in thousandths", "kfp", container("resources: {resourceMemoryLimit: 512m}"), ["warning memory-tiny /deploymentSpec/executors/exec-report/container/resources/resourceMemoryLimit"]],
  ["a memory of a few bytes", "kfp", container("resources: {resourceMemoryLimit: '512'}"), ["warning memory-tiny /deploymentSpec/executors/exec-report/container/resources/resourceMemoryLimit"]],
  ["an amount with a lower-case letter", "kfp", container("resources: {resourceMemoryLimit: 1gi}"), ["error resource-invalid /deploymentSpec/executors/exec-report/container/resources/resourceMemoryLimit"]],
  ["amounts of quintillions", "kfp", container("resources: {resourceMemoryLimit: 1Ei, resourceMemoryRequest: 1E}"), []],
  ["an accelerator without number", "kfp", container("resources: {accelerator: {resourceType: nvidia.com/gpu}}"), ["warning accelerator-incomplete /deploymentSpec/executors/exec-report/container/resources/accelerator"]],
  ["an accelerator without type", "kfp", container("resources: {accelerator: {resourceCount: '1'}}"), ["warning accelerator-incomplete /deploymentSpec/executors/exec-report/container/resources/accelerator"]],
  ["an accelerator of half a piece", "kfp", container("resources: {accelerator: {resourceType: nvidia.com/gpu, resourceCount: '0.5'}}"), ["error accelerator-invalid /deploymentSpec/executors/exec-report/container/resources/accelerator/resourceCount"]],
  ["an accelerator of the hosted service", "kfp", container("resources: {accelerator: {resourceType: NVIDIA_TESLA_T4, resourceCount: '1'}}"), ["warning accelerator-type-invalid /deploymentSpec/executors/exec-report/container/resources/accelerator/resourceType"]],
  ["a placeholder in a variable", "kfp", container(`env: [{name: A, value: "{{$.inputs.parameters['message']}}"}]`), ["warning placeholder-unsupported /deploymentSpec/executors/exec-report/container/env/0/value"]],
  ["a name of an input in other capitals", "kfp", container(`args: ["{{$.inputs.parameters['Message']}}"]`), ["error placeholder-unknown /deploymentSpec/executors/exec-report/container/args/0"]],
  ["a parameter asked for as an artifact", "kfp", container(`args: ["{{$.inputs.artifacts['message'].path}}"]`), ["error placeholder-unknown /deploymentSpec/executors/exec-report/container/args/0"]],
  ["an unknown output in a program of several lines", "kfp", container(`command: [sh, "echo\\n{{$.outputs.parameters['n'].output_file}}"]`), ["warning placeholder-left-as-text /deploymentSpec/executors/exec-report/container/command/1"]],
  ["an unknown input in a program of several lines", "kfp", container(`command: [sh, "echo\\n{{$.inputs.parameters['n']}}"]`), ["error placeholder-unknown /deploymentSpec/executors/exec-report/container/command/1"]],
  ["an unknown input in a program of several lines that has outputs", "kfp", container(`command: [sh, "echo\\n{{$.inputs.parameters['n']}} $.outputs"]`), ["warning placeholder-left-as-text /deploymentSpec/executors/exec-report/container/command/1"]],
  ["an unknown input in a constant", "kfp", train(`inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: "{{$.inputs.parameters['n']}}"}}}}`), ["warning placeholder-left-as-text /root/dag/tasks/train/inputs/parameters/label/runtimeValue/constant"]],
  ["an unknown form of another tool", "kfp", container(`args: ["{{ .Values.name }}"]`), []],
  ["a template that was not filled in, in an image and an amount: the first", "kfp", container("image: 'a:<%= tag %>', resources: {resourceMemoryLimit: '{{ .Values.memory }}'}"), ["error template-not-filled /deploymentSpec/executors/exec-report/container/image"]],
  ["a pipeline root that was not filled in", "kfp", "defaultPipelineRoot: '<%= root %>'", ["error template-not-filled /defaultPipelineRoot"]],
  ["a template in a variable of an init container", "kfp", k8s("initContainers: [{name: a, image: 'b:1', env: [{name: A, value: '<%= x %>'}]}]"), []],
  ["a template in a name of a claim", "kfp", k8s("pvcMount: [{constant: '<%= claim %>', mountPath: /a}]"), ["error template-not-filled /platforms/kubernetes/deploymentSpec/executors/exec-report/pvcMount/0/constant"]],
  ["a template in the deepest value that a setting has", "kfp", k8s("nodeAffinity: [{nodeAffinityJson: {runtimeValue: {constant: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: ['<%= zone %>']}]}]}}}}}]"), ["error template-not-filled /platforms/kubernetes/deploymentSpec/executors/exec-report/nodeAffinity/0/nodeAffinityJson/runtimeValue/constant/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0/values/0"]],
  ["tolerations that are no object", "kfp", k8s("tolerations: [{tolerationJson: {runtimeValue: {constant: 5}}}]"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-report/tolerations/0/tolerationJson/runtimeValue/constant"]],
  ["tolerations in a list", "kfp", k8s("tolerations: [{tolerationJson: {runtimeValue: {constant: [{operator: Exists}]}}}]"), []],
  ["a selector of a node that is a list", "kfp", k8s("nodeSelector: {nodeSelectorJson: {runtimeValue: {constant: [a]}}}"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-report/nodeSelector/nodeSelectorJson/runtimeValue/constant"]],
  ["a selector of a node with a number", "kfp", k8s("nodeSelector: {nodeSelectorJson: {runtimeValue: {constant: {a: 5, b: b}}}}"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-report/nodeSelector/nodeSelectorJson/runtimeValue/constant"]],
  ["a selector of a node with a bad name", "kfp", k8s("nodeSelector: {nodeSelectorJson: {runtimeValue: {constant: {a b: c}}}}"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-report/nodeSelector/nodeSelectorJson/runtimeValue/constant"]],
  ["a claim from a number of the pipeline", "kfp", prepare("pvcMount: [{componentInputParameter: rows, mountPath: /a}]"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-prepare/pvcMount/0/componentInputParameter"]],
  ["a secret from a number of the pipeline", "kfp", prepare("secretAsVolume: [{secretNameParameter: {componentInputParameter: rows}, mountPath: /a}]"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-prepare/secretAsVolume/0/secretNameParameter/componentInputParameter"]],
  ["a toleration from a text of the pipeline", "kfp", prepare("tolerations: [{tolerationJson: {componentInputParameter: mode}}]"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-prepare/tolerations/0/tolerationJson/componentInputParameter"]],
  ["a name of a secret that is empty", "kfp", k8s("secretAsVolume: [{secretNameParameter: {runtimeValue: {constant: ''}}, mountPath: /a}]"), ["error platform-source-type /platforms/kubernetes/deploymentSpec/executors/exec-report/secretAsVolume/0/secretNameParameter/runtimeValue/constant"]],
  ["a weight of 0", "kfp", k8s("nodeAffinity: [{weight: 0, matchExpressions: [{key: a, operator: Exists}]}]"), ["error platform-value-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/nodeAffinity/0/weight"]],
  ["weights of 1 and 100", "kfp", k8s("nodeAffinity: [{weight: 1, matchExpressions: [{key: a, operator: Exists}]}, {weight: 100, matchExpressions: [{key: a, operator: Exists}]}]"), []],
  ["a weight of 101", "kfp", k8s("nodeAffinity: [{weight: 101, matchExpressions: [{key: a, operator: Exists}]}]"), ["error platform-value-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/nodeAffinity/0/weight"]],
  ["a user of 0 that may be root", "kfp", k8s("securityContext: {runAsUser: 0, runAsNonRoot: false}"), []],
  ["a user less than 0 and the largest group", "kfp", k8s("securityContext: {runAsUser: -1, runAsGroup: 2147483647}"), ["error platform-value-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/securityContext/runAsUser"]],
  ["a deadline that is too large", "kfp", k8s("activeDeadlineSeconds: 2147483648"), ["error platform-value-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/activeDeadlineSeconds"]],
  ["a sub-path out of the volume", "kfp", k8s("pvcMount: [{constant: a, mountPath: /a, subPath: a/../../b}]"), ["error platform-value-invalid /platforms/kubernetes/deploymentSpec/executors/exec-report/pvcMount/0/subPath"]],
  ["a sub-path with dots in a name", "kfp", k8s("pvcMount: [{constant: a, mountPath: /a, subPath: a..b/c}]"), []],
  ["two choices among the same outputs", "kfp", `components: {comp-branch: {dag: {outputs: {parameters: {${oneOf("text")}, ${oneOf("more")}}}}, outputDefinitions: {parameters: {text: {parameterType: STRING}, more: {parameterType: STRING}}}}, comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}, other: {parameterType: STRING}}}}}\n${container("args: ['{{$}}']")}`, []],
  ["a selector that compares an unknown name", "kfp", selector("nope > 5"), ["error selector-invalid /root/dag/tasks/train/inputs/parameters/label/parameterExpressionSelector"]],
  ["a selector that compares", "kfp", selector("string_value == 'a'"), []],
  ["an empty default of items", "kfp", `${loopOver("LIST", "5").replace("runtimeValue: {constant: 5}", "componentInputParameter: rows").replace("root: {", "root: {inputDefinitions: {parameters: {rows: {parameterType: LIST, defaultValue: []}}}, ").replace("tasks: {", "tasks: {prepare: {inputs: {parameters: {rows: {componentInputParameter: null, runtimeValue: {constant: 3}}}}}, ")}`, []],
  ["an unknown placeholder of a component that nobody runs", "kfp", `${spare("executorLabel: exec-spare")}deploymentSpec: {executors: {exec-spare: {container: {image: 'a:1', command: [b, "{{$.inputs.parameters['n']}}"]}}}}`, ["warning component-unused /components/comp-spare"]],
  ["an artifact of the task in place of a parameter, in a constant", "kfp", train(`inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: "{{$.inputs.parameters['data']}}"}}}}`), ["warning placeholder-left-as-text /root/dag/tasks/train/inputs/parameters/label/runtimeValue/constant"]],
  ["an artifact of the task in a constant", "kfp", train(`inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: "{{$.inputs.artifacts['data'].path}}"}}}}`), []],
  ["an item for an input that there is not, beside an artifact that is missing", "kfp", looped("parameterIterator: {itemInput: zzz}", "\ncomponents: {comp-loop: {inputDefinitions: {artifacts: {data: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}}}}"), ["error input-missing /root/dag/tasks/loop/inputs", "error iterator-item-undeclared /root/dag/tasks/loop/parameterIterator/itemInput"]],
  ["a secret in the old field", "kfp", k8s("secretAsVolume: [{secretName: a, mountPath: /a}]"), []],
  ["a number in quotes for a number", "kfp", train("inputs: {parameters: {epochs: {runtimeValue: {constant: '5'}}}}"), ["error constant-type-mismatch /root/dag/tasks/train/inputs/parameters/epochs/runtimeValue/constant"]],
  ["a broken number for a whole one", "kfp", train("inputs: {parameters: {epochs: {runtimeValue: {constant: 5.5}}}}"), ["warning integer-range /root/dag/tasks/train/inputs/parameters/epochs/runtimeValue/constant"]],
  ["a condition where one part asks for what another reads", "kfp", `${condition("!has(inputs.parameter_values.more) || inputs.parameter_values.more == 'a'")}\ncomponents: {comp-branch: {inputDefinitions: {parameters: {more: {parameterType: STRING, isOptional: true}}}}}`, []],
  ["a condition that asks for the wrong of two", "kfp", `${condition("!has(inputs.parameter_values.other) || inputs.parameter_values.more == 'a'")}\ncomponents: {comp-branch: {inputDefinitions: {parameters: {more: {parameterType: STRING, isOptional: true}, other: {parameterType: STRING, isOptional: true}}}}}`, ["warning condition-optional-unguarded /root/dag/tasks/branch/triggerPolicy/condition"]],
  ["a condition that reads what is absent twice", "kfp", `${condition("inputs.parameter_values.more == 'a' || inputs.parameter_values.more == 'b'")}\ncomponents: {comp-branch: {inputDefinitions: {parameters: {more: {parameterType: STRING, isOptional: true}}}}}`, ["warning condition-optional-unguarded /root/dag/tasks/branch/triggerPolicy/condition"]],
  ["a choice that asks first", "kfp", `${condition("has(inputs.parameter_values.more) ? inputs.parameter_values.more == 'a' : true")}\ncomponents: {comp-branch: {inputDefinitions: {parameters: {more: {parameterType: STRING, isOptional: true}}}}}`, []],
  ["a choice that asks first, and reads where it is absent", "kfp", `${condition("has(inputs.parameter_values.more) ? true : inputs.parameter_values.more == 'a'")}\ncomponents: {comp-branch: {inputDefinitions: {parameters: {more: {parameterType: STRING, isOptional: true}}}}}`, ["warning condition-optional-unguarded /root/dag/tasks/branch/triggerPolicy/condition"]],
  ["either of two questions before what one asks for", "kfp", `${condition("(has(inputs.parameter_values.more) || has(inputs.parameter_values.other)) && inputs.parameter_values.more == 'a'")}\ncomponents: {comp-branch: {inputDefinitions: {parameters: {more: {parameterType: STRING, isOptional: true}, other: {parameterType: STRING, isOptional: true}}}}}`, ["warning condition-optional-unguarded /root/dag/tasks/branch/triggerPolicy/condition"]],
];

test.each(rows)(
  "of %s, judged by %s, all that is wrong is told, and nothing else",
  (_, profile, patch, found) => {
    const { problems } = validatePipeline(exampleText("patch", patch), {
      profile,
      parse: { deprecations: false },
    });
    expect(problems.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual(found);
  },
);
