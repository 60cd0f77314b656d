import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";
import { container, expectFindings, type FindingRow, looped } from "./expect-findings.js";

// All that is found of things that few pipelines have, in the order of the file, with severity and place.

const fed = (root: string, label: string, more = "") =>
  `root: {inputDefinitions: {parameters: {kind: {${root}}}}, dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: kind${more}}}}}}}}\ncomponents: {comp-train: {inputDefinitions: {parameters: {label: {${label}}}}}}`;
const dataset = "{artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}";
const data = "{taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}";
const exclusive = `root: {dag: {tasks: {other: {taskInfo: {name: other}, componentRef: {name: comp-branch}, inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}}, triggerPolicy: {condition: "inputs.parameter_values['label'] != 'large'"}}, say: {taskInfo: {name: say}, dependentTasks: [branch, other], componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}, triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}}}}}`;
const optional = "{parameterType: STRING, isOptional: true}";
const label = "/root/dag/tasks/train/inputs/parameters/label/componentInputParameter";

// biome-ignore format: a table
const rows: readonly FindingRow[] = [
  ["a default of a DAG in the pipeline that is no literal of its task", "kfp", "components: {comp-branch: {inputDefinitions: {parameters: {label: {defaultValue: a}}}}, comp-report: {inputDefinitions: {parameters: {message: {literals: [b]}}}}}", []],
  ["a default of null for an input with literals", "kfp", fed("parameterType: STRING, isOptional: true, defaultValue: null", "literals: [b], isOptional: true"), []],
  ["a default that is no literal of its own input either", "kfp", fed("parameterType: STRING, literals: [a, b], defaultValue: c", "literals: [b]"), ["warning default-not-literal /root/inputDefinitions/parameters/kind/defaultValue"]],
  ["a default that is one of its own literals, and none of the task's", "kfp", fed("parameterType: STRING, literals: [a, b], defaultValue: a", "literals: [b]"), [`warning default-not-literal-of-task ${label}`]],
  ["a default that is looked into before it is compared with literals", "kfp", fed("parameterType: STRING, defaultValue: a", "literals: [b]", ", parameterExpressionSelector: string_value"), []],
  ["a default of another type than the literals", "kfp", fed("parameterType: NUMBER_INTEGER, defaultValue: 5", "literals: [b]"), [`warning input-type-converted ${label}`]],
  ["items in an input without name", "kfp", looped("parameterIterator: {items: {raw: null, inputParameter: ''}}"), ["error iterator-incomplete /root/dag/tasks/loop/parameterIterator"]],
  ["items in an empty text", "kfp", looped("parameterIterator: {items: {raw: ''}}"), ["error iterator-items-invalid /root/dag/tasks/loop/parameterIterator/items/raw"]],
  ["items that are a number", "kfp", looped("parameterIterator: {items: {raw: 5}}"), ["error wrong-type /root/dag/tasks/loop/parameterIterator/items/raw"]],
  ["an artifact of a loop that is supplied as well", "kfp", `${looped(`inputs: {artifacts: {all: ${data}, one: ${data}}}, parameterIterator: null, artifactIterator: {items: {inputArtifact: all}, itemInput: one}`)}\ncomponents: {comp-loop: {inputDefinitions: {parameters: {item: {isOptional: true, defaultValue: x}}, artifacts: {all: ${dataset}, one: ${dataset}}}}}`, ["error iterator-item-supplied /root/dag/tasks/loop/inputs/artifacts/one", "warning artifact-iterator-unsupported /root/dag/tasks/loop/artifactIterator", "error iterator-items-not-list /root/dag/tasks/loop/artifactIterator/items/inputArtifact"]],
  ["an exit task of two tasks of which only one can run", "kfp", exclusive, ["warning exit-task-repeated /root/dag/tasks/say/dependentTasks/1"]],
  ["a name of a component that ends with a dash", "kfp", `${looped("componentRef: {name: comp-a-}")}\ncomponents: {comp-loop: null, comp-a-: {inputDefinitions: {parameters: {item: {parameterType: STRING}}}, dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: item}}}}}}}}`, ["warning component-name-style /components/comp-a-"]],
  ["names of inputs with signs between letters, and before them", "kfp", `components: {comp-train: {inputDefinitions: {parameters: {_x: ${optional}, 'x-y z': ${optional}}}}}`, []],
  ["two placeholders in what asks for one of them", "kfp", `components: {comp-report: {inputDefinitions: {parameters: {a: ${optional}, b: ${optional}}}}}\n${container(`args: ['{"IfPresent": {"InputName": "a", "Then": ["{{$.inputs.parameters[''a'']}}{{$.inputs.parameters[''b'']}}"]}}']`)}`, ["error optional-parameter-unguarded /deploymentSpec/executors/exec-report/container/args/0"]],
];

expectFindings(rows);

test("an image that is an artifact is told of as that, and not as one that may be absent", () => {
  const text = exampleText(
    "patch",
    `components: {comp-report: {inputDefinitions: {artifacts: {extra: ${dataset.replace(/\}$/, ", isOptional: true}")}}}}}\n${container(`image: "{{$.inputs.artifacts['extra'].uri}}"`)}`,
  );
  const { problems } = validatePipeline(text, { style: true });
  expect(problems.map(({ code }) => code)).toEqual(["placeholder-partial"]);
});

test.each([
  { supplied: "every task", patch: "", found: [] },
  {
    supplied: "no task",
    patch: "\nroot: {dag: {tasks: {train: {inputs: {artifacts: {data: null}}}}}}",
    found: ["optional-artifact-unguarded"],
  },
  {
    supplied: "one of two tasks",
    patch:
      "\nroot: {dag: {tasks: {again: {taskInfo: {name: again}, componentRef: {name: comp-train}, inputs: {parameters: {label: {runtimeValue: {constant: x}}}}}}}}",
    found: ["optional-artifact-unguarded"],
  },
])("the placeholder of an optional artifact that $supplied supplies", ({ patch, found }) => {
  const text = exampleText(
    "patch",
    `components: {comp-train: {inputDefinitions: {artifacts: {data: {isOptional: true}}}}}\ndeploymentSpec: {executors: {exec-train: {container: {args: ["{{$.inputs.artifacts['data'].path}}"]}}}}${patch}`,
  );
  const { problems } = validatePipeline(text, { style: true });
  expect(problems.map(({ code }) => code).filter((code) => code.startsWith("optional-"))).toEqual(found);
});
