import type { Pipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { toArgoWorkflow } from "../src/index.js";
import { dag, exit, importer, loop, pipelineOf, to } from "./small-pipelines.js";

const small = pipelineOf({ tasks: { a: to("leaf"), b: to("leaf") } });
const nested = pipelineOf({ tasks: { a: to("d") }, components: { d: dag } });
const labelled = pipelineOf({
  tasks: { a: to("leaf"), b: to("leaf") },
  platforms: {
    kubernetes: {
      deploymentSpec: {
        executors: { e: { podMetadata: { labels: { team: "a" }, annotations: { b: "c d" } } } },
      },
    },
  },
});
const saying = (length: number) =>
  pipelineOf({
    tasks: { a: to("leaf") },
    executor: { container: { image: "a", args: ["x".repeat(length)] } },
  });

const model = { artifactType: { schemaTitle: "system.Model", schemaVersion: "0.0.1" } };
const imported = pipelineOf({
  tasks: { a: to("c") },
  components: { c: { executorLabel: "e", outputDefinitions: { artifacts: { artifact: model } } } },
  executor: importer,
});
const looped = pipelineOf({
  tasks: {
    a: to("d", loop),
    b: to("leaf", loop),
    c: to("leaf"),
    x: to("leaf", { ...exit, dependentTasks: ["c"] }),
  },
  components: { d: dag },
});
const ownRoles: ReadonlySet<string> = new Set(["dag", "entrypoint", "loop", "iteration", "exit-hook"]);

/** The characters of what the pipeline brings into its workflow: parameters, names of templates, tasks and the configuration. */
function charactersOf(pipeline: Pipeline): number {
  const result = toArgoWorkflow(pipeline);
  if (!result.ok) return expect.unreachable(JSON.stringify(result.problems));
  const { arguments: given, templates = [] } = result.workflow.spec;
  const own = result.sources.filter(({ role }) => ownRoles.has(role));
  const isOwn = (name: string) => own.some(({ template }) => template === name);
  const handed = templates
    .flatMap(({ name, dag }) => (isOwn(name) ? (dag?.tasks ?? []) : []))
    .flatMap((task) =>
      task.arguments.parameters.filter(({ name }) => /^(?:task|runtime-config|pod-metadata-.*)$/.test(name)),
    );
  const texts = [...given.parameters, ...handed].map(({ value = "" }) => value);
  return [...texts, ...own.map(({ template }) => template)].join("").length;
}

test.each([small, nested, labelled, saying(5), imported, looped])(
  "the texts of a pipeline take as much as is allowed, and not one more",
  (pipeline) => {
    const most = charactersOf(pipeline);
    expect(toArgoWorkflow(pipeline, { maxSize: most })).toEqual(toArgoWorkflow(pipeline));
    expect(toArgoWorkflow(pipeline, { maxSize: most - 1 })).toEqual({
      ok: false,
      problems: [
        {
          code: "over-limit",
          severity: "error",
          path: "",
          message: `the texts of the pipeline take more than ${most - 1} characters in the workflow`,
          hint: "raise the limit maxSize",
          range: expect.anything(),
        },
      ],
      counts: { error: 1, warning: 0, info: 0 },
    });
  },
);

test("a workflow that is larger than the store takes is told, with its weight", () => {
  const empty = toArgoWorkflow(saying(0));
  const around = JSON.stringify(empty.ok && empty.workflow).length;
  const of = (bytes: number) =>
    toArgoWorkflow(saying(bytes - around)).problems.filter(({ code }) => code === "too-large");
  const told = (weight: string) => [
    {
      code: "too-large",
      severity: "warning",
      path: "",
      message: `the workflow weighs about ${weight} MB, and the store of a usual cluster takes 1.5 MB`,
      hint: "make the sources of Python components shorter, or put them into images",
      range: expect.anything(),
    },
  ];
  // To about a thousandth: what is escaped counts less.
  expect([of(1_000_000), of(1_495_000)]).toEqual([[], []]);
  expect([of(1_505_000), of(1_620_000), of(12_340_000)].map((found) => found.length)).toEqual([1, 1, 1]);
  expect(of(1_620_000)).toEqual(told("1.6"));
  expect(of(12_340_000)).toEqual(told("12.3"));
});

test.each([1000, null, true])("many of %j weigh something as well", (item) => {
  const of = (length: number) => {
    const withItems = Array.from({ length }, () => item);
    const specPatch = { templateDefaults: { dag: { tasks: [{ name: "x", withItems }] } } };
    return toArgoWorkflow(small, { specPatch }).problems.map(({ code }) => code);
  };
  expect([of(290_000), of(310_000)]).toEqual([[], ["too-large"]]);
});

test("names in the pointers of problems are cut after 200 characters, and not in the middle of one", () => {
  const pathOf = (name: string) =>
    toArgoWorkflow(pipelineOf({ tasks: { [name]: to("gone") } })).problems.find(
      ({ code }) => code === "unknown-component",
    )?.path;
  const path = (name: string) => `/root/dag/tasks/${name}/componentRef/name`;
  expect(pathOf("x".repeat(150))).toBe(path("x".repeat(150)));
  expect(pathOf("x".repeat(200))).toBe(path("x".repeat(200)));
  expect(pathOf("x".repeat(201))).toBe(path(`${"x".repeat(199)}…`));
  expect(pathOf(`${"x".repeat(198)}😀y`)).toBe(path(`${"x".repeat(198)}…`));
  expect(pathOf(`${"x".repeat(197)}😀yz`)).toBe(path(`${"x".repeat(197)}😀…`));
});

test("what the back end says is cut after 1,000 characters", () => {
  const said = (name: string) =>
    toArgoWorkflow(pipelineOf({ tasks: { a: to(name) } })).problems.map(({ backEnd }) => backEnd);
  const begin = 'error processing component name="root": cannot find component ref name="';
  const most = 1000 - begin.length - 1;
  expect(said("x".repeat(most))).toEqual([`${begin}${"x".repeat(most)}"`]);
  expect(said("x".repeat(most + 1))).toEqual([`${begin}${"x".repeat(most)}…`]);
});
