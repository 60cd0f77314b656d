import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

const inShort = (text: string): string =>
  text.replaceAll(/inputs\.parameter_values(?:\[['"](\w)['"]\]|\.(\w))/g, "$1$2");

/** A condition over inputs of all types: `n` stands for the input `n`, and is written in either form. */
function found(condition: string, written = "inputs.parameter_values['$1']") {
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
  const text = condition.replaceAll(/\b([ndsblo])\b(?!['(])/g, written);
  pipeline.root.dag.tasks.branch.triggerPolicy.condition = text;
  const { problems } = validatePipeline(stringify(pipeline));
  return problems.map(({ code, message, hint = "" }) => ({
    code,
    message: inShort(message),
    hint: inShort(hint),
  }));
}

// biome-ignore format: a table
const clashes: readonly (readonly [condition: string, message: string, hint: string])[] = [
  ["n * 2 > 10", "CEL does not mix kinds of numbers in *, and the number of an input is a double", "write n * 2.0 > 10.0"],
  ["n + 1 > 10", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write n + 1.0 > 10.0"],
  ["2 * d > 10", "CEL does not mix kinds of numbers in *, and the number of an input is a double", "write 2.0 * d > 10.0"],
  ["n % 2 == 0", "% takes whole numbers, and the number of an input is none to CEL", "write int(n) % 2"],
  ["n", "a condition is true or false, this one is a number", "compare it: n != 0"],
  ["s", "a condition is true or false, this one is a text", "compare it: s == 'true'"],
  ["l", "a condition is true or false, this one is a list", "compare its size: size(l) > 0"],
  ["!n", "'n' is a number, where true or false is wanted", "compare it: n != 0"],
  ["b ? d : 2.0", "a condition is true or false, this one is a number", "compare it: it != 0"],
  ["n && true", "'n' is a number, where true or false is wanted", "compare it: n != 0"],
  ["b || s", "'s' is a text, where true or false is wanted", "compare it: s == 'true'"],
  ["n.startsWith('x')", "'n' is a number, and startsWith is for texts", "write string(n).startsWith(…)"],
  ["n > '5'", "a number cannot be compared with a text by >", "write 5 without quotes"],
  ["s > 5", "a text cannot be compared with a whole number by >", "write double(s) > 5.0"],
  ["n > s", "a number cannot be compared with a text by >", "write n > double(s)"],
  ["size(n) > 1", "'n' is a number, which has no size", "use n itself"],
  ["l > 1", "'l' is a list, which is neither smaller nor larger", "compare its size: size(l)"],
  ["n ? true : false", "'n' is a number, where true or false is wanted", "compare it: n != 0"],
  ["b && n * 2 > 3", "CEL does not mix kinds of numbers in *, and the number of an input is a double", "write n * 2.0 > 3.0"],
  ["'a' in s", "'s' is a text, and not a list to look into", "write s.contains(…)"],
  ["1 in n", "'n' is a number, and not a list to look into", "use a list"],
  ["s in d", "'d' is a number, and not a list to look into", "use a list"],
  ["'a' in o && 'a' in (s)", "'s' is a text, and not a list to look into", "write s.contains(…)"],
  ["(n + 1) * 2 == 4", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write (n + 1.0) * 2.0 == 4.0"],
  ["size(l) + n > 1", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write double(size(l)) + n > 1.0"],
  ["n - 1 == -d", "CEL does not mix kinds of numbers in -, and the number of an input is a double", "write n - 1.0 == -d"],
  ["5 < s", "a whole number cannot be compared with a text by <", "write 5.0 < double(s)"],
  ["s > size(l)", "a text cannot be compared with a whole number by >", "write double(s) > double(size(l))"],
  ["s + n == 's1'", "a text + a number cannot be computed", "write s + string(n)"],
  ["n + 'a' == '1a'", "a number + a text cannot be computed", "write string(n) + 'a'"],
  ["l + 'a' == 'b'", "a list + a text cannot be computed", "a list or object has no text: use one of its parts"],
  ["o.startsWith('a')", "'o' is an object, and startsWith is for texts", "look at one of its members: an object has no text"],
  // What other languages have.
  ["l.length > 1", "'l' is a list, which has no fields", "write size(l)"],
  ["s.length > 1", "'s' is a text, which has no fields", "write size(s)"],
  ["n.length > 1", "'n' is a number, which has no fields", "use n itself"],
  ["l.first == 1", "'l' is a list, which has no fields", "look at one of its values: l[0]"],
  ["s.name == 'x'", "'s' is a text, which has no fields", "if it holds JSON, write parseJson(s).name"],
  ["has(s.name.first)", "'s' is a text, which has no fields", "if it holds JSON, write parseJson(s).name"],
  ["s[0] == 'a'", "'s' is a text, of which no part can be taken", "use startsWith, endsWith, contains or matches; if it holds JSON, write parseJson(s)[…]"],
  ["s['a'] == 'a'", "'s' is a text, of which no part can be taken", "if it holds JSON, write parseJson(s)[…]"],
  ["n[0] == 1", "'n' is a number, which has no parts", "use n itself"],
  ["l['a'] == 1", "'l' is a list, whose values have no names", "use a position: l[0]"],
  ["o[0] == 1", "'o' is an object, whose names are texts", "write o['0']"],
  ["o[n] == 1", "'o' is an object, whose names are texts", "use a text"],
  ["has(l.a)", "'l' is a list, which has no fields", "use in to look into a list, or size(…) to ask for its length"],
  ["parseJson(l)[0] == 1", "'l' is a list, which parseJson does not take", "leave parseJson out: it is read already"],
  ["parseJson(o).a == 1", "'o' is an object, which parseJson does not take", "leave parseJson out: it is read already"],
  ["parseJson(n) == 1.0", "'n' is a number, which parseJson does not take", "leave parseJson out"],
  ["int(b) == 1", "'b' is true or false, which int does not take", "write b ? 1 : 0"],
  ["double(b) > 0.5", "'b' is true or false, which double does not take", "write b ? 1.0 : 0.0"],
  ["int(l) == 1", "'l' is a list, which int does not take", "look at one of its parts: a list cannot be converted"],
  ["string(o) == '{}'", "'o' is an object, which string does not take", "look at one of its parts: an object cannot be converted"],
  ["bool(n)", "'n' is a number, which bool does not take", "write n != 0"],
  ["timestamp(n) > timestamp('2020-01-01T00:00:00Z')", "'n' is a number, which timestamp does not take", "write timestamp(int(n))"],
  ["duration(n) > duration('1s')", "'n' is a number, which duration does not take", "write duration(string(n) + 's')"],
  ["s.exists(x, x == 'a')", "'s' is a text, and exists goes over lists", "use contains or matches for a text"],
  ["n.all(x, x > 1)", "'n' is a number, and all goes over lists", "use a list"],
  ["s.startsWith(5)", "'5' is a whole number, and startsWith looks for a text", "write '5'"],
  ["s.contains(n)", "'n' is a number, and contains looks for a text", "write string(n)"],
  ["matches(n, 'a')", "'n' is a number, and matches is for texts", "write string(n).matches(…)"],
  ["s.contains(l)", "'l' is a list, and contains looks for a text", "use a text"],
  ["-s == 'x'","'s' is a text, which has no negative","use a number"],
  ["-b","'b' is true or false, which has no negative","use a number"],
  ["l * 2 == 1","a list * a whole number cannot be computed","use numbers"],
  ["s * n > 1","a text * a number cannot be computed","use numbers"],
  ["l + 1 == l","a list + a whole number cannot be computed","use numbers"],
  ["n - s == 1","a number - a text cannot be computed","use numbers"],
  ["b - 1 == 0","true or false - a whole number cannot be computed","use numbers"],
  ["n / 2 == 1","CEL does not mix kinds of numbers in /, and the number of an input is a double","write n / 2.0 == 1.0"],
  ["7 % d == 1","% takes whole numbers, and the number of an input is none to CEL","write 7 % int(d)"],
  ["n % d == 1.0","% takes whole numbers, and the number of an input is none to CEL","write int(n) % int(d)"],
  ["o && b","'o' is an object, where true or false is wanted","compare its size: size(o) > 0"],
  ["s ? b : b","'s' is a text, where true or false is wanted","compare it: s == 'true'"],
  ["o > 1","'o' is an object, which is neither smaller nor larger","compare its size: size(o)"],
  ["int(s) + n > 1", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write double(int(s)) + n > 1.0"],
  ["s.size() + n > 1", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write double(s.size()) + n > 1.0"],
  ["-(n + 1) < 0", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write -(n + 1.0) < 0.0"],
  ["(n + 1 > 1) == (d > 2.5)", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write (n + 1.0 > 1.0) == (d > 2.5)"],
  ["(n + 1 > 1) == (d > double(s))", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write (n + 1.0 > 1.0) == (d > double(s))"],
  ["(b ? n : d) + 1 > 2", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "bring both to one kind by double(…)"],
  ["n + 1 > s", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write n + 1.0"],
  ["n + 1 == s", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write n + 1.0"],
  ["n + 1 > o['a']", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write n + 1.0"],
  ["(n + 1 > 1) == (s > 'a')", "CEL does not mix kinds of numbers in +, and the number of an input is a double", "write n + 1.0 > 1.0"],
  ["l.contains('a')", "'l' is a list, and contains is for texts", "use in to look into a list"],
  ["s.contains(o)", "'o' is an object, and contains looks for a text", "use a text"],
  ["n.map(x, x) == [1]", "'n' is a number, and map goes over lists", "use a list"],
  ["s.filter(x, true) == ['a']", "'s' is a text, and filter goes over lists", "use contains or matches for a text"],
  ["n.exists_one(x, true)", "'n' is a number, and exists_one goes over lists", "use a list"],
  ["n > 'five'", "a number cannot be compared with a text by >", "write n > double('five')"],
  ["n > '-5.5'", "a number cannot be compared with a text by >", "write -5.5 without quotes"],
  ["n > '5.'", "a number cannot be compared with a text by >", "write n > double('5.')"],
  ["n > '+5'", "a number cannot be compared with a text by >", "write n > double('+5')"],
  ["n > '5 '", "a number cannot be compared with a text by >", "write n > double('5 ')"],
  ["'5' < n", "a text cannot be compared with a number by <", "write 5 without quotes"],
  ["'five' <= n", "a text cannot be compared with a number by <=", "write double('five') <= n"],
  ["(b ? n : d) > s", "a number cannot be compared with a text by >", "write (b ? n : d) > double(s)"],
  ["b >= s", "true or false cannot be compared with a text by >=", "compare values of the same type"],
  ["1 > l", "'l' is a list, which is neither smaller nor larger", "compare its size: size(l)"],
  ["b < o", "'o' is an object, which is neither smaller nor larger", "compare its size: size(o)"],
  ["b + b", "true or false + true or false cannot be computed", "use numbers"],
  ["s - s == 'a'", "a text - a text cannot be computed", "use numbers"],
  ["s ? n : d", "'s' is a text, where true or false is wanted", "compare it: s == 'true'"],
  ["o + o == o", "an object + an object cannot be computed", "use numbers"],
  ["o + s == 'a'", "an object + a text cannot be computed", "a list or object has no text: use one of its parts"],
  ["s + l == 'a'", "a text + a list cannot be computed", "a list or object has no text: use one of its parts"],
  ["s + b == 'a'", "a text + true or false cannot be computed", "write s + string(b)"],
  ["b + s == 'a'", "true or false + a text cannot be computed", "write string(b) + s"],
  ["-l == l", "'l' is a list, which has no negative", "use a number"],
  ["-n * d", "a condition is true or false, this one is a number", "compare it: -n * d != 0"],
  ["-n * -d", "a condition is true or false, this one is a number", "compare it: it != 0"],
  ["b ? s : 'a'", "a condition is true or false, this one is a text", "compare it: it == 'true'"],
  ["s.contains({'a': n})", "'{'a': n}' is an object, and contains looks for a text", "use a text"],
  ["{'a': 1}[n] == 1", "'{'a': 1}' is an object, whose names are texts", "use a text"],
  ["[1][s] == 1", "'[1]' is a list, whose values have no names", "use a position: [1][0]"],
  ["n + [1] == l", "a number + a list cannot be computed", "use numbers"],
  ["uint(b) > 1u", "'b' is true or false, which uint does not take", "use a text"],
  ["uint(l) > 1u", "'l' is a list, which uint does not take", "look at one of its parts: a list cannot be converted"],
  ["bool(l)", "'l' is a list, which bool does not take", "look at one of its parts: a list cannot be converted"],
  ["bytes(n) == b'a'", "'n' is a number, which bytes does not take", "write string(n)"],
  ["timestamp(b) > timestamp(1)", "'b' is true or false, which timestamp does not take", "use a text"],
  ["duration(b) > duration('1s')", "'b' is true or false, which duration does not take", "use a text"],
  ["parseJson(b)", "'b' is true or false, which parseJson does not take", "leave parseJson out"],
  ["size(b) > 1", "'b' is true or false, which has no size", "use b itself"],
  ["n.endsWith('x')", "'n' is a number, and endsWith is for texts", "write string(n).endsWith(…)"],
  ["n.matches('x')", "'n' is a number, and matches is for texts", "write string(n).matches(…)"],
  ["n.contains('x')", "'n' is a number, and contains is for texts", "write string(n).contains(…)"],
  ["n.filter(x, true) == l", "'n' is a number, and filter goes over lists", "use a list"],
  ["b > 1","true or false cannot be compared with a whole number by >","compare values of the same type"],
];

describe("a condition that cannot be computed", () => {
  test.each(clashes)("%s: %s, %s", (condition, message, hint) => {
    const problems = found(condition);
    expect(problems.map(({ code }) => code)).toEqual(["condition-type-clash"]);
    expect(problems.map((one) => one.message.replaceAll('"', "'"))).toEqual([message]);
    expect(problems.map((one) => one.hint.replaceAll('"', "'"))).toEqual([hint]);
    const dotted = found(condition, "inputs.parameter_values.$1");
    expect(dotted.map(({ code, message }) => [code, message])).toEqual(
      problems.map(({ code, message }) => [code, message]),
    );
  });
});

test("what a choice gives is compared as a whole", () => {
  const hints = ["b ? s : 'a'", "b ? d : 2.0", "b ? l : [1]"].map((condition) =>
    found(condition, "inputs.parameter_values.$1").map(({ hint }) => hint.replaceAll('"', "'")),
  );
  expect(hints).toEqual([
    ["compare it: (b ? s : 'a') == 'true'"],
    ["compare it: (b ? d : 2.0) != 0"],
    ["compare its size: size(b ? l : [1]) > 0"],
  ]);
});

describe("a condition that cannot be computed is told of once, whatever is around it", () => {
  const parts = clashes.filter(([, message]) =>
    /, and |, of which|, which (?:has no|int|double|bool)/.test(message),
  );
  test.each(parts)("%s: %s", (condition, message, hint) => {
    const around = found(`b && (${condition}) || !b`);
    const told = around.map((one) => [
      one.code,
      one.message.replaceAll('"', "'"),
      one.hint.replaceAll('"', "'"),
    ]);
    expect(told).toEqual([["condition-type-clash", message, hint]]);
  });
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
  "string(size(l)) == '1'",
  "string(d) == '1'",
  "string(s) == 's'",
  "double(size(l)) > 1.0",
  "double(d) > 1.0",
  "double(n) > 1.0",
  "int(size(l)) > 1",
  "int(d) > 1",
  "uint(n) > 1u",
  "uint(s) > 1u",
  "uint(size(l)) > 1u",
  "bool(b)",
  "bytes(s) == b'a'",
  "timestamp(size(l)) > timestamp(1)",
  "size(o) > 1",
  "dyn(s) == 1",
  "dyn(n) == 1",
  "dyn(size(l)) == 1",
  "dyn(b) == true",
  "dyn(l) == l",
  "dyn(o) == o",
  "s.endsWith('x')",
  "s.matches('x')",
  "s.contains('x')",
  "l.exists_one(x, x > 0)",
  "l.map(x, x) == l",
  "o.all(x, x == 'a')",
  "l.filter(x, x > 1) == l",
  "n in {'a': 1}",
  "l + l == l",
  "d / n > n",
  "b ? n == 1 : s == 'x'",
  "(b ? n : s) == 1",
  "(b ? n : s) > 1",
  "(b ? s : n) > 1",
  "(b ? s : l[0]) > 1",
  "(b ? l[0] : s) > 1",
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
