import { ComponentSpec } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { isResultOf } from "./is-result-of.js";

const artifactType = {
  kind: { $case: "schemaTitle", value: "system.Model" },
  schemaVersion: "0.0.1",
} as const;
const definition = ComponentSpec.create({
  outputDefinitions: {
    parameters: { n: { parameterType: 2 }, text: { parameterType: 3 } },
    artifacts: { model: { artifactType } },
  },
});
const model = { artifacts: [{ uri: "/a", type: artifactType }] };
const whole = { parameters: { n: 1, text: "" }, artifacts: { model } };

test.each<[string, object, boolean]>([
  ["all that there is", whole, true],
  [
    "more than that",
    { parameters: { ...whole.parameters, more: 1 }, artifacts: { model, more: model } },
    true,
  ],
  ["a parameter less", { ...whole, parameters: { n: 1 } }, false],
  ["another parameter less", { ...whole, parameters: { text: "" } }, false],
  ["no parameters", { ...whole, parameters: {} }, false],
  ["a parameter of another type", { ...whole, parameters: { n: "one", text: "" } }, false],
  ["no artifact", { ...whole, artifacts: {} }, false],
  ["an artifact by a name of objects", { ...whole, artifacts: Object.create({ model }) }, false],
  ["an empty list of artifacts", { ...whole, artifacts: { model: { artifacts: [] } } }, true],
  ["an artifact of no type", { ...whole, artifacts: { model: { artifacts: [{ uri: "/a" }] } } }, true],
  [
    "an artifact of another type behind one",
    {
      ...whole,
      artifacts: {
        model: {
          artifacts: [...model.artifacts, { uri: "/b", type: { ...artifactType, schemaVersion: "0.0.2" } }],
        },
      },
    },
    false,
  ],
])("outputs with %s are a result of the component: %s", (_, outputs, isResult) => {
  // What was kept in a file is of any shape.
  expect(isResultOf(definition, outputs as never)).toBe(isResult);
});

test("of a component without outputs everything is a result", () => {
  expect(isResultOf(ComponentSpec.create({}), { parameters: {}, artifacts: {} })).toBe(true);
});
