import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

const rulesOfBranches = ["branches-both", "consumer-of-conditional", "oneof-not-exclusive"];
const x = "inputs.parameter_values['x']";
const y = "inputs.parameter_values['y']";
const more = ["p", "q", "r", "s", "t"] as const;

/** What is said of a DAG that chooses between tasks with these conditions, and of a task that depends on all of them. */
function problemsOf(conditions: readonly string[], declared?: object) {
  const read = ["x", "y", ...more.filter((name) => conditions.some((one) => one.includes(`['${name}']`)))];
  const inputs = {
    parameters: Object.fromEntries(read.map((name) => [name, { componentInputParameter: name }])),
  };
  const names = conditions.map((_, index) => `branch-${index}`);
  const branches = conditions.map((condition, index) => [
    `branch-${index}`,
    { componentRef: { name: "comp-say" }, inputs, triggerPolicy: { condition } },
  ]);
  const parameterSelectors = names.map((producerSubtask) => ({
    producerSubtask,
    outputParameterKey: "text",
  }));
  const text = JSON.stringify({
    ...(declared && { components: { "comp-say": { inputDefinitions: { parameters: { x: declared } } } } }),
    root: {
      dag: {
        tasks: {
          ...Object.fromEntries(branches),
          after: { componentRef: { name: "comp-end" }, dependentTasks: names },
        },
        outputs: { parameters: { text: { valueFromOneof: { parameterSelectors } } } },
      },
    },
  });
  const { problems } = validatePipeline(text, { maxProblems: 10_000 });
  return problems.filter(({ code }) => rulesOfBranches.includes(code));
}

function findings(conditions: readonly string[], declared?: object): readonly string[] {
  return problemsOf(conditions, declared).map(({ code, message }) =>
    code === "oneof-not-exclusive" ? message.replace(/^.* when /, "") : code,
  );
}

const exclusive: readonly (readonly [string, string])[] = [
  [`${x} == 'a'`, `${x} == 'b'`],
  [`${x} == 'a'`, `!(${x} == 'a')`],
  [`!(${x} == 'a') && ${x} == 'b'`, `!(${x} == 'a') && !(${x} == 'b')`],
  [`${x} > 0.9`, `${x} <= 0.9`],
  [`${x} >= 3`, `3 > ${x}`],
  [`${x} == -1`, `${x} > 0`],
  [x, `!${x}`],
  [x, `${x} == false`],
  [`${x} == 'a' && ${y} > 1`, `${x} == 'a' && ${y} < 1`],
  [`1 == ${x}`, `1 != ${x}`],
  [`1 <= ${x}`, `1 > ${x}`],
  [`1 >= ${x}`, `1 < ${x}`],
  [`${x} >= 1 && ${x} <= 1`, `${x} != 1`],
  [`!(${x} == 'a' || ${x} == 'b')`, `${x} == 'b'`],
  [`${x} == -(-1)`, `${x} == -1`],
  [`${x} < -1.5`, `-1.5 < ${x}`],
  [`inputs.parameter_values.x == 1`, `${x} == 2`],
];
const overlapping: readonly (readonly [string, string, string])[] = [
  [`${x} == 'a'`, `${x} != 'b'`, '"x" is "a"'],
  [`${x} != 'a'`, `${x} != 'b'`, '"x" is "other"'],
  [`${x} != 'other'`, `${x} != 'othe'`, '"x" is "other_"'],
  [`${x} != 'the longest'`, `${x} != 'a'`, '"x" is "other_______"'],
  [`${x} != true`, `${x} != true`, '"x" is false'],
  [`${x} != 1`, `${x} != 3`, '"x" is 2'],
  [`${x} < 10`, `${x} > 9`, '"x" is 9.5'],
  [`${x} < 1`, `${x} < 3`, '"x" is 0'],
  [`${x} > -2 && ${x} != -1`, `${x} < 0`, '"x" is -1.5'],
  [`1 <= ${x}`, `1 >= ${x}`, '"x" is 1'],
  [`1 < ${x}`, `5 > ${x}`, '"x" is 3'],
  [`${x} == 'a' || ${y}`, `${x} == 'b'`, '"x" is "b" and "y" is true'],
  [`${x} > 0`, `${x} < 2`, '"x" is 1'],
  [`${x} >= 2`, `${x} <= 2`, '"x" is 2'],
  [`${x} > 2`, `${x} > 3`, '"x" is 4'],
  [`${x} == 'a'`, `${y}`, '"x" is "a" and "y" is true'],
  [`${x} == 'a' || ${y} == 1`, `${x} == 'b' || ${y} == 1`, '"x" is "a" and "y" is 1'],
];
const untold: readonly (readonly [string, string])[] = [
  [`${x}.startsWith('a')`, `!${x}.startsWith('a')`],
  [`${x} == ${y}`, `${x} != ${y}`],
  [`${x} == 'a'`, `${x} == 1`],
  [`${x} < 'a'`, `${x} > 'a'`],
  [`${x} == -${y}`, `!(${x} == -${y})`],
  [`${x} == 1 + 1`, `!(${x} == 1 + 1)`],
  [`${x} + 1 == 2`, `!(${x} + 1 == 2)`],
  [`${x} == null`, `!(${x} == null)`],
  [`${x} == [1]`, `!(${x} == [1])`],
  [`${x} in ['a']`, `!(${x} in ['a'])`],
  [`${x}['a'] == 1`, `!(${x}['a'] == 1)`],
  [`double(${x}) == 1.0`, `!(double(${x}) == 1.0)`],
  [`(${x} ? ${y} : false)`, `!(${x} ? ${y} : false)`],
  ["'x' in inputs.parameter_values", "!('x' in inputs.parameter_values)"],
  [`${x} == 'a' && ${y}.startsWith('a')`, `${x} == 'b'`],
  [`${y}.startsWith('a') || ${x} == 'a'`, `${x} == 'b'`],
  [`!${x}.startsWith('a') && ${x} == 'a'`, `${x} == 'b'`],
  ["inputs.artifacts['x'] == 1", "!(inputs.artifacts['x'] == 1)"],
  ["inputs.parameter_values['z'] == 1", "inputs.parameter_values['z'] == 1"],
];

for (const [one, other] of exclusive) {
  test(`${one} excludes ${other}`, () => expect(findings([one, other])).toEqual(["branches-both"]));
}
for (const [one, other, values] of overlapping) {
  test(`${one} holds with ${other} when ${values}`, () => {
    expect(findings([one, other])).toEqual(["consumer-of-conditional", values]);
  });
}
for (const [one, other] of untold) {
  test(`nothing is said of ${one} and ${other}`, () => {
    expect(findings([one, other])).toEqual(["consumer-of-conditional"]);
  });
}

test("what never runs is reported where it depends on the second of two that exclude each other", () => {
  const say = (v: number) =>
    `{taskInfo: {name: t}, componentRef: {name: c}, inputs: {parameters: {v: {componentInputParameter: x}}}, triggerPolicy: {condition: "inputs.parameter_values['v'] == ${v}"}`;
  const text = (dependent: string) =>
    `root: {dag: {tasks: {a: ${say(1)}}, b: ${say(2)}, dependentTasks: [${dependent === "b" ? "a" : ""}]}, end: {componentRef: {name: c}, dependentTasks: [a, b]}}}}`;
  const places = (dependent: string) =>
    validatePipeline(text(dependent))
      .problems.filter(({ code }) => code === "branches-both")
      .map(({ path, message }) => [path, message.includes("tasks")]);
  const ofEnd = ["/root/dag/tasks/end/dependentTasks/1", true];
  expect(places("end")).toEqual([ofEnd]);
  expect(places("b")).toEqual([["/root/dag/tasks/b/dependentTasks/0", false], ofEnd]);
});

/** What is said of a one-of of two tasks whose inputs `v` come from these places, under these conditions. */
function chosen(
  [one, other]: readonly [string, string],
  conditions: readonly [string, string] = ["v == 1", "v == 2"],
  root = "",
): readonly string[] {
  const task = (from: string, condition: string) =>
    `{inputs: {parameters: {v: {${from}}}}, triggerPolicy: {condition: "${condition.replace("v", "inputs.parameter_values['v']")}"}}`;
  const selectors = ["a", "b"].map((name) => `{producerSubtask: ${name}, outputParameterKey: t}`).join(", ");
  const text = `
root:
  inputDefinitions: {parameters: {${root}}}
  dag:
    outputs: {parameters: {text: {valueFromOneof: {parameterSelectors: [${selectors}]}}}}
    tasks:
      a: ${task(one, conditions[0])}
      b: ${task(other, conditions[1])}
`;
  return validatePipeline(text)
    .problems.filter(({ code }) => code === "oneof-not-exclusive")
    .map(({ message }) => message);
}
const input = (name: string) => `componentInputParameter: ${name}`;
const output = (task: string, key: string) =>
  `taskOutputParameter: {producerTask: ${task}, outputParameterKey: ${key}}`;
const selected = (member: string) =>
  `${input("one")}, parameterExpressionSelector: "parseJson(string_value)['${member}']"`;

test.each([
  ["from two inputs", input("one"), input("two")],
  ["from outputs of two tasks", output("p", "t"), output("q", "t")],
  ["from two outputs of a task", output("p", "t"), output("p", "u")],
  ["from parts of an input", selected("a"), selected("b")],
])("inputs of one name that come %s are two values", (_, one, other) => {
  expect(chosen([one, other])).toEqual(['tasks "a" and "b" both run when "v" is 1 and "v" is 2']);
});

test.each([
  ["input", input("one")],
  ["output", output("p", "t")],
  ["part of an input", selected("a")],
])("inputs that come from one %s are one value", (_, from) => expect(chosen([from, from])).toEqual([]));

test("an input that its component does not declare is of the type of what feeds it", () => {
  const told = (type: string) =>
    chosen([input("one"), input("one")], ["int(v) > 1", "int(v) < 3"], `one: {parameterType: ${type}}`);
  expect(told("NUMBER_INTEGER")).toEqual(['tasks "a" and "b" both run when "v" is 2']);
  expect(told("NUMBER_DOUBLE")).toEqual([]);
});

test("a parameter and an artifact of one name are two choices", () => {
  const task = `{inputs: {parameters: {v: {componentInputParameter: one}}}, triggerPolicy: {condition: "inputs.parameter_values['v'] == 1"}}`;
  const text = `
root:
  dag:
    outputs:
      parameters: {text: {valueFromOneof: {parameterSelectors: [{producerSubtask: a, outputParameterKey: t}]}}}
      artifacts: {text: {artifactSelectors: [{producerSubtask: b, outputArtifactKey: t}]}}
    tasks: {a: ${task}, b: ${task}}
`;
  const codes = validatePipeline(text).problems.map(({ code }) => code);
  expect(codes).toContain("oneof-single");
  expect(codes).not.toContain("oneof-not-exclusive");
});

test("nothing is said of constants, which are no inputs of the DAG", () => {
  const say = (v: string) =>
    `{inputs: {parameters: {v: {runtimeValue: {constant: a}}}}, triggerPolicy: {condition: "inputs.parameter_values['v'] == '${v}'"}}`;
  const text = `root: {dag: {tasks: {a: ${say("a")}, b: ${say("b")}, end: {dependentTasks: [a, b]}}}}`;
  const found = validatePipeline(text).problems.map(({ code }) => code);
  expect(found).toContain("consumer-of-conditional");
  expect(found).not.toContain("branches-both");
});

test("thousands of branches and of variables are answered at once", { timeout: 30_000 }, () => {
  const many = Array.from({ length: 3000 }, (_, index) => `${x} == '${index}'`);
  expect(findings(many)).toEqual(["branches-both"]);
  const long = Array.from({ length: 300 }, (_, index) => `${x} == '${index}'`).join(" || ");
  expect(findings([long, `!(${long})`])).toEqual(["consumer-of-conditional"]);
});

test("as many comparisons are looked at as people write", () => {
  const some = (count: number) =>
    Array.from({ length: count }, (_, index) => `${x} == '${index}'`).join(" || ");
  expect(findings([some(31), `!!(${x} == 'b')`])).toEqual(["branches-both"]);
  expect(findings([some(31), `!!!(${x} == 'b')`])).toEqual(["consumer-of-conditional"]);
});

test("as many cases are tried as two thousand", () => {
  const texts = [x, y, "inputs.parameter_values['p']"].map((input) =>
    ["a", "b", "c", "d"].map((value) => `${input} == '${value}'`).join(" || "),
  );
  const flags = more.slice(1).map((name) => `inputs.parameter_values['${name}']`);
  const never = (...parts: readonly string[]) =>
    findings([parts.map((one) => `(${one})`).join(" && "), `!${flags[0]}`]);
  // Three texts of five values each, and four that are true or false.
  expect(never(...texts, ...flags)).toEqual(["branches-both"]);
  expect(never(...texts, ...flags, `${x} == 'e'`)).toEqual(["consumer-of-conditional"]);
});

test("of several tasks the first two are told that exclude each other, in their order", () => {
  const told = (...conditions: readonly string[]) =>
    problemsOf(conditions)
      .filter(({ code }) => code === "branches-both")
      .map(({ message, path }) => [...message.matchAll(/branch-\d/g), path].join(" "));
  const at = "/root/dag/tasks/after/dependentTasks";
  const [a, b, free] = [`${x} == 'a'`, `${x} == 'b'`, `${y} == 'a'`];
  expect(told(a, b, free)).toEqual([`branch-0 branch-1 ${at}/1`]);
  expect(told(a, free, b)).toEqual([`branch-0 branch-2 ${at}/2`]);
  expect(told(free, a, b)).toEqual([`branch-1 branch-2 ${at}/2`]);
  expect(told(a, b, a, b)).toEqual([`branch-0 branch-1 ${at}/1`]);
  expect(told(`${x} == 'a' && ${x} != 'a'`)).toEqual([]);
  expect(told(free, `${x} == 'a' && ${x} != 'a'`)).toEqual([`branch-0 branch-1 ${at}/1`]);
});

test("as many branches are compared with each other as twenty", () => {
  const between = (count: number) => Array.from({ length: count }, (_, index) => `${y} != '${index}'`);
  const overlap = '"x" is "a" and "y" is "other"';
  const found = (count: number) => findings([`${x} == 'a'`, ...between(count), `${x} == 'b'`]);
  expect(found(18)).toEqual(["branches-both", overlap]);
  expect(found(19)).toEqual(["consumer-of-conditional", overlap]);
});

describe("of inputs that are whole numbers", () => {
  const integer = { parameterType: "NUMBER_INTEGER" };
  const found = (one: string, other: string) => findings([one, other], integer);
  const int = `int(${x})`;

  test("only whole numbers are tried", () => {
    expect(found(`${x} > 1`, `${x} < 2`)).toEqual(["branches-both"]);
    expect(found(`${x} > 1.5`, `${x} < 1.6`)).toEqual(["branches-both"]);
    expect(found(`${x} > 1.5`, `${x} < 2.5`)).toEqual(["consumer-of-conditional", '"x" is 2']);
  });

  test("the least is told for which both hold", () => {
    expect(found(`${x} != 9`, `${x} > 1`)).toEqual(["consumer-of-conditional", '"x" is 2']);
  });

  test.each([
    [`${x} < 5`, `${x} != 5`, 4],
    [`${x} < 5`, `${x} <= 5`, 4],
    [`${x} > 5`, `${x} != 5`, 6],
    [`${x} > 5`, `${x} >= 5`, 6],
    [`${x} < 5.5`, `${x} != 5`, 4],
    [`${x} > 5.5`, `${x} != 6`, 7],
    [`${x} < -5`, `${x} != -6`, -7],
  ])(
    "one above or below what they are compared with is tried: %s and %s hold for %d",
    (one, other, value) => {
      expect(found(one, other)).toEqual(["consumer-of-conditional", `"x" is ${value}`]);
    },
  );

  test("what compilers write around them is looked through", () => {
    expect(found(`${int} == 1`, `!(${int} == 1)`)).toEqual(["branches-both"]);
    expect(found(`${int} > 1`, `${int} < 3`)).toEqual(["consumer-of-conditional", '"x" is 2']);
    expect(found(`${int} > 1`, `${x} < 3`)).toEqual(["consumer-of-conditional", '"x" is 2']);
  });

  test.each([
    `double(${x}) == 1.0`,
    `string(${x}) == '1'`,
    `dyn(${x}) == 1`,
    `size(${x}) == 1`,
    `${x}.int() == 1`,
    `int(${x}, 1) == 1`,
  ])("what else is made of them is not: %s", (condition) => {
    expect(found(condition, `!(${condition})`)).toEqual(["consumer-of-conditional"]);
  });

  test("of others it may take something away", () => {
    expect(findings([`${int} == 1`, `!(${int} == 1)`])).toEqual(["consumer-of-conditional"]);
  });
});
