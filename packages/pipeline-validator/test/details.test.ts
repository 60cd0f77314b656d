import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { defineRule, validatePipeline, validateRuntimeConfig } from "../src/index.js";
import { exampleText } from "./example-text.js";
import { container, expectFindings, type FindingRow, k8s, looped } from "./expect-findings.js";

// All that is found where two things are nearly alike, in the order of the file, with severity and place.

const dataset = "{artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}";
const optional = dataset.replace(/\}$/, ", isOptional: true}");
const data = "{taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}";
const overArtifacts = (iterator: string, more = "") =>
  `inputs: {artifacts: {all: ${data}}${more}}, parameterIterator: null, artifactIterator: {${iterator}}`;
const withArtifacts = (more = "") =>
  `\ncomponents: {comp-loop: {inputDefinitions: {parameters: {item: {isOptional: true, defaultValue: x}${more}}, artifacts: {all: ${dataset}, one: ${dataset}}}}}`;
const overAll = "items: {inputArtifact: all}, itemInput: one";
const atLoop = "/root/dag/tasks/loop";
const unsupported = `warning artifact-iterator-unsupported ${atLoop}/artifactIterator`;
const single = `error iterator-items-not-list ${atLoop}/artifactIterator/items/inputArtifact`;

const fed = (root: string, label: string) =>
  `root: {inputDefinitions: {parameters: {kind: {parameterType: STRING, ${root}}}}, dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: kind}}}}}}}\ncomponents: {comp-train: {inputDefinitions: {parameters: {label: {${label}}}}}}`;
const atLabel = "/root/dag/tasks/train/inputs/parameters/label/componentInputParameter";

const schema = "schemaTitle: system.Dataset, schemaVersion: 0.0.1";
const importers = (tasks: string, components: string, importer: string) => `
root: {dag: {tasks: {${tasks}}}}
components: {${components}}
deploymentSpec: {executors: {exec-import: {importer: {typeSchema: {${schema}}, ${importer}}}}}`;
const run = (name: string, component: string, inputs = "") =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: ${component}}, inputs: {parameters: {${inputs}}}}`;
const importing = (name: string, input = "uri: {parameterType: STRING}") =>
  `${name}: {executorLabel: exec-import, inputDefinitions: {parameters: {${input}}}, outputDefinitions: {artifacts: {artifact: {artifactType: {${schema}}}}}}`;
const fromUri = "artifactUri: {runtimeParameter: uri}";
const handed = (name: string) => `uri: {componentInputParameter: ${name}}`;

/** A loop over lists, whose body is a loop over the numbers in them. */
const inLoops = (loop: string, rows = "", root = "") => `root: {${root}dag: {tasks: {loop: {${loop}}}}}
components:
  comp-loop: {inputDefinitions: {parameters: {item: {parameterType: LIST}${rows}}}, dag: {tasks: {report: null, inner: {taskInfo: {name: inner}, componentRef: {name: comp-inner}, inputs: {parameters: {rows: {componentInputParameter: item}}}, parameterIterator: {items: {inputParameter: rows}, itemInput: one}}}}}
  comp-inner: {inputDefinitions: {parameters: {rows: {parameterType: LIST}, one: {parameterType: NUMBER_INTEGER}}}, dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}`;
const overRows = (rows: string) =>
  `inputs: {parameters: {rows: {${rows}}}}, parameterIterator: {items: {raw: null, inputParameter: rows}}`;
const many = (value: string) =>
  `inputDefinitions: {parameters: {many: {parameterType: LIST, defaultValue: ${value}}}}, `;
const ofNumbers = (rows: string) =>
  `\ncomponents: {comp-loop: {inputDefinitions: {parameters: {rows: {parameterType: ${rows}}, item: {parameterType: NUMBER_INTEGER}}}, dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}}}`;

const settings = "/platforms/kubernetes/deploymentSpec/executors/exec-report";
const named = (name: string) => `{runtimeValue: {constant: ${name}}}`;
const inBranch = (message: string) =>
  `components: {comp-branch: {dag: {tasks: {report: {inputs: {parameters: {message: {${message}}}}}}}}}`;

/** Three components that run the container of the report, each in a task. */
const threeReports = (s: string) => {
  const given = "message: {runtimeValue: {constant: x}}, rows: {runtimeValue: {constant: 1}}";
  const of = (name: string) =>
    `${name}: {executorLabel: exec-report, inputDefinitions: {parameters: {message: {parameterType: STRING}, rows: {parameterType: NUMBER_INTEGER, isOptional: true, defaultValue: 1}}}}`;
  const tasks = ["second", "third"].map((name) => run(name, `comp-${name}`, given));
  const components = [of("comp-report"), of("comp-second"), of("comp-third")];
  return `root: {dag: {tasks: {${tasks.join(", ")}}}}\ncomponents: {${components.join(", ")}}\n${container(s)}`;
};
const training = (args: string) =>
  `deploymentSpec: {executors: {exec-train: {container: {args: [${args}"{{$.inputs.artifacts['data'].path}} {{$.inputs.parameters['label']}} {{$.inputs.parameters['epochs']}} {{$.outputs.artifacts['model'].uri}}"]}}}}`;

/** A command with a structure, for an input that may be absent. */
const structures = (...parts: readonly string[]) =>
  `components: {comp-report: {inputDefinitions: {parameters: {extra: {parameterType: STRING, isOptional: true}}}}}\n${container(`args: [${JSON.stringify(parts.join(""))}]`)}`;
const asking = '{"IfPresent": {"InputName": "extra", "Then": ["{{$.inputs.parameters[\'extra\']}}"]}}';
const atArgs = "/deploymentSpec/executors/exec-report/container/args/0";

// biome-ignore format: a table
const rows: readonly FindingRow[] = [
  ["a loop over an artifact under another name", "kfp", `${looped(overArtifacts("items: {inputArtifact: al}, itemInput: one"))}${withArtifacts()}`, [unsupported, `error iterator-items-unknown ${atLoop}/artifactIterator/items/inputArtifact`]],
  ["two loops over single artifacts", "kfp", `root: {dag: {tasks: {loop: {${overArtifacts(overAll)}}, more: {taskInfo: {name: more}, componentRef: {name: comp-loop}, inputs: {artifacts: {all: ${data}}}, artifactIterator: {${overAll}}}}}}${withArtifacts()}`, [unsupported, single, unsupported.replace("/loop/", "/more/"), single.replace("/loop/", "/more/")]],
  ["a loop over artifacts with a policy", "kfp", `${looped(`iteratorPolicy: {parallelismLimit: 2}, ${overArtifacts(overAll)}`)}${withArtifacts()}`, [unsupported, single]],
  ["a loop over artifacts whose item is misspelt", "kfp", `${looped(overArtifacts("items: {inputArtifact: all}, itemInput: ome"))}${withArtifacts()}`, [unsupported, single, `error iterator-item-undeclared ${atLoop}/artifactIterator/itemInput`]],
  ["a loop over artifacts with an empty list of the same name", "kfp", `${looped(overArtifacts(overAll, ", parameters: {all: {runtimeValue: {constant: []}}}"))}${withArtifacts(", all: {parameterType: LIST}")}`, [unsupported, single]],
  ["a loop that lacks another input than its item", "kfp", "components: {comp-loop: {inputDefinitions: {parameters: {extra: {parameterType: STRING}}}}}", [`error input-missing ${atLoop}/inputs`]],
  ["an item of a list in which another is no list", "kfp", inLoops(`parameterIterator: {items: {raw: '[5, ["b"]]'}}`), [`error iterator-items-type ${atLoop}/parameterIterator/items/raw`, `error iterator-items-type ${atLoop}/parameterIterator/items/raw`]],
  ["an item of a list in a default", "kfp", inLoops(overRows("componentInputParameter: many"), ", rows: {parameterType: LIST}", many("[[1], [2, b]]")), ["warning default-items-wrong /root/inputDefinitions/parameters/many/defaultValue"]],
  ["a default that a loop gets under another name", "kfp", `root: {${many("[1, b]")}dag: {tasks: {loop: {${overRows("componentInputParameter: many")}}}}}${ofNumbers("LIST")}`, ["warning default-items-wrong /root/inputDefinitions/parameters/many/defaultValue"]],
  ["a default that two loops go over", "kfp", `root: {${many("[1, b]")}dag: {tasks: {loop: {${overRows("componentInputParameter: many")}}, more: {taskInfo: {name: more}, componentRef: {name: comp-loop}, inputs: {parameters: {rows: {componentInputParameter: many}}}, parameterIterator: {items: {inputParameter: rows}, itemInput: item}}}}}${ofNumbers("LIST")}`, ["warning default-items-wrong /root/inputDefinitions/parameters/many/defaultValue", "warning default-items-wrong /root/inputDefinitions/parameters/many/defaultValue", "error iterator-component-shared /root/dag/tasks/more/componentRef/name"]],
  ["a claim of a size that is none, with access modes from elsewhere", "kfp", `root: {inputDefinitions: {parameters: {modes: {parameterType: LIST}}}, dag: {tasks: {${run("claim", "comp-claim", "access_modes: {componentInputParameter: modes}, size: {runtimeValue: {constant: big}}")}}}}\ncomponents: {comp-claim: {executorLabel: exec-claim, inputDefinitions: {parameters: {access_modes: {parameterType: LIST}, size: {parameterType: STRING}}}}}\ndeploymentSpec: {executors: {exec-claim: {container: {image: argostub/createpvc}}}}`, ["error volume-claim-invalid /root/dag/tasks/claim/inputs/parameters/size/runtimeValue/constant"]],
  ["a text with items where an object is declared", "kfp", `root: {dag: {tasks: {loop: {${overRows(`runtimeValue: {constant: '["b"]'}`)}}}}}${ofNumbers("STRUCT")}`, [`error iterator-items-not-list ${atLoop}/parameterIterator/items/inputParameter`, `error constant-type-mismatch ${atLoop}/inputs/parameters/rows/runtimeValue/constant`]],
  ["an endless number within an object", "kfp", looped(`parameterIterator: {items: {raw: '[{"a": [1e999]}]'}}`), [`error iterator-items-invalid ${atLoop}/parameterIterator/items/raw`]],
  ["optional inputs with other literals, one with a default", "kfp", fed("literals: [big], isOptional: true, defaultValue: big", "literals: [large], isOptional: true"), [`error literals-never-met ${atLabel}`, `warning default-not-literal-of-task ${atLabel}`]],
  ["a required input with other literals than an optional one", "kfp", fed("literals: [big]", "literals: [large], isOptional: true"), [`error literals-never-met ${atLabel}`]],
  ["an optional input with other literals than a required one", "kfp", fed("literals: [big], isOptional: true", "literals: [large]"), [`error literals-never-met ${atLabel}`, `warning optional-feeds-required ${atLabel}`]],
  ["an importer of an input without name", "kfp", importers(run("import", "comp-import"), importing("comp-import", ""), "artifactUri: {runtimeParameter: ''}"), ["error importer-uri-missing /deploymentSpec/executors/exec-import/importer/artifactUri/runtimeParameter"]],
  ["two components of one importer", "kfp", importers(`${run("one", "comp-import", "uri: {runtimeValue: {constant: 'gs://b/a'}}")}, ${run("two", "comp-again", "uri: {runtimeValue: {constant: b/a}}")}`, `${importing("comp-import")}, ${importing("comp-again")}`, fromUri), ["error importer-uri-scheme /root/dag/tasks/two/inputs/parameters/uri/runtimeValue/constant"]],
  ["two inputs of a DAG for one importer", "kfp", importers(run("body", "comp-body", "u: {runtimeValue: {constant: b/a}}, v: {runtimeValue: {constant: b/c}}"), `comp-body: {inputDefinitions: {parameters: {u: {parameterType: STRING}, v: {parameterType: STRING}}}, dag: {tasks: {${run("one", "comp-import", handed("u"))}, ${run("two", "comp-import", handed("v"))}}}}, ${importing("comp-import")}`, fromUri), ["error importer-uri-scheme /root/dag/tasks/body/inputs/parameters/u/runtimeValue/constant", "error importer-uri-scheme /root/dag/tasks/body/inputs/parameters/v/runtimeValue/constant"]],
  ["an importer of a registry, of a type of somebody's own", "kfp", importers(run("import", "comp-import"), importing("comp-import", ""), "artifactUri: {constant: 'oci://host/a'}").replaceAll(schema, "instanceSchema: 'title: acme.Weights'"), []],
  ["a pipeline root with a scheme in capitals", "kfp", "defaultPipelineRoot: 'GS://bucket/runs'", ["warning pipeline-root-invalid /defaultPipelineRoot"]],
  ["an output of every type that is of one", "kfp", `components: {comp-branch: {dag: {outputs: {artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}}}, outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.Artifact, schemaVersion: 0.0.1}}}}}, comp-report: {outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML, schemaVersion: 0.0.1}}}}}}\n${container("args: ['{{$}}']")}`, []],
  ["an output of one type that is of every", "kfp", `components: {comp-branch: {dag: {outputs: {artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}}}, outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML, schemaVersion: 0.0.1}}}}}, comp-report: {outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.Artifact, schemaVersion: 0.0.1}}}}}}\n${container("args: ['{{$}}']")}`, []],
  ["an output that a variable says where to write", "kfp", `components: {comp-report: {outputDefinitions: {parameters: {t: {parameterType: STRING}}}}}\n${container("env: [{name: OUT, value: /tmp/kfp/outputs/t}]")}`, []],
  ["an image of a template before one that is wrong", "kfp", "deploymentSpec: {executors: {exec-prepare: {container: {image: 'prepare:$(TAG)'}}, exec-report: {container: {image: 'A B'}}}}", ["error template-not-filled /deploymentSpec/executors/exec-prepare/container/image", "error image-invalid /deploymentSpec/executors/exec-report/container/image"]],
  ["a delay of a template", "kfp", "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 2, backoffDuration: '{{ .Values.wait }}'}}}}}", ["error template-not-filled /root/dag/tasks/train/retryPolicy/backoffDuration"]],
  ["a strategy of a template", "kfp", "root: {dag: {tasks: {train: {triggerPolicy: {strategy: '{{ .Values.when }}'}}}}}", ["error template-not-filled /root/dag/tasks/train/triggerPolicy/strategy"]],
  ["an image in a pipeline without root", "kfp", `root: null\n${container("image: 'A B'")}`, ["error root-missing ", "error image-invalid /deploymentSpec/executors/exec-report/container/image"]],
  ["names of pipelines of digits alone, and with one first", "kfp", "pipelineInfo: {name: '2024'}", []],
  ["required inputs behind optional ones, of what no run can give", "kfp", `root: {inputDefinitions: {parameters: {one: {parameterType: TASK_CONFIG, isOptional: true}, two: {parameterType: TASK_CONFIG}, three: {parameterType: TASK_FINAL_STATUS, defaultValue: {a: 1}}}, artifacts: {one: ${optional}, two: ${dataset}}}}`, ["error root-input-type /root/inputDefinitions/parameters/two/parameterType", "error root-input-type /root/inputDefinitions/parameters/three/parameterType", "info root-artifact-required /root/inputDefinitions/artifacts/two"]],
  ["a patch of the schema", "kfp", "schemaVersion: 2.1.1", ["error schema-version-unsupported /schemaVersion"]],
  ["a long description behind a short one", "kfp", `components: {comp-train: {inputDefinitions: {parameters: {label: {description: short}, epochs: {description: ${"a".repeat(1025)}}}}}}`, ["warning text-too-long /components/comp-train/inputDefinitions/parameters/epochs/description"]],
  ["what is no placeholder in a custom job", "kfp", "deploymentSpec: {executors: {exec-report: {container: null, customJob: {customJob: {a: '{{$.inputs}}'}}}}}", ["warning executor-unsupported /deploymentSpec/executors/exec-report/customJob", "error placeholder-invalid /deploymentSpec/executors/exec-report/customJob/customJob/a"]],
  ["placeholders of three components that run one container", "kfp", threeReports(`args: ["{{$.inputs.parameters['message']}} {{$.inputs.artifacts['message'].path}} {{$.inputs.parameters['nope']}}"]`), [`error placeholder-unknown ${atArgs}`, `error placeholder-unknown ${atArgs}`]],
  ["an image and an amount of three components that run one container", "kfp", threeReports(`image: "{{$.inputs.parameters['message']}}", resources: {resourceCpuLimit: "{{$.inputs.parameters['rows']}}"}`), ["warning placeholder-not-text /deploymentSpec/executors/exec-report/container/resources/resourceCpuLimit"]],
  ["a structure that asks for an artifact that no component declares", "kfp", `root: {dag: {tasks: {train: {inputs: {artifacts: {extra: ${data}}}}}}}\n${training(`'{"IfPresent": {"InputName": "extra", "Then": ["a"]}}', `)}`, []],
  ["an artifact that no component declares, and one of two tasks gives", "kfp", `root: {dag: {tasks: {train: {inputs: {artifacts: {extra: ${data}}}}, again: {taskInfo: {name: again}, componentRef: {name: comp-train}, inputs: {artifacts: {data: ${data}}, parameters: {label: {runtimeValue: {constant: x}}}}}}}}\n${training(`"{{$.inputs.artifacts['extra'].path}}", `)}`, []],
  ["an artifact in a constant that is a parameter", "kfp", `root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 3}}, label: {taskOutputParameter: null, runtimeValue: {constant: "a {{$.inputs.artifacts['epochs'].uri}}"}}}}}}}}`, ["warning placeholder-left-as-text /root/dag/tasks/train/inputs/parameters/label/runtimeValue/constant"]],
  ["a whole artifact in a command", "kfp", `components: {comp-report: {inputDefinitions: {artifacts: {extra: ${optional}}}}}\n${container("args: [\"{{$.inputs.artifacts['extra']}}\"]")}`, [`warning placeholder-unsupported ${atArgs}`]],
  ["a placeholder and what is none for an image", "kfp", container("image: \"{{$.inputs.parameters['message']}}{{$.pipeline_job_nam}}\""), ["error placeholder-invalid /deploymentSpec/executors/exec-report/container/image"]],
  ["a name that is an output of a task whose component is missing", "kfp", `root: {dag: {tasks: {lost: {taskInfo: {name: lost}, componentRef: {name: comp-lost}}, prepare: {dependentTasks: [lost]}}}}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-prepare: {imagePullSecret: [{secretNameParameter: {taskOutputParameter: {producerTask: lost, outputParameterKey: name}}}]}}}}}`, ["error component-unknown /root/dag/tasks/lost/componentRef/name"]],
  ["a volume that an init container does not find, behind a pod with a secret", "kfp", `{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-prepare: {secretAsVolume: [{secretNameParameter: ${named("s")}, mountPath: /s}]}, exec-report: {initContainers: [{name: i, image: 'busybox:1', volumeMounts: [{volumeName: b, mountPath: /b}]}]}}}}}`, [`error volume-unknown ${settings}/initContainers/0/volumeMounts/0/volumeName`]],
  ["a retry policy of a DAG without a number", "spec", "root: {dag: {tasks: {loop: {retryPolicy: {backoffDuration: 3s}}}}}", [`warning retry-of-dag ${atLoop}/retryPolicy`]],
  ["first delays of an hour, and of a little more", "kfp", "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 1, backoffDuration: 3600s}}, branch: {retryPolicy: {maxRetryCount: 1, backoffDuration: 3600.5s}}}}}", ["warning retry-backoff-capped /root/dag/tasks/branch/retryPolicy/backoffDuration"]],
  ["an artifact of a task that may have failed, behind a constant", "kfp", "root: {dag: {tasks: {train: {triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}, inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: x}}}}}}}}", ["warning input-lost-on-failure /root/dag/tasks/train/inputs/artifacts/data"]],
  ["a program of the SDK that is given an input alone", "kfp", container("command: [python3, -m, kfp.dsl.executor_main], args: [\"{{$.inputs.parameters['message']}}\"]"), ["error executor-input-missing /deploymentSpec/executors/exec-report/container/args"]],
  ["a program of the SDK that is given its input in one text", "kfp", container("command: [python3, -m, kfp.dsl.executor_main], args: ['--executor_input={{$}}']"), []],
  ["an output in what is escaped, or in a file of all", "kfp", `components: {comp-report: {outputDefinitions: {parameters: {t: {parameterType: STRING}}}}}\n${container("args: ['{{$.json_escape[1]}}']")}`, [`warning placeholder-unsupported ${atArgs}`]],
  ["an output in the file of all", "kfp", `components: {comp-report: {outputDefinitions: {parameters: {t: {parameterType: STRING}}}}}\n${container("args: ['{{$.outputs.output_file}}']")}`, [`warning placeholder-unsupported ${atArgs}`]],
  ["a producer that is no text", "kfp", "root: {dag: {tasks: {branch: {inputs: {parameters: {label: {taskOutputParameter: {producerTask: 5}}}}}}}}", ["error wrong-type /root/dag/tasks/branch/inputs/parameters/label/taskOutputParameter/producerTask"]],
  ["an input of a DAG that is no text", "kfp", "root: {dag: {tasks: {prepare: {inputs: {parameters: {rows: {componentInputParameter: 5}}}}}}}", ["error wrong-type /root/dag/tasks/prepare/inputs/parameters/rows/componentInputParameter"]],
  ["an artifact whose declaration is no object", "kfp", "root: {dag: {tasks: {train: {inputs: {artifacts: {data: {taskOutputArtifact: {outputArtifactKey: dat}}}}}}}}\ncomponents: {comp-prepare: {outputDefinitions: {artifacts: {dat: 5}}}}", ["error wrong-type /components/comp-prepare/outputDefinitions/artifacts/dat"]],
  ["two resolvers, one without query and without output", "kfp", `root: {dag: {tasks: {${run("one", "comp-one")}, ${run("two", "comp-two")}}}}\ncomponents: {comp-one: {executorLabel: exec-one}, comp-two: {executorLabel: exec-two, outputDefinitions: {artifacts: {a: ${dataset}}}}}\ndeploymentSpec: {executors: {exec-one: {resolver: {outputArtifactQueries: {}}}, exec-two: {resolver: {outputArtifactQueries: {b: {filter: 'artifact_type="system.Dataset"'}}}}}}`, ["error resolver-output /deploymentSpec/executors/exec-one/resolver", "warning executor-unsupported /deploymentSpec/executors/exec-one/resolver", "warning executor-unsupported /deploymentSpec/executors/exec-two/resolver", "error resolver-output /deploymentSpec/executors/exec-two/resolver/outputArtifactQueries/b"]],
  ["old amounts below zero and without end", "kfp", container("resources: {cpuRequest: -1, memoryRequest: -2, cpuLimit: Infinity}"), ["cpuRequest", "memoryRequest", "cpuLimit"].map((field) => `error resource-invalid /deploymentSpec/executors/exec-report/container/resources/${field}`)],
  ["an old amount that is the limit, but for what is lost in counting", "kfp", container("resources: {memoryRequest: 16.1, resourceMemoryLimit: 16100M}"), []],
  ["an amount that is a little above its limit", "kfp", container("resources: {resourceMemoryRequest: 1005M, resourceMemoryLimit: 1000M}"), ["error resource-request-above-limit /deploymentSpec/executors/exec-report/container/resources/resourceMemoryRequest"]],
  ["a text that is no amount beside an old number above the limit", "kfp", container("resources: {resourceCpuRequest: big, cpuRequest: 2, resourceCpuLimit: '1'}"), ["error resource-invalid /deploymentSpec/executors/exec-report/container/resources/resourceCpuRequest"]],
  ["counts of accelerators of none, of nine digits and of ten", "kfp", `deploymentSpec: {executors: {${[["exec-prepare", "0"], ["exec-train", "999999999"], ["exec-report", "1000000000"]].map(([label, count]) => `${label}: {container: {resources: {accelerator: {resourceType: nvidia.com/gpu, resourceCount: '${count}'}}}}`).join(", ")}}}`, ["error accelerator-invalid /deploymentSpec/executors/exec-report/container/resources/accelerator/resourceCount"]],
  ["an old amount that is the same, but for what is lost in counting", "kfp", container("resources: {memoryLimit: 16.1, resourceMemoryLimit: 16100M}"), []],
  ["an old amount beside a placeholder, and a placeholder for an accelerator", "kfp", container("resources: {cpuLimit: 1, resourceCpuLimit: \"{{$.inputs.parameters['message']}}\", accelerator: {resourceType: \"{{$.inputs.parameters['message']}}\", resourceCount: '1'}}"), ["warning resource-overridden /deploymentSpec/executors/exec-report/container/resources/cpuLimit"]],
  ["a request for a thousand processors", "kfp", container("resources: {resourceCpuRequest: '1000'}"), ["warning processors-many /deploymentSpec/executors/exec-report/container/resources/resourceCpuRequest"]],
  ["a label of a node that is no text, behind one that is null", "kfp", k8s("nodeSelector: {nodeSelectorJson: {runtimeValue: {constant: {a: null, b: 5}}}}"), [`error platform-source-type ${settings}/nodeSelector/nodeSelectorJson/runtimeValue/constant`]],
  ["a name of a secret that is a zero", "kfp", k8s("imagePullSecret: [{secretNameParameter: {runtimeValue: {constant: 0}}}]"), [`error kubernetes-name-invalid ${settings}/imagePullSecret/0/secretNameParameter/runtimeValue/constant`]],
  ["a name that is what a loop gives", "kfp", `root: {dag: {tasks: {prepare: {dependentTasks: [loop]}}}}\ncomponents: {comp-loop: {dag: {outputs: {parameters: {n: {valueFromParameter: {producerSubtask: report, outputParameterKey: n}}}}}, outputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}}}}, comp-report: {outputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}}}}}\n${container("args: ['{{$}}']")}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-prepare: {imagePullSecret: [{secretNameParameter: {taskOutputParameter: {producerTask: loop, outputParameterKey: n}}}]}}}}}`, []],
  ["a misspelt artifact", "kfp", `root: {dag: {tasks: {train: {inputs: {artifacts: {extr: ${data}}}}}}}\ncomponents: {comp-train: {inputDefinitions: {artifacts: {extra: ${optional}}}}}`, ["warning input-misspelt /root/dag/tasks/train/inputs/artifacts/extr"]],
  ["a misspelt artifact that may be declared", "kfp", `root: {dag: {tasks: {train: {inputs: {artifacts: {extr: ${data}}}}}}}\ncomponents: {comp-train: {inputDefinitions: {artifacts: {extra: ${optional}, extr: 5}}}}`, ["error wrong-type /components/comp-train/inputDefinitions/artifacts/extr"]],
  ["an input of nobody, behind one that is nearly a required one", "kfp", "root: {dag: {tasks: {train: {inputs: {parameters: {label: null, labl: {runtimeValue: {constant: x}}, colour: {runtimeValue: {constant: x}}}}}}}}", ["error input-missing /root/dag/tasks/train/inputs/parameters/labl", "warning input-undeclared /root/dag/tasks/train/inputs/parameters/colour"]],
  ["a helper with a placeholder in its middle", "kfp", "root: {dag: {tasks: {train: {inputs: {parameters: {helper: {runtimeValue: {constant: \"a:{{$.inputs.parameters['epochs']}}\"}}}}}}}}", []],
  ["misspelt inputs with a default alone, and optional ones without", "kfp", "root: {dag: {tasks: {train: {inputs: {parameters: {step: {runtimeValue: {constant: 1}}, extr: {runtimeValue: {constant: x}}}}}}}}\ncomponents: {comp-train: {inputDefinitions: {parameters: {steps: {parameterType: NUMBER_INTEGER, defaultValue: 3}, extra: {parameterType: STRING, isOptional: true}}}}}", ["warning input-misspelt /root/dag/tasks/train/inputs/parameters/step", "warning input-misspelt /root/dag/tasks/train/inputs/parameters/extr"]],
  ["a constant for an image, which is no amount", "kfp", "root: {dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: 'python:3'}}}}}}}}\ndeploymentSpec: {executors: {exec-train: {container: {image: \"{{$.inputs.parameters['label']}}\"}}}}", []],
  ["a dot in the name of an empty folder", "kfp", k8s("emptyDirMounts: [{volumeName: a.b, mountPath: /x}]"), [`error kubernetes-name-invalid ${settings}/emptyDirMounts/0/volumeName`]],
  ["a label of a template behind annotations", "kfp", k8s("podMetadata: {annotations: {a: '{{ .Values.note }}'}, labels: {b: '{{ .Values.team }}'}}"), [`error template-not-filled ${settings}/podMetadata/labels/b`]],
  ["a workspace of a template", "kfp", "{}\n---\nplatforms: {kubernetes: {pipelineConfig: {workspace: {size: '{{ .Values.size }}'}}}}", ["error template-not-filled /platforms/kubernetes/pipelineConfig/workspace/size"]],
  ["a schema version of a template", "kfp", "schemaVersion: '{{ schema }}'", ["error template-not-filled /schemaVersion"]],
  ["a constant like a structure of a command", "kfp", inBranch(`componentInputParameter: null, runtimeValue: {constant: '{"Concat": ["a", "b"]}'}`), []],
  ["a placeholder in a constant behind plain ones", "kfp", "root: {dag: {tasks: {train: {inputs: {parameters: {label: null, epochs: {runtimeValue: {constant: 3}}, note: {runtimeValue: {constant: '{{$.pipeline_job_nam}}'}}}}}}}}\ncomponents: {comp-train: {inputDefinitions: {parameters: {label: {isOptional: true, defaultValue: a}, note: {parameterType: STRING}}}}}", ["warning placeholder-left-as-text /root/dag/tasks/train/inputs/parameters/note/runtimeValue/constant"]],
  ["a name of a component that begins with a digit", "kfp", `${looped("componentRef: {name: comp-2nd}")}\ncomponents: {comp-loop: null, comp-2nd: {inputDefinitions: {parameters: {item: {parameterType: STRING}}}, dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: item}}}}}}}}`, []],
  ["names of tasks that no run comes to", "kfp", `components: {comp-old: {dag: {tasks: {${run("2a", "comp-report", "message: {runtimeValue: {constant: x}}")}, ${run("-a", "comp-report", "message: {runtimeValue: {constant: x}}")}}}}}`, ["warning component-unused /components/comp-old", "warning task-name-style /components/comp-old/dag/tasks/-a"]],
  ["requirements of a node", "kfp", k8s("nodeAffinity: [{matchExpressions: [{key: Acme.example/zone, operator: In, values: [a]}, {key: '', values: [b]}]}]"), [`error platform-value-invalid ${settings}/nodeAffinity/0/matchExpressions/0/key`, `error platform-value-invalid ${settings}/nodeAffinity/0/matchExpressions/1`, `error platform-value-invalid ${settings}/nodeAffinity/0/matchExpressions/1`]],
  ["a second amount that an init container asks for above its limit", "kfp", k8s("initContainers: [{name: a, image: 'busybox:1', resources: {requests: {cpu: '1', memory: 1Gi, nvidia.com/gpu: '2'}, limits: {cpu: '1', nvidia.com/gpu: '1'}}}]"), [`error platform-value-invalid ${settings}/initContainers/0/resources/requests/nvidia.com~1gpu`]],
  ["a toleration for no time at all of another effect", "kfp", k8s("tolerations: [{key: a, operator: Exists, effect: NoSchedule, tolerationSeconds: 0}]"), [`error platform-value-invalid ${settings}/tolerations/0/tolerationSeconds`]],
  ["names with dots of what is a volume, and of what is none", "kfp", k8s(`imagePullSecret: [{secretNameParameter: ${named("a.b")}}], secretAsEnv: [{secretNameParameter: ${named("a.b")}, keyToEnv: [{secretKey: a, envVar: A}]}], configMapAsEnv: [{configMapNameParameter: ${named("a.b")}, keyToEnv: [{configMapKey: a, envVar: B}]}], secretAsVolume: [{secretNameParameter: ${named("a.b")}, mountPath: /x}], configMapAsVolume: [{configMapNameParameter: ${named("c.b")}, mountPath: /y}], pvcMount: [{pvcNameParameter: ${named("d.b")}, mountPath: /z}]`), ["secretAsVolume/0/secretNameParameter", "configMapAsVolume/0/configMapNameParameter", "pvcMount/0/pvcNameParameter"].map((at) => `error kubernetes-name-invalid ${settings}/${at}/runtimeValue/constant`)],
  ["names under a field of another object", "kfp", k8s("secretAsEnv: [{name: x, keyToEnv: [{secretKey: a, envVar: A}]}], pvcMount: [{claimName: a, mountPath: /x}]"), [`error platform-field-unknown ${settings}/secretAsEnv/0/name`, `error platform-field-unknown ${settings}/pvcMount/0/claimName`]],
  ["a structure within another, whichever asks for an input", "kfp", structures(asking), []],
  ["a structure in what is there otherwise", "kfp", structures('{"IfPresent": {"InputName": "message", "Then": ["a"], "Else": [', asking, "]}}"), []],
  ["a structure in what is there when an input is", "kfp", structures('{"IfPresent": {"InputName": "message", "Then": [', asking, "]}}"), []],
  ["a structure in a joined text", "kfp", structures('{"Concat": ["a", ', asking, "]}"), [`warning concat-unsupported ${atArgs}`]],
  ["a joined text in a structure", "kfp", structures('{"IfPresent": {"InputName": "extra", "Then": [{"Concat": ["a", "{{$.inputs.parameters[\'extra\']}}"]}]}}'), [`warning concat-unsupported ${atArgs}`]],
  ["what is no placeholder between and behind some that are", "kfp", container(`args: ["{{$.inputs.parameters['message']}} $.inputs.parameters['message'] {{$.inputs.parameters['message']}} $.outputs.artifacts['x'].path"]`), [`error placeholder-invalid ${atArgs}`, `error placeholder-invalid ${atArgs}`]],
  ["a form that is not supported, in a file with a schema to come", "kfp", "schemaVersion: 3.0.0\nroot: {dag: {tasks: {prepare: {inputs: {parameters: {rows: {componentInputParameter: null, runtimeValue: {runtimeParameter: rows}}}}}}}}", ["error schema-version-unsupported /schemaVersion", "error runtime-value-unsupported /root/dag/tasks/prepare/inputs/parameters/rows/runtimeValue/runtimeParameter"]],
];

expectFindings(rows);

test("a default of null is a value that no literal has to be, and one that a task need not give", () => {
  const found = (patch: string) =>
    validatePipeline(exampleText("patch", patch).replace("defaultValue: none", "defaultValue: null"))
      .problems;
  expect(found(fed("isOptional: true, defaultValue: none", "literals: [b], isOptional: true"))).toEqual([]);
  const extra = "{parameterType: STRING, defaultValue: none}";
  expect(found(`components: {comp-train: {inputDefinitions: {parameters: {extra: ${extra}}}}}`)).toEqual([]);
  const unasked = `components: {comp-report: {inputDefinitions: {parameters: {extra: ${extra.replace("}", ", isOptional: true}")}}}}}`;
  const args = container("args: [\"{{$.inputs.parameters['extra']}}\"]");
  expect(found(`${unasked}\n${args}`)).toEqual([]);
});

test("what is only a warning hides no error that may follow from it", () => {
  const text = exampleText("patch", k8s("imagePullSecret: [{secretNameParameter: 5}]"));
  const codes = (rules: Readonly<Record<string, "warning">>) =>
    validatePipeline(text, { rules }).problems.map(({ code }) => code);
  expect(codes({})).toEqual(["platform-field-type"]);
  expect(codes({ "platform-field-type": "warning" })).toEqual([
    "platform-name-missing",
    "platform-field-type",
  ]);
});

test("what is only a warning hides what is no more than that, and is counted as not checked", () => {
  const text = exampleText("patch", "root: {dag: {tasks: {train: {taskInfo: 5}}}}");
  const { problems, unchecked } = validatePipeline(text, { rules: { "wrong-type": "warning" } });
  expect(problems.map(({ code }) => code)).toEqual(["wrong-type"]);
  expect(unchecked.map(({ path, hidden }) => [path, hidden])).toEqual([
    ["/root/dag/tasks/train/taskInfo", 1],
  ]);
});

test("with the rule about templates turned off, a template in place of a number is told as a value of another type", () => {
  const text = exampleText("patch", looped("iteratorPolicy: {parallelismLimit: '{{ .Values.n }}'}"));
  const codes = (rules: Readonly<Record<string, "off">>) =>
    validatePipeline(text, { rules }).problems.map(({ code }) => code);
  expect(codes({})).toEqual(["template-not-filled"]);
  expect(codes({ "template-not-filled": "off" })).toEqual(["wrong-type"]);
});

/** A job, whose specification is one of its fields, with a wrong name in an image and in an argument. */
const job = `pipelineSpec:\n${exampleText("patch", container("image: 'A B', args: ['a {{$.inputs.parameters[''mesage'']}}']")).replaceAll(/^/gm, "  ")}`;

test("what was parsed is told of as its text is, with the text also within its values and its comments", () => {
  const parsed = parsePipeline(job);
  const { pipeline } = parsed.ok ? parsed : expect.unreachable();
  const { problems } = validatePipeline(job);
  expect(problems.map(({ path }) => path)).toEqual([
    "/pipelineSpec/deploymentSpec/executors/exec-report/container/image",
    "/pipelineSpec/deploymentSpec/executors/exec-report/container/args/0",
  ]);
  expect(validatePipeline(pipeline, { source: job }).problems).toEqual(problems);
  const whole = validatePipeline(pipeline).problems;
  expect(whole.map(({ path }) => path)).toEqual(problems.map(({ path }) => path));
  expect(whole[1]?.range?.start.column).toBeLessThan(problems[1]?.range?.start.column ?? 0);
});

test("a platform specification in the options takes the place of that in the file", () => {
  const text = exampleText("patch", k8s("imagePullPolicy: Sometimes"));
  const codes = (options: object) => validatePipeline(text, options).problems.map(({ code }) => code);
  expect(codes({})).toEqual(["platform-value-invalid"]);
  expect(codes({ platform: { platforms: {} } })).toEqual([]);
});

test("a place within the value of an input whose name has signs of pointers is found", () => {
  const name = "x~1y/z";
  const text = exampleText(
    "patch",
    `root: {dag: {tasks: {train: {inputs: {parameters: {${name}: {runtimeValue: {constant: 'a {{$.pipeline_job_nam}}'}}}}}}}}`,
  );
  const found = validatePipeline(text).problems.filter(({ code }) => code === "placeholder-left-as-text");
  expect(found.map(({ range }) => text.slice(range?.start.offset, range?.end.offset))).toEqual([
    "{{$.pipeline_job_nam}}",
  ]);
});

test("of a runtime configuration all mistakes of form are counted, and told in short", () => {
  const fields = Array.from({ length: 3000 }, (_, index) => [`${"z".repeat(2000)}${index}`, 1]);
  const parsed = parsePipeline(exampleText("patch", "{}"));
  const { pipeline } = parsed.ok ? parsed : expect.unreachable();
  const config = { parameterValues: { rows: 1 }, ...Object.fromEntries(fields) };
  const { counts, problems } = validateRuntimeConfig(pipeline, config, { maxProblems: 1 });
  expect(counts.error).toBe(3000);
  expect(Math.max(...problems.map(({ path, message }) => path.length + message.length))).toBeLessThan(1300);
});

// biome-ignore format: a table
const hints: readonly (readonly [thing: string, patch: string, hint: string])[] = [
  ["a task of another DAG, which is called nearly like the one that asks for it", "root: {dag: {tasks: {train: {dependentTasks: [trai]}}}}\ncomponents: {comp-branch: {dag: {tasks: {trai: {taskInfo: {name: trai}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: label}}}}}}}}", 'it is a task of component "comp-branch", whose outputs are those of the task that runs it, such as "branch"'],
  ["an artifact of the pipeline", `root: {inputDefinitions: {artifacts: {extra: ${optional}}}}\ncomponents: {comp-branch: {dag: {tasks: {report: {inputs: {artifacts: {extra: {componentInputArtifact: extra}}}}}}}, comp-report: {inputDefinitions: {artifacts: {extra: ${optional}}}}}`, "the root has it: declare it here as well, and hand it down from task to task"],
  ["a parameter in a constant, which the task gives and nobody declares", `root: {dag: {tasks: {train: {inputs: {parameters: {extra: {runtimeValue: {constant: "a {{$.inputs.parameters['extr']}}"}}}}}}}}`, 'did you mean "extra"?'],
  ["an item of a loop that a person has named", inBranch("componentInputParameter: item"), 'there is "label"'],
];
test.each(hints)("where %s is looked for in vain, the hint says where it is", (_, patch, hint) => {
  const { problems } = validatePipeline(exampleText("patch", patch));
  expect(problems.map((one) => one.hint)).toEqual([hint]);
});

test("an input with items that is a list is one too many for the document, which knows texts alone", () => {
  const text = `root: {dag: {tasks: {loop: {${overRows("runtimeValue: {constant: [a]}")}}}}}\ncomponents: {comp-loop: {inputDefinitions: {parameters: {rows: {parameterType: LIST}}}}}`;
  const { problems } = validatePipeline(exampleText("patch", text), { profile: "spec" });
  expect(problems.map(({ message }) => message)).toEqual([
    'the input "rows" with the items is of type LIST, not STRING',
  ]);
});

test("a request above an old limit is told with the place of that", () => {
  const text = exampleText("patch", container("resources: {resourceCpuRequest: '2', cpuLimit: 1}"));
  const related = validatePipeline(text).problems.flatMap((one) => one.related ?? []);
  expect(related.map(({ path }) => path)).toEqual([
    "/deploymentSpec/executors/exec-report/container/resources/cpuLimit",
  ]);
});

test("an own rule may be called like what every object has", () => {
  const rule = { id: "constructor", summary: "s", severity: "error" as const, check: () => [] };
  expect(defineRule(rule).id).toBe("constructor");
});

describe("of a condition", () => {
  const types = { n: "NUMBER_INTEGER", s: "STRING", b: "BOOLEAN", l: "LIST", o: "STRUCT" };
  const values = { n: 1, s: "x", b: true, l: [1], o: { a: 1 } };
  const clashesIn = (condition: string) => {
    const full = condition.replaceAll(/\b([nsblo])\b(?!\()/g, "inputs.parameter_values['$1']");
    const given = Object.entries(values).map(([name, constant]) => [name, { runtimeValue: { constant } }]);
    const declared = Object.entries(types).map(([name, parameterType]) => [name, { parameterType }]);
    const branch = {
      inputs: { parameters: Object.fromEntries(given) },
      triggerPolicy: { condition: full },
    };
    const text = exampleText(
      "patch",
      stringify({
        root: { dag: { tasks: { branch } } },
        components: { "comp-branch": { inputDefinitions: { parameters: Object.fromEntries(declared) } } },
      }),
    );
    return validatePipeline(text).problems.map(({ hint, range }) => {
      const there = text.slice(range?.start.offset, range?.end.offset);
      const inShort = (one = "") => one.replaceAll(/inputs\.parameter_values\['(\w)'\]/g, "$1");
      return [inShort(there.replaceAll(/\s+/g, " ")), inShort(hint)];
    });
  };

  // biome-ignore format: a table
  const table: readonly (readonly [condition: string, found: readonly (readonly [there: string, hint: string])[]])[] = [
    ["-size(l) < 0", []],
    ["l[1.0] == 1", []],
    ["l[n] == 1", []],
    ["o[s] == 1", []],
    ["l.len > 3", [["l.len", "write size(l)"]]],
    ["int(l) == 1", [["l", "look at one of its parts: a list cannot be converted"]]],
    ["size(l) % n == 0", [["size(l) % n", "write size(l) % int(n)"]]],
    ["n + 1 == size(n)", [["n + 1 == size(n)", "write n + 1.0 == double(size(n))"], ["size(n)", "use n itself"]]],
  ];
  test.each(table)("%s all that cannot be computed is told, with its place", (condition, found) => {
    expect(clashesIn(condition)).toEqual(found);
  });
});
