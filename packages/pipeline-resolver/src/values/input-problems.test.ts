import { ComponentSpec, ParameterType, type PartialMessage, PipelineTaskSpec } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { resolveTaskInputs, type TaskScope } from "../index.js";

type Source = NonNullable<NonNullable<PartialMessage<PipelineTaskSpec>["inputs"]>["parameters"]>[string];
type Declared = NonNullable<
  NonNullable<PartialMessage<ComponentSpec>["inputDefinitions"]>["parameters"]
>[string];

const scope: TaskScope = {
  parameters: { text: "x", none: null },
  artifacts: {},
  outputs: new Map([["before", { parameters: { out: [1, 2] }, artifacts: {} }]]),
  finalStatus: () => undefined,
};
const int = { parameterType: ParameterType.NUMBER_INTEGER };
const runtime = (value: object): Source => ({ kind: { $case: "runtimeValue", value } });
const constant = (value: unknown): Source => runtime({ value: { $case: "constant", value } });
const outer = (value: string, parameterExpressionSelector = ""): Source => ({
  kind: { $case: "componentInputParameter", value },
  parameterExpressionSelector,
});
const output = (producerTask: string, outputParameterKey: string): Source => ({
  kind: { $case: "taskOutputParameter", value: { producerTask, outputParameterKey } },
});
const status = (producerTask: string): Source => ({
  kind: { $case: "taskFinalStatus", value: { producerTask } },
});
const literals = [1, "a", { b: [2] }];
const sentences: readonly (readonly [
  source: Source | undefined,
  declared: Declared | undefined,
  message: string,
  hint?: string,
])[] = [
  [undefined, int, "the required input x has neither a value nor a default"],
  [outer("none"), int, "null reaches the required input x"],
  [outer("txt"), undefined, "the enclosing DAG has no input parameter txt", "did you mean text?"],
  [outer("zzzzzz"), undefined, "the enclosing DAG has no input parameter zzzzzz"],
  [outer("toString"), undefined, "the enclosing DAG has no input parameter toString"],
  [
    runtime({ value: { $case: "runtimeParameter", value: "txt" } }),
    undefined,
    "the enclosing DAG has no input parameter txt",
    "did you mean text?",
  ],
  [output("failed", "out"), int, "the task failed has not succeeded"],
  [output("before", "other"), int, "the task before has made no output other"],
  [status("other"), undefined, "the final status of other is not known"],
  [status(""), undefined, "the final status of the task before is not known"],
  [{}, undefined, "nothing says where the value of x comes from"],
  [runtime({}), undefined, "nothing says what the value of x is"],
  [constant("x"), int, "input x: expected number for type NUMBER_INTEGER, got string"],
  [
    constant([null]),
    { parameterType: ParameterType.STRUCT },
    "input x: expected struct for type STRUCT, got list",
  ],
  [constant({}), { literals }, '{} is not one of the values allowed: [1,"a",{"b":[2]}]'],
  [constant("1"), { literals }, '"1" is not one of the values allowed: [1,"a",{"b":[2]}]'],
  [outer("none", "string_value"), { isOptional: true }, "there is no value to select from"],
  [
    outer("text", "number_value"),
    undefined,
    "no such attribute: number_value",
    "the value is of type string",
  ],
  [constant("{{$.pipeline_root}}"), undefined, "input x: pipeline_root is not known here"],
];
for (const [source, declared, message, hint] of sentences)
  test(`${JSON.stringify(source)} as ${JSON.stringify(declared)} is refused in words`, () => {
    const { problems } = resolveTaskInputs(
      PipelineTaskSpec.create({ inputs: { parameters: source === undefined ? {} : { x: source } } }),
      ComponentSpec.create({
        inputDefinitions: { parameters: declared === undefined ? {} : { x: declared } },
      }),
      scope,
    );
    const found = problems.map((one) => [one.severity, one.message, one.hint]);
    expect(found).toEqual([["error", message, hint]]);
  });

test("null as a constant is remarked upon, and not null of the enclosing DAG", () => {
  const resolve = (x: Source) =>
    resolveTaskInputs(
      PipelineTaskSpec.create({ inputs: { parameters: { x } } }),
      ComponentSpec.create({ inputDefinitions: { parameters: { x: { ...int, defaultValue: 7 } } } }),
      scope,
    );
  const value = { parameters: { x: 7 }, artifacts: {}, defaulted: ["x"] };
  const message = "the constant of x is null, which the back end takes for no value of a text only";
  const path = "/inputs/parameters/x";
  const problem = { code: "null", severity: "warning", path, message, hint: "leave the input out" };
  expect(resolve(constant(null))).toEqual({ ok: true, value, problems: [problem] });
  expect(resolve(outer("none"))).toEqual({ ok: true, value, problems: [] });
});
