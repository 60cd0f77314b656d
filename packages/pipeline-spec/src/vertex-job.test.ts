import { describe, expect, test } from "vitest";
import { Reading } from "./reading.js";
import { vertexFields, withoutVertexFields, withVertexFields } from "./vertex-job.js";

const ofJob = [
  ...["createTime", "startTime", "endTime", "updateTime", "state", "jobDetail", "error", "encryptionSpec"],
  ...[
    "serviceAccount",
    "network",
    "reservedIpRanges",
    "pscInterfaceConfig",
    "templateUri",
    "templateMetadata",
  ],
  ...["scheduleName", "preflightValidations", "satisfiesPzs", "satisfiesPzi", "originalPipelineJobId"],
  "pipelineTaskRerunConfigs",
];
const ofConfig = ["failurePolicy", "inputArtifacts", "defaultRuntime"];
const own = ["name", "displayName", "pipelineSpec", "labels", "runtimeConfig"];

const read = (job: unknown) => {
  const reading = new Reading();
  return { fields: vertexFields(job, reading), problems: reading.list().map(({ path }) => path) };
};

describe("a field that only Vertex AI has is taken out of a job, and put back:", () => {
  test.each(ofJob)("%s", (name) => {
    const job = { displayName: "a", [name]: [1, { b: null }] };
    expect(read(job)).toEqual({
      fields: { job: { [name]: [1, { b: null }] }, runtimeConfig: {} },
      problems: [],
    });
    expect(withoutVertexFields(job)).toEqual({ displayName: "a" });
    expect(withVertexFields({ displayName: "a" }, { job: { [name]: 1 }, runtimeConfig: {} })).toEqual({
      displayName: "a",
      [name]: 1,
    });
  });

  test.each(ofConfig)("%s of what it is started with", (name) => {
    const job = { displayName: "a", runtimeConfig: { parameterValues: {}, [name]: "x" } };
    expect(read(job)).toEqual({ fields: { job: {}, runtimeConfig: { [name]: "x" } }, problems: [] });
    expect(withoutVertexFields(job)).toEqual({ displayName: "a", runtimeConfig: { parameterValues: {} } });
    const back = { job: {}, runtimeConfig: { [name]: "x" } };
    expect(withVertexFields({ runtimeConfig: { a: 1, z: 2 }, displayName: "a" }, back)).toEqual({
      displayName: "a",
      runtimeConfig: { a: 1, z: 2, [name]: "x" },
    });
    expect(withVertexFields({ displayName: "a" }, back)).toEqual({
      displayName: "a",
      runtimeConfig: { [name]: "x" },
    });
  });
});

test("all others stay", () => {
  const job = Object.fromEntries([...own, ...ofConfig].map((name) => [name, 1]));
  expect(read(job)).toEqual({ fields: undefined, problems: [] });
  expect(withoutVertexFields(job)).toEqual(job);
  const runtimeConfig = Object.fromEntries([...own, ...ofJob].map((name) => [name, 1]));
  expect(read({ runtimeConfig })).toEqual({ fields: undefined, problems: [] });
  expect(withoutVertexFields({ runtimeConfig, a: { failurePolicy: 1 } })).toEqual({
    runtimeConfig,
    a: { failurePolicy: 1 },
  });
});

test.each([undefined, null, 5, "network", ["network"]])("%j has none, and stays as it is", (job) => {
  expect(read(job).fields).toBeUndefined();
  expect(withoutVertexFields(job)).toEqual(job);
  expect(withoutVertexFields({ runtimeConfig: job })).toEqual({ runtimeConfig: job });
  expect(read({ network: 1, runtimeConfig: job }).fields).toEqual({ job: { network: 1 }, runtimeConfig: {} });
});

test("names come in alphabetical order on both levels", () => {
  const json = withVertexFields(
    { runtimeConfig: { parameterValues: {} }, displayName: "a" },
    { job: { network: 1, error: 2 }, runtimeConfig: { inputArtifacts: 1, defaultRuntime: 2 } },
  );
  expect(JSON.stringify(json)).toBe(
    '{"displayName":"a","error":2,"network":1,"runtimeConfig":{"defaultRuntime":2,"inputArtifacts":1,"parameterValues":{}}}',
  );
  const alone = withVertexFields({ displayName: "a" }, { job: { createTime: 1 }, runtimeConfig: {} });
  expect(JSON.stringify(alone)).toBe('{"createTime":1,"displayName":"a"}');
});

test("what has no form in JSON is left out, and told with its place", () => {
  const job = {
    network: Number.NaN,
    state: 1,
    runtimeConfig: { failurePolicy: [Number.NaN], defaultRuntime: 2 },
  };
  expect(read(job)).toEqual({
    fields: { job: { state: 1 }, runtimeConfig: { failurePolicy: [], defaultRuntime: 2 } },
    problems: ["/network", "/runtimeConfig/failurePolicy/0"],
  });
});
