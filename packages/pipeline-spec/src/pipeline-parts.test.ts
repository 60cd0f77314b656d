import { describe, expect, test } from "vitest";
import { parsePipeline } from "./index.js";

const spec = "{pipelineInfo: {name: p}, root: {dag: {}}}";
const version = "apiVersion: pipelines.kubeflow.org/v2beta1\nkind: PipelineVersion\n";

const said = (text: string) =>
  parsePipeline(text).problems.map(
    ({ severity, code, path, range, message }) =>
      `${severity} ${code} ${path} ${range?.start.line}:${range?.start.column}: ${message}`,
  );
const hints = (text: string) => parsePipeline(text).problems.map(({ hint }) => hint);

describe("what is wrong with the documents of a file is told whole:", () => {
  const neither = "this is neither a pipeline specification nor a platform specification";
  const fields =
    "a pipeline specification has pipelineInfo, components, deploymentSpec and root; a platform specification has platforms";
  const pod = "this is a Kubernetes Pod without a pipeline specification in it";
  const resources = "of the resources of Kubernetes, a PipelineVersion has one, in spec.pipelineSpec";
  const own = "put it into a file of its own";
  const order =
    "the platform specification comes first, which the API server accepts and the Python SDK does not";
  const rows: readonly [text: string, problem: string, hint?: string | undefined][] = [
    ["# a", "error empty  1:1: there is no document in this text"],
    ["a: b", `error not-a-pipeline  1:1: ${neither}`, fields],
    [`${spec}\n---\na: b`, `error not-a-pipeline  3:1: ${neither}`, fields],
    ["platforms: {}\n---\na: b", `error not-a-pipeline  3:1: ${neither}`, fields],
    [`${spec}\n---\nrooot: {}`, `error not-a-pipeline  3:1: ${neither}`, fields],
    [`rooot: {}\n---\n${spec}`, `error not-a-pipeline  1:1: ${neither}`, fields],
    ["platform: {}", `error not-a-pipeline  1:1: ${neither}`, fields],
    [`${spec}\n---\nplatforms: {}\n---\nplatform: {}`, `error not-a-pipeline  5:1: ${neither}`, fields],
    [
      "[1]",
      "error not-a-pipeline  1:1: expected an object with the fields of a pipeline specification, got a list",
    ],
    [
      "---\nhello",
      'error not-a-pipeline  2:1: expected an object with the fields of a pipeline specification, got the text "hello"',
    ],
    ["platforms: {}", "error no-specification  1:1: there is no pipeline specification in this file"],
    ["# a\nplatforms: {}", "error no-specification  2:1: there is no pipeline specification in this file"],
    ["\nruntimeConfig: {}", "error no-specification  2:1: the job has no pipelineSpec"],
    ["apiVersion: v1\nkind: Pod", `error not-a-pipeline  1:1: ${pod}`, resources],
    [`${spec}\n---\napiVersion: v1\nkind: Pod`, `error not-a-pipeline  3:1: ${pod}`, resources],
    [
      `${spec}\n---\n${spec}`,
      "error several-pipelines  3:1: this is a second pipeline specification in one file",
      own,
    ],
    [
      `${spec}\n---\npipelineSpec: ${spec}`,
      "error several-pipelines /pipelineSpec 3:1: this is a second pipeline specification in one file",
      own,
    ],
    [
      `${spec}\n---\nplatforms: {}\n---\nplatforms: {}`,
      "error several-platforms  5:1: this is a second platform specification in one file",
      own,
    ],
    [
      `platforms: {}\n---\n${spec}`,
      `warning document-order  1:1: ${order}`,
      "put the pipeline specification first",
    ],
    [
      `${version}kynd: x\nspec: {pipelineSpc: ${spec}}`,
      'error unknown-field /spec/pipelineSpc 4:8: the spec of a PipelineVersion has no field "pipelineSpc"',
      'did you mean "pipelineSpec"?',
    ],
    [
      `${version.replace("PipelineVersion", "Pipeline")}spec: {pipelineSpec: ${spec}}`,
      "error unknown-enum-value /kind 2:7: a Pipeline has no specification: this is a PipelineVersion",
      'did you mean "PipelineVersion"?',
    ],
    [
      `pipelineSpec: ${spec}\npipeline_spec: ${spec}`,
      'error duplicate-field /pipeline_spec 2:1: "pipeline_spec" and "pipelineSpec" are the same field',
    ],
    [
      `run_id: r\npipeline_spec:\n  pipeline_spec: ${spec}\n  pipelineSpec: ${spec}`,
      'error duplicate-field /pipeline_spec/pipeline_spec 3:3: "pipeline_spec" and "pipelineSpec" are the same field',
    ],
  ];
  test.each(rows)("%j", (text, problem, hint) => {
    expect(said(text)).toEqual([problem]);
    expect(hints(text)).toEqual([hint]);
  });
});

describe("documents that are none of a pipeline are fine", () => {
  test.each([
    ["an empty map behind a specification", `${spec}\n---\n{}`],
    ["settings behind a specification", `${spec}\n---\nplatforms: {}`],
    [
      "other resources beside a PipelineVersion",
      `${version}spec: {pipelineSpec: ${spec}}\n---\napiVersion: v1\nkind: Pod`,
    ],
    ["a resource before it", `apiVersion: v1\nkind: Pod\n---\n${version}spec: {pipelineSpec: ${spec}}`],
    [
      "the two spellings in a resource, of which Kubernetes knows one",
      `${version}spec: {pipelineSpec: ${spec}, pipeline_spec: 5}`,
    ],
  ])("%s", (_name, text) => expect(said(text)).toEqual([]));

  test("but not where the resource has no kind or version of its own", () => {
    const pod = "---\napiVersion: v1\nkind: Pod";
    for (const around of ["kind: PipelineVersion", "apiVersion: v1"]) {
      expect(said(`${around}\npipelineInfo: {name: p}\nroot: {dag: {}}\n${pod}`)).toContain(
        "error not-a-pipeline  5:1: this is a Kubernetes Pod without a pipeline specification in it",
      );
    }
  });
});

describe("a document with misspelt fields alone is what is missing:", () => {
  test.each<[text: string, ...codes: string[]]>([
    ["rooot: {dag: {}}", 'PipelineSpec has no field "rooot"'],
    [
      "{a: 1, pipelinInfo: {name: p}}",
      'PipelineSpec has no field "a"',
      'PipelineSpec has no field "pipelinInfo"',
    ],
    [`${spec}\n---\nplatform: {}`, 'PlatformSpec has no field "platform"'],
    [`platform: {}\n---\n${spec}`, 'PlatformSpec has no field "platform"'],
    [
      `rooot: {dag: {}}\n---\nplatform: {}`,
      'PipelineSpec has no field "rooot"',
      'PlatformSpec has no field "platform"',
    ],
  ])("%j", (text, ...messages) => {
    const { problems } = parsePipeline(text);
    const told = problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
    expect(told).toEqual(messages);
  });
});

test("a run is one where its specification is the first of the file", () => {
  const run = `run_id: r\npipeline_spec: ${spec}\nruntime_config: {parameters: {a: 1}}`;
  const read = (text: string) => {
    const result = parsePipeline(text);
    return result.ok ? result.pipeline : result.partial;
  };
  expect(read(run)?.run?.runtimeConfig.parameterValues).toEqual({ a: 1 });
  expect(read(`${spec}\n---\n${run}`)).not.toHaveProperty("run");
  const job = "displayName: j\npipelineSpec: {root: {dag: {}}}";
  expect(read(`${job}\n---\ndisplayName: k\npipelineSpec: ${spec}`)?.job?.displayName).toBe("j");
});
