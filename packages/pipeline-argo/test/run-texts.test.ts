import { describe, expect, test } from "vitest";
import { type ArgoRun, toArgoWorkflow, toSubmittedWorkflow } from "../src/index.js";
import { importer, pipelineOf, to } from "./small-pipelines.js";

const run: ArgoRun = { id: "3f5a", displayName: "d", createdAt: new Date("2026-03-07T15:04:05Z") };
const tasks = { a: to("leaf") };

describe("a run", () => {
  test("that has what runs have not, or an id that is no label, is told of by name", () => {
    const pipeline = pipelineOf({ tasks });
    expect(() => toSubmittedWorkflow(pipeline, { ...run, ids: 5 } as never)).toThrow(
      'the run of toSubmittedWorkflow has no option "ids"',
    );
    expect(toSubmittedWorkflow(pipeline, { ...run, id: "a b" }).problems).toMatchObject([
      { code: "kubernetes-label", message: 'run.id: "a b" is no value of a label' },
    ]);
  });

  test("fills in all that a text asks for, as often as it does", () => {
    const text =
      "[[RunUUID]] [[RunUUID]] [[CurrentTime]] [[CurrentTime]] [[CurrentTime.2006]] [[CurrentTime.01]] {{$.currentTime.strftime('%Y')}} {{$.currentTime.strftime('%m')}}";
    const result = toSubmittedWorkflow(pipelineOf({ tasks }), { ...run, parameters: { text } });
    expect(JSON.stringify(result)).toContain("3f5a 3f5a 20260307150405 20260307150405 2026 03 2026 03");
  });

  test("keeps what the workflow says of itself, and is named wherever that names itself", () => {
    const pipeline = pipelineOf({ tasks, name: "say-{{workflow.uid}}-{{workflow.uid}}" });
    const compiled = toArgoWorkflow(pipeline);
    const result = toSubmittedWorkflow(pipeline, run);
    const { metadata } = compiled.ok ? compiled.workflow : expect.unreachable();
    const own = result.ok ? result.workflow : expect.unreachable();
    expect(Object.keys(own.metadata).sort()).toEqual(expect.arrayContaining(Object.keys(metadata)));
    expect(own.metadata.generateName).toBe("say-3f5a-3f5a-");
    expect(JSON.stringify(own)).not.toContain("{{workflow.uid}}");
  });
});

test("the template of importers is told to be one, and which tasks run through it", () => {
  const model = { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } };
  const components = { c: { executorLabel: "e", outputDefinitions: { artifacts: { artifact: model } } } };
  const result = toArgoWorkflow(
    pipelineOf({ tasks: { a: to("c"), b: to("c") }, components, executor: importer }),
  );
  const sources = result.ok ? result.sources : expect.unreachable();
  expect(
    sources.filter(({ role }) => role === "importer").map(({ from }) => from.map(({ path }) => path)),
  ).toEqual([["/root/dag/tasks/a", "/root/dag/tasks/b"]]);
});

test("an amount without an end is refused in the words of the back end", () => {
  const executor = { container: { image: "a", command: ["b"], resources: { cpuLimit: "Infinity" } } };
  expect(toArgoWorkflow(pipelineOf({ tasks, executor })).problems).toMatchObject([
    {
      code: "unwritable",
      path: "/deploymentSpec/executors/e/container/resources/cpuLimit",
      message: "the container asks for an amount without an end, which the back end cannot write",
      backEnd: "json: unsupported value",
    },
  ]);
});
