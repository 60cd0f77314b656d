import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

// Which parts of a file are told of because they could not be read, and what each of them hides.

const image = "        image: busybox\n";
const report = "  comp-report:\n    executorLabel: exec-report";
const executor = "/deploymentSpec/executors/exec-report/container";
const outputs = examplePipeline.slice(
  examplePipeline.indexOf("    outputDefinitions:"),
  examplePipeline.indexOf("  comp-train:"),
);
const withoutOutputs = examplePipeline.replace(outputs, "    outputDefinitions: [data, label]\n");
const job = (pipeline: string, more: object = {}): string =>
  JSON.stringify({ ...more, pipelineSpec: parse(pipeline) });

const partsOf = (text: string): readonly string[] =>
  validatePipeline(text).unchecked.map(({ path, reason, hidden }) => `${path} ${reason} ${hidden}`);

test.each<[string, string, readonly string[]]>([
  [
    "the first of two misspelt names of one field",
    examplePipeline.replace(image, "        iamge: busybox\n        imgae: busybox\n"),
    [`${executor}/iamge unknown-field 1`],
  ],
  [
    "no misspelt field beside the right one",
    examplePipeline.replace(image, `${image}        iamge: b\n`),
    [],
  ],
  ["nothing that executors have besides", examplePipeline.replace(image, `${image}        surplus: 1\n`), []],
  [
    "the first of two unknown fields of one object",
    examplePipeline.replace("  comp-report:\n", "  comp-report:\n    surplus: 1\n    more: 2\n"),
    ["/components/comp-report/surplus unknown-field 0"],
  ],
  [
    "both of two unknown fields of two objects",
    examplePipeline
      .replace(report, `${report}\n    surplus: 1`)
      .replace("  comp-train:\n", "  comp-train:\n    surplus: 1\n"),
    ["/components/comp-train/surplus unknown-field 0", "/components/comp-report/surplus unknown-field 0"],
  ],
  [
    "values before unknown fields",
    withoutOutputs.replace("components:\n", "components:\n  comp-first: {dag: {tasks: {}}, surplus: 1}\n"),
    [
      "/components/comp-prepare/outputDefinitions wrong-type 5",
      "/components/comp-first/surplus unknown-field 0",
    ],
  ],
  ["no document too many", `${examplePipeline}---\nplatforms: {}\n---\nx: 1\n`, []],
  [
    "everything, of a file whose second document is no YAML",
    `${examplePipeline}---\nplatforms: {a: [\n`,
    [" yaml-syntax 0"],
  ],
  [
    "a part of a job where it stands in the job",
    job(withoutOutputs),
    ["/pipelineSpec/components/comp-prepare/outputDefinitions wrong-type 5"],
  ],
  [
    "what a job has around its specification",
    job(examplePipeline, { labels: 5, displayName: 5 }),
    ["/labels wrong-type 0", "/displayName wrong-type 0"],
  ],
])("told of as unchecked is %s", (_, text, parts) => expect(partsOf(text)).toEqual(parts));

test("names in the place of an unchecked part are cut like those of a problem", () => {
  const name = "n".repeat(300);
  const { problems, unchecked } = validatePipeline(
    examplePipeline.replace("components:\n", `components:\n  ${name}: {dag: 5}\n`),
  );
  const wanted = `/components/${"n".repeat(199)}…/dag`;
  expect(unchecked.map(({ path }) => path)).toEqual([wanted]);
  expect(problems.map(({ path }) => path)).toContain(wanted);
});

describe("of parts that cannot be read, a thousand are told apart", () => {
  const partsOfMany = (wrong: number, strange: number) => {
    const many = (count: number, name: string, component: object) =>
      Array.from({ length: count }, (_, index) => [`${name}-${index}`, component]);
    const components = Object.fromEntries([
      ...many(wrong, "wrong", { executorLabel: "e", outputDefinitions: 5 }),
      ...many(strange, "strange", { executorLabel: "e", surplus: 5 }),
    ]);
    const { unchecked } = validatePipeline(JSON.stringify({ components }), { maxProblems: 5000 });
    return [unchecked.length, unchecked.at(-1)?.path];
  };
  test.each([
    [999, 1, "/components/strange-0/surplus"],
    [1, 999, "/components/strange-998/surplus"],
    [1001, 0, "/components/wrong-999/outputDefinitions"],
    [0, 1001, "/components/strange-999/surplus"],
    [500, 501, "/components/strange-499/surplus"],
  ])("of %d values and %d objects with unknown fields", (wrong, strange, last) => {
    expect(partsOfMany(wrong, strange)).toEqual([1000, last]);
  });
});
