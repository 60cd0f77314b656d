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
  return problems.map(({ code, message, hint = "" }) => ({
    code,
    message,
    hint: hint.replaceAll(/inputs\.parameter_values\[['"](\w)['"]\]/g, "$1"),
  }));
}

const clashes: readonly (readonly [condition: string, hint: string])[] = [
  ["n * 2 > 10", "write n * 2.0 > 10.0"],
  ["n + 1 > 10", "write n + 1.0 > 10.0"],
  ["2 * d > 10", "write 2.0 * d > 10.0"],
  ["n % 2 == 0", "write int(n) % 2"],
  ["n", "compare it: n != 0"],
  ["s", "compare it: s == 'true'"],
  ["l", "compare its size: size(l) > 0"],
  ["!n", "compare it: n != 0"],
  ["n && true", "compare it: n != 0"],
  ["b || s", "compare it: s == 'true'"],
  ["n.startsWith('x')", "write string(n).startsWith(…)"],
  ["n > '5'", "write 5 without quotes"],
  ["s > 5", "write double(s) > 5.0"],
  ["n > s", "write n > double(s)"],
  ["size(n) > 1", "use n itself"],
  ["l > 1", "compare its size: size(l)"],
  ["n ? true : false", "compare it: n != 0"],
  ["b && n * 2 > 3", "write n * 2.0 > 3.0"],
  ["'a' in s", "write s.contains(…)"],
  ["1 in n", "use a list"],
  ["s in d", "use a list"],
  ["'a' in o && 'a' in (s)", "write s.contains(…)"],
  ["(n + 1) * 2 == 4", "write (n + 1.0) * 2.0 == 4.0"],
  ["size(l) + n > 1", "write double(size(l)) + n > 1.0"],
  ["n - 1 == -d", "write n - 1.0 == -d"],
  ["5 < s", "write 5.0 < double(s)"],
  ["s > size(l)", "write double(s) > double(size(l))"],
  ["s + n == 's1'", "write s + string(n)"],
  ["n + 'a' == '1a'", "write string(n) + 'a'"],
  ["l + 'a' == 'b'", "a list or object has no text: use one of its parts"],
  ["o.startsWith('a')", "look at one of its members: an object has no text"],
  // What other languages have.
  ["l.length > 1", "write size(l)"],
  ["s.length > 1", "write size(s)"],
  ["n.length > 1", "use n itself"],
  ["l.first == 1", "look at one of its values: l[0]"],
  ["s.name == 'x'", "if it holds JSON, write parseJson(s).name"],
  ["has(s.name.first)", "if it holds JSON, write parseJson(s).name"],
  ["s[0] == 'a'", "use startsWith, endsWith, contains or matches; if it holds JSON, write parseJson(s)[…]"],
  ["s['a'] == 'a'", "if it holds JSON, write parseJson(s)[…]"],
  ["n[0] == 1", "use n itself"],
  ["l['a'] == 1", "use a position: l[0]"],
  ["o[0] == 1", "write o['0']"],
  ["o[n] == 1", "use a text"],
  ["has(l.a)", "use in to look into a list, or size(…) to ask for its length"],
  ["parseJson(l)[0] == 1", "leave parseJson out: it is read already"],
  ["parseJson(o).a == 1", "leave parseJson out: it is read already"],
  ["parseJson(n) == 1.0", "leave parseJson out"],
  ["int(b) == 1", "write b ? 1 : 0"],
  ["double(b) > 0.5", "write b ? 1.0 : 0.0"],
  ["int(l) == 1", "look at one of its parts: a list cannot be converted"],
  ["string(o) == '{}'", "look at one of its parts: an object cannot be converted"],
  ["bool(n)", "write n != 0"],
  ["timestamp(n) > timestamp('2020-01-01T00:00:00Z')", "write timestamp(int(n))"],
  ["duration(n) > duration('1s')", "write duration(string(n) + 's')"],
  ["s.exists(x, x == 'a')", "use contains or matches for a text"],
  ["n.all(x, x > 1)", "use a list"],
  ["s.startsWith(5)", "write '5'"],
  ["s.contains(n)", "write string(n)"],
  ["matches(n, 'a')", "write string(n).matches(…)"],
  ["s.contains(l)", "use a text"],
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
  "l.size() > 0",
  "l[0].a == 1",
  "o.a.length == 1",
  "o[s] == 1",
  "has(n.a) || has(s.a) || has(o.a)",
  "parseJson(s).a == 1",
  "parseJson(s)[0] + 1.0 > 1.0",
  "bool(s)",
  "string(b) == 'true'",
  "timestamp(s) > timestamp(5)",
  "duration(string(n) + 's') > duration('1s')",
  "o.exists(x, x == 'a')",
  "s.contains(string(n))",
  "matches(s, 'a+')",
  "l.all(inputs, inputs.parameter_values.n[0] == 1)",
  "n in [1, 2.5]",
  "n in [1, 'a']",
  "s in [s, 1]",
];
describe("a condition that can be computed", () => {
  for (const condition of fine) {
    test(`${condition} has no error`, () => expect(found(condition).map(({ code }) => code)).toEqual([]));
  }
});

describe("a condition that is always the same", () => {
  test.each([
    ["n in ['1', '2']", "a number never equals a text"],
    ["s in [1, 2]", "a text never equals a number"],
    ["b && s in [true]", "a text never equals true or false"],
    ["n == '1'", "a number never equals a text"],
    ["d != '1'", "a number never equals a text"],
    ["s == 1.5", "a text never equals a number"],
    ["s == 1u", "a text never equals a number"],
    ["b == 'x'", "true or false never equals a text"],
    ["!(l == 'x')", "a list never equals a text"],
    ["o == 1", "an object never equals a number"],
    ["'x' == n", "a text never equals a number"],
    ["string(n) == d", "a text never equals a number"],
    ["int(s) == s", "a number never equals a text"],
    ["uint(s) == s", "a number never equals a text"],
    ["double(s) == s", "a number never equals a text"],
    ["bool(s) == n", "true or false never equals a number"],
    ["b || n == 'x'", "a number never equals a text"],
    ["n == 'x' && b", "a number never equals a text"],
    ["b ? n == 'x' : true", "a number never equals a text"],
    ["b ? true : n == 'x'", "a number never equals a text"],
    ["n == 'x' ? b : !b", "a number never equals a text"],
  ])("%s: %s", (condition, message) => {
    const hint = "compare values of the same type";
    expect(found(condition)).toEqual([{ code: "condition-never-equal", message, hint }]);
  });
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
