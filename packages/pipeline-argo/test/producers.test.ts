import type { Pipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { toArgoWorkflow } from "../src/index.js";
import { type Json, pipelineOf, to } from "./small-pipelines.js";

describe("a task that takes an artifact", () => {
  const artifactType = { schemaTitle: "system.Model", schemaVersion: "0.0.1" };
  const components = {
    made: { executorLabel: "e", outputDefinitions: { artifacts: { m: { artifactType } } } },
    used: { executorLabel: "e", inputDefinitions: { artifacts: { "m/1": { artifactType } } } },
  };
  const takes = (producerTask: string): Json => ({
    a: to("made"),
    b: to("used", {
      inputs: { artifacts: { "m/1": { taskOutputArtifact: { producerTask, outputArtifactKey: "m" } } } },
    }),
  });

  test("waits for the task that makes it, without saying so", () => {
    const result = toArgoWorkflow(pipelineOf({ tasks: takes("a"), components }));
    const { templates = [] } = result.ok ? result.workflow.spec : expect.unreachable();
    const root = templates.find(({ name }) => name === "root");
    expect(root?.dag?.tasks.find(({ name }) => name === "b-driver")?.depends).toBe("a.Succeeded");
  });

  test("waits for it also when the first that it takes comes from elsewhere", () => {
    const inputs = {
      parameters: {
        given: { runtimeValue: { constant: 1 } },
        text: { taskOutputParameter: { producerTask: "c", outputParameterKey: "p" } },
      },
      artifacts: {
        given: { componentInputArtifact: "m" },
        made: { taskOutputArtifact: { producerTask: "a", outputArtifactKey: "m" } },
      },
    };
    const tasks = { a: to("leaf"), b: to("leaf", { inputs }), c: to("leaf") };
    const result = toArgoWorkflow(pipelineOf({ tasks }));
    const { templates = [] } = result.ok ? result.workflow.spec : expect.unreachable();
    const root = templates.find(({ name }) => name === "root");
    expect(root?.dag?.tasks.find(({ name }) => name === "b-driver")?.depends).toBe(
      "a.Succeeded && c.Succeeded",
    );
  });

  test.each(["constructor", "toString", "__proto__"])("is refused where there is no task %s", (name) => {
    const { problems } = toArgoWorkflow(pipelineOf({ tasks: takes(name), components }));
    expect(problems.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual([
      "unknown-producer",
    ]);
  });

  test("is refused where there is no such task", () => {
    const { problems } = toArgoWorkflow(pipelineOf({ tasks: takes("c"), components }));
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, path }) => [code, path])).toEqual([
      ["unknown-producer", "/root/dag/tasks/b/inputs/artifacts/m~11/taskOutputArtifact/producerTask"],
    ]);
  });
});

test("a task that names no component is refused under the name that it gives itself", () => {
  const of = (task: Json) =>
    toArgoWorkflow(pipelineOf({ tasks: { a: task } })).problems.map(({ backEnd }) => backEnd);
  const said = (name: string) => [
    `error processing component name="root": component ref name is empty for task name="${name}"`,
  ];
  expect(of({ taskInfo: { name: "own" } })).toEqual(said("own"));
  expect(of({})).toEqual(said(""));
});

test("a component that drivers cannot be given is told where it stands", () => {
  const inputs = (length: number) => ({
    parameters: { p: { parameterType: "STRING", isOptional: true, description: "x".repeat(length) } },
  });
  const of = (length: number) =>
    toArgoWorkflow(
      pipelineOf({
        tasks: { a: to("c") },
        components: { c: { executorLabel: "e", inputDefinitions: inputs(length) } },
      }),
    ).problems.flatMap(({ code, path }) => (code === "long-argument" ? [path] : []));
  expect([of(130_000), of(132_000)]).toEqual([[], ["/components/c"]]);
});

test("what is not listed is told of behind what is", () => {
  const tasks = { a: to("gone"), b: to("gone") };
  const { problems } = toArgoWorkflow(pipelineOf({ tasks }), { maxProblems: 1 });
  expect(problems.map(({ code }) => code)).toEqual(["unknown-component", "too-many-problems"]);
});

test("executors that were made by hand, and have no text, are told where they stand", () => {
  const pipeline = pipelineOf({ tasks: { a: to("leaf") } });
  const deployment = { executors: { e: { spec: { $case: "container", value: { image: 5 } } } } };
  const { problems } = toArgoWorkflow({ ...pipeline, deployment } as unknown as Pipeline);
  expect(problems.map(({ code, path }) => [code, path])).toEqual([
    ["unwritable", "/deploymentSpec/executors/e/container/image"],
  ]);
});
