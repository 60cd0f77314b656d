import { ComponentSpec, type PartialMessage, type RuntimeConfig } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { resolveRootInputs } from "../index.js";

const root = ComponentSpec.create({
  inputDefinitions: {
    parameters: {
      n: { parameterType: 2 },
      text: { parameterType: 3, defaultValue: "d" },
      maybe: { parameterType: 5, isOptional: true },
      level: { parameterType: 3, literals: ["low", "high"], defaultValue: "low" },
    },
  },
});

describe("values of a run", () => {
  const cases: readonly {
    readonly config: PartialMessage<RuntimeConfig>;
    readonly wanted: object;
    readonly defaulted: readonly string[];
  }[] = [
    {
      config: { parameterValues: { n: 3 } },
      wanted: { n: 3, text: "d", maybe: null, level: "low" },
      defaulted: ["text", "level"],
    },
    {
      config: { parameterValues: { n: 3, text: "t", maybe: [1], level: "high" } },
      wanted: { n: 3, text: "t", maybe: [1], level: "high" },
      defaulted: [],
    },
    {
      config: {
        parameters: {
          n: { value: { $case: "intValue", value: "5" } },
          text: { value: { $case: "stringValue", value: "old" } },
        },
        parameterValues: { n: 4 },
      },
      wanted: { n: 4, text: "old", maybe: null, level: "low" },
      defaulted: ["level"],
    },
  ];
  for (const { config, wanted, defaulted } of cases) {
    test(JSON.stringify(wanted), () => {
      expect(resolveRootInputs(root, config)).toEqual({
        ok: true,
        value: { parameters: wanted, artifacts: {}, defaulted },
        problems: [],
      });
    });
  }
});

test("an optional input is the default of its type by the specification", () => {
  const resolved = resolveRootInputs(root, { parameterValues: { n: 3 } }, { profile: "spec" });
  expect(resolved).toMatchObject({ ok: true, value: { parameters: { maybe: [] } } });
  expect(resolved.ok && resolved.value.defaulted).toEqual(["text", "maybe", "level"]);
  expect(resolveRootInputs(root, {}, { profile: "spec" })).toMatchObject({
    ok: false,
    problems: [{ code: "missing", path: "/parameterValues/n" }],
  });
});

const deep = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("problems of a run", () => {
  const allowed = 'not one of the values allowed: ["low","high"]';
  const large = `${2 ** 60} is beyond ±(2^53 − 1), where integers are not exact: use a STRING`;
  const cases: readonly (readonly [
    config: PartialMessage<RuntimeConfig> | undefined,
    ...wanted: readonly (readonly [code: string, name: string, message: string, hint?: string])[],
  ])[] = [
    [undefined, ["missing", "n", "the pipeline needs a value for the parameter n"]],
    [{}, ["missing", "n", "the pipeline needs a value for the parameter n"]],
    [{ n: "3" }, ["type", "n", "parameter n: expected number for type NUMBER_INTEGER, got string"]],
    [{ n: null }, ["type", "n", "parameter n: expected number for type NUMBER_INTEGER, got null"]],
    [{ n: 1, text: 5 }, ["type", "text", "parameter text: expected string for type STRING, got number"]],
    [{ n: 1, text: null }, ["type", "text", "parameter text: expected string for type STRING, got null"]],
    [{ n: 1, maybe: null }, ["type", "maybe", "parameter maybe: expected list for type LIST, got null"]],
    [
      { n: 1, maybe: deep(501) },
      ["type", "maybe", "parameter maybe: the value is nested deeper than 500 levels"],
    ],
    [
      { n: 1, text: deep(501) },
      ["type", "text", "parameter text: the value is nested deeper than 500 levels"],
    ],
    [
      { n: deep(501), maybe: deep(501), level: "middle" },
      ["type", "n", "parameter n: the value is nested deeper than 500 levels"],
      ["type", "maybe", "parameter maybe: the value is nested deeper than 500 levels"],
      ["literal", "level", `"middle" is ${allowed}`],
    ],
    [{ n: 1, level: "middle" }, ["literal", "level", `"middle" is ${allowed}`]],
    [{ n: 1, level: "" }, ["literal", "level", `"" is ${allowed}`]],
    [{ n: 1, level: 1 }, ["type", "level", "parameter level: expected string for type STRING, got number"]],
    [
      { n: 1, txet: "x" },
      ["undeclared", "txet", "the pipeline has no input parameter txet", "did you mean text?"],
    ],
    [
      { "a/b": "x", m: 1, toString: 1 },
      ["undeclared", "a~1b", "the pipeline has no input parameter a/b"],
      ["undeclared", "m", "the pipeline has no input parameter m"],
      ["undeclared", "toString", "the pipeline has no input parameter toString"],
      ["missing", "n", "the pipeline needs a value for the parameter n"],
    ],
    [
      { n: "x", text: [], maybe: {}, level: "x" },
      ["type", "n", "parameter n: expected number for type NUMBER_INTEGER, got string"],
      ["type", "text", "parameter text: expected string for type STRING, got list"],
      ["type", "maybe", "parameter maybe: expected list for type LIST, got struct"],
      ["literal", "level", `"x" is ${allowed}`],
    ],
  ].map(([values, ...wanted]) => [values && { parameterValues: values }, ...wanted] as never);
  for (const [config, ...wanted] of cases)
    test(JSON.stringify(config), () => {
      expect(resolveRootInputs(root, config)).toEqual({
        ok: false,
        problems: wanted.map(([code, name, message, hint]) => ({
          ...{ code, severity: "error", path: `/parameterValues/${name}`, message },
          ...(hint === undefined ? {} : { hint }),
        })),
      });
    });

  test.each([
    [2 ** 60, large],
    [1.5, "expected an integer, got 1.5"],
  ])("%d is remarked upon as an integer, and refused by the specification", (n, message) => {
    const config = { parameterValues: { n } };
    const problem = { code: "type", path: "/parameterValues/n", message: `parameter n: ${message}` };
    expect(resolveRootInputs(root, config)).toMatchObject({
      ok: true,
      value: { parameters: { n } },
      problems: [{ ...problem, severity: "warning" }],
    });
    expect(resolveRootInputs(root, config, { profile: "spec" })).toEqual({
      ok: false,
      problems: [{ ...problem, severity: "error" }],
    });
  });

  test("required artifacts must be given", () => {
    const needy = ComponentSpec.create({
      inputDefinitions: { artifacts: { a: {}, b: { isOptional: true } } },
    });
    const message = "the pipeline needs the input artifact a";
    expect(resolveRootInputs(needy)).toEqual({
      ok: false,
      problems: [{ code: "missing", severity: "error", path: "/artifacts/a", message }],
    });
    const artifacts = { a: { artifacts: [] } };
    expect(resolveRootInputs(needy, {}, { artifacts })).toEqual({
      ok: true,
      value: { parameters: {}, artifacts, defaulted: [] },
      problems: [],
    });
  });
});

test("an optional input gets its own default before that of its type, and null where there is neither", () => {
  const optional = ComponentSpec.create({
    inputDefinitions: {
      parameters: {
        own: { parameterType: 2, isOptional: true, defaultValue: 7 },
        type: { parameterType: 2, isOptional: true },
        any: { isOptional: true },
        given: { isOptional: true },
      },
    },
  });
  const config = { parameterValues: { given: null, own: undefined } };
  const of = (profile: "kfp" | "spec") => {
    const result = resolveRootInputs(optional, config, { profile });
    return result.ok && [result.value.parameters, result.value.defaulted];
  };
  expect(of("kfp")).toEqual([{ own: 7, type: null, any: null, given: null }, ["own"]]);
  expect(of("spec")).toEqual([{ own: 7, type: 0, any: null, given: null }, ["own", "type"]]);
});

test("of artifacts only those that are optional, or there, may be left out, in whichever order", () => {
  const artifacts = {
    maybe: { isOptional: true },
    there: {},
    first: {},
    perhaps: { isOptional: true },
    second: {},
  };
  const declared = ComponentSpec.create({ inputDefinitions: { artifacts } });
  const { problems } = resolveRootInputs(declared, {}, { artifacts: { there: { artifacts: [] } } });
  expect(problems.map(({ message }) => message)).toEqual([
    "the pipeline needs the input artifact first",
    "the pipeline needs the input artifact second",
  ]);
});
