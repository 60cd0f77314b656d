import {
  ComponentSpec,
  ImporterSpec,
  type PartialMessage,
  PipelineTaskSpec,
  RuntimeArtifact,
} from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { resolveImporter, resolveTaskInputs, type TaskScope } from "../index.js";

const list = (name: string) => ({ artifacts: [RuntimeArtifact.create({ name })] });
const scope: TaskScope = {
  parameters: { n: 3, big: 2 ** 60 },
  artifacts: { data: list("of the DAG"), mine: list("of another") },
  outputs: new Map([["before", { parameters: {}, artifacts: {} }]]),
  finalStatus: (producer) => ({ pipelineTaskName: producer }),
};
type Parameters = NonNullable<NonNullable<PartialMessage<PipelineTaskSpec>["inputs"]>["parameters"]>;
type Declared = NonNullable<PartialMessage<ComponentSpec>["inputDefinitions"]>["parameters"];

const outer = (value: string): Parameters[string] => ({ kind: { $case: "componentInputParameter", value } });
const runtime = ($case: "constant" | "runtimeParameter", value: unknown): Parameters[string] =>
  ({ kind: { $case: "runtimeValue", value: { value: { $case, value } } } }) as never;
const resolve = (given: Parameters, declared: Declared = {}, task: PartialMessage<PipelineTaskSpec> = {}) =>
  resolveTaskInputs(
    PipelineTaskSpec.create({ ...task, inputs: { ...task.inputs, parameters: given } }),
    ComponentSpec.create({ inputDefinitions: { parameters: declared } }),
    scope,
  );
const found = (x: unknown) => ({ ok: true, value: { parameters: { x } }, problems: [] });

test("an optional input of a container has no value unless one is given, or a profile says which", () => {
  const { ok, problems, ...rest } = resolve({}, { x: { parameterType: 2, isOptional: true } });
  expect([ok, problems, rest]).toEqual([
    true,
    [],
    { value: { parameters: {}, artifacts: {}, defaulted: [] } },
  ]);
});

test("an optional input without a value is none of those that are not allowed", () => {
  const value = { producerTask: "before", outputParameterKey: "gone" };
  const given = { x: { kind: { $case: "taskOutputParameter", value } } } as const;
  const result = resolve(given, { x: { parameterType: 3, isOptional: true, literals: ["a"] } });
  expect(result).toMatchObject({ ok: true, value: { parameters: {} }, problems: [] });
});

test("a doubtful integer of an input that nobody declares is remarked upon", () => {
  expect(resolve({ x: outer("big") })).toMatchObject({
    ok: true,
    value: { parameters: { x: 2 ** 60 } },
    problems: [{ severity: "warning", path: "/inputs/parameters/x" }],
  });
});

test("the status is that of the task that is named, else of the first that is waited for", () => {
  const status = (producerTask: string) =>
    resolve(
      { x: { kind: { $case: "taskFinalStatus", value: { producerTask } } } },
      {},
      { dependentTasks: ["a", "b"] },
    );
  expect([status(""), status("b")]).toMatchObject([
    found({ pipelineTaskName: "a" }),
    found({ pipelineTaskName: "b" }),
  ]);
});

test("a constant may name hundreds of inputs that do not need one another", () => {
  const names = Array.from({ length: 300 }, (_, i) => `p${i}`);
  const all = names.map((name) => `{{$.inputs.parameters['${name}']}}`).join("");
  const others = Object.fromEntries(names.map((name) => [name, outer("n")]));
  expect(resolve({ x: runtime("constant", all), ...others })).toMatchObject({
    ok: true,
    value: { parameters: { x: "3".repeat(300) } },
  });
});

test("a constant names artifacts as its task does, not as the DAG", () => {
  const name = { x: runtime("constant", "{{$.inputs.artifacts['mine'].name}}") };
  const artifacts = { mine: { kind: { $case: "componentInputArtifact", value: "data" } } } as const;
  expect(resolve(name, {}, { inputs: { artifacts } })).toMatchObject(found("of the DAG"));
  expect(resolve(name)).toMatchObject({ ok: false, problems: [{ code: "placeholder" }] });
});

test("a runtime parameter that is not there is told at its place", () => {
  expect(resolve({ x: runtime("runtimeParameter", "n") })).toMatchObject(found(3));
  expect(resolve({ x: runtime("runtimeParameter", "m") })).toMatchObject({
    ok: false,
    problems: [{ path: "/inputs/parameters/x/runtimeValue/runtimeParameter" }],
  });
});

test("artifacts under names that every object has are missing too", () => {
  const component = ComponentSpec.create({ inputDefinitions: { artifacts: { toString: {} } } });
  expect(resolveTaskInputs(PipelineTaskSpec.create(), component, scope)).toMatchObject({
    ok: false,
    problems: [{ code: "missing", path: "/inputs/artifacts/toString" }],
  });
});

test("whether an importer takes plain paths is true or false", () => {
  const inputs = { parameters: {}, artifacts: {}, defaulted: [] };
  const options = { plainPaths: "no" } as never;
  const call = () => resolveImporter(ImporterSpec.create(), ComponentSpec.create(), inputs, options);
  expect(call).toThrow(/plainPaths.*true/);
});
