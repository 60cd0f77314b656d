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
    });
    const at = locate(pipeline, `${pipeline.run?.runtimeConfigPath}/parameters/list/1/a`);
    expect(rooted.slice(at?.start.offset, at?.end.offset)).toBe("1");
    expect(structuredClone(pipeline)).toEqual(pipeline);
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
