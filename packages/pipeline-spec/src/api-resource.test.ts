import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { locate, type ParseResult, parsePipeline, printPipeline } from "./index.js";

const file = (name: string) => readFileSync(new URL(`../testdata/api/${name}.json`, import.meta.url), "utf8");
const errors = ({ problems }: ParseResult) => problems.filter(({ severity }) => severity === "error");

describe("an object of the API is read as the specification in it", () => {
  const rows: readonly [name: string, specPath: string, platformPath: string][] = [
    ["run", "/pipeline_spec", ""],
    ["run-with-platform", "/pipeline_spec/pipeline_spec", "/pipeline_spec/platform_spec"],
    ["run-request", "/pipeline_spec", ""],
    ["version", "/pipeline_spec", ""],
    ["version-with-platform", "/pipeline_spec/pipeline_spec", "/pipeline_spec/platform_spec"],
    ["recurring-run", "/pipeline_spec", ""],
    ["vertex-job", "/pipelineSpec", ""],
  ];
  for (const [name, specPath, platformPath] of rows) {
    test(name, () => {
      const result = parsePipeline(file(name));
      expect(errors(result)).toEqual([]);
      const pipeline = result.ok ? result.pipeline : expect.unreachable(name);
      expect(pipeline).toMatchObject({ specPath, platformPath });
      expect(Object.keys(pipeline.spec.components).length).toBeGreaterThan(0);
      expect(pipeline.platform !== undefined).toBe(platformPath !== "");
    });
  }

  test("in the other spelling as well", () => {
    const camelCase = file("run").replaceAll(
      /"([a-z]+(?:_[a-z]+)+)":/g,
      (_, key: string) => `"${key.replaceAll(/_(\w)/g, (__, letter: string) => letter.toUpperCase())}":`,
    );
    const result = parsePipeline(camelCase);
    expect(errors(result)).toEqual([]);
    expect(result.ok && result.pipeline.specPath).toBe("/pipelineSpec");
  });

  test("and its job keeps what is known of it", () => {
    const result = parsePipeline(file("vertex-job"));
    expect(result.ok && result.pipeline.job?.runtimeConfig?.gcsOutputDirectory).toMatch(/^gs:/);
  });
});

describe("what a run is started with", () => {
  const pipelineOf = (text: string) => {
    const result = parsePipeline(text);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.pipeline;
  };

  test("is handed on in the words of a job, with its place", () => {
    const text = file("run").replace('"who": "x"', '"who": "x", "list": [null, {"a": 1}]');
    const rooted = text.replace('"runtime_config": {', '"runtime_config": {"pipeline_root": "minio://b/x", ');
    const pipeline = pipelineOf(rooted);
    expect(pipeline.run).toEqual({
      runtimeConfig: {
        parameters: {},
        gcsOutputDirectory: "minio://b/x",
        parameterValues: { who: "x", list: [null, { a: 1 }] },
      },
      runtimeConfigPath: "/runtime_config",
      pipelineRootPath: "/runtime_config/pipeline_root",
    });
    const at = locate(pipeline, `${pipeline.run?.runtimeConfigPath}/parameters/list/1/a`);
    expect(rooted.slice(at?.start.offset, at?.end.offset)).toBe("1");
    expect(structuredClone(pipeline)).toEqual(pipeline);
  });

  test("has its places in the spelling of the file", () => {
    const { pipeline_spec: pipelineSpec } = JSON.parse(file("run"));
    const runtimeConfig = { pipelineRoot: "minio://b/x" };
    expect(pipelineOf(JSON.stringify({ runId: "r", pipelineSpec, runtimeConfig })).run).toMatchObject({
      runtimeConfigPath: "/runtimeConfig",
      pipelineRootPath: "/runtimeConfig/pipelineRoot",
    });
  });

  test("is nothing where nothing is said, and is not there for what is no run", () => {
    const { pipeline_spec } = JSON.parse(file("run"));
    const nothing = { parameters: {}, gcsOutputDirectory: "", parameterValues: {} };
    for (const around of [{ run_id: "r" }, { display_name: "r" }, { trigger: {}, runtime_config: null }]) {
      expect(pipelineOf(JSON.stringify({ ...around, pipeline_spec })).run?.runtimeConfig).toEqual(nothing);
    }
    for (const name of ["version", "version-with-platform", "vertex-job"]) {
      expect(pipelineOf(file(name))).not.toHaveProperty("run");
    }
    const named = { display_name: "v", pipeline_version_id: "v", pipeline_spec };
    expect(pipelineOf(JSON.stringify(named))).not.toHaveProperty("run");
  });

  test("is read as strictly as the server reads it", () => {
    const { pipeline_spec } = JSON.parse(file("run"));
    const rows: readonly (readonly [config: unknown, code: string, path: string, hint?: string])[] = [
      [5, "wrong-type", "/runtime_config"],
      [{ parameters: [{ name: "who", value: "x" }] }, "wrong-type", "/runtime_config/parameters"],
      [
        { parametres: { who: "x" } },
        "unknown-field",
        "/runtime_config/parametres",
        'did you mean "parameters"?',
      ],
      [{ pipeline_root: 5 }, "wrong-type", "/runtime_config/pipeline_root"],
      [{ parameters: {}, mode: "fast" }, "unknown-field", "/runtime_config/mode"],
    ];
    for (const [runtime_config, code, path, ...hints] of rows) {
      const [found, ...others] = errors(
        parsePipeline(JSON.stringify({ display_name: "r", pipeline_spec, runtime_config })),
      );
      expect([others, found]).toMatchObject([
        [],
        { code, path, ...Object.fromEntries(hints.map((hint) => ["hint", hint])) },
      ]);
    }
  });

  test.each([
    ["runtimeConfig", 5, "wrong-type", "expected an object (RuntimeConfig), got the number 5"],
    ["runtime_config", [], "wrong-type", "expected an object (RuntimeConfig), got a list"],
    ["runtime_confg", { mode: "fast" }, "unknown-field", 'a run of the API has no field "runtime_confg"'],
  ] as const)("has the place of its own spelling when it is wrong: %s", (name, config, code, message) => {
    const { pipeline_spec } = JSON.parse(file("run"));
    const found = errors(parsePipeline(JSON.stringify({ run_id: "r", pipeline_spec, [name]: config })));
    expect(found.map((one) => [one.code, one.path, one.message])).toContainEqual([code, `/${name}`, message]);
  });

  test("is read where it is misspelt, and told once", () => {
    const { pipeline_spec } = JSON.parse(file("run"));
    const run = {
      run_id: "r",
      pipeline_spec,
      runtime_confg: { parameters: { who: "y" }, pipeline_root: "s3://a" },
    };
    const result = parsePipeline(JSON.stringify(run));
    expect(errors(result)).toMatchObject([
      { path: "/runtime_confg", hint: 'did you mean "runtime_config"?' },
    ]);
    expect(result).toMatchObject({
      ok: false,
      partial: {
        run: {
          runtimeConfig: { parameterValues: { who: "y" }, gcsOutputDirectory: "s3://a" },
          runtimeConfigPath: "/runtime_confg",
          pipelineRootPath: "/runtime_confg/pipeline_root",
        },
      },
    });
  });

  test("may have more in it where a server of a later version has answered", () => {
    const text = file("run").replace('"runtime_config": {', '"runtime_config": {"mode": "fast", ');
    expect(pipelineOf(text).run?.runtimeConfig.parameterValues).toEqual({ who: "x" });
  });
});

describe("what is wrong is found once", () => {
  const rows: readonly [name: string, change: (text: string) => string, code: string, path: string][] = [
    ["run-by-reference", (text) => text, "no-specification", ""],
    ["pipeline", (text) => text, "no-specification", ""],
    ["versions", (text) => text, "not-a-pipeline", ""],
    ["run-of-version-1", (text) => text, "version-1", ""],
    [
      "run",
      (text) => text.replace('"components"', '"componentz"'),
      "unknown-field",
      "/pipeline_spec/componentz",
    ],
    [
      "run",
      (text) => text.replace(/"pipeline_spec": \{/, '"pipeline_spec": 5, "other": {'),
      "wrong-type",
      "/pipeline_spec",
    ],
    ["vertex-job", (text) => text.replace('"labels"', '"lables"'), "unknown-field", "/lables"],
    [
      "vertex-job",
      (text) => text.replace('"parameterValues"', '"parameterValue"'),
      "unknown-field",
      "/runtimeConfig/parameterValue",
    ],
    [
      "version-with-platform",
      (text) => text.replace('"platforms"', '"platform"'),
      "unknown-field",
      "/pipeline_spec/platform_spec/platform",
    ],
  ];
  for (const [name, change, code, path] of rows) {
    test(`${name}: ${code} at ${path === "" ? "the root" : path}`, () => {
      const found = errors(parsePipeline(change(file(name))));
      expect(found.map((problem) => [problem.code, problem.path])).toEqual([[code, path]]);
      expect(found[0]?.range).toBeDefined();
    });
  }
});

describe("a field of an object around a specification in both of its spellings", () => {
  const { pipeline_spec, platform_spec } = JSON.parse(file("run-with-platform")).pipeline_spec;
  const other = { ...pipeline_spec, pipelineInfo: { name: "other" } };
  const rows: Readonly<Record<string, readonly [around: object, path: string]>> = {
    "the specification of a run": [{ run_id: "r", pipeline_spec, pipelineSpec: other }, "/pipeline_spec"],
    "what a run is started with": [
      { run_id: "r", pipeline_spec, runtime_config: { parameters: { who: "x" } }, runtimeConfig: {} },
      "/runtime_config",
    ],
    "the pipeline root of a run": [
      { run_id: "r", pipeline_spec, runtime_config: { pipeline_root: "s3://a/b", pipelineRoot: "s3://a/c" } },
      "/runtime_config/pipeline_root",
    ],
    "the name of a run": [{ run_id: "r", runId: "s", pipeline_spec }, "/run_id"],
    "the specification of a version": [
      { pipeline_version_id: "v", pipeline_spec, pipelineSpec: pipeline_spec },
      "/pipeline_spec",
    ],
    "the specification inside of a version": [
      { pipeline_version_id: "v", pipeline_spec: { pipeline_spec, pipelineSpec: other, platform_spec } },
      "/pipeline_spec/pipeline_spec",
    ],
    "the platform specification inside of a version": [
      {
        pipeline_version_id: "v",
        pipeline_spec: { pipeline_spec, platform_spec, platformSpec: platform_spec },
      },
      "/pipeline_spec/platform_spec",
    ],
    "the platform specification": [
      { pipelineSpec: pipeline_spec, platformSpec: platform_spec, platform_spec },
      "/platform_spec",
    ],
    "the specification of a job": [{ pipelineSpec: pipeline_spec, pipeline_spec: other }, "/pipeline_spec"],
    "the name of a job": [
      { pipelineSpec: pipeline_spec, displayName: "a", display_name: "b" },
      "/display_name",
    ],
  };
  for (const [name, [around, path]] of Object.entries(rows)) {
    test(`is told of once: ${name}`, () => {
      const found = errors(parsePipeline(JSON.stringify(around)));
      expect(found.map((problem) => [problem.code, problem.path])).toEqual([["duplicate-field", path]]);
      expect(found[0]?.message).toMatch(/^"(\w+)" and "(\w+)" are the same field$/);
    });
  }
});

describe("a pipeline of version 1 inside of an object of the API", () => {
  const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: {}, spec: {} };
  const old = {
    workflow_manifest: JSON.stringify(workflow),
    parameters: [{ name: "who", value: "x" }],
  };
  const resource_references = [{ key: { type: "EXPERIMENT", id: "e" }, relationship: "OWNER" }];
  const rows: Readonly<Record<string, object>> = {
    "a run": { run_id: "r", pipeline_spec: workflow, runtime_config: { parameters: {} } },
    "a version": { pipeline_id: "p", pipeline_version_id: "v", pipeline_spec: workflow },
    "a version in the other spelling": { pipelineVersionId: "v", pipelineSpec: workflow },
    "a version with a platform": { pipeline_version_id: "v", pipeline_spec: { pipeline_spec: workflow } },
    "nothing but the specification": { pipeline_spec: workflow },
    "a specification with a platform": { pipelineSpec: workflow, platformSpec: {} },
    "a resource of Kubernetes": {
      apiVersion: "pipelines.kubeflow.org/v2beta1",
      kind: "PipelineVersion",
      spec: { pipelineSpec: workflow },
    },
    "the body that creates a run": { name: "n", pipeline_spec: old, resource_references },
    "the body that creates a run of a pipeline": {
      name: "n",
      pipeline_spec: { pipeline_id: "p" },
      resource_references,
    },
    "a run as it was created": { id: "r", name: "n", pipeline_spec: old },
    "a run as it is told of": { run: { id: "r", pipeline_spec: old }, pipeline_runtime: {} },
    "a recurring run": { id: "r", enabled: true, max_concurrency: "1", pipeline_spec: old, trigger: {} },
  };
  for (const [name, body] of Object.entries(rows)) {
    test(`is one finding: ${name}`, () => {
      const result = parsePipeline(JSON.stringify(body));
      expect(result.problems.map(({ code }) => code)).toEqual(["version-1"]);
    });
  }
});

describe("what only Vertex AI has around a job", () => {
  const read = (text: string) => {
    const result = parsePipeline(text);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.pipeline;
  };
  const { pipelineSpec: _, ...around } = JSON.parse(file("vertex-job"));

  test.each(["json", "yaml"] as const)("is printed again as %s, and survives JSON", (format) => {
    const pipeline = JSON.parse(JSON.stringify(read(file("vertex-job"))));
    expect(Object.keys(pipeline.vertex.job).length).toBeGreaterThan(2);
    const printed = printPipeline(pipeline, { format });
    const { pipelineSpec: _spec, ...again } = format === "json" ? JSON.parse(printed) : parse(printed);
    expect(again).toEqual(around);
    expect(Object.keys(again)).toEqual(Object.keys(again).toSorted());
    expect(Object.keys(again.runtimeConfig)).toEqual(Object.keys(again.runtimeConfig).toSorted());
    expect(printPipeline(read(printed), { format })).toBe(printed);
  });

  test("is not there for other jobs, and is checked like everything else", () => {
    expect(read("pipelineSpec: {root: {dag: {}}, pipelineInfo: {name: a}}")).not.toHaveProperty("vertex");
    const wrong =
      "network: .nan\nruntimeConfig: {defaultRuntime: [.inf]}\npipelineSpec: {root: {dag: {}}, pipelineInfo: {name: a}}\n";
    expect(
      errors(parsePipeline(wrong)).map(({ code, path, range }) => [code, path, range?.start.line]),
    ).toEqual([
      ["out-of-range", "/network", 1],
      ["out-of-range", "/runtimeConfig/defaultRuntime/0", 2],
    ]);
  });
});
