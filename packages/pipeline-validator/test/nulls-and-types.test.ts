import { expect, test } from "vitest";
import type { Profile } from "../src/index.js";
import { validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";
import { container, expectFindings, type FindingRow, train } from "./expect-findings.js";

// What constants may be by the type of their input, null among them: in a patch that would take the field away, so that it is put in afterwards.

const extra = "inputs: {parameters: {extra: {runtimeValue: {constant: none}}}}";
const at = "/root/dag/tasks/train/inputs/parameters";

test.each<[declared: string, profile: Profile, hints: readonly (string | undefined)[]]>([
  ["STRING", "kfp", [undefined]],
  ["STRING", "spec", [undefined]],
  ["STRING, isOptional: true", "kfp", []],
  ["STRING, isOptional: true", "spec", []],
  ["STRING, defaultValue: a", "kfp", []],
  ["STRING, defaultValue: a", "spec", []],
  ["NUMBER_INTEGER", "kfp", [undefined]],
  ["NUMBER_INTEGER", "spec", [undefined]],
  ["NUMBER_INTEGER, isOptional: true", "kfp", ["leave the input out"]],
  ["NUMBER_INTEGER, isOptional: true", "spec", []],
  ["NUMBER_INTEGER, defaultValue: 1", "kfp", ["leave the input out"]],
  ["NUMBER_INTEGER, defaultValue: 1", "spec", []],
])("null for an input that is %s, judged by %s: %j", (declared, profile, hints) => {
  const patch = `${train(extra)}\ncomponents: {comp-train: {inputDefinitions: {parameters: {extra: {parameterType: ${declared}}}}}}`;
  const text = exampleText("patch", patch).replace("constant: none", "constant: null");
  const { problems } = validatePipeline(text, { profile });
  expect(problems.map(({ code, hint }) => [code, hint])).toEqual(
    hints.map((hint) => ["constant-type-mismatch", hint]),
  );
});

const numbers = `root: {inputDefinitions: {parameters: {many: {parameterType: LIST, defaultValue: [1, 2.5]}}}, dag: {tasks: {loop: {inputs: {parameters: {rows: {componentInputParameter: many}}}, parameterIterator: {items: {raw: null, inputParameter: rows}}}}}}
components: {comp-loop: {inputDefinitions: {parameters: {rows: {parameterType: LIST}, item: {parameterType: NUMBER_INTEGER}}}, dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}}}`;

// biome-ignore format: a table
const rows: readonly FindingRow[] = [
  ["an output without type, behind one that has one", "kfp", `components: {comp-prepare: {outputDefinitions: {parameters: {label: {parameterType: STRING}, more: {description: x}}}}}\n${container("").replace("exec-report: {container: {}}", "exec-prepare: {container: {args: ['{{$}}']}}")}`, ["error parameter-type-missing /components/comp-prepare/outputDefinitions/parameters/more"]],
  ["an old constant of another type, which the back end does not read at all", "kfp", train("inputs: {parameters: {epochs: {runtimeValue: {constantValue: {stringValue: a}}}}}"), [`error runtime-value-unsupported ${at}/epochs/runtimeValue/constantValue`]],
  ["a text with a fact of the run in its middle, for a number", "spec", train("inputs: {parameters: {epochs: {runtimeValue: {constant: 'a {{$.pipeline_job_uuid}}'}}}}"), []],
  ["a number for a text, by the document", "spec", train("inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: 5}}}}"), [`error constant-type-mismatch ${at}/label/runtimeValue/constant`]],
  ["a constant of another type behind one that fits", "kfp", train("inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: a}}, epochs: {runtimeValue: {constant: b}}}}"), [`error constant-type-mismatch ${at}/epochs/runtimeValue/constant`]],
  ["a workspace without size, of another amount", "kfp", "{}\n---\nplatforms: {kubernetes: {pipelineConfig: {workspace: {kubernetes: {pvcSpecPatch: {resources: {}}}}}}}", ["error workspace-invalid /platforms/kubernetes/pipelineConfig/workspace", "error workspace-invalid /platforms/kubernetes/pipelineConfig/workspace/kubernetes/pvcSpecPatch/resources"]],
  ["a fraction in a default with items that are whole numbers", "kfp", numbers, ["warning integer-range /root/inputDefinitions/parameters/many/defaultValue"]],
];

expectFindings(rows);
