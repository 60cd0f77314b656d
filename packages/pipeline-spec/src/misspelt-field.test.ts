import { describe, expect, test } from "vitest";
import { brief } from "../test/marked-text.js";
import { parsePipeline } from "./index.js";

describe("a misspelt word around a specification is one problem, at its place:", () => {
  const spec = '{"pipelineInfo": {"name": "p"}, "schemaVersion": "2.1.0", "root": {"dag": {}}}';
  const version = (kind: string, field: string) =>
    `apiVersion: pipelines.kubeflow.org/v2beta1\nkind: Pipeline\n---\napiVersion: pipelines.kubeflow.org/v2beta1\nkind: ${kind}\n${field}:\n  pipelineSpec: ${spec}\n`;
  const rows: readonly [text: string, problem: string, hint: string][] = [
    [version("PipelineVersin", "spec"), "unknown-enum-value /kind 5:7", "PipelineVersion"],
    [version("Pipeline", "spec"), "unknown-enum-value /kind 5:7", "PipelineVersion"],
    [version("PipelineVersion", "spc"), "unknown-field /spc 6:1", "spec"],
    [`{"pipelineSpc": ${spec}}`, "unknown-field /pipelineSpc 1:2", "pipelineSpec"],
    [
      `{"pipelineSpec": ${spec},\n"platformSpc": {"platforms": {}}}`,
      "unknown-field /platformSpc 2:1",
      "platformSpec",
    ],
    [
      `{"display_name": "r", "pipeline_spec": ${spec},\n"runtime_confg": {"parameters": {"n": 3}}}`,
      "unknown-field /runtime_confg 2:1",
      "runtime_config",
    ],
  ];
  for (const [text, problem, meant] of rows) {
    test(`${problem}, ${meant}`, () => {
      const result = parsePipeline(text);
      expect(brief(result.problems)).toEqual([problem]);
      expect(result.problems.map(({ hint }) => hint)).toEqual([`did you mean "${meant}"?`]);
      expect((result.ok ? undefined : result.partial)?.spec.pipelineInfo?.name).toBe("p");
    });
  }

  test("what a run is started with is read all the same", () => {
    const [text = ""] = rows.at(-1) ?? [];
    const result = parsePipeline(text);
    expect((result.ok ? undefined : result.partial)?.run?.runtimeConfig.parameterValues).toEqual({ n: 3 });
  });

  test("and a list of versions says which to give", () => {
    const items = `[{"kind": "PipelineVersion", "spec": {"pipelineSpec": ${spec}}}]`;
    const { problems } = parsePipeline(`{"apiVersion": "v1", "kind": "List", "items": ${items}}`);
    expect(brief(problems)).toEqual(["not-a-pipeline  1:1"]);
    expect(problems[0]?.message).toBe("this is a list of Kubernetes resources");
  });
});
