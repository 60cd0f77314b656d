import {
  ComponentSpec,
  ImporterSpec,
  type PartialMessage,
  RuntimeArtifact,
  type Value,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { containerPath, finalStatusPayload, parameterTypeOf, resolveImporter } from "../index.js";

const component = ComponentSpec.create({ outputDefinitions: { artifacts: { artifact: {} } } });
const inputs = { parameters: { uri: "gs://b/x", n: 3, none: null }, artifacts: {}, defaulted: [] };
const uri = (value: string): PartialMessage<ImporterSpec> => ({
  artifactUri: { value: { $case: "constant", value } },
});

describe("an importer", () => {
  test("makes an artifact with the URI and the metadata that it is given", () => {
    const importer = ImporterSpec.create({
      artifactUri: { value: { $case: "runtimeParameter", value: "uri" } },
      typeSchema: { kind: { $case: "schemaTitle", value: "system.Dataset" } },
      metadata: {
        rows: "{{$.inputs.parameters['n']}}",
        by: "{{$.pipeline_job_name}}!",
        "key-{{$.inputs.parameters['n']}}": {
          "{{$.pipeline_job_name}}": [{ "{{$.inputs.parameters['n']}}": 1 }],
        },
      },
    });
    expect(
      resolveImporter(importer, component, inputs, { facts: { pipeline_job_name: "me" } }),
    ).toMatchObject({
      ok: true,
      value: {
        parameters: {},
        artifacts: {
          artifact: {
            artifacts: [
              {
                name: "artifact",
                uri: "gs://b/x",
                metadata: { rows: 3, by: "me!", "key-3": { me: [{ "3": 1 }] } },
                type: { kind: { value: "system.Dataset" } },
              },
            ],
          },
        },
      },
    });
  });

  test("knows its input artifacts in the metadata, and tells of everything that is not there", () => {
    const given = {
      ...inputs,
      artifacts: { d: { artifacts: [RuntimeArtifact.create({ uri: "gs://b/d" })] } },
    };
    const importer = (metadata: object) => ImporterSpec.create({ ...uri("gs://b/x"), metadata } as never);
    expect(
      resolveImporter(importer({ of: "{{$.inputs.artifacts['d'].uri}}" }), component, given),
    ).toMatchObject({
      ok: true,
      value: { artifacts: { artifact: { artifacts: [{ metadata: { of: "gs://b/d" } }] } } },
    });
    const gone = importer({ a: "{{$.inputs.parameters['y']}}", b: "{{$.inputs.parameters['z']}}" });
    expect(
      resolveImporter(gone, component, given).problems.map(({ path, message }) => [path, message]),
    ).toEqual([
      ["/metadata", "there is no input parameter y"],
      ["/metadata", "there is no input parameter z"],
    ]);
  });

  test("takes constants of both forms", () => {
    const old = ImporterSpec.create({
      artifactUri: {
        value: { $case: "constantValue", value: { value: { $case: "stringValue", value: "s3://b/y" } } },
      },
    });
    expect(resolveImporter(old, component, inputs)).toMatchObject({ ok: true });
    expect(resolveImporter(ImporterSpec.create(uri("s3://b/y")), component, inputs)).toMatchObject({
      ok: true,
    });
  });

  const runtime = (value: string): PartialMessage<ImporterSpec> => ({
    artifactUri: { value: { $case: "runtimeParameter", value } },
  });
  const old = (value: NonNullable<Value["value"]>): PartialMessage<ImporterSpec> => ({
    artifactUri: { value: { $case: "constantValue", value: { value } } },
  });
  const empty = "the URI of the artifact to import is empty";
  const noScheme = (text: string) => `the URI of the artifact to import has no scheme: ${text}`;
  const uris: readonly (readonly [importer: PartialMessage<ImporterSpec>, message: string])[] = [
    [{}, "nothing says what to import"],
    [{ artifactUri: {} }, "nothing says what to import"],
    [uri(""), empty],
    [runtime("nope"), empty],
    [runtime("toString"), empty],
    [runtime("none"), empty],
    [old({ $case: "stringValue", value: "" }), empty],
    [uri("/local/file"), noScheme("/local/file")],
    [uri("gs:/b"), noScheme("gs:/b")],
    [runtime("n"), noScheme("3")],
    [old({ $case: "stringValue", value: "x" }), noScheme("x")],
    [old({ $case: "intValue", value: "5" }), noScheme("5")],
  ];
  test.each(uris)("%j has no URI", (importer, message) => {
    expect(resolveImporter(ImporterSpec.create(importer), component, inputs)).toEqual({
      ok: false,
      problems: [{ code: "uri", severity: "error", path: "/artifactUri", message }],
    });
  });

  test.each([
    [uri("/local/file"), "/local/file"],
    [uri("file"), "file"],
    [uri("gs://b/x"), "gs://b/x"],
    [old({ $case: "stringValue", value: "x" }), "x"],
    [uri(""), empty],
    [runtime("none"), empty],
    [runtime("n"), noScheme("3")],
  ])("%j with plain paths is %s", (importer, wanted) => {
    const result = resolveImporter(ImporterSpec.create(importer), component, inputs, { plainPaths: true });
    expect(
      result.ok
        ? result.value.artifacts.artifact?.artifacts.map((artifact) => artifact.uri)
        : result.problems.map(({ message }) => message),
    ).toEqual([wanted]);
  });

  const n = "{{$.inputs.parameters['n']}}";
  const unknown = "{{$.inputs.parameters['x']}}";
  test.each([
    [{ [n]: 1, "3": 2 }, "two of its keys become the same"],
    [{ [unknown]: 1 }, "there is no input parameter x"],
    [{ a: unknown }, "there is no input parameter x"],
    [{ a: "{{$.inputs.parameters['toString']}}" }, "there is no input parameter toString"],
    [{ a: ["{{$.inputs.artifacts['m'].uri}}"] }, "there is no input artifact m"],
    [{ a: "{{$.pipeline_root}}" }, "pipeline_root is not known here"],
  ])("metadata %j cannot be filled in", (metadata, message) => {
    const importer = ImporterSpec.create({ ...uri("gs://x"), metadata });
    expect(resolveImporter(importer, component, inputs)).toEqual({
      ok: false,
      problems: [{ code: "placeholder", severity: "error", path: "/metadata", message }],
    });
  });

  test("without metadata makes an artifact that has none", () => {
    const result = resolveImporter(ImporterSpec.create(uri("gs://x")), component, inputs);
    expect(result.ok && result.value.artifacts.artifact).toEqual({
      artifacts: [RuntimeArtifact.create({ name: "artifact", uri: "gs://x" })],
    });
  });

  test.each([
    [[], 0],
    [["a", "b"], 2],
  ])("has one output, not %j", (names, count) => {
    const artifacts = Object.fromEntries(names.map((name) => [name, {}]));
    const wrong = ComponentSpec.create({ outputDefinitions: { artifacts } });
    const message = `an importer has one output artifact, its component declares ${count}`;
    expect(resolveImporter(ImporterSpec.create(uri("gs://x")), wrong, inputs)).toEqual({
      ok: false,
      problems: [{ code: "output", severity: "error", path: "", message }],
    });
  });
});

describe("the path of an artifact in a container", () => {
  const cases = [
    [{ uri: "gs://b/x" }, "/gcs/b/x"],
    [{ uri: "minio://b/x" }, "/minio/b/x"],
    [{ uri: "s3://b/x" }, "/s3/b/x"],
    [{ uri: "oci://h/i/m:tag" }, "/oci/h_i_m:tag/models"],
    [{ uri: "s3://b/x", metadata: { _kfp_workspace: true } }, "/kfp-workspace/.artifacts/s3/b/x"],
    [{ uri: "s3://b/x", customPath: "/mine" }, "/mine"],
    [{ uri: "https://b/x" }, undefined],
    [{ uri: "/local" }, undefined],
    [{ uri: "" }, undefined],
    [{ uri: "constructor://b/x" }, undefined],
    [{ uri: "s3://" }, "/s3/"],
    [{ uri: "s3://b\nx" }, "/s3/b\nx"],
    [{ uri: "S3://b", metadata: { _kfp_workspace: true } }, "/kfp-workspace/.artifacts/S3/b"],
    [{ uri: "g-+.9://b", metadata: { _kfp_workspace: true } }, "/kfp-workspace/.artifacts/g-+.9/b"],
    [{ uri: "s3://b", metadata: { _kfp_workspace: "true" } }, "/s3/b"],
    [{ uri: "x s3://b" }, undefined],
    [{ uri: "x\ns3://b" }, undefined],
    [{ uri: "://b", metadata: { _kfp_workspace: true } }, undefined],
    [{ uri: "9s3://b", metadata: { _kfp_workspace: true } }, undefined],
    [{ uri: "s3:/b", metadata: { _kfp_workspace: true } }, undefined],
  ] as const;
  for (const [artifact, path] of cases) {
    test(`${JSON.stringify(artifact)} → ${path}`, () =>
      expect(containerPath({ metadata: undefined, ...artifact })).toBe(path));
  }
});

describe("the payload of a final status", () => {
  const ended = { state: "SUCCEEDED", taskName: "exit-handler-1", jobResourceName: "job-1" } as const;

  test("is an object in the words of the proto file", () => {
    expect(finalStatusPayload(ended)).toEqual({
      state: "SUCCEEDED",
      error: {},
      pipelineJobResourceName: "job-1",
      pipelineTaskName: "exit-handler-1",
    });
  });

  test("or in those of the back end, and with the other spelling of keys", () => {
    const names = {
      SUCCEEDED: "COMPLETE",
      FAILED: "FAILED",
      CANCELLED: "CANCELED",
      SKIPPED: "CACHED",
      NOT_TRIGGERED: "NOT_TRIGGERED",
      UNSCHEDULABLE: "UNSCHEDULABLE",
    } as const;
    const states = Object.keys(names) as readonly (keyof typeof names)[];
    const told = (options: Parameters<typeof finalStatusPayload>[1]) =>
      states.map((state) => finalStatusPayload({ ...ended, state }, options).state);
    expect([told({}), told({ states: "back-end" })]).toEqual([states, Object.values(names)]);
    const error = { code: 1, message: "Task x failed." };
    expect(finalStatusPayload({ ...ended, state: "FAILED", error }, { keys: "snake" })).toEqual({
      state: "FAILED",
      error,
      pipeline_job_resource_name: "job-1",
      pipeline_task_name: "exit-handler-1",
    });
  });
});

test("the type of a parameter is the new one, else the old one", () => {
  expect(parameterTypeOf({ parameterType: 5, type: 1 })).toBe("LIST");
  expect([0, 1, 2, 3].map((type) => parameterTypeOf({ parameterType: 0, type: type as 0 }))).toEqual([
    "unspecified",
    "NUMBER_INTEGER",
    "NUMBER_DOUBLE",
    "STRING",
  ]);
});

test("of what failed nothing is handed on but its code and its message", () => {
  const error = { code: 9, message: "no", stack: "secret" };
  const status = { state: "FAILED", taskName: "t", jobResourceName: "j", error } as const;
  expect(finalStatusPayload(status).error).toEqual({ code: 9, message: "no" });
});

test.each(["constructor", "toString", "succeeded", ""])("there is no state %j", (state) => {
  const status = { state, taskName: "t", jobResourceName: "j" };
  expect(() => finalStatusPayload(status as never)).toThrow("takes one of SUCCEEDED, FAILED");
});
