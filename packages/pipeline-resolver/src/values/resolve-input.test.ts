import { ComponentInputParameterSpec, InputParameterSpec, ParameterType } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { resolveInput, type TaskScope } from "../index.js";

const scope: TaskScope = {
  parameters: { secret: "s", json: '{"a": {"b": 3}}' },
  artifacts: {},
  outputs: new Map([["make", { parameters: { name: "claim-1" }, artifacts: {} }]]),
};
type Kind = NonNullable<InputParameterSpec["kind"]>;
const input = (kind: Kind, more: Partial<InputParameterSpec> = {}) =>
  InputParameterSpec.create({ kind, ...more });
const output = (outputParameterKey: string, producerTask = "make") =>
  input({ $case: "taskOutputParameter", value: { producerTask, outputParameterKey } });

const rows: readonly [name: string, spec: InputParameterSpec, value: unknown][] = [
  ["a constant", input({ $case: "runtimeValue", value: { value: { $case: "constant", value: [1] } } }), [1]],
  ["an input of the DAG", input({ $case: "componentInputParameter", value: "secret" }), "s"],
  ["an output of a task", output("name"), "claim-1"],
  ["an output that was not made", output("other"), undefined],
  ["an output of a task that did not run", output("name", "skipped"), undefined],
  [
    "a part of a value",
    input(
      { $case: "componentInputParameter", value: "json" },
      { parameterExpressionSelector: 'parseJson(string_value)["a"]' },
    ),
    { b: 3 },
  ],
];
for (const [name, spec, value] of rows) {
  test(`${name} is resolved without a task`, () => {
    expect(resolveInput(spec, scope)).toEqual({ ok: true, value, problems: [] });
  });
}

test("problems point into the input", () => {
  expect(resolveInput(input({ $case: "componentInputParameter", value: "secrets" }), scope)).toMatchObject({
    ok: false,
    problems: [{ code: "unknown-source", path: "/componentInputParameter", hint: "did you mean secret?" }],
  });
  expect(resolveInput(InputParameterSpec.create(), scope)).toMatchObject({
    ok: false,
    problems: [{ path: "" }],
  });
});

test("nothing but the input counts: there is no task before, and no other input", () => {
  const messageOf = (spec: InputParameterSpec) =>
    resolveInput(spec, { ...scope, finalStatus: () => undefined }).problems.map(({ message }) => message);
  expect(messageOf(input({ $case: "taskFinalStatus", value: { producerTask: "" } }))).toEqual([
    "the final status of the task before is not known",
  ]);
  const value = { $case: "constant", value: "{{$.inputs.parameters['x']}}" } as const;
  expect(messageOf(input({ $case: "runtimeValue", value: { value } }))).toEqual([
    "input value: there is no input parameter x",
  ]);
});

test("a declaration says of what type the value is, and whether it has to be there", () => {
  const declared = ComponentInputParameterSpec.create({ parameterType: ParameterType.STRUCT });
  expect(resolveInput(output("name"), scope, { declared })).toMatchObject({
    ok: false,
    problems: [{ code: "type" }],
  });
  expect(resolveInput(output("other"), scope, { declared })).toMatchObject({ ok: false });
  const optional = { ...declared, defaultValue: {} };
  expect(resolveInput(output("other"), scope, { declared: optional })).toMatchObject({ ok: true, value: {} });
});

test("a profile says how strictly the value is taken", () => {
  const declared = ComponentInputParameterSpec.create({ parameterType: ParameterType.NUMBER_INTEGER });
  const half = input({ $case: "runtimeValue", value: { value: { $case: "constant", value: 1.5 } } });
  const found = (["kfp", "spec"] as const).map((profile) => resolveInput(half, scope, { declared, profile }));
  expect(found).toMatchObject([
    { ok: true, value: 1.5, problems: [{ severity: "warning", path: "" }] },
    { ok: false, problems: [{ severity: "error", path: "" }] },
  ]);
});
