import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

const corpus = new URL("../../pipeline-spec/testdata/pipelines/", import.meta.url);

const validFiles = readdirSync(new URL("valid/", corpus), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:yaml|json)$/.test(name))
  .sort();

const read = (path: string): string => readFileSync(new URL(path, corpus), "utf8");

/** Warnings that real files deserve: each is a fact of the file, not of the rule. */
const expectedWarnings: Readonly<Record<string, readonly string[]>> = {
  "artifacts_simple.yaml": ["placeholder-unsupported"],
  "components_with_optional_artifacts.yaml": ["optional-artifact-handed-on", "optional-artifact-handed-on"],
  "container_with_artifact_output.yaml": ["placeholder-unsupported"],
  "container_with_concat_placeholder.yaml": ["concat-unsupported"],
  "pipeline_with_parallelfor_list_artifacts_GH-12033.yaml": [
    "artifact-iterator-unsupported",
    "artifact-iterator-unsupported",
  ],
  "pipeline_with_various_io_types.yaml": ["output-unwritten", "root-artifact-required"],
};

describe("valid files of the corpus", () => {
  test("are all there", () => expect(validFiles).toHaveLength(77));

  for (const name of validFiles) {
    test(`${name} has no error`, () => {
      const { ok, problems } = validatePipeline(read(`valid/${name}`));
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(ok).toBe(true);
    });
    test(`${name} has just the warnings that it deserves`, () => {
      const { problems } = validatePipeline(read(`valid/${name}`));
      expect(problems.map(({ code }) => code).sort()).toEqual(expectedWarnings[name] ?? []);
    });
  }
});

const invalidFiles: readonly (readonly [name: string, codes: readonly string[]])[] = [
  ["empty_file.yaml", ["empty"]],
  ["invalid_yaml.yaml", ["unknown-field"]],
  ["wrong_format.png", ["empty"]],
  ["hello_world_schema_2_0_0.yaml", ["schema-version-unsupported"]],
];

describe("invalid files of the corpus", () => {
  for (const [name, codes] of invalidFiles) {
    test(`${name} is refused for what is wrong with it, and nothing else`, () => {
      const { ok, problems } = validatePipeline(read(`invalid/${name}`));
      expect(ok).toBe(false);
      const errors = problems.filter(({ severity }) => severity === "error");
      expect(errors.map(({ code }) => code)).toEqual(codes);
    });
  }

  test("a schema version that the back end refuses is fine by the document", () => {
    expect(validatePipeline(read("invalid/hello_world_schema_2_0_0.yaml"), { profile: "spec" }).ok).toBe(
      true,
    );
  });
});
