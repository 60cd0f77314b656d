import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

const a = "inputs.parameter_values['a']";
const b = "inputs.parameter_values.b";
const asksForA = "'a' in inputs.parameter_values";
const asksAlso = "'b' in inputs.parameter_values";
const asksForB = "has(inputs.parameter_values.b)";
const sure = "inputs.parameter_values['sure']";

type Declared = { parameterType: string; isOptional?: boolean; defaultValue?: unknown };
const optional: Declared = { parameterType: "NUMBER_INTEGER", isOptional: true };

/** What of the parameters that a condition reads is said to be absent where it is read. */
function unguarded(
  condition: string,
  {
    root = optional,
    own = optional,
    given = ["a", "b", "sure"],
  }: { root?: Declared; own?: Declared; given?: string[] } = {},
): readonly string[] {
  const required = { parameterType: "NUMBER_INTEGER" };
  const { problems } = validatePipeline(
    JSON.stringify({
      root: {
        inputDefinitions: { parameters: { a: root, b: root, sure: required } },
        dag: {
          tasks: {
            branch: {
              componentRef: { name: "comp-branch" },
              inputs: {
                parameters: Object.fromEntries(
                  given.map((name) => [name, { componentInputParameter: name }]),
                ),
              },
              triggerPolicy: { condition },
            },
          },
        },
      },
      components: {
        "comp-branch": {
          inputDefinitions: { parameters: { a: own, b: own, sure: required } },
          dag: { tasks: {} },
        },
      },
    }),
  );
  return problems
    .filter(({ code }) => code === "condition-optional-unguarded")
    .map(({ message }) => /"([^"]*)"/.exec(message)?.[1] ?? "");
}

const failing: readonly (readonly [string, readonly string[]])[] = [
  [`${a} > 1`, ["a"]],
  [`${a} == null`, ["a"]],
  [`${a} != null && ${a} > 1`, ["a"]],
  [`${a} > 1 && ${b} > 1`, ["a", "b"]],
  [`${a} > 1 || ${sure} > 1`, ["a"]],
  [`${sure} > 1 ? ${a} > 1 : true`, ["a"]],
  [`int(${a}) == 5`, ["a"]],
  [`${asksForA} || ${a} > 1`, ["a"]],
  [`!(${asksForA}) && ${a} > 1`, ["a"]],
  [`${asksForB} && ${a} > 1`, ["a"]],
  ["has(inputs.parameter_values.a.x)", ["a"]],
  // What is false or true for certain without both is not without one.
  [`(${asksForA} || ${b} > 1) && ${a} > 1`, ["b", "a"]],
  [`(${b} > 1 || ${asksForA}) && ${a} > 1`, ["b", "a"]],
  [`(${asksForA} || ${asksAlso}) && ${a} > 1`, ["a"]],
  [`(${asksAlso} || ${asksForA}) && ${a} > 1`, ["a"]],
  [`(${asksForA} || ${sure} > 1) && ${a} > 1`, ["a"]],
  [`(${sure} > 1 || ${asksForA}) && ${a} > 1`, ["a"]],
  [`!(${asksForA}) && !(${asksAlso}) || ${a} > 1`, ["a"]],
  [`!(${asksAlso}) && !(${asksForA}) || ${a} > 1`, ["a"]],
  [`!(${asksForA}) && ${sure} > 1 || ${a} > 1`, ["a"]],
  [`${sure} > 1 && !(${asksForA}) || ${a} > 1`, ["a"]],
  [`!(${asksForA} || ${asksAlso}) || ${a} > 1`, ["a"]],
  [`!(!(${asksForA}) && !(${asksAlso})) && ${a} > 1`, ["a"]],
  [`${asksForA} ? true : ${a} > 1`, ["a"]],
  [`!(${asksForA}) ? ${a} > 1 : true`, ["a"]],
  [`${a} > 1 ? ${asksForA} : false`, ["a"]],
  [`(${asksForA} ? true : false) && ${a} > 1`, ["a"]],
  [`(${asksForA}) == true && ${a} > 1`, ["a"]],
  [`'x' in ${a}`, ["a"]],
];
const guarded: readonly string[] = [
  `${sure} > 1`,
  asksForA,
  `!(${asksForA})`,
  `${asksForA} && ${a} > 1`,
  `${a} > 1 && ${asksForA}`,
  `!(${asksForA}) || ${a} > 1`,
  `${asksForA} ? ${a} > 1 : false`,
  `!(${asksForA}) ? true : ${a} > 1`,
  `${asksForA} && ${asksForB} && (${a} > 1 || ${b} > 1)`,
  `!(${asksForA} && ${a} > 1)`,
  `(${asksForA} && ${sure} > 1 || ${asksForA} && ${sure} > 2) && ${a} > 1`,
  `${asksForA} && ${sure} > 0 && 'x' in ${a}`,
  `(${asksForA} || ${asksForA}) && ${a} > 1`,
  `${sure} > 1 && ${asksForA} && ${a} > 1`,
  `${asksForA} && (${sure} > 1 || ${a} > 1)`,
  `!(${asksForA}) || ${sure} > 1 || ${a} > 1`,
  `(!(${asksForA}) || !(${asksAlso})) || ${a} > 1 && ${b} > 1`,
  `!(!(${asksForA}) || !(${asksAlso})) && ${a} > 1 && ${b} > 1`,
  `!(!(${asksForA})) && ${a} > 1`,
  `!(${asksForA}) && !(${asksForA}) || ${a} > 1`,
  `${asksForA} ? (${asksAlso} ? ${a} > ${b} : ${a} > 1) : ${asksAlso} ? ${b} > 1 : true`,
];

for (const [condition, names] of failing) {
  test(`${condition} fails without ${names.join(" and ")}`, () =>
    expect(unguarded(condition)).toEqual(names));
}
for (const condition of guarded) {
  test(`${condition} does not fail`, () => expect(unguarded(condition)).toEqual([]));
}

test("an input that the task does not supply is absent", () => {
  expect(unguarded(`${a} > 1`, { given: ["sure"] })).toEqual(["a"]);
});
test("nothing is absent that has a default or is required", () => {
  const withDefault = { ...optional, defaultValue: 3 };
  expect(unguarded(`${a} > 1`, { root: withDefault })).toEqual([]);
  expect(unguarded(`${a} > 1`, { own: withDefault })).toEqual([]);
  expect(unguarded(`${a} > 1`, { root: { parameterType: "NUMBER_INTEGER" } })).toEqual([]);
});
test("a default of null is none", () => {
  expect(unguarded(`${a} > 1`, { root: { ...optional, defaultValue: null } })).toEqual(["a"]);
});
