import { ComponentSpec, ExecutorInput, PipelineContainerSpec, PipelineTaskSpec } from "@wye/pipeline-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cacheKey,
  cacheKeyParts,
  compileCacheKey,
  compileContainer,
  compileTaskInputs,
  resolveContainer,
  resolveTaskInputs,
} from "./index.js";

// What is compiled once gives every time what is given without.

const text = fc.oneof(
  fc.string({ unit: "binary" }).map((one) => one.toWellFormed()),
  fc.constantFrom(
    "",
    "$(A)",
    "$$(A)",
    "{{$.inputs.parameters['a']}}",
    "{{$.inputs.parameters['b']}}$(B)",
    "$(C",
  ),
  fc.constantFrom(
    '{"IfPresent": {"InputName": "a", "Then": ["$(A)", "x"], "Else": "y"}}',
    "{{$}}",
    "é<&\u2028",
  ),
);
const texts = fc.array(text, { maxLength: 4 });
const run = fc.record({
  parameters: fc.dictionary(fc.constantFrom("a", "b", "z"), fc.jsonValue()),
  claims: fc.array(fc.constantFrom("b", "a"), { maxLength: 3 }),
  environment: fc.dictionary(fc.constantFrom("A", "B"), text),
  defaulted: fc.subarray(["a"]),
});

describe("two runs of one task", () => {
  test("have the same cache keys as without compiling", () => {
    fc.assert(
      fc.property(
        text,
        texts,
        texts,
        fc.array(run, { minLength: 2, maxLength: 3 }),
        fc.boolean(),
        (image, command, args, runs, hasOutputs) => {
          const container = PipelineContainerSpec.create({ image, command, args });
          const component = ComponentSpec.create(
            hasOutputs ? { outputDefinitions: { parameters: { o: {} } } } : {},
          );
          const compiled = compileCacheKey(component, container);
          for (const { parameters, claims, defaulted } of runs) {
            const executorInput = ExecutorInput.create({
              outputs: { artifacts: hasOutputs ? { m: { artifacts: [{ uri: "u" }] } } : {} },
            });
            const inputs = { parameters, artifacts: {}, defaulted };
            const parts = cacheKeyParts({ component, container, inputs, executorInput, claims });
            expect(compiled({ inputs, executorInput, claims })).toBe(cacheKey(parts));
          }
        },
      ),
      { seed: 13, numRuns: 300 },
    );
  });

  test("have the same containers", () => {
    fc.assert(
      fc.property(
        text,
        texts,
        texts,
        fc.array(run, { minLength: 2, maxLength: 3 }),
        (image, command, args, runs) => {
          const container = PipelineContainerSpec.create({
            image,
            command,
            args,
            env: [{ name: "A", value: "1$(B)" }],
          });
          const compiled = compileContainer(container);
          for (const { parameters, environment } of runs) {
            const executorInput = ExecutorInput.create({ inputs: { parameterValues: parameters } });
            const context = { executorInput, environment };
            expect(compiled(context)).toEqual(resolveContainer(container, context));
          }
        },
      ),
      { seed: 13, numRuns: 300 },
    );
  });

  test("have the same inputs", () => {
    const task = PipelineTaskSpec.create({
      inputs: {
        parameters: {
          a: {
            kind: { $case: "componentInputParameter", value: "x" },
            parameterExpressionSelector: "parseJson(string_value)[0]",
          },
          b: { kind: { $case: "componentInputParameter", value: "x" } },
        },
      },
    });
    const component = ComponentSpec.create();
    const compiled = compileTaskInputs(task, component);
    for (const x of ["[1]", "[{}]", "no JSON", 5, null, "[]"]) {
      const scope = { parameters: { x }, artifacts: {}, outputs: new Map() };
      expect(compiled(scope)).toEqual(resolveTaskInputs(task, component, scope));
    }
  });
});
