import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

const artifact = "inputs.artifacts['a'].artifacts[0]";

test.each([
  ["inputs", "Inputs"],
  ["inputs.parameters", "map<string, TypedValue>"],
  ["inputs.parameters['p'].int_value", "int"],
  ["inputs.parameters['p'].double_value", "double"],
  ["inputs.parameters['p'].string_value", "string"],
  ["inputs.artifacts", "map<string, ArtifactList>"],
  ["inputs.artifacts['a'].artifacts", "list<RuntimeArtifact>"],
  ["inputs.parameter_values", "map<string, dyn>"],
  [`${artifact}.name`, "string"],
  [`${artifact}.type`, "ArtifactTypeSchema"],
  [`${artifact}.type.schema_title`, "string"],
  [`${artifact}.type.schema_uri`, "string"],
  [`${artifact}.type.instance_schema`, "string"],
  [`${artifact}.type.schema_version`, "string"],
  [`${artifact}.uri`, "string"],
  [`${artifact}.properties`, "map<string, TypedValue>"],
  [`${artifact}.custom_properties`, "map<string, TypedValue>"],
  [`${artifact}.metadata`, "map<string, dyn>"],
  [`${artifact}.custom_path`, "string"],
  ["outputs", "Outputs"],
  ["outputs.parameters", "map<string, OutputParameter>"],
  ["outputs.parameters['p'].output_file", "string"],
  ["outputs.artifacts", "map<string, ArtifactList>"],
  ["outputs.output_file", "string"],
])("to a condition %s is of type %s", (text, type) => {
  const message = `a condition is true or false, this one is of type ${type}`;
  expect(compileExpression(text, "condition").problems).toMatchObject([{ code: "not-boolean", message }]);
});

test.each([
  ["number_value > 'a'", "double > string"],
  ["string_value > 1", "string > int"],
  ["bool_value > 1", "bool > int"],
  ["list_value > 1", "list<dyn> > int"],
  ["struct_value > 1", "map<string, dyn> > int"],
])("to a selector the members of a value have types: %s", (text, overload) => {
  const message = `no such overload: ${overload}`;
  expect(compileExpression(text, "selector").problems).toMatchObject([{ code: "type", message }]);
  expect(compileExpression("null_value > 1", "selector").problems).toEqual([]);
});

test("nothing is told twice, nor hinted at where it would be of no use", () => {
  const long = compileExpression("true ", "condition", { limits: { maxLength: 4 } });
  const fits = compileExpression("true", "condition", { limits: { maxLength: 4 } });
  expect([long.problems, fits.problems]).toMatchObject([[{ code: "limit" }], []]);
  const deep = compileExpression("((((true)))) and x", "condition", { limits: { maxDepth: 3 } });
  expect(deep.problems).toMatchObject([{ code: "limit" }]);
  expect(deep.problems[0]).not.toHaveProperty("hint");
  const unknown = compileExpression("foo == 1 && true", "condition").explain({});
  expect(unknown).toMatchObject({ reasons: [], summary: "failed because unknown variable: foo" });
  expect(compileExpression(" \n", "condition").problems).toMatchObject([
    { code: "syntax", message: "the expression is empty", span: { start: 0, end: 2 } },
  ]);
});

test("a comparison of comparisons is refused whatever stands on its left", () => {
  for (const text of ["size('a') == 1 < 2", "1 != 1 in [2]", "(1) == 1 >= 2"]) {
    expect(compileExpression(text, "condition").problems).toMatchObject([
      { code: "syntax", hint: "put parentheses around the part that belongs together" },
    ]);
  }
});

test("a message may lack its inputs, be they undefined or null", () => {
  const { evaluate } = compileExpression("true", "condition");
  for (const inputs of [undefined, null]) {
    expect(evaluate({ inputs, outputs: inputs } as never)).toEqual({ ok: true, value: true });
  }
});
