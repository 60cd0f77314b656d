import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

/** A condition over inputs of all types: `n` stands for the input `n`. */
function found(condition: string) {
  const pipeline = parse(examplePipeline);
  const types = {
    n: "NUMBER_INTEGER",
    d: "NUMBER_DOUBLE",
    s: "STRING",
    b: "BOOLEAN",
    l: "LIST",
    o: "STRUCT",
  };
  const values = { n: 1, d: 1.5, s: "x", b: true, l: [1], o: { a: 1 } };
  for (const [name, parameterType] of Object.entries(types)) {
    pipeline.components["comp-branch"].inputDefinitions.parameters[name] = { parameterType };
    const constant = values[name as keyof typeof values];
    pipeline.root.dag.tasks.branch.inputs.parameters[name] = { runtimeValue: { constant } };
  }
  const text = condition.replaceAll(/\b([ndsblo])\b(?!['(])/g, "inputs.parameter_values['$1']");
  pipeline.root.dag.tasks.branch.triggerPolicy.condition = text;
  const { problems } = validatePipeline(stringify(pipeline));
  return problems.map(({ code, hint = "" }) => ({
    code,
    hint: hint.replaceAll(/inputs\.parameter_values\[['"](\w)['"]\]/g, "$1"),
  }));
}

const clashes: readonly (readonly [condition: string, hint: string])[] = [
  ["n * 2 > 10", "write n * 2.0"],
  ["n + 1 > 10", "write n + 1.0"],
  ["2 * d > 10", "write 2.0 * d"],
  ["n % 2 == 0", "write int(n) % 2"],
  ["n", "compare it: n != 0"],
  ["s", "compare it: s == 'true'"],
  ["l", "compare its size: size(l) > 0"],
  ["!n", "compare it: n != 0"],
  ["n && true", "compare it: n != 0"],
  ["b || s", "compare it: s == 'true'"],
  ["n.startsWith('x')", "write string(n).startsWith(…)"],
  ["n > '5'", "write 5 without quotes"],
  ["s > 5", "write double(s)"],
  ["n > s", "write double(s)"],
  ["size(n) > 1", "write n itself"],
  ["l > 1", "compare its size: size(l)"],
  ["n ? true : false", "compare it: n != 0"],
  ["b && n * 2 > 3", "write n * 2.0"],
  ["'a' in s", "write s.contains(…)"],
  ["1 in n", "use a list"],
  ["s in d", "use a list"],
  ["'a' in o && 'a' in (s)", "write s.contains(…)"],
];

describe("a condition that cannot be computed", () => {
  for (const [condition, hint] of clashes) {
    test(`${condition}: ${hint}`, () => {
      const problems = found(condition);
      expect(problems.map(({ code }) => code)).toEqual(["condition-type-clash"]);
      expect(problems[0]?.hint.replaceAll('"', "'")).toBe(hint);
    });
  }
});

const fine = [
  "n * 2.0 > 10.0",
  "int(n) * 2 > 10",
  "n > 5",
  "5 < n",
  "n == 1",
  "n >= d",
  "b",
  "!b",
  "b && n > 1",
  "s == 'x'",
  "s > 'a'",
  "s.startsWith('x')",
  "size(s) > 1",
  "size(l) > 1",
  "s.size() > 1",
  "1 in l",
  "'a' in o",
  "s in o",
  "'a' in o['b']",
  "'n' in inputs.parameter_values",
  "('n' in inputs.parameter_values) == true",
  "has(inputs.parameter_values.label)",
  "has(o.a) && 'b' in inputs.parameter_values && 'c' in o.a",
  "o.a == 1",
  "l[0] == 1",
  "string(n) == '1'",
  "int(n) % 2 == 0",
  "double(s) > 5.0",
  "b ? n > 1 : d > 1.0",
  "l.all(x, x > 0)",
  "s + 'x' == 'xx'",
  "-n < 0",
  "o['a'] * 2 > 1",
  "s in ['a', 'b']",
  "int(s) > 5",
  "n - d > 0.0",
];
describe("a condition that can be computed", () => {
  for (const condition of fine) {
    test(`${condition} has no error`, () => expect(found(condition).map(({ code }) => code)).toEqual([]));
  }
});

describe("what is looked into has to be there", () => {
  for (const condition of [
    "'a' in inputs.parameter_values['missing']",
    "has(inputs.parameter_values.missing.a)",
    "'a' in (inputs.parameter_values['missing'])",
  ]) {
    test(condition, () => {
      expect(found(condition).map(({ code }) => code)).toEqual(["condition-input-unknown"]);
    });
  }
});
