import { ComponentSpec, ParameterType, PipelineTaskSpec } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { resolveRootInputs, resolveTaskInputs } from "../index.js";

// The values that an input allows are compared as JSON, at any depth.

const { LIST, STRUCT, NUMBER_DOUBLE } = ParameterType;
const rows: readonly (readonly [
  type: ParameterType,
  literals: unknown[],
  value: unknown,
  isAllowed: boolean,
])[] = [
  [LIST, [[1, 2], []], [1, 2], true],
  [LIST, [[1, 2], []], [], true],
  [LIST, [[1, 2], []], [2, 1], false],
  [STRUCT, [{ a: { b: [1] }, c: null }], { c: null, a: { b: [1] } }, true],
  [STRUCT, [{ a: { b: [1] }, c: null }], { a: { b: [1] } }, false],
  [STRUCT, [{ a: 1 }], { a: "1" }, false],
  [NUMBER_DOUBLE, [1, 2.5], 2.5, true],
  [NUMBER_DOUBLE, [1, 2.5], 2, false],
];

describe("of the values allowed", () => {
  for (const [parameterType, literals, value, isAllowed] of rows) {
    const component = ComponentSpec.create({
      inputDefinitions: { parameters: { x: { parameterType, literals } } },
    });
    const codes = (problems: readonly { readonly code: string }[]) => problems.map(({ code }) => code);
    const wanted = isAllowed ? [] : ["literal"];

    test(`${JSON.stringify(literals)}, ${JSON.stringify(value)} ${isAllowed ? "is" : "is not"} one to a run`, () => {
      const { problems } = resolveRootInputs(component, { parameterValues: { x: value } });
      expect(codes(problems)).toEqual(wanted);
    });

    test(`${JSON.stringify(literals)}, ${JSON.stringify(value)} ${isAllowed ? "is" : "is not"} one to a task`, () => {
      const constant = { value: { $case: "constant", value } } as const;
      const task = PipelineTaskSpec.create({
        inputs: { parameters: { x: { kind: { $case: "runtimeValue", value: constant } } } },
      });
      const scope = { parameters: {}, artifacts: {}, outputs: new Map() };
      expect(codes(resolveTaskInputs(task, component, scope).problems)).toEqual(wanted);
    });
  }
});
