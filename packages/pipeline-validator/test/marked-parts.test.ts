import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

// What a finding says of a part of a text is marked there, and no more of the text.

const container = (fields: string) => `deploymentSpec: {executors: {exec-report: {container: {${fields}}}}}`;
const arg = (text: string) => container(`args: [${JSON.stringify(text)}]`);
const condition = (text: string) =>
  `root: {dag: {tasks: {branch: {triggerPolicy: {condition: ${JSON.stringify(text)}}}}}}`;
const selector = (text: string) =>
  `root: {dag: {tasks: {train: {inputs: {parameters: {label: {parameterExpressionSelector: ${JSON.stringify(text)}}}}}}}}`;
const label = "inputs.parameter_values['label']";
const more =
  "components: {comp-branch: {inputDefinitions: {parameters: {more: {parameterType: STRING, isOptional: true}}}}}";

// biome-ignore format: a table
const rows: readonly (readonly [code: string, patch: string, marked: string])[] = [
  ["placeholder-version-1", arg("say {{inputs.parameters.a}} twice"), "{{inputs.parameters.a}}"],
  ["placeholder-version-1", container("command: [sh, 'say {{workflow.name}} twice']"), "{{workflow.name}}"],
  ["placeholder-structure-invalid", container("args: [\"{'IfPresent': {'InputName': 'message'}}\"]"), "{'IfPresent': {'InputName': 'message'}}"],
  ["placeholder-version-1", container("env: [{name: A, value: 'a {{tasks.a.b}}!'}]"), "{{tasks.a.b}}"],
  ["env-reference-early", container("env: [{name: A, value: say $(B) twice}, {name: B, value: b}]"), "$(B)"],
  ["placeholder-invalid", arg("say {{$.inputs.parameter['a']}} twice"), "{{$.inputs.parameter['a']}}"],
  ["placeholder-invalid", arg("say $.inputs.parameters['message'] twice"), "$.inputs.parameters["],
  ["placeholder-unknown", arg("say {{$.outputs.parameters['none'].output_file}} twice"), "none"],
  ["placeholder-unknown", arg('{"IfPresent": {"InputName": "other", "Then": ["a"]}}'), "other"],
  ["placeholder-unsupported", arg("a {{$.pipeline_job_name}} {{$.inputs.parameters['message']}}"), "{{$.pipeline_job_name}}"],
  ["placeholder-structure-misspelt", arg('{"ifPresent": {"InputName": "message", "Then": ["a"]}}'), '"ifPresent"'],
  ["argument-joined", container("command: [sh, \"--a {{$.inputs.parameters['message']}}\"]"), "--a"],
  ["condition-invalid", condition(`${label} == 'a' || ${label} = 'b'`), "="],
  ["condition-input-unknown", condition(`${label} == 'a' || inputs.parameter_values['lable'] == 'b'`), "'lable'"],
  ["condition-reads-outputs", condition(`${label} == 'a' || outputs.output_file == 'b'`), "outputs.output_file"],
  ["condition-never-equal", condition(`${label} == 'a' || ${label} == 5`), `${label} == 5`],
  ["condition-type-clash", condition(`${label} == 'a' || ${label} > 5`), `${label} > 5`],
  ["condition-type-clash", condition(`${label} == 'a' || ${label}.contains(5)`), "5"],
  ["condition-optional-unguarded", `${condition("inputs.parameter_values['more'] == 'a' || inputs.parameter_values.more == 'b'")}\n${more}`, "inputs.parameter_values['more']"],
  ["selector-invalid", selector("string_value + strin_value"), "strin_value"],
  ["selector-member-unset", selector("string_value + struct_value['a']"), "struct_value['a']"],
];

describe("marked is what is meant, for", () => {
  test.each(rows)("%s in %s", (code, patch, marked) => {
    const text = exampleText("patch", patch);
    const { problems } = validatePipeline(text, { style: true, rules: { "image-unpinned": "off" } });
    expect(
      problems.map(({ code, range }) => [code, text.slice(range?.start.offset, range?.end.offset)]),
    ).toEqual([[code, marked]]);
  });
});
