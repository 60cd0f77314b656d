import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

const folder = new URL("../testdata/released/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.replaceAll("\\", "/"))
  .sort();

/** What the back end refuses although a released compiler has written it. */
const refused: Readonly<Record<string, readonly string[]>> = {
  // A task in a loop takes the name of a secret from outside of it, which these releases do not pass on.
  "2.12.2/kubernetes_in_loop.yaml": ["platform-input-unknown", "platform-input-unknown"],
  "2.15.2/kubernetes_in_loop.yaml": ["platform-input-unknown", "platform-input-unknown"],
  // `image=f"…{tag}"`: the driver expands a placeholder only where it is the whole text.
  "2.12.2/resources_dynamic.yaml": ["placeholder-partial"],
  // Operands that hold quotes, which the compiler puts between quotes as they are.
  "2.2.0/condition_operands.yaml": Array.from({ length: 4 }, () => "condition-invalid"),
};

/** What works otherwise than it looks; each is a fact of the file. */
const warned: Readonly<Record<string, readonly string[]>> = {
  "2.0.0/artifact_custom_type.yaml": ["placeholder-unsupported"],
  "2.0.0/artifacts.yaml": ["placeholder-unsupported"],
  "2.0.0/collected_artifacts.yaml": ["placeholder-unsupported"],
  "2.0.0/optional_inputs.yaml": ["optional-artifact-handed-on"],
  "2.0.0/placeholders.yaml": ["concat-unsupported", "placeholder-unsupported"],
  "2.0.0/resources.yaml": ["accelerator-incomplete", "accelerator-type-invalid"],
  "2.10.1/resources.yaml": ["accelerator-incomplete", "accelerator-type-invalid"],
  "2.11.0/resources.yaml": ["accelerator-incomplete", "accelerator-type-invalid"],
  "2.12.2/caching.yaml": ["cache-key-unused"],
  "2.15.2/importer.yaml": ["placeholder-unsupported"],
  "2.17.0/retry.yaml": ["retry-backoff-capped"],
  "2.17.0/sdk217_after_exit_handler.yaml": ["retry-backoff-capped"],
  "2.3.0/ignore_upstream_failure.yaml": ["exit-task-lost"],
  "2.7.0/loop_artifacts.yaml": ["artifact-iterator-unsupported"],
};

describe("files of released compilers", () => {
  test("are all there, and so are those of which something is said", () => {
    expect(files).toHaveLength(74);
    expect(files).toEqual(expect.arrayContaining([...Object.keys(refused), ...Object.keys(warned)]));
  });

  for (const name of files) {
    test(`${name} is found as good as it is`, () => {
      const { ok, problems } = validatePipeline(readFileSync(new URL(name, folder), "utf8"));
      const codes = (severity: string) =>
        problems.filter((problem) => problem.severity === severity).map(({ code }) => code);
      expect(codes("error")).toEqual(refused[name] ?? []);
      expect(ok).toBe(refused[name] === undefined);
      expect([...new Set(codes("warning"))].sort()).toEqual(warned[name] ?? []);
    });
  }
});
