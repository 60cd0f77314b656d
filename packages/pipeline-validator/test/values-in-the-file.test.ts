import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type ValidateOptions, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

function found(patch: string, options?: ValidateOptions): readonly string[] {
  const { problems } = validatePipeline(exampleText("patch", patch), options);
  return problems.map(({ severity, code, path }) => `${severity} ${code} ${path.split("/").at(-1)}`);
}

/** The input `epochs` with this declaration and this constant. */
const given = (declared: string, constant: string) => `
root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: ${JSON.stringify(constant)}}}}}}}}}
components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: null, ${declared}}}}}}
`;

describe("a constant with a placeholder is a text to the back end", () => {
  for (const type of ["NUMBER_INTEGER", "NUMBER_DOUBLE", "BOOLEAN", "LIST", "STRUCT"]) {
    for (const constant of ["{{$.pipeline_job_name}}", "{{$.inputs.parameters['label']}}"]) {
      const patch = given(`parameterType: ${type}`, constant);
      test(`and so nothing for a ${type}: ${constant}`, () => {
        expect(found(patch)).toEqual(["error constant-type-mismatch constant"]);
      });
      test(`and under the profile spec what is filled in, for a ${type}: ${constant}`, () => {
        expect(found(patch, { profile: "spec" })).toEqual([]);
      });
    }
  }
  test("and so a STRING", () => {
    expect(found(given("parameterType: STRING", "{{$.pipeline_job_name}}"))).toEqual([]);
  });
});

/** A loop over the constant of an input, with this declaration, for items that are declared so. */
const loop = (items: string, constant: unknown, item: string) => `
root:
  dag:
    tasks:
      loop:
        inputs: {parameters: {items: {runtimeValue: {constant: ${JSON.stringify(constant)}}}}}
        parameterIterator: {items: {raw: null, inputParameter: items}}
components:
  comp-loop:
    inputDefinitions: {parameters: {items: {parameterType: ${items}}, item: {${item}}}}
    dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}
`;

describe("items of a loop that are a constant", () => {
  test("are of the type of the item", () => {
    const items = "parameterType: NUMBER_INTEGER";
    expect(found(loop("LIST", ["a", 2], items))).toEqual(["error iterator-items-type constant"]);
    expect(found(loop("STRING", "[1, true]", items))).toEqual(["error iterator-items-type constant"]);
    expect(found(loop("LIST", [1, 2], items))).toEqual([]);
  });
  test("are a list of JSON", () => {
    const items = "parameterType: STRING";
    expect(found(loop("STRING", "a,b", items))).toEqual(["error iterator-items-invalid constant"]);
    expect(found(loop("STRING", "{}", items))).toEqual(["error iterator-items-invalid constant"]);
    expect(found(loop("STRING", '["a"]', items))).toEqual([]);
    expect(found(loop("STRING", "{{$.pipeline_job_name}}", items))).toEqual([]);
  });
  test("are among the literals of the item", () => {
    const items = "parameterType: STRING, literals: [a, b]";
    expect(found(loop("LIST", ["a", "z"], items))).toEqual(["error iterator-item-not-literal constant"]);
    expect(found(loop("LIST", ["a", "b"], items))).toEqual([]);
  });
  test("are there", () => {
    expect(found(loop("LIST", [], "parameterType: STRING"))).toEqual([
      "warning iterator-items-empty constant",
    ]);
  });
});

test("raw items have no number that JSON readers refuse", () => {
  const raw = (items: string) =>
    found(`root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '${items}'}}}}}}`);
  expect(raw("[1e999]")).toEqual(["error iterator-items-invalid raw"]);
  expect(raw('[{"a": [-1e999]}]')).toEqual(["error iterator-items-invalid raw"]);
  expect(raw("[1e300]")).toEqual([]);
});

describe("literals of an input and of what feeds it", () => {
  const fed = (source: string, own: string) =>
    found(`
root:
  inputDefinitions: {parameters: {kind: {parameterType: STRING, ${source}}}}
  dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, componentInputParameter: kind}}}}}}
components: {comp-train: {inputDefinitions: {parameters: {label: {${own}}}}}}
`).filter((one) => !one.includes("optional-"));

  const never = ["error literals-never-met componentInputParameter"];
  const unset = ["warning default-not-literal-of-task componentInputParameter"];

  test("have one in common", () => {
    expect(fed("literals: [a]", "literals: [b]")).toEqual(never);
    expect(fed("literals: [a, b]", "literals: [b]")).toEqual([]);
    expect(fed("literals: [a]", "parameterType: STRING")).toEqual([]);
  });
  test("or nothing is handed on", () => {
    expect(fed("literals: [a], isOptional: true", "literals: [b], isOptional: true")).toEqual([]);
  });
  test("allow the default", () => {
    expect(fed("defaultValue: a", "literals: [b]")).toEqual(unset);
    expect(fed("defaultValue: a, literals: [a, b]", "literals: [b]")).toEqual(unset);
    expect(fed("defaultValue: b", "literals: [b]")).toEqual([]);
  });
  test("are met by a default that the server does not compare", () => {
    expect(fed("defaultValue: b, literals: [a]", "literals: [b]")).toEqual([
      "warning default-not-literal defaultValue",
    ]);
  });
});

describe("under the profile spec", () => {
  const spec = { profile: "spec" } as const;
  test("constants of old files are of the type of their inputs", () => {
    const old = (value: string) =>
      found(
        `root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constantValue: ${value}}}}}}}}}`,
        spec,
      ).filter((one) => !one.startsWith("info"));
    expect(old("{stringValue: x}")).toEqual(["error constant-type-mismatch constantValue"]);
    expect(old("{intValue: 3}")).toEqual([]);
  });
});

test("amounts that are no numbers, and a variable that names itself, are called what they are", () => {
  const text = exampleText(
    "patch",
    "deploymentSpec: {executors: {exec-report: {container: {resources: {cpuLimit: .nan}, env: [{name: PATH, value: '$(PATH):/x'}]}}}}",
  );
  expect(parse(text)).toBeTypeOf("object");
  const { problems } = validatePipeline(text.replace(".nan", '"NaN"'));
  expect(problems.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      "NaN is not an amount",
      "$(PATH) is not expanded: it is the variable itself, whose value in the image is not known",
    ]),
  );
});
