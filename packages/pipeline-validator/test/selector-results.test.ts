import { compileExpression, convertParameter } from "@wye/pipeline-resolver";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

const kinds = ["STRING", "NUMBER_INTEGER", "NUMBER_DOUBLE", "BOOLEAN", "LIST", "STRUCT"] as const;
/** Values of all types, alone, in lists and in objects, and the texts of these. */
const single = ["x", "1", 5, 1.5, true, [1], { b: 1 }];
const objects = [...single, ...single.map((one) => [one]), ...single.map((one) => ({ a: one }))];
const values = ["2026-01-31T18:00:00Z", ...objects, ...objects.map((one) => JSON.stringify(one))];
const selectors = [
  "string_value",
  "string_value == 'a'",
  "string_value + 'x'",
  "number_value",
  "number_value > 1.0",
  "number_value * 2.0",
  "bool_value",
  "!bool_value",
  "list_value",
  "list_value[0]",
  "size(list_value)",
  "[string_value]",
  "list_value.map(x, string(x))",
  "list_value.filter(x, true)",
  "list_value.exists(x, true)",
  "struct_value",
  "struct_value.a",
  "struct_value['a']",
  "{'a': string_value}",
  "timestamp(string_value)",
  "int(string_value)",
  "double(string_value)",
  "string(number_value)",
  "parseJson(string_value)",
  "parseJson(string_value)[0]",
  "parseJson(string_value).a",
  "bool_value ? 'a' : 'b'",
  "bool_value ? 1 : 'b'",
];

/** Whether some value gives what an input of this type takes. */
function works(selector: string, wanted: (typeof kinds)[number]): boolean {
  const compiled = compileExpression(selector, "selector");
  return values.some((value) => {
    const result = compiled.evaluate(value);
    return result.ok && convertParameter(result.value, wanted).ok;
  });
}

function isRefused(selector: string, wanted: string): boolean {
  const pipeline = parse(examplePipeline);
  pipeline.components["comp-train"].inputDefinitions.parameters.epochs = { parameterType: wanted };
  pipeline.root.dag.tasks.train.inputs.parameters.epochs = {
    runtimeValue: { constant: "x" },
    parameterExpressionSelector: selector,
  };
  const { problems } = validatePipeline(stringify(pipeline));
  return problems.some(({ code }) => code === "selector-invalid");
}

test("selectors are refused when no value makes them give what the input takes", () => {
  for (const wanted of kinds) {
    const wrong = selectors.filter((selector) => isRefused(selector, wanted) === works(selector, wanted));
    expect(wrong, wanted).toEqual([]);
  }
});
