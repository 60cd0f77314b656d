import { expect, test } from "vitest";
import { readApiRun, runtimeConfigName } from "./api-run.js";
import { Reading } from "./reading.js";

function read(run: unknown) {
  const reading = new Reading();
  const { runtimeConfig, ...paths } = readApiRun(run, reading);
  const problems = reading.list().map(({ severity, code, path }) => `${severity} ${code} ${path}`);
  return { runtimeConfig, paths: Object.values(paths), problems };
}

test.each([
  [{ runtime_config: { parameters: { a: 1 }, pipeline_root: "r" } }, "/runtime_config", "pipeline_root"],
  [{ runtimeConfig: { parameters: { a: 1 }, pipelineRoot: "r" } }, "/runtimeConfig", "pipelineRoot"],
  [{ runtime_confg: { parameters: { a: 1 }, pipelineRoot: "r" } }, "/runtime_confg", "pipelineRoot"],
])("arguments and the root are read in each spelling: %j", (run, path, root) => {
  expect(read(run)).toEqual({
    runtimeConfig: { parameters: {}, gcsOutputDirectory: "r", parameterValues: { a: 1 } },
    paths: [path, `${path}/${root}`],
    problems: [],
  });
});

test.each([[{}], [{ runtime_config: {} }], [{ runtime_config: null }], ["text"]])(
  "a run that says nothing is started with nothing: %j",
  (run) => {
    expect(read(run)).toEqual({
      runtimeConfig: { parameters: {}, gcsOutputDirectory: "", parameterValues: {} },
      paths: ["/runtime_config", "/runtime_config/pipeline_root"],
      problems: [],
    });
  },
);

test("what is wrong is told where it is, and the rest is read", () => {
  const run = { runtime_config: { parameters: { a: 1 }, pipeline_root: 5 } };
  expect(read(run)).toMatchObject({
    runtimeConfig: { gcsOutputDirectory: "", parameterValues: { a: 1 } },
    problems: ["error wrong-type /runtime_config/pipeline_root"],
  });
  expect(read({ runtimeConfig: 5 })).toMatchObject({
    paths: ["/runtimeConfig", "/runtimeConfig/pipeline_root"],
    problems: ["error wrong-type /runtimeConfig"],
  });
});

test("a field that is not known is an error in what is sent, and nothing in what a server answers", () => {
  const config = { runtime_config: { strange: 1 } };
  expect(read(config).problems).toEqual(["error unknown-field /runtime_config/strange"]);
  expect(read({ ...config, created_at: "2026" }).problems).toEqual([]);
  expect(read({ ...config, createdAt: "2026" }).problems).toEqual([]);
});

test.each([
  [{ runtimeConfig: {}, runtime_config: {} }, "runtime_config"],
  [{ runtime_confg: {}, runtimeConfig: {} }, "runtimeConfig"],
  [{ runtimeconfigs: {} }, "runtimeconfigs"],
  [{ runtime_confg: "text" }, undefined],
  [{ pipeline_spec: {}, run_details: {} }, undefined],
  [{ run_detail: {} }, undefined],
])("the name of what says so is the right one before a misspelt one: %j", (run, name) => {
  expect(runtimeConfigName(run)).toBe(name);
});
