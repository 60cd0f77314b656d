import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Pipeline, PipelineSpec, PlatformSpec, parsePipeline, printPipeline } from "../src/index.js";
import { corpus, expected } from "./corpus.js";
import { pipelineType } from "./oracle.js";

const files = corpus("valid");

function parsed(text: string): Pipeline {
  const result = parsePipeline(text);
  expect(result.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  if (!result.ok) throw new Error("not parsed");
  return result.pipeline;
}

/**
 * A reading that shares nothing with ours: the YAML library by its own schema, and the reflection of the oracle. One file
 * has lines in quotes that are indented like the list they are in, which the library alone refuses: there the list is
 * moved to the left.
 */
function independent(name: string, text: string): unknown[] {
  const accepted =
    name === "pipeline_with_secret_as_volume.yaml" ? text.replace(/^ {10}- /gm, "        - ") : text;
  const documents = parseAllDocuments(accepted);
  if (!Array.isArray(documents)) throw new Error("no document");
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJS()).filter((value) => value !== null);
}

const spec = pipelineType("PipelineSpec").oracle;
const platform = pipelineType("PlatformSpec").oracle;

test("the corpus is all here", () => {
  expect(files.map(({ name }) => name)).toEqual(Object.keys(expected().cases).sort());
  expect(Object.values(expected().cases).every(({ validate }) => validate === "accept")).toBe(true);
});

describe("every valid file", () => {
  for (const { name, text } of files) {
    test(`${name} is what an independent reading says`, () => {
      const pipeline = parsed(text);
      const [first, second] = independent(name, text);
      const theirs = spec.readJson(first);
      expect(spec.equals(spec.decode(PipelineSpec.encode(pipeline.spec).finish()), theirs)).toBe(true);
      expect(isDeepStrictEqual(PipelineSpec.decode(spec.encode(theirs)), pipeline.spec)).toBe(true);
      expect(pipeline.platform === undefined).toBe(second === undefined);
      const own = platform.decode(PlatformSpec.encode(pipeline.platform ?? PlatformSpec.create()).finish());
      expect(platform.equals(own, platform.readJson(second ?? {}))).toBe(true);
      const executors = (first as { deploymentSpec: { executors: object } }).deploymentSpec.executors;
      expect(Object.keys(pipeline.deployment.executors)).toEqual(Object.keys(executors));
    });

    for (const format of ["yaml", "json"] as const) {
      test(`${name} survives printing as ${format}, which then stays the same`, () => {
        const { platformPath: _path, specPath: _specPath, ...pipeline } = parsed(text);
        const printed = printPipeline(pipeline, { format });
        const { platformPath: __path, specPath: __specPath, ...again } = parsed(printed);
        expect(isDeepStrictEqual(again, pipeline)).toBe(true);
        expect(printPipeline(again, { format })).toBe(printed);
      });
    }

    test(`${name} survives the binary form`, () => {
      const pipeline = parsed(text);
      expect(
        isDeepStrictEqual(PipelineSpec.decode(PipelineSpec.encode(pipeline.spec).finish()), pipeline.spec),
      ).toBe(true);
    });
  }
});

test("the JSON twin of a file holds the same", () => {
  const [json, yaml] = files
    .filter(({ name }) => name.startsWith("pipeline_with_importer."))
    .map(({ text }) => parsed(text));
  expect(json?.spec).toEqual(yaml?.spec);
});

describe("the invalid files", () => {
  const invalid = new Map(corpus("invalid").map(({ name, text }) => [name, parsePipeline(text)]));
  const summary = (name: string) =>
    invalid
      .get(name)
      ?.problems.map(({ code, severity, path, range }) => `${severity} ${code} ${path} ${range?.start.line}`);

  test("are all here", () => {
    expect([...invalid.keys()].sort()).toEqual(Object.keys(expected().invalid).sort());
  });

  test("a file with comments only has no document", () => {
    expect(summary("empty_file.yaml")).toEqual(["error empty  1"]);
  });

  test("a picture that is a comment has no document", () => {
    expect(summary("wrong_format.png")).toEqual(["error empty  1"]);
  });

  test("an unknown field at the top is told with its line", () => {
    expect(summary("invalid_yaml.yaml")).toEqual(["error unknown-field /components_1 3"]);
    expect(invalid.get("invalid_yaml.yaml")?.problems[0]).toMatchObject({
      message: 'PipelineSpec has no field "components_1"',
      hint: 'did you mean "components"?',
    });
  });

  test("the old schema version can be read, which the validator has a rule for", () => {
    expect(invalid.get("hello_world_schema_2_0_0.yaml")?.ok).toBe(true);
    expect(summary("hello_world_schema_2_0_0.yaml")).toEqual([
      "info deprecated-field /components/comp-hello-world/inputDefinitions/parameters/text/type 7",
      "info deprecated-field /root/inputDefinitions/parameters/text/type 53",
    ]);
  });
});
