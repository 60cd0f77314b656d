import { ComponentSpec, ExecutorInput, RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { buildExecutorInput, compileExpression, resolvePlaceholders } from "./index.js";

// Second branches: each of these was once broken without another test noticing.

const text = (value: string) => ({ value: { $case: "stringValue", value } }) as const;

test("metadata win over custom properties, and these over properties", () => {
  const artifact = RuntimeArtifact.create({
    metadata: { a: "metadata" },
    customProperties: { a: text("custom"), b: text("custom") },
    properties: { a: text("property"), b: text("property"), c: text("property"), unset: {} },
  });
  const executorInput = ExecutorInput.create({ inputs: { artifacts: { m: { artifacts: [artifact] } } } });
  const of = (key: string) => {
    const result = resolvePlaceholders(`{{$.inputs.artifacts['m'].metadata['${key}']}}`, { executorInput });
    return result.ok ? result.text : result.problems;
  };
  expect(["a", "b", "c"].map(of)).toEqual(["metadata", "custom", "property"]);
  expect(of("unset")).toMatchObject([{ message: "the artifact m has no metadata unset" }]);
});

test("what a component declares as metadata wins over constants in the old forms", () => {
  const constant = (value: string) => ({ value: { $case: "constant", value: text(value) } }) as never;
  const component = ComponentSpec.create({
    outputDefinitions: {
      artifacts: {
        m: { metadata: { a: "metadata" }, properties: { a: constant("old"), b: constant("old") } },
      },
    },
  });
  const inputs = { parameters: {}, artifacts: {}, defaulted: [] };
  const { outputs } = buildExecutorInput(component, inputs, { artifactUri: (key) => `file:///${key}` });
  expect(outputs?.artifacts.m?.artifacts[0]?.metadata).toMatchObject({ a: "metadata" });
  expect(Object.keys(outputs?.artifacts.m?.artifacts[0]?.metadata ?? {}).sort()).toEqual(["a", "b"]);
});

test("JSON in a text may nest 500 levels", () => {
  const selector = compileExpression("size(parseJson(string_value)) == 1", "selector");
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(selector.evaluate(nested(500))).toEqual({ ok: true, value: true });
  expect(selector.evaluate(nested(501))).toMatchObject({ ok: false, problem: { code: "invalid-json" } });
});
