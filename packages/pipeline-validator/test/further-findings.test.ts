import { container, expectFindings, type FindingRow } from "./expect-findings.js";

// All that is found of right and wrong importers, outputs, resources, commands, statuses and branches, in the order of the file, with severity and place.

const resources = (s: string) => container(`resources: {${s}}`);
const ws = (s: string) => `{}\n---\nplatforms: {kubernetes: {pipelineConfig: {${s}}}}`;
const importing = (importer: string, input = "", given = "", type = "system.Dataset") => `
root: {dag: {tasks: {import: {taskInfo: {name: import}, componentRef: {name: comp-import}, inputs: {parameters: {${given}}}}}}}
components: {comp-import: {executorLabel: exec-import, inputDefinitions: {parameters: {${input}}}, outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: ${type}, schemaVersion: 0.0.1}}}}}}
deploymentSpec: {executors: {exec-import: {importer: {typeSchema: {schemaTitle: ${type}, schemaVersion: 0.0.1}, ${importer}}}}}
`;
const uri = (s: string) => `artifactUri: {constant: '${s}'}`;
const from = "artifactUri: {runtimeParameter: uri}";
const declared = "uri: {parameterType: STRING}";
const output = (own: string, text: string, more = "") => `
components: {comp-branch: {dag: {outputs: {parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}}}, outputDefinitions: {parameters: {text: {parameterType: ${own}}}}}, comp-report: {outputDefinitions: {parameters: {text: {parameterType: ${text}}${more}}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`;
const artifactOutput = (own: string, text: string) => `
components: {comp-branch: {dag: {outputs: {artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}}}, outputDefinitions: {artifacts: {text: {artifactType: {${own}}}}}}, comp-report: {outputDefinitions: {artifacts: {text: {artifactType: {${text}}}}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`;
const model = "schemaTitle: system.Model, schemaVersion: 0.0.1";
const html = "schemaTitle: system.HTML, schemaVersion: 0.0.1";
const status = (
  after: string,
  policy = "triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}",
  type = "TASK_FINAL_STATUS",
) => `
root: {dag: {tasks: {tell: {taskInfo: {name: tell}, componentRef: {name: comp-tell}, dependentTasks: [${after}], inputs: {parameters: {status: {taskFinalStatus: {producerTask: branch}}}}, ${policy}}}}}
components: {comp-tell: {executorLabel: exec-tell, inputDefinitions: {parameters: {status: {parameterType: ${type}}}}}}
deploymentSpec: {executors: {exec-tell: {container: {image: 'a:1', command: [b]}}}}
`;
const label = "inputs.parameter_values['label']";
const other = (condition: string, after = "branch", more = "") =>
  `root: {dag: {tasks: {other: {taskInfo: {name: other}, dependentTasks: [${after}], componentRef: {name: comp-branch}, inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}}, triggerPolicy: {${condition}${more}}}}}}`;

// biome-ignore format: a table
const rows: readonly FindingRow[] = [
  ["an importer of a text without scheme", "kfp", importing(uri("bucket/a")), ["error importer-uri-scheme /deploymentSpec/executors/exec-import/importer/artifactUri/constant"]],
  ["an importer of what is filled in, which has no scheme", "kfp", importing(uri("{{$.inputs.parameters[''uri'']}}"), declared, "uri: {runtimeValue: {constant: 'gs://b/a'}}"), ["warning importer-uri-unused /root/dag/tasks/import/inputs/parameters/uri/runtimeValue/constant", "error importer-uri-scheme /deploymentSpec/executors/exec-import/importer/artifactUri/constant"]],
  ["an importer of a registry, of a dataset", "kfp", importing(uri("oci://host/a")), ["error importer-uri-scheme /deploymentSpec/executors/exec-import/importer/artifactUri/constant"]],
  ["an importer of a registry, of a model", "kfp", importing(uri("oci://host/a"), "", "", "system.Model"), []],
  ["an importer of a scheme within a text", "kfp", importing(uri("see gs://b/a")), ["error importer-uri-scheme /deploymentSpec/executors/exec-import/importer/artifactUri/constant"]],
  ["an importer of a scheme in capitals that the back end does not read", "kfp", importing(uri("GCS://b/a")), ["warning importer-uri-unread /deploymentSpec/executors/exec-import/importer/artifactUri/constant"]],
  ["an importer of an empty text", "kfp", importing(uri("")), ["error importer-uri-missing /deploymentSpec/executors/exec-import/importer/artifactUri/constant"]],
  ["an importer of nothing", "kfp", importing("artifactUri: null"), ["error importer-uri-missing /deploymentSpec/executors/exec-import/importer/artifactUri"]],
  ["an importer of a scheme that the back end does not read", "kfp", importing(uri("gcs://b/a")), ["warning importer-uri-unread /deploymentSpec/executors/exec-import/importer/artifactUri/constant"]],
  ["an importer of what a task gives", "kfp", importing(from, declared, "uri: {runtimeValue: {constant: 'gs://b/a'}}"), []],
  ["an importer of a number that a task gives", "kfp", importing(from, declared, "uri: {runtimeValue: {constant: 5}}"), ["error importer-uri-missing /root/dag/tasks/import/inputs/parameters/uri/runtimeValue/constant"]],
  ["an importer of an empty text that a task gives", "kfp", importing(from, declared, "uri: {runtimeValue: {constant: ''}}"), ["error importer-uri-missing /root/dag/tasks/import/inputs/parameters/uri/runtimeValue/constant"]],
  ["an importer of what a task gives without scheme", "kfp", importing(from, declared, "uri: {runtimeValue: {constant: b/a}}"), ["error importer-uri-scheme /root/dag/tasks/import/inputs/parameters/uri/runtimeValue/constant"]],
  ["an importer of a placeholder that a task gives", "kfp", importing(from, declared, "uri: {runtimeValue: {constant: '{{$.pipeline_job_name}}'}}"), []],
  ["an importer of a default that no task replaces", "kfp", importing(from, "uri: {parameterType: STRING, defaultValue: 'gs://b/a'}"), ["error importer-input-unknown /root/dag/tasks/import/inputs"]],
  ["an importer of a default that no task replaces, by the document", "spec", importing(from, "uri: {parameterType: STRING, defaultValue: 'gs://b/a'}"), []],
  ["an importer of another text than its task says", "kfp", importing(uri("gs://b/a"), declared, "uri: {runtimeValue: {constant: 'gs://b/c'}}"), ["warning importer-uri-unused /root/dag/tasks/import/inputs/parameters/uri/runtimeValue/constant"]],
  ["an importer of the text that its task says", "kfp", importing(uri("gs://b/a"), declared, "uri: {runtimeValue: {constant: 'gs://b/a'}}"), []],
  ["an importer of an unknown input", "kfp", importing("artifactUri: {runtimeParameter: url}", declared, "uri: {runtimeValue: {constant: 'gs://b/a'}}"), ["error importer-input-unknown /deploymentSpec/executors/exec-import/importer/artifactUri/runtimeParameter"]],
  ["an importer of what another task gives", "kfp", importing(from, declared, "uri: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}"), ["warning importer-uri-source /root/dag/tasks/import/inputs/parameters/uri/taskOutputParameter"]],
  ["an importer of another type than its component", "kfp", importing(uri("gs://b/a")).replace("typeSchema: {schemaTitle: system.Dataset", "typeSchema: {schemaTitle: system.Model"), ["error importer-type-mismatch /deploymentSpec/executors/exec-import/importer/typeSchema"]],
  ["an importer with a condition", "kfp", importing(uri("gs://b/a")).replace("inputs: {parameters: {}}", `triggerPolicy: {condition: "1 == 1 || ${"inputs.parameter_values['a'] == 'b'"}"}`), ["error condition-on-importer /root/dag/tasks/import/triggerPolicy/condition", "error condition-input-unknown /root/dag/tasks/import/triggerPolicy/condition"]],
  ["an importer that depends on a task", "kfp", importing(uri("gs://b/a")).replace("inputs: {parameters: {}}", "dependentTasks: [prepare]"), ["warning importer-does-not-wait /root/dag/tasks/import/dependentTasks/0"]],
  ["an importer with two outputs", "kfp", importing(uri("gs://b/a")).replace("artifacts: {artifact:", `artifacts: {more: {artifactType: {${model}}}, artifact:`), ["error importer-output /components/comp-import/outputDefinitions/artifacts"]],
  ["a number where a text is selected", "kfp", output("NUMBER_DOUBLE", "STRING"), ["warning dag-output-type-mismatch /components/comp-branch/dag/outputs/parameters/text/valueFromParameter/outputParameterKey"]],
  ["a number where a text is selected, by the document", "spec", output("NUMBER_DOUBLE", "STRING"), ["error dag-output-type-mismatch /components/comp-branch/dag/outputs/parameters/text/valueFromParameter/outputParameterKey"]],
  ["a list where a text is selected", "kfp", output("LIST", "STRING"), []],
  ["a list where a text is selected, by the document", "spec", output("LIST", "STRING"), ["error dag-output-type-mismatch /components/comp-branch/dag/outputs/parameters/text/valueFromParameter/outputParameterKey"]],
  ["a text where a text is selected", "kfp", output("STRING", "STRING"), []],
  ["an artifact where one of another type is selected", "kfp", artifactOutput(model, html), ["error dag-output-artifact-mismatch /components/comp-branch/dag/outputs/artifacts/text/artifactSelectors/0/outputArtifactKey"]],
  ["any artifact where one of a type is selected", "kfp", artifactOutput("schemaTitle: system.Artifact, schemaVersion: 0.0.1", html), []],
  ["an output that is declared and not given", "kfp", output("STRING", "STRING").replace("outputs: {parameters: {text:", "outputs: {parameters: {more:"), ["error dag-output-undeclared /components/comp-branch/dag/outputs/parameters/more"]],
  ["a number below nothing in the old field", "kfp", resources("memoryLimit: -1"), ["error resource-invalid /deploymentSpec/executors/exec-report/container/resources/memoryLimit"]],
  ["a request in the old field above the limit", "kfp", resources("cpuLimit: 1, cpuRequest: 2"), ["error resource-request-above-limit /deploymentSpec/executors/exec-report/container/resources/cpuRequest"]],
  ["a request in the old field like the limit", "kfp", resources("memoryLimit: 2, resourceMemoryRequest: 2G"), []],
  ["a request above the limit in the old field", "kfp", resources("memoryLimit: 2, resourceMemoryRequest: 2.1G"), ["error resource-request-above-limit /deploymentSpec/executors/exec-report/container/resources/resourceMemoryRequest"]],
  ["an old number beside the text that says the same", "kfp", resources("memoryLimit: 2, resourceMemoryLimit: 2G"), []],
  ["an old number beside the text that says something else", "kfp", resources("memoryLimit: 2, resourceMemoryLimit: 2Gi"), ["warning resource-overridden /deploymentSpec/executors/exec-report/container/resources/memoryLimit"]],
  ["an old number of processors beside a text of thousandths", "kfp", resources("cpuLimit: 0.5, resourceCpuLimit: 500m"), []],
  ["a megabyte of memory", "kfp", resources("resourceMemoryLimit: 1M"), []],
  ["a byte less than a megabyte", "kfp", resources("resourceMemoryLimit: '999999'"), ["warning memory-tiny /deploymentSpec/executors/exec-report/container/resources/resourceMemoryLimit"]],
  ["no memory at all", "kfp", resources("resourceMemoryLimit: '0'"), []],
  ["an accelerator in the old fields", "kfp", resources("accelerator: {type: nvidia.com/gpu, count: 1}"), []],
  ["an accelerator below nothing in the old field", "kfp", resources("accelerator: {type: nvidia.com/gpu, count: -1}"), ["error accelerator-invalid /deploymentSpec/executors/exec-report/container/resources/accelerator/count"]],
  ["an accelerator of the hosted service in the old field", "kfp", resources("accelerator: {type: NVIDIA_TESLA_T4, count: 1}"), ["warning accelerator-type-invalid /deploymentSpec/executors/exec-report/container/resources/accelerator/type"]],
  ["an accelerator of ten digits", "kfp", resources("accelerator: {resourceType: nvidia.com/gpu, resourceCount: '1000000000'}"), ["error accelerator-invalid /deploymentSpec/executors/exec-report/container/resources/accelerator/resourceCount"]],
  ["a program with its arguments in one text", "kfp", container("command: ['sh -c', x], args: null"), ["error command-joined /deploymentSpec/executors/exec-report/container/command/0"]],
  ["a program in a folder with a blank", "kfp", container("command: ['/opt/my tools/run', x], args: null"), []],
  ["a script in several elements", "kfp", container("command: [bash, -c, echo, hello], args: null"), ["warning shell-script-split /deploymentSpec/executors/exec-report/container/command/2"]],
  ["a script in several elements, of which the first ends the command", "kfp", container("command: [/bin/sh, -c], args: [echo, hello]"), ["warning shell-script-split /deploymentSpec/executors/exec-report/container/args/0"]],
  ["a script of several words, with more elements", "kfp", container("command: [sh, -c, echo $0, hello], args: null"), []],
  ["a script in one element", "kfp", container("command: [sh, -c, date], args: null"), []],
  ["a script of a shell that is none", "kfp", container("command: [fish, -c, echo, hello], args: null"), []],
  ["a workspace of nothing", "kfp", ws("workspace: {size: 0Gi}"), ["error workspace-invalid /platforms/kubernetes/pipelineConfig/workspace/size"]],
  ["a workspace with a claim of no modes", "kfp", ws("workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {accessModes: [], storageClassName: fast}}}"), []],
  ["a workspace with two modes, one of which stands alone", "kfp", ws("workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {accessModes: [ReadWriteOnce, ReadWriteOncePod]}}}"), ["error workspace-invalid /platforms/kubernetes/pipelineConfig/workspace/kubernetes/pvcSpecPatch/accessModes/1"]],
  ["lifetimes below nothing", "kfp", ws("resourceTtlOnSuccess: -1, resourceTtlOnFailure: -1, activeDeadlineSeconds: -1"), ["warning lifetime-negative /platforms/kubernetes/pipelineConfig/resourceTtlOnSuccess", "warning lifetime-negative /platforms/kubernetes/pipelineConfig/resourceTtlOnFailure", "warning lifetime-negative /platforms/kubernetes/pipelineConfig/activeDeadlineSeconds"]],
  ["lifetimes of nothing", "kfp", ws("resourceTtlOnCompletion: 0, activeDeadlineSeconds: 0"), []],
  ["a lifetime below nothing, by the document", "spec", ws("resourceTtlOnFailure: -1"), ["error lifetime-negative /platforms/kubernetes/pipelineConfig/resourceTtlOnFailure"]],
  ["a status of a task that is waited for", "kfp", status("branch"), []],
  ["a status of a task that is not waited for", "kfp", status("prepare"), ["error final-status-dependency /root/dag/tasks/tell/inputs/parameters/status/taskFinalStatus/producerTask"]],
  ["a status of one of two tasks that are waited for", "kfp", status("branch, prepare"), ["error final-status-dependency /root/dag/tasks/tell/dependentTasks"]],
  ["a status for a task that runs after success", "kfp", status("branch", "triggerPolicy: null"), ["error final-status-strategy /root/dag/tasks/tell/triggerPolicy/strategy"]],
  ["a status for an object", "kfp", status("branch", undefined, "STRUCT"), []],
  ["a status for an object, by the document", "spec", status("branch", undefined, "STRUCT"), ["error final-status-type /root/dag/tasks/tell/inputs/parameters/status/taskFinalStatus", "error final-status-schema-version /root/dag/tasks/tell/inputs/parameters/status/taskFinalStatus"]],
  ["a status for a text", "kfp", status("branch", undefined, "STRING"), ["error final-status-type /root/dag/tasks/tell/inputs/parameters/status/taskFinalStatus"]],
  ["a task of the contrary condition that waits for the branch", "kfp", other(`condition: "${label} != 'large'"`), ["warning branches-both /root/dag/tasks/other/dependentTasks/0"]],
  ["a task of the contrary condition that does not wait for it", "kfp", other(`condition: "${label} != 'large'"`, ""), []],
  ["a task of the same condition that waits for the branch", "kfp", other(`condition: "${label} == 'large'"`), []],
  ["a task without condition that waits for the branch", "kfp", other("condition: ''").replace("triggerPolicy: {condition: ''}", "cachingOptions: {}"), ["warning consumer-of-conditional /root/dag/tasks/other/dependentTasks/0"]],
  ["an exit task that waits for the branch", "kfp", other("strategy: ALL_UPSTREAM_TASKS_COMPLETED").replace("inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}}", "inputs: {parameters: {label: {runtimeValue: {constant: a}}}}"), []],
];

expectFindings(rows);
