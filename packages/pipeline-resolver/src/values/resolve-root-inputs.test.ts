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
});

describe("problems of a run", () => {
  const cases = [
    { values: undefined, wanted: [["missing", "/parameterValues/n"]] },
    { values: { n: "3" }, wanted: [["type", "/parameterValues/n"]] },
    { values: { n: null }, wanted: [["type", "/parameterValues/n"]] },
    { values: { n: 1, text: 5 }, wanted: [["type", "/parameterValues/text"]] },
    { values: { n: 1, maybe: null }, wanted: [["type", "/parameterValues/maybe"]] },
    { values: { n: 1, level: "middle" }, wanted: [["literal", "/parameterValues/level"]] },
    { values: { n: 1, txet: "x" }, wanted: [["undeclared", "/parameterValues/txet"]] },
    {
      values: { n: 1, "a/b": "x", m: 1 },
      wanted: [
        ["undeclared", "/parameterValues/a~1b"],
        ["undeclared", "/parameterValues/m"],
      ],
    },
  ];
  for (const { values, wanted } of cases) {
    test(JSON.stringify(values) ?? "nothing at all", () => {
      const result = resolveRootInputs(root, values && { parameterValues: values });
      expect(result.ok).toBe(false);
      expect(result.problems.map(({ code, path }) => [code, path])).toEqual(wanted);
    });
  }

  test("a slip of the finger is recognised", () => {
    const { problems } = resolveRootInputs(root, { parameterValues: { n: 1, txet: "x" } });
    expect(problems[0]?.hint).toBe("did you mean text?");
  });

  test("integers beyond 2^53 − 1 are remarked upon, and refused by the specification", () => {
    const config = { parameterValues: { n: 2 ** 60 } };
    expect(resolveRootInputs(root, config)).toMatchObject({ ok: true, problems: [{ severity: "warning" }] });
    expect(resolveRootInputs(root, config, { profile: "spec" }).ok).toBe(false);
  });

  test("required artifacts must be given", () => {
    const needy = ComponentSpec.create({
      inputDefinitions: { artifacts: { a: {}, b: { isOptional: true } } },
    });
    expect(resolveRootInputs(needy).problems).toMatchObject([{ code: "missing", path: "/artifacts/a" }]);
    expect(resolveRootInputs(needy, {}, { artifacts: { a: { artifacts: [] } } }).ok).toBe(true);
  });
});
