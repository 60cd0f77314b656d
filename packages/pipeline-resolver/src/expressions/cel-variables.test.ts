import { ExecutorInput } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

const typed = ($case: "intValue" | "doubleValue" | "stringValue", value: string | number) =>
  ({ value: { $case, value } }) as never;
const artifact = (kind: "schemaTitle" | "schemaUri" | "instanceSchema", name: string) => ({
  name,
  uri: `gs://b/${name}`,
  type: { kind: { $case: kind, value: `of ${name}` }, schemaVersion: "1" },
  properties: { p: typed("intValue", "5") },
  customProperties: { p: typed("stringValue", "q") },
  metadata: { list: [{ k: 1 }], constructor: { c: 2 } },
  customPath: `/mnt/${name}`,
});
const input = ExecutorInput.create({
  inputs: {
    parameterValues: { n: 1, deep: [{ k: [2] }], constructor: "c" },
    parameters: { i: typed("intValue", "9007199254740993"), d: typed("doubleValue", 1.5), e: {} },
    artifacts: {
      a: { artifacts: [artifact("schemaTitle", "one"), artifact("schemaUri", "two")] },
      b: { artifacts: [artifact("instanceSchema", "three")] },
      none: {},
    },
  },
  outputs: {
    outputFile: "/out.json",
    parameters: { o: { outputFile: "/o" } },
    artifacts: { m: { artifacts: [artifact("schemaTitle", "made")] } },
  },
});
const [first, second] = [0, 1].map((i) => `inputs.artifacts['a'].artifacts[${i}]`);
const third = "inputs.artifacts['b'].artifacts[0]";

test.each([
  `${first}.name == 'one' && ${second}.uri == 'gs://b/two' && ${third}.custom_path == '/mnt/three'`,
  `${first}.type.schema_title == 'of one' && ${first}.type.schema_uri == '' && ${first}.type.schema_version == '1'`,
  `${second}.type.schema_uri == 'of two' && ${second}.type.instance_schema == ''`,
  `${third}.type.instance_schema == 'of three' && ${third}.type.schema_title == ''`,
  `${first}.properties['p'].int_value == 5 && ${first}.properties['p'].string_value == ''`,
  `${first}.custom_properties['p'].string_value == 'q' && ${first}.custom_properties['p'].int_value == 0`,
  `${first}.metadata['list'][0].k == 1.0 && ${first}.metadata['constructor'].c == 2.0`,
  "inputs.parameters['i'].int_value == 9007199254740993 && inputs.parameters['d'].double_value == 1.5",
  "inputs.parameters['e'].int_value == 0 && inputs.parameters['e'].string_value == ''",
  "inputs.parameter_values['deep'][0].k[0] == 2.0 && inputs.parameter_values.constructor == 'c'",
  "size(inputs.artifacts['none'].artifacts) == 0 && size(inputs.artifacts['a'].artifacts) == 2",
  "size(inputs.artifacts) == 3 && size(inputs.parameter_values) == 3 && size(inputs.parameters) == 3",
  "inputs.parameter_values.exists(k, k == 'deep') && !inputs.parameter_values.exists(k, k == 'i')",
  "inputs.parameter_values[string('n')] == 1.0 && size(inputs.artifacts['a'].artifacts) == 2",
  "outputs.output_file == '/out.json' && outputs.parameters['o'].output_file == '/o'",
  "outputs.artifacts['m'].artifacts[0].name == 'made' && size(outputs.parameters) == 1",
])("%s", (text) => {
  const { evaluate, problems } = compileExpression(text, "condition");
  expect(problems).toEqual([]);
  expect(evaluate(input)).toEqual({ ok: true, value: true });
});

test.each(["toString", "hasOwnProperty"])("%s is no input, although every object has it", (name) => {
  for (const text of [`'${name}' in inputs.parameter_values`, `has(inputs.artifacts.${name})`]) {
    expect(compileExpression(text, "condition").evaluate(input)).toEqual({ ok: true, value: false });
  }
});

test.each([
  [null, "null_value == null"],
  [undefined, "null_value == null"],
  ["text", "string_value == 'text'"],
  [1.5, "number_value == 1.5 && string_value == '1.5'"],
  [false, "!bool_value && string_value == 'false'"],
  [[[1], "a"], "list_value[0][0] == 1.0 && string_value == '[[1],\"a\"]'"],
  [{ k: { l: 1 } }, 'struct_value.k.l == 1.0 && string_value == \'{"k":{"l":1}}\''],
])("a selector sees %j in the member of its kind, and as a text", (value, text) => {
  expect(compileExpression(text, "selector").evaluate(value)).toEqual({ ok: true, value: true });
});
