import { ComponentSpec, type PartialMessage, PipelineTaskSpec } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { resolveTaskInputs } from "../index.js";

const inputDefinitions: PartialMessage<ComponentSpec>["inputDefinitions"] = {
  parameters: {
    double: { parameterType: 1, isOptional: true },
    integer: { parameterType: 2, isOptional: true },
    text: { parameterType: 3, isOptional: true },
    flag: { parameterType: 4, isOptional: true },
    list: { parameterType: 5, isOptional: true },
    struct: { parameterType: 6, isOptional: true },
    status: { parameterType: 7, isOptional: true },
  },
};
const ofTypes = { double: 0, integer: 0, text: "", flag: false, list: [], struct: {} };
const dag = { $case: "dag", value: {} } as const;

test.each([
  ["a container", ComponentSpec.create({ inputDefinitions }), ofTypes],
  ["a DAG", ComponentSpec.create({ inputDefinitions, implementation: dag }), { ...ofTypes, status: null }],
])("by the specification an optional input of %s is the default of its type", (_, component, parameters) => {
  const scope = { parameters: {}, artifacts: {}, outputs: new Map() };
  const resolved = resolveTaskInputs(PipelineTaskSpec.create(), component, scope, { profile: "spec" });
  expect(resolved).toMatchObject({ ok: true, value: { parameters } });
  expect(resolved.ok && resolved.value.defaulted).toEqual(Object.keys(parameters));
});
