import { expect, test } from "vitest";
import { type ValidationProblem, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

// All that is told of some wrong pipelines, word by word, with what is marked in the text.

// biome-ignore format: patches
const k8s = (s: string) => `{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {${s}}}}}}`;
// biome-ignore format: patches
const aff = (one: string, of = "Expressions") => k8s(`nodeAffinity: [{match${of}: [{${one}}]}]`);
// biome-ignore format: patches
const container = (s: string) => `deploymentSpec: {executors: {exec-report: {container: {${s}}}}}`;
// biome-ignore format: patches
const train = (s: string) => `root: {dag: {tasks: {train: {${s}}}}}`;
// biome-ignore format: patches
const say = (s: string, more = "") => `root: {dag: {tasks: {say: {taskInfo: {name: say}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}, ${s}}${more}}}}`;
// biome-ignore format: patches
const exit = "triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}";
// biome-ignore format: patches
const dataset = "{artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}";
// biome-ignore format: patches
const imp = (importer: string, input = "", given = "", out = `artifact: ${dataset}`) => `root: {dag: {tasks: {import: {taskInfo: {name: import}, componentRef: {name: comp-import}, inputs: {parameters: {${given}}}}}}}\ncomponents: {comp-import: {executorLabel: exec-import, inputDefinitions: {parameters: {${input}}}, outputDefinitions: {artifacts: {${out}}}}}\ndeploymentSpec: {executors: {exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, ${importer}}}}}`;
// biome-ignore format: patches
const condition = (s: string) => `root: {dag: {tasks: {branch: {triggerPolicy: {condition: ${JSON.stringify(s)}}}}}}`;
// biome-ignore format: patches
const kinds = "components: {comp-branch: {inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER, isOptional: true, defaultValue: 1}, l: {parameterType: LIST, isOptional: true, defaultValue: []}, m: {parameterType: STRUCT, isOptional: true, defaultValue: {}}, b: {parameterType: BOOLEAN, isOptional: true, defaultValue: true}}}}}";
// biome-ignore format: patches
const p = (n: string) => `inputs.parameter_values['${n}']`;
// biome-ignore format: patches
const typed = (s: string) => `${condition(s)}\n${kinds}`;
// biome-ignore format: patches
const args = (s: string) => `deploymentSpec: {executors: {exec-report: {container: {args: [${JSON.stringify(s)}]}}}}`;
// biome-ignore format: patches
const looped = (s: string, more = "") => `root: {dag: {tasks: {loop: {parameterIterator: {${s}}}}}}${more}`;
// biome-ignore format: patches
const outputs = (given: string, declared: string, made = "text: {parameterType: STRING}") => `components: {comp-branch: {dag: {outputs: {${given}}}, outputDefinitions: {${declared}}}, comp-report: {outputDefinitions: {parameters: {${made}}}}}\ndeploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}`;
// biome-ignore format: patches
const iterated = (name: string, inputs: string) => `root: {dag: {tasks: {train: {inputs: {${inputs}}}}}}\ncomponents: {comp-loop: {dag: {outputs: {parameters: {${name}: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}, artifacts: {set: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: set}]}}}}, outputDefinitions: {parameters: {${name}: {parameterType: STRING}}, artifacts: {set: ${dataset}}}}, comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}, artifacts: {set: ${dataset}}}}}\ndeploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}`;

// biome-ignore format: patches
const patches: Readonly<Record<string, readonly string[]>> = {
  settings: [
    aff("key: a, operator: Gt, values: [b]"), aff("key: a, operator: Lt, values: ['1', '2']"), aff("key: a, operator: Gt, values: ['-4']"), aff("key: a, operator: Exists, values: [b]"), aff("key: a, operator: DoesNotExist, values: [b]"), aff("key: a, operator: NotIn"), aff("key: a b, values: [c]"), aff("operator: Is"),
    aff("key: metadata.name, operator: Exists, values: []", "Fields"), aff("key: metadata.name, operator: In, values: []", "Fields"), aff("key: metadata.name, operator: Gt, values: ['1']", "Fields"), aff("key: spec.node, operator: In, values: [a]", "Fields"), aff("operator: In, values: [a]", "Fields"),
    k8s("podAffinity: [{matchNamespaceExpressions: [{key: a b, operator: Exists}], topologyKey: zone}]"),
    k8s("podAffinity: [{matchPodExpressions: [{key: a, operator: Within}]}]"),
    k8s("secretAsEnv: [{secretNameParameter: {runtimeValue: {constant: a}}, keyToEnv: [{secretKey: k, envVar: A}]}, {secretNameParameter: {runtimeValue: {constant: b}}, keyToEnv: [{secretKey: k, envVar: A}]}]"),
    `${container("env: [{name: A, value: b}]")}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {fieldPathAsEnv: [{name: A, fieldPath: metadata.name}], configMapAsEnv: [{configMapNameParameter: {runtimeValue: {constant: a}}, keyToEnv: [{configMapKey: k, envVar: A}]}]}}}}}`,
    k8s("secretAsVolume: [{secretNameParameter: {runtimeValue: {constant: a}}, mountPath: data}, {secretNameParameter: {runtimeValue: {constant: b}}, mountPath: data}]"),
    k8s("emptyDirMounts: [{volumeName: v, mountPath: /}, {volumeName: w, mountPath: /kfp-launcher}]"),
    k8s("emptyDirMounts: [{volumeName: V_1, mountPath: /a}]"),
    k8s("imagePullSecret: [{secretNameParameter: {runtimeValue: {constant: 5}}}]"),
    k8s("pvcMount: [{constant: a.b, mountPath: /a}]"),
    k8s("podMetadata: {labels: {'a b': c, d: 'e f'}, annotations: {'g h': i}}"), k8s("nodeSelector: {labels: {'a b': c, d: 'e f'}}"),
    k8s("imagePullSecret: [{secretNameParameter: {}}]"),
    k8s("tolerations: [{tolerationJson: {runtimeValue: {constant: 5}}}]"), k8s("nodeSelector: {nodeSelectorJson: {runtimeValue: {constant: [a]}}}"), k8s("nodeSelector: {nodeSelectorJson: {runtimeValue: {constant: {a: null, b: 5, 'c d': e, f: 'g h'}}}}"), k8s("imagePullSecret: [{secretNameParameter: {runtimeValue: {constant: ''}}}]"),
    k8s("tolerations: [{tolerationJson: {componentInputParameter: message}}]"), k8s("nodeSelector: {nodeSelectorJson: {componentInputParameter: message}}"),
  ],
  inputs: [
    train("inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: rows}}}"),
    train("inputs: {parameters: {label: null, lable: {runtimeValue: {constant: x}}}}"),
    train("inputs: {artifacts: {data: null, date: {taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}}}"),
    train("inputs: {parameters: {label: {taskOutputParameter: null}, epochs: {runtimeValue: {}}}, artifacts: {data: {taskOutputArtifact: null}}}"),
    train("inputs: {parameters: {epoch: {runtimeValue: {constant: 5}}, colour: {runtimeValue: {constant: blue}}}, artifacts: {more: {taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}}}"),
    `root: {inputDefinitions: {artifacts: {extra: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, isOptional: true}}}, dag: {tasks: {train: {inputs: {artifacts: {data: {taskOutputArtifact: null, componentInputArtifact: extra}}}}}}}`,
    `root: {inputDefinitions: {artifacts: {extra: {artifactType: {schemaTitle: system.Model, schemaVersion: 0.0.1}, isArtifactList: true, isOptional: true}}}, dag: {tasks: {train: {inputs: {artifacts: {data: {taskOutputArtifact: null, componentInputArtifact: extra}}}}}}}`,
    `root: {inputDefinitions: {parameters: {kind: {parameterType: STRING, isOptional: true}}}, dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: kind}}}}}}}`,
    "components: {comp-train: {outputDefinitions: {artifacts: {model: {isArtifactList: true}}}}}",
    "components: {comp-report: {executorLabel: ''}}\ndeploymentSpec: {executors: {exec-report: null}}",
    "components: {comp-report: {executorLabel: exec-raport}}",
    train("componentRef: {name: ''}"), train("componentRef: {name: comp-trian}"),
    train("dependentTasks: [prepare, preprare, prepare, report]"),
    train("inputs: {parameters: {label: {taskOutputParameter: {producerTask: '', outputParameterKey: label}}}}"), train("inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: ''}}}}"), train("inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: data}}}, artifacts: {data: {taskOutputArtifact: {producerTask: prepare, outputArtifactKey: label}}}}"),
    train("inputs: {parameters: {label: {taskOutputParameter: {producerTask: branch, outputParameterKey: label}}}}"),
    train("inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: ''}}}"), "root: {inputDefinitions: {artifacts: {extra: {isOptional: true, artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}}, dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: extra}}, artifacts: {data: {taskOutputArtifact: null, componentInputArtifact: rows}}}}}}}",
    "components: {comp-branch: {dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: mode}}}}}}}}",
  ],
  order: [
    train("retryPolicy: {maxRetryCount: -2, backoffDuration: -1s, backoffFactor: -1}"), train("retryPolicy: {maxRetryCount: 2, backoffDuration: 3601s, backoffMaxDuration: 3600s}"),
    train("cachingOptions: {cacheKey: v1}"), train("triggerPolicy: {condition: ''}"), train(exit),
    say(`dependentTasks: [loop, branch], ${exit}`), say(`dependentTasks: [prepare, train], ${exit}`), say(`dependentTasks: [branch], ${exit}`, `, tell: {taskInfo: {name: tell}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}, dependentTasks: [branch, say], ${exit}}`),
    say(exit), say(`dependentTasks: [prepare], ${exit}`, ", branch: {dependentTasks: [prepare, say]}"),
    train("taskInfo: null"),
    imp("artifactUri: {constant: 'gs://b/a'}", "", "", `artifact: ${dataset}, more: ${dataset}`), imp("artifactUri: {constant: 'gs://b/a'}", "", "", ""), imp("artifactUri: {runtimeParameter: uri}", "uri: {parameterType: STRING, isOptional: true}"), imp("artifactUri: {runtimeParameter: uri}", "uri: {parameterType: STRING}", "uri: {runtimeValue: {constant: b/a}}"), imp("artifactUri: {runtimeParameter: uri}", "uri: {parameterType: STRING}", "uri: {runtimeValue: {constant: 'gcs://b/a'}}"), imp("artifactUri: {runtimeParameter: uri}", "uri: {parameterType: STRING}", "uri: {runtimeValue: {constant: 'oci://b/a'}}"), imp("artifactUri: {runtimeParameter: uri}", "uri: {parameterType: STRING}", "uri: {runtimeValue: {constant: ''}}"), imp("artifactUri: {runtimeParameter: uri}", "uri: {parameterType: STRING}", "uri: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}"), imp("artifactUri: {constant: 'gs://b/a'}", "uri: {parameterType: STRING}", "uri: {runtimeValue: {constant: 'gs://b/c'}}"),
  ],
  declarations: [
    container("env: [{value: a}, {name: 'A=B', value: c}, {name: A-B, value: d}, {name: C, value: '$(D) $(C) $$(D)'}, {name: D, value: e}, {name: D, value: f}, {name: D, value: g}]"),
    container("image: 'HTTP://a b'"), container("image: '', command: null"), container("image: 'a@sha256:1'"), container("command: null"),
    container("resources: {resourceCpuLimit: '2000', resourceCpuRequest: 3k, resourceMemoryLimit: 1x, resourceMemoryRequest: '4'}"), container("resources: {resourceMemoryLimit: 1Gi, resourceMemoryRequest: 2Gi, accelerator: {resourceCount: '1'}}"), container("resources: {accelerator: {resourceType: nvidia.com/gpu}}"), container("resources: {accelerator: {resourceType: NVIDIA_TESLA_K80, resourceCount: one}}"),
    "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: many, literals: [3, '10', x]}}}}}", "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: ' 10 '}}}}}", "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: 5, literals: [1, 2]}}}}}\nroot: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 7}}}}}}}}",
    "pipelineInfo: {name: A B}", "pipelineInfo: null", "schemaVersion: ''", "root: {inputDefinitions: {artifacts: {data: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}}}", "defaultPipelineRoot: bucket/a",
    "components: {Spare: {executorLabel: exec-spare}}\ndeploymentSpec: {executors: {exec-spare: {importer: null}, exec-old: {container: {image: a, command: [b]}}}}",
    "root: {dag: {tasks: {Train_2: {taskInfo: {name: a}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}",
    "components: {comp-train: {inputDefinitions: {parameters: {'2nd': {parameterType: STRING, isOptional: true}}}, outputDefinitions: {parameters: {\"it's\": {parameterType: STRING}}}}}",
  ],
  conditions: [
    typed(`${p("l")}.contains('a')`), typed(`${p("m")}.startsWith('a')`), typed(`${p("n")}.matches('a')`), typed(`${p("label")}.contains(${p("l")})`), typed(`${p("label")}.endsWith(${p("n")})`), typed(`${p("label")}.matches(5)`),
    typed(`size(${p("n")}) > 1`), typed(`${p("b")}.size() > 1`), typed(`bool(${p("n")})`), typed(`int(${p("b")}) > 1`), typed(`double(${p("b")}) > 1.0`), typed(`string(${p("l")}) == 'a'`), typed(`int(${p("m")}) == 1`), typed(`timestamp(${p("n")}) > timestamp('2020-01-01T00:00:00Z')`), typed(`duration(${p("n")}) > duration('1s')`), typed(`bytes(${p("n")}) == b'a'`),
    typed(`bool(${p("label")}) > 1`), typed(`int(${p("label")}) == 'a'`), typed(`size(${p("label")}) == 'a'`), typed(`size(${p("m")}) == 'a'`), typed(`string(${p("n")}) == 5`), typed(`double(${p("n")}) == 'a'`), typed(`${p("label")}.matches('a') == 'b'`),
    typed(`${p("label")}.all(x, x == 'a')`), typed(`${p("n")}.exists(x, x == 'a')`), typed(`${p("n")}.exists_one(x, x == 'a')`), typed(`${p("label")}.filter(x, x == 'a') == ['a']`), typed(`${p("l")}.map(x, x) == 'a'`), typed(`${p("l")}.filter(x, true) == 'a'`), typed(`${p("l")}.exists(x, true) == 'a'`), typed(`has(${p("l")}.a)`), typed(`has(${p("m")}.a)`),
    typed(`${p("n")} == 'a' || ${p("b")} == 1 || ${p("l")} == 'a'`), typed(`${p("label")} in ['a', 5]`), typed(`${p("label")} in [5, 6]`), typed(`!(${p("label")} == 5) ? true : ${p("n")} != 'b'`), typed(`${p("label")} > 5`), typed(`${p("n")} + 'a' == 'b'`), typed(`${p("label")} && true`), typed(p("label")), typed("true"), typed("1 == 1"),
    condition("inputs.parameter_values['lable'] == 'a'"), condition("inputs.artifacts['a'] == 'b'"), condition("outputs.parameter_values['a'] == 'b'"), condition("inputs.parameter_values['label'] == 'large' &&"),
  ],
  texts: [
    args("{{$.inputs.parameters['mesage']}}"), args("{{$.inputs.artifacts['message'].uri}}"), args("{{$.outputs.parameters['x'].output_file}}"), args("{{$.outputs.artifacts['x'].path}}"), args('{"IfPresent": {"InputName": "mesage", "Then": ["a"]}}'), args('{"IfPresent": {"InputName": "message", "Them": ["a"]}}'), args('{"concat": ["a"]}'), args("a\n{{$.inputs.parameters['mesage']}}"), args("{{$.input.parameters['message']}}"),
    "root: {dag: {tasks: {train: {inputs: {parameters: {extra: {runtimeValue: {constant: x}}}}}, again: {taskInfo: {name: again}, componentRef: {name: comp-train}, inputs: {artifacts: {data: {taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}}, parameters: {label: {runtimeValue: {constant: x}}}}}}}}\ndeploymentSpec: {executors: {exec-train: {container: {args: [\"{{$}}\", \"{{$.inputs.parameters['extra']}}\"]}}}}",
    looped("items: {raw: '{}'}"), looped("items: {raw: '[]'}"), looped("items: {raw: '[1, true]'}"), looped("items: {raw: '[1e400]'}"), looped("items: {raw: null, inputParameter: rows}"), looped("itemInput: itme"), looped("itemInput: ''"), looped("items: {raw: '[\"a\", \"z\"]'}", "\ncomponents: {comp-loop: {inputDefinitions: {parameters: {item: {literals: [a, b]}}}}}"),
    outputs("parameters: {txt: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}", "parameters: {text: {parameterType: STRING}}"), outputs("parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}", "parameters: {text: {parameterType: NUMBER_INTEGER}}"), outputs("parameters: {text: {valueFromOneof: {parameterSelectors: [{producerSubtask: report, outputParameterKey: text}]}}}", "parameters: {text: {parameterType: STRING}}"), outputs("parameters: {text: {valueFromOneof: {parameterSelectors: [{producerSubtask: report, outputParameterKey: text}, {producerSubtask: report, outputParameterKey: text}]}}}", "parameters: {text: {parameterType: STRING}}"), outputs("parameters: {text: {valueFromParameter: {producerSubtask: raport, outputParameterKey: text}}}", "parameters: {text: {parameterType: STRING}}"), outputs("artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}", "artifacts: {text: {artifactType: {schemaTitle: system.Model, schemaVersion: 0.0.1}}}"), outputs("parameters: {text: {}}", "parameters: {text: {parameterType: STRING}}"),
    "root: {dag: {tasks: {other: {taskInfo: {name: other}, componentRef: {name: comp-branch}, inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}}, triggerPolicy: {condition: \"inputs.parameter_values['label'] != 'large'\"}}, loop: {dependentTasks: [branch, other]}, train: {dependentTasks: [prepare, other]}}}}",
  ],
  loops: [
    iterated("text", "parameters: {label: {taskOutputParameter: {producerTask: loop, outputParameterKey: text}}}"), iterated("text", "parameters: {label: null}, artifacts: {data: {taskOutputArtifact: {producerTask: loop, outputArtifactKey: set}}}"),
    "root: {dag: {tasks: {prepare: {parameterIterator: {items: {raw: '[1]'}, itemInput: rows}, inputs: {parameters: {rows: null}}}}}}",
    `{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-x: {emptyDirMounts: [{volumeName: v, mountPath: data}]}}}}}`,
    "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: null, inputParameter: lists}}, inputs: {parameters: {lists: {runtimeValue: {constant: [a, 5, [b]]}}}}}}}}\ncomponents: {comp-loop: {inputDefinitions: {parameters: {lists: {parameterType: LIST}}}}}",
  ],
};

/** The first line of what is marked. */
const marked = (text: string, range: ValidationProblem["range"]): string =>
  text.slice(range?.start.offset, range?.end.offset).split("\n")[0] ?? "";

function told(patch: string): readonly string[] {
  const text = exampleText("patch", patch);
  const { problems } = validatePipeline(text, { parse: { deprecations: false } });
  return problems.flatMap(({ severity, code, path, range, message, hint, related = [] }) => [
    `  ${severity} ${code} at ${path} [${marked(text, range)}]: ${message}`,
    ...(hint === undefined ? [] : [`    hint: ${hint}`]),
    ...related.map((one) => `    see ${one.path} [${marked(text, one.range)}]: ${one.message}`),
  ]);
}

test.each(Object.entries(patches))(
  "of each patch of %s is told what was written down",
  async (name, group) => {
    const lines = group.flatMap((patch) => [patch, ...told(patch), ""]);
    await expect(lines.join("\n")).toMatchFileSnapshot(`../testdata/found/${name}.txt`);
  },
);
