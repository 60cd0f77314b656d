import { ComponentSpec, ImporterSpec, type PartialMessage } from "@wye/pipeline-spec";
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

  const wrong = [
    { importer: {}, code: "uri", path: "/artifactUri" },
    { importer: uri(""), code: "uri", path: "/artifactUri" },
    { importer: uri("/local/file"), code: "uri", path: "/artifactUri" },
    {
      importer: { artifactUri: { value: { $case: "runtimeParameter", value: "nope" } } },
      code: "uri",
      path: "/artifactUri",
    },
    {
      importer: { artifactUri: { value: { $case: "runtimeParameter", value: "none" } } },
      code: "uri",
      path: "/artifactUri",
    },
    {
      importer: { artifactUri: { value: { $case: "runtimeParameter", value: "n" } } },
      code: "uri",
      path: "/artifactUri",
    },
    {
      importer: { ...uri("gs://x"), metadata: { "{{$.inputs.parameters['n']}}": 1, "3": 2 } },
      code: "placeholder",
      path: "/metadata",
    },
    {
      importer: { ...uri("gs://x"), metadata: { "{{$.inputs.parameters['x']}}": 1 } },
      code: "placeholder",
      path: "/metadata",
    },
    {
      importer: { ...uri("gs://x"), metadata: { a: "{{$.inputs.parameters['x']}}" } },
      code: "placeholder",
      path: "/metadata",
    },
  ] as const;
  for (const { importer, code, path } of wrong) {
    test(`${JSON.stringify(importer)} → ${code}`, () => {
      expect(resolveImporter(ImporterSpec.create(importer), component, inputs).problems).toMatchObject([
        { code, path },
      ]);
    });
  }

  test("needs exactly one output", () => {
    expect(
      resolveImporter(ImporterSpec.create(uri("gs://x")), ComponentSpec.create(), inputs).problems,
    ).toMatchObject([{ code: "output" }]);
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
    const states = ["SUCCEEDED", "FAILED", "CANCELLED", "SKIPPED"] as const;
    expect(
      states.map((state) => finalStatusPayload({ ...ended, state }, { states: "back-end" }).state),
    ).toEqual(["COMPLETE", "FAILED", "CANCELED", "CACHED"]);
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
