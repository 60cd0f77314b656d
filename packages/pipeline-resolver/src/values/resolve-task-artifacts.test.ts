import { ComponentSpec, type PartialMessage, PipelineTaskSpec, RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { resolveTaskInputs } from "../index.js";

const listOf = (name: string) => ({ artifacts: [RuntimeArtifact.create({ name })] });
const scope = {
  parameters: {},
  artifacts: { given: listOf("given") },
  outputs: new Map([["before", { parameters: {}, artifacts: { made: listOf("made") } }]]),
};
type Source = NonNullable<NonNullable<PartialMessage<PipelineTaskSpec>["inputs"]>["artifacts"]>[string];
const outer = (value: string): Source => ({ kind: { $case: "componentInputArtifact", value } });
const output = (producerTask: string, outputArtifactKey: string): Source => ({
  kind: { $case: "taskOutputArtifact", value: { producerTask, outputArtifactKey } },
});

/** A source, what it gives, and what is said where the input has to be there. Without a source it is always wrong. */
const rows: readonly (readonly [
  source: Source | undefined,
  gives: string | undefined,
  path: string,
  message: string,
])[] = [
  [outer("given"), "given", "", ""],
  [outer("gone"), undefined, "/componentInputArtifact", "the enclosing DAG has no input artifact gone"],
  [output("before", "made"), "made", "", ""],
  [output("before", "gone"), undefined, "/taskOutputArtifact", "the task before has made no output gone"],
  [output("failed", "made"), undefined, "/taskOutputArtifact", "the task failed has not succeeded"],
  [undefined, undefined, "", "the required input artifact x is missing"],
];

test.each(rows)("%j gives %s", (source, gives, path, message) => {
  const resolve = (artifacts: NonNullable<PartialMessage<ComponentSpec>["inputDefinitions"]>["artifacts"]) =>
    resolveTaskInputs(
      PipelineTaskSpec.create({ inputs: { artifacts: source === undefined ? {} : { x: source } } }),
      ComponentSpec.create({ inputDefinitions: { artifacts: artifacts ?? {} } }),
      scope,
    );
  const inputs = {
    parameters: {},
    artifacts: gives === undefined ? {} : { x: listOf(gives) },
    defaulted: [],
  };
  const found = { ok: true, value: inputs, problems: [] };
  // Optional, and not declared.
  expect([resolve({ x: { isOptional: true } }), resolve({})]).toEqual([found, found]);
  expect(resolve({ x: {} })).toMatchObject(
    message === "" ? found : { ok: false, problems: [{ path: `/inputs/artifacts/x${path}`, message }] },
  );
});

test("an artifact without a source is wrong, even if it is optional; the item of a loop is not", () => {
  const component = ComponentSpec.create({
    inputDefinitions: { artifacts: { x: { isOptional: true }, item: {} } },
  });
  const looped = PipelineTaskSpec.create({
    inputs: { artifacts: { x: {} } },
    iterator: { $case: "artifactIterator", value: { itemInput: "item" } },
  });
  expect(resolveTaskInputs(looped, component, scope).problems).toEqual([
    {
      code: "no-source",
      severity: "error",
      path: "/inputs/artifacts/x",
      message: "nothing says where the artifact x comes from",
    },
  ]);
});
