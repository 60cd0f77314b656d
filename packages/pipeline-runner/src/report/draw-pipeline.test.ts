import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { drawPipeline } from "./draw-pipeline.js";

const artifact = { artifactType: { schemaTitle: "system.Dataset" } };

function pipelineWith(task: object, component = "work"): Pipeline {
  const text = JSON.stringify({
    pipelineInfo: { name: "drawn" },
    root: { dag: { tasks: { a: { componentRef: { name: component }, ...task } } } },
    components: {
      work: {
        executorLabel: "work",
        inputDefinitions: { parameters: { item: { parameterType: "NUMBER_INTEGER" } } },
      },
      bring: { executorLabel: "bring", outputDefinitions: { artifacts: { artifact } } },
      find: { executorLabel: "find" },
      nothing: { executorLabel: "nothing" },
      nobody: { executorLabel: "nobody" },
      group: { dag: { tasks: {} } },
    },
    deploymentSpec: {
      executors: {
        work: { container: { image: "alpine:3", command: ["true"] } },
        bring: { importer: { artifactUri: { constant: "/a" }, typeSchema: artifact.artifactType } },
        find: { resolver: { outputArtifactQueries: {} } },
        nothing: {},
      },
    },
  });
  const parsed = parsePipeline(text);
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

/** What kind of task a drawing shows, by which sign, and what stands below its name. */
function lookOf(svg: string) {
  const [, kind] = /data-kind="([^"]*)"/.exec(svg) ?? [];
  const [sign, note] = ["sign", "note"].map((name) =>
    new RegExp(`<text class="${name}"[^>]*>([^<]*)<`).exec(svg)?.at(1),
  );
  return [kind, sign, note];
}

const iterator = { parameterIterator: { items: { raw: "[1]" }, itemInput: "item" } };
const when = (condition: string) => ({ triggerPolicy: { condition } });
const input = (name: string): string => `inputs.parameter_values['${name}']`;

describe("a task that has not run is shown", () => {
  test.each<[string, object, string | undefined, readonly string[]]>([
    ["with its image", {}, "work", ["task", "▸", "alpine:3"]],
    ["as an importer", {}, "bring", ["importer", "↓", "importer"]],
    ["as a resolver", {}, "find", ["task", "▸", "resolver"]],
    ["without an executor that says what to run", {}, "nothing", ["task", "▸", ""]],
    ["without an executor", {}, "nobody", ["task", "▸", ""]],
    ["without a component", {}, "missing", ["task", "▸", ""]],
    ["as a group", {}, "group", ["group", "▾", ""]],
    ["as a loop", iterator, "work", ["loop", "↻", "for each"]],
    ["as a loop of a group", iterator, "group", ["loop", "↻", "for each"]],
    ["with its condition", when("1 == 2"), "work", ["task", "▸", "if 1 == 2"]],
    ["as a group with its condition", when("1 == 2"), "group", ["group", "▾", "if 1 == 2"]],
    [
      "as a loop with its condition",
      { ...iterator, ...when("1 == 2") },
      "work",
      ["loop", "↻", "for each, if 1 == 2"],
    ],
    [
      "as one that ends the run",
      { triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } },
      "work",
      ["exit", "■", "alpine:3"],
    ],
    [
      "as one that ends the run although it is a loop",
      { ...iterator, triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } },
      "work",
      ["exit", "■", "for each"],
    ],
    [
      "with inputs by their names",
      when(`${input("a")} == ${input("b-c")}`),
      "work",
      ["task", "▸", "if a == b-c"],
    ],
    [
      "without what a compiler puts before names",
      when(`${input("pipelinechannel--n")} == 1`),
      "work",
      ["task", "▸", "if n == 1"],
    ],
    [
      "with all else of a name",
      when(`${input("x-pipelinechannel--n")} > 1`),
      "work",
      ["task", "▸", "if x-pipelinechannel--n &gt; 1"],
    ],
  ])("%s", (_, task, component, look) => {
    expect(lookOf(drawPipeline(pipelineWith(task, component)) ?? "")).toEqual(look);
  });
});

test("what is drawn has a style, in the light and in the dark", () => {
  const svg = drawPipeline(pipelineWith({})) ?? "";
  const [, style = ""] = /<style>([^<]*)<\/style>/.exec(svg) ?? [];
  const [light = "", dark = ""] = style.split("@media (prefers-color-scheme: dark)");
  for (const name of ["text", ".note", ".sign", ".face", ".arrow", "[data-kind=loop]", "[data-kind=group]"]) {
    expect([name, light.includes(`${name} `), dark.includes(`${name} `)]).toEqual([name, true, true]);
  }
  const colors = (part: string) =>
    Object.fromEntries(
      Array.from(
        part.matchAll(/^ *([^{}\n]+) \{ ((?:(?:fill|stroke): [^;]+; ?)+)/gm),
        ([, name, color = ""]) => [name, color.trim()],
      ),
    );
  const groups = "[data-kind=loop] > g > .face, [data-kind=group] > g > .face";
  expect(colors(light)).toEqual({
    text: "fill: #22262a;",
    ".note": "fill: #5d646b;",
    ".sign": "fill: #0b5cad;",
    ".face": "fill: #fff; stroke: #5d646b;",
    [groups]: "fill: #fbfaf7;",
    ".arrow": "fill: none; stroke: #5d646b;",
  });
  expect(colors(dark)).toEqual({
    text: "fill: #e8e6e1;",
    ".note": "fill: #a3abb2;",
    ".sign": "fill: #82b8f2;",
    ".face": "fill: #1c2126; stroke: #a3abb2;",
    [groups]: "fill: #14171a;",
    ".arrow": "stroke: #a3abb2;",
  });
});
