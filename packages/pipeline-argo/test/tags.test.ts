import { locate, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type ArgoOptions, toArgoWorkflow, toSubmittedWorkflow } from "../src/index.js";
import { pipelineOf, to } from "./small-pipelines.js";

const parameterType = "STRING";

/** A pipeline with this text in many places. */
function pipelineWith(text: string, file: (spec: object) => unknown = (spec) => spec) {
  const spec = {
    pipelineInfo: { name: "hello" },
    schemaVersion: "2.1.0",
    root: {
      inputDefinitions: { parameters: { who: { parameterType, defaultValue: text } } },
      dag: {
        tasks: {
          greet: {
            taskInfo: { name: "greet" },
            componentRef: { name: "comp-greet" },
            inputs: { parameters: { x: { runtimeValue: { constant: text } } } },
          },
        },
      },
    },
    components: {
      "comp-greet": {
        executorLabel: "exec",
        inputDefinitions: { parameters: { x: { parameterType } } },
      },
    },
    deploymentSpec: {
      executors: {
        exec: { container: { image: "alpine", command: ["echo", text], env: [{ name: "A", value: text }] } },
      },
    },
  };
  const parsed = parsePipeline(JSON.stringify(file(spec)));
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

const tagsOf = (pipeline: ReturnType<typeof pipelineWith>, options: ArgoOptions = {}) =>
  toArgoWorkflow(pipeline, options).problems.filter(({ code }) => code === "argo-tag");

describe("a text with a tag of Argo", () => {
  test.each([
    "{{workflow.uid}}",
    "Dear {{inputs.parameters.name}}, …",
    "{{ tasks.a.outputs.result }}",
    "{{item}}",
    "{{item.name}}",
    "{{pod.name}} {{retries}}",
    ...["outputs.x", "steps.a.ip", "pod.name", "node.name", "lastRetry.exitCode", "cronworkflow.name"].map(
      (name) => `{{${name}}}`,
    ),
    "{{retries}}",
    "{{   item}}",
    `{{item${" ".repeat(200)}}}`,
    "{{=1 + 1}}",
  ])("is a warning wherever it stands: %s", (text) => {
    const found = tagsOf(pipelineWith(text));
    expect(found.map(({ path, severity, range }) => [path, severity, range !== undefined])).toEqual(
      [
        "/root/dag/tasks/greet/inputs/parameters/x/runtimeValue/constant",
        "/root/inputDefinitions/parameters/who/defaultValue",
        "/deploymentSpec/executors/exec/container/command/1",
        "/deploymentSpec/executors/exec/container/env/0/value",
      ].map((path) => [path, "warning", true]),
    );
  });

  test.each([
    "{{$.inputs.parameters['x']}}",
    "{{$}}",
    "{{items}} {{ name }} {{workflow}}",
    "{{retries2}} {{Item}} {{x.item}} {{workflows.uid}}",
    `{{    item}} {{item${" ".repeat(201)}}}`,
    "{{channel:task=;name=x;type=String;}}",
    "{workflow.uid} {{workflow.uid",
  ])("is another one than %s", (text) => {
    expect(tagsOf(pipelineWith(text))).toEqual([]);
  });

  test("is a warning among the arguments of a run, of whichever function", () => {
    const parameters = { who: "Dear {{inputs.parameters.name}}", deep: [{ a: "{{item}}" }] };
    const expected = [
      ["/runtimeConfig/parameterValues/who", '"{{inputs.parameters.name}}" is a tag of Argo'],
      ["/runtimeConfig/parameterValues/deep/0/a", '"{{item}}" is a tag of Argo'],
    ].map(([path, message]) => ({ path, message: expect.stringContaining(message ?? "") }));
    const pipeline = pipelineWith("plain");
    expect(tagsOf(pipeline, { runtimeConfig: { parameterValues: parameters } })).toMatchObject(expected);
    const run = { id: "1", displayName: "run", createdAt: new Date(0), parameters };
    expect(toSubmittedWorkflow(pipeline, run).problems).toMatchObject(expected);
  });

  test("is a warning in the names of the pipeline and of the run, which every driver is given", () => {
    const named = (name: string) => pipelineWith("plain", (spec) => ({ ...spec, pipelineInfo: { name } }));
    expect(tagsOf(named("namespace/{{workflow.nothing}}/pipeline/x"))).toMatchObject([
      { path: "/pipelineInfo/name", range: expect.anything() },
    ]);
    const displayName = "nightly {{workflow.uid}}";
    const job = pipelineWith("plain", (pipelineSpec) => ({ displayName, pipelineSpec }));
    const told = [{ message: expect.stringMatching(/^displayName: "\{\{workflow\.uid\}\}" is a tag/) }];
    expect(tagsOf(job)).toMatchObject(told);
    expect(tagsOf(pipelineWith("plain"), { displayName })).toMatchObject(told);
    const run = { id: "1", displayName, createdAt: new Date(0) };
    expect(toSubmittedWorkflow(pipelineWith("plain"), run).problems).toMatchObject(told);
  });

  test("has its lines when the file is a job that says it", () => {
    const file = (pipelineSpec: object) => ({
      pipelineSpec,
      runtimeConfig: { parameterValues: { who: "{{workflow.name}}" } },
    });
    const [found, ...others] = tagsOf(pipelineWith("plain", file));
    expect([found?.path, found?.range !== undefined, others]).toEqual([
      "/runtimeConfig/parameterValues/who",
      true,
      [],
    ]);
  });
});

test("a tag has its place in components, and in the settings of platforms", () => {
  const parameters = { "a/b": { parameterType, isOptional: true, defaultValue: "{{item}}" } };
  const pipeline = pipelineOf({
    tasks: { a: to("c") },
    components: { c: { executorLabel: "e", inputDefinitions: { parameters } } },
    platforms: {
      kubernetes: {
        deploymentSpec: { executors: { e: { nodeSelector: { labels: { zone: "{{item}}" } } } } },
      },
    },
  });
  const found = tagsOf(pipeline).map(({ path, range }) => [path, range]);
  const paths = [
    "/components/c/inputDefinitions/parameters/a~1b/defaultValue",
    "/platforms/kubernetes/deploymentSpec/executors/e/nodeSelector/labels/zone",
  ];
  expect(found).toEqual(paths.map((path) => [path, locate(pipeline, path, "value")]));
});
