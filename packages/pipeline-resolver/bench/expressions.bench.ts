import { CelScalar, celEnv, celFunc, parse, plan } from "@bufbuild/cel";
import { bench } from "../../../scripts/bench-harness.js";
import { compileExpression } from "../src/index.js";

const clauses = Array.from({ length: 50 }, (_, i) => `inputs.parameter_values['p${i}'] == 'v${i}'`).join(
  " && ",
);
const conditions = {
  "one comparison": "inputs.parameter_values['pipelinechannel--flip-coin-Output'] == 'heads'",
  "two with int()": "int(inputs.parameter_values['a']) > 5 && inputs.parameter_values['b'] != ''",
  "50 clauses": clauses,
};
const parameterValues: Readonly<Record<string, unknown>> = {
  "pipelinechannel--flip-coin-Output": "heads",
  a: 7,
  b: "x",
  ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, `v${i}`])),
};
const input = { inputs: { parameterValues } };
// biome-ignore lint/suspicious/noExplicitAny: its types do not know that JSON may be nested
const theirInput: any = { inputs: { parameter_values: parameterValues } };
const env = celEnv({
  // biome-ignore lint/suspicious/noExplicitAny: JSON is a value to the other implementation
  funcs: [celFunc("parseJson", [CelScalar.STRING], CelScalar.DYN, (text): any => JSON.parse(text))],
});

for (const [name, text] of Object.entries(conditions)) {
  await bench(
    `compile: ${name}`,
    { wye: () => compileExpression(text, "condition"), "@bufbuild/cel": () => plan(env, parse(text)) },
    { baseline: "@bufbuild/cel", note: "ours also checks types and lists what is read; the other does not" },
  );
  const ours = compileExpression(text, "condition");
  const theirs = plan(env, parse(text));
  await bench(
    `evaluate: ${name}`,
    { wye: () => ours.evaluate(input), "@bufbuild/cel": () => theirs(theirInput) },
    { baseline: "@bufbuild/cel", note: "over an executor input with 53 parameters" },
  );
}

const text = `parseJson(string_value)["a"]["b"][0] > 3.5`;
const value = '{"a":{"b":[4]}}';
const selector = compileExpression(text, "selector");
const theirs = plan(env, parse(text));
await bench(
  "selector: parseJson(string_value)",
  {
    wye: () => selector.evaluate(value),
    "@bufbuild/cel": () => theirs({ string_value: value }),
    "JSON.parse alone": () => JSON.parse(value),
  },
  { baseline: "@bufbuild/cel" },
);

const long = compileExpression(
  "inputs.parameter_values['s'].matches('^gs://[a-z0-9._-]+/.*\\\\.csv$')",
  "condition",
);
const uri = { inputs: { parameterValues: { s: "gs://my-bucket/some/folder/of/data/file.csv" } } };
const pattern = /^gs:\/\/[a-z0-9._-]+\/.*\.csv$/;
await bench(
  "matches()",
  { wye: () => long.evaluate(uri), "JavaScript's RegExp": () => pattern.test(uri.inputs.parameterValues.s) },
  {
    baseline: "JavaScript's RegExp",
    note: "ours takes linear time for every pattern; JavaScript's may take exponential time",
  },
);
