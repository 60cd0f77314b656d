import type { ExecutorInput, PartialMessage } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { compileExpression } from "../index.js";

const input: PartialMessage<ExecutorInput> = {
  inputs: {
    parameters: { n: { value: { $case: "intValue", value: "5" } } },
    parameterValues: { a: "x", own: { constructor: "c", b: 1 } },
    artifacts: {
      model: { artifacts: [{ type: { kind: { $case: "instanceSchema", value: "i" }, schemaVersion: "v" } }] },
    },
  },
};
const type = "inputs.artifacts['model'].artifacts[0].type";

test.each([
  "[inputs][0].parameter_values['a'] == 'x'",
  "[inputs][0].parameters['n'].int_value == 5",
  "inputs.parameters['n'].int_value + 1 == 6",
  "inputs.parameter_values['own'].b == 1.0 && inputs.parameter_values['own'].constructor == 'c'",
  `${type}.instance_schema == 'i' && ${type}.schema_uri == '' && ${type}.schema_title == ''`,
])("what a condition reads is what a message has: %s", (text) => {
  expect(compileExpression(text, "condition").evaluate(input)).toEqual({ ok: true, value: true });
});

test("an explanation shows what stands inside of maps that the expression has made", () => {
  const text = "{'k': [1, {'deep': 2}]} == inputs.parameter_values['own']";
  const { reasons } = compileExpression(text, "condition").explain(input);
  const values: readonly unknown[] = [{ k: [1, { deep: 2 }] }, { constructor: "c", b: 1 }];
  expect(reasons[0]?.operands.map(({ value }) => value)).toEqual(values);
});

test("a call of has() that asks for no field is marked at what it asks for", () => {
  const { problems } = compileExpression("true && has('a')", "condition");
  expect(problems).toMatchObject([{ code: "syntax", span: { start: 12, end: 15 } }]);
});
