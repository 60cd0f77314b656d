import { describe, expect, test } from "vitest";
import { type DocumentKind, documentKind, resembles } from "./document-kind.js";

const spec = { pipelineInfo: { name: "p" }, root: {} };
const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow" };
const group = "pipelines.kubeflow.org/v2beta1";

const plain = (kind: "specification" | "platform" | "unknown") => ({ kind }) as const;
const job = (name?: string) => ({ kind: "job", spec: name }) as const;
const resource = (name: string) => ({ kind: "resource", name }) as const;
const refused = (code: string, message: string, hint: string) => ({ kind: "refused", code, message, hint });
const misspelt = (path: readonly string[], meant: string, owner: string) => ({
  path,
  meant,
  message: `${owner} has no field ${JSON.stringify(path.at(-1))}`,
});

type Row = readonly [value: unknown, kind: Partial<DocumentKind> | object];
const check = (rows: readonly Row[]) => {
  test.each(rows.map((row) => [JSON.stringify(row[0]), ...row] as const))("%s", (_name, value, kind) => {
    expect(documentKind(value)).toEqual(kind);
  });
};

describe("a specification, the settings of a platform, or neither:", () => {
  check([
    [null, plain("unknown")],
    [5, plain("unknown")],
    ["root", plain("unknown")],
    [[{ root: {} }], plain("unknown")],
    [{ a: 1 }, plain("unknown")],
    [{ kind: "Pod" }, plain("unknown")],
    [{ apiVersion: "v1" }, plain("unknown")],
    [{ apiVersion: 1, kind: "Pod" }, plain("unknown")],
    [{ apiVersion: "v1", kind: 1 }, plain("unknown")],
    [{ pipeline: {} }, plain("unknown")],
    [{}, plain("specification")],
    ...["pipelineInfo", "pipeline_info", "sdkVersion", "sdk_version", "schemaVersion", "deploymentSpec"].map(
      (name): Row => [{ [name]: 1 }, plain("specification")],
    ),
    ...["deployment_spec", "components", "root", "defaultPipelineRoot"].map(
      (name): Row => [{ [name]: 1, a: 2 }, plain("specification")],
    ),
    [{ platforms: 1 }, plain("platform")],
    [{ platforms: {}, root: {} }, plain("platform")],
    [{ platforms: {}, pipelineInfo: {} }, plain("platform")],
    [{ platforms: {}, pipelineInfo: {}, root: {} }, plain("specification")],
    [{ platforms: {}, pipeline_info: {}, root: {} }, plain("specification")],
  ]);
});

describe("a job, or a specification beside the settings of a platform:", () => {
  const both = (one: string, other: string, ...found: readonly object[]) => ({
    kind: "bundle",
    spec: [one],
    platform: [other],
    misspelt: found,
  });
  const api = "an object of the API";
  check([
    [{ pipelineSpec: spec }, job("pipelineSpec")],
    [{ pipeline_spec: spec }, job("pipeline_spec")],
    [{ pipeline_spec: spec, pipelineSpec: spec }, job("pipelineSpec")],
    [{ pipelineSpec: 5, displayName: "a" }, job("pipelineSpec")],
    [{ runtimeConfig: {} }, job()],
    [{ runtime_config: {} }, job()],
    [{ pipelineSpc: spec }, job("pipelineSpc")],
    [{ pipelineSpc: spec, root: {} }, plain("specification")],
    [{ pipelineSpc: { a: 1 } }, plain("unknown")],
    [{ pipelineSpc: "root" }, plain("unknown")],
    [{ displayNam: spec }, plain("unknown")],
    [{ platformSpec: spec }, plain("unknown")],
    [{ pipelineSpec: spec, platformSpec: {} }, both("pipelineSpec", "platformSpec")],
    [{ pipeline_spec: spec, platform_spec: {} }, both("pipeline_spec", "platform_spec")],
    [{ pipeline_spec: spec, platformSpec: {} }, both("pipeline_spec", "platformSpec")],
    [{ pipelineSpec: spec, pipeline_spec: {}, platformSpec: {} }, both("pipelineSpec", "platformSpec")],
    [{ pipelineSpec: spec, platform_spec: {}, platformSpec: {} }, both("pipelineSpec", "platformSpec")],
    [
      { pipelineSpc: spec, platformSpec: {} },
      both("pipelineSpc", "platformSpec", misspelt(["pipelineSpc"], "pipelineSpec", api)),
    ],
    [
      { pipelineSpec: spec, platfromSpec: {} },
      both("pipelineSpec", "platfromSpec", misspelt(["platfromSpec"], "platformSpec", api)),
    ],
    [
      { pipelineSpc: spec, platfromSpec: {} },
      both(
        "pipelineSpc",
        "platfromSpec",
        misspelt(["pipelineSpc"], "pipelineSpec", api),
        misspelt(["platfromSpec"], "platformSpec", api),
      ),
    ],
    [{ pipelineSpec: spec, platfromSpec: "a" }, job("pipelineSpec")],
    [{ pipelineSpec: spec, platformSpec: {}, name: "a" }, job("pipelineSpec")],
    [{ pipelineSpec: spec, platformSpec: {}, pipelineSpecs: {} }, job("pipelineSpec")],
    [{ pipelineSpec: spec, platformSpec: {}, myplatformSpec: {} }, job("pipelineSpec")],
    [{ pipelineSpec: spec, platformSpec: {}, platform_Spec: {} }, job("pipelineSpec")],
  ]);
});

describe("what version 1 has made:", () => {
  const old = (message: string) =>
    refused("version-1", message, "compile the pipeline with version 2 of the SDK");
  const argo = (kind: string) => old(`this is an Argo ${kind}, which version 1 of Kubeflow Pipelines made`);
  const run = old("this is a run of version 1 of the API");
  check([
    [workflow, argo("Workflow")],
    [{ ...workflow, kind: "CronWorkflow", root: {} }, argo("CronWorkflow")],
    [{ ...workflow, apiVersion: "argoproj.iO/v1" }, resource("Workflow")],
    [{ ...workflow, apiVersion: "argoproj.iox/v1" }, resource("Workflow")],
    [{ ...workflow, apiVersion: "x/argoproj.io/v1" }, resource("Workflow")],
    [{ ...workflow, kind: 5 }, plain("unknown")],
    [{ pipelineSpec: workflow }, argo("Workflow")],
    [{ pipelineSpec: [workflow] }, job("pipelineSpec")],
    [{ runtimeConfig: {}, "": workflow }, argo("Workflow")],
    [{ pipelineSpec: workflow, platformSpec: {} }, argo("Workflow")],
    [{ run_id: "r", pipeline_spec: { pipeline_spec: workflow } }, argo("Workflow")],
    [
      { name: "a", implementation: {} },
      refused(
        "version-1",
        "this is a component of version 1 of Kubeflow Pipelines",
        "compile it with version 2 of the SDK",
      ),
    ],
    [{ resource_references: [] }, run],
    [{ resourceReferences: [] }, run],
    [{ pipeline_spec: { workflow_manifest: "" } }, run],
    [{ pipelineSpec: { workflowManifest: "" } }, run],
    [{ pipeline_spec: { pipeline_manifest: "" } }, run],
    [{ pipeline_spec: { pipelineManifest: "" } }, run],
    [{ run: { resource_references: [] }, pipeline_runtime: {} }, run],
    [{ run: { resource_references: [] }, pipelineRuntime: {} }, run],
    [{ run: { resource_references: [] } }, plain("unknown")],
    [{ run: 5, pipeline_runtime: {}, resource_references: [] }, run],
    [{ run: { a: 1 }, pipeline_runtime: {}, resource_references: [] }, plain("unknown")],
    [{ workflow_manifest: "" }, plain("unknown")],
  ]);
});

describe("an object of the API:", () => {
  const holds = (
    isRun: boolean,
    path: readonly string[],
    platform?: readonly string[],
    ...found: object[]
  ) => ({
    kind: "bundle",
    spec: path,
    platform,
    isRun,
    misspelt: found,
  });
  const ofRuns = [
    "run_id",
    "recurring_run_id",
    "pipeline_version_reference",
    "experiment_id",
    "storage_state",
  ];
  const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const spellings = (...names: readonly string[]) => names.flatMap((name) => [name, camelCase(name)]);
  const names: readonly Row[] = [
    ...spellings(...ofRuns, "state_history", "max_concurrency", "trigger").map(
      (name): Row => [{ [name]: 1, pipeline_spec: spec }, holds(true, ["pipeline_spec"])],
    ),
    ...spellings("pipeline_version_id", "package_url", "created_at").map(
      (name): Row => [{ [name]: 1, pipelineSpec: spec }, holds(false, ["pipelineSpec"])],
    ),
  ];
  const confg = misspelt(["runtime_confg"], "runtime_config", "a run of the API");
  const none = refused(
    "no-specification",
    "this object of the API only refers to a version of a pipeline, and holds no specification",
    "get the version: GET /apis/v2beta1/pipelines/{pipeline_id}/versions/{pipeline_version_id}",
  );
  const list = (what: string) =>
    refused("not-a-pipeline", `this is a list of ${what} of the API`, `give one of the ${what}`);
  const pipeline = refused(
    "no-specification",
    "this is a pipeline of the API, whose specification is in its versions",
    "get a version: GET /apis/v2beta1/pipelines/{pipeline_id}/versions",
  );
  check([
    ...names,
    [{ run_id: 1, pipeline_version_id: 1, pipeline_spec: spec }, holds(true, ["pipeline_spec"])],
    [{ run_id: 1, root: {} }, plain("specification")],
    [{ run_id: 1, components: {}, pipeline_spec: spec }, job("pipeline_spec")],
    [{ run_id: 1 }, none],
    [{ created_at: 1 }, none],
    [{ run_id: 1, pipeline_spec: null }, none],
    [{ run_id: 1, pipeline_spec: 5 }, holds(true, ["pipeline_spec"])],
    [{ run_id: 1, pipeline_spec: [] }, holds(true, ["pipeline_spec"])],
    [
      { run_id: 1, pipeline_spec: { pipeline_spec: spec, platform_spec: {} } },
      holds(true, ["pipeline_spec", "pipeline_spec"], ["pipeline_spec", "platform_spec"]),
    ],
    [
      { created_at: 1, pipelineSpec: { pipelineSpec: spec, platformSpec: {} } },
      holds(false, ["pipelineSpec", "pipelineSpec"], ["pipelineSpec", "platformSpec"]),
    ],
    [{ run_id: 1, pipeline_spec: { pipelineSpec: spec } }, holds(true, ["pipeline_spec", "pipelineSpec"])],
    [
      { run_id: 1, pipeline_spec: { platform_spec: {}, root: {} } },
      holds(true, ["pipeline_spec"], ["pipeline_spec", "platform_spec"]),
    ],
    [{ run_id: 1, pipeline_spec: spec, runtime_confg: {} }, holds(true, ["pipeline_spec"], undefined, confg)],
    [{ run_id: 1, pipeline_spec: 5, runtime_confg: {} }, holds(true, ["pipeline_spec"], undefined, confg)],
    [{ created_at: 1, pipeline_spec: spec, runtime_confg: {} }, holds(false, ["pipeline_spec"])],
    [{ run_id: 1, pipeline_spec: spec, runtime_config: {} }, holds(true, ["pipeline_spec"])],
    [{ run_id: 1, pipeline_spec: spec, runtimeConfig: {} }, holds(true, ["pipeline_spec"])],
    [
      { run_id: 1, pipeline_spec: spec, runtime_config: {}, runtime_confg: {} },
      holds(true, ["pipeline_spec"]),
    ],
    [{ run_id: 1, pipeline_spec: spec, run_detials: {} }, holds(true, ["pipeline_spec"])],
    [{ pipeline_versions: [] }, list("pipeline versions")],
    [{ pipelineVersions: [] }, list("pipeline versions")],
    [{ runs: [] }, list("runs")],
    [{ recurring_runs: [], total_size: 0 }, list("recurring runs")],
    [{ recurringRuns: [] }, list("recurring runs")],
    [{ pipelines: [], pipeline_id: "p" }, list("pipelines")],
    [{ runs: {} }, plain("unknown")],
    [{ pipeline_id: "p" }, pipeline],
    [{ pipelineId: "p" }, pipeline],
  ]);

  describe("the body that creates a run:", () => {
    const body = { display_name: "r", pipeline_spec: spec };
    check([
      [body, holds(true, ["pipeline_spec"])],
      [{ ...body, runtime_config: {} }, holds(true, ["pipeline_spec"])],
      [{ ...body, runtime_config: 5 }, holds(true, ["pipeline_spec"])],
      [{ ...body, runtime_config: { parameters: {} } }, holds(true, ["pipeline_spec"])],
      [{ ...body, runtime_config: { parameter_values: {} } }, job("pipeline_spec")],
      [{ ...body, runtime_config: { parameterValues: {} } }, job("pipeline_spec")],
      [{ ...body, runtime_config: { gcs_output_directory: "" } }, job("pipeline_spec")],
      [{ ...body, runtime_config: { gcsOutputDirectory: "" } }, job("pipeline_spec")],
      [{ ...body, created_at: "" }, holds(false, ["pipeline_spec"])],
      [{ displayName: "r", pipeline_spec: spec }, job("pipeline_spec")],
      [{ display_name: "r", pipelineSpec: spec }, job("pipelineSpec")],
      [{ display_name: "r" }, plain("unknown")],
    ]);
  });
});

describe("a resource of Kubernetes:", () => {
  const version = { apiVersion: group, kind: "PipelineVersion" };
  const path = ["spec", "pipelineSpec"];
  const holds = (
    at: readonly string[],
    platform: readonly string[] | undefined,
    ...found: readonly object[]
  ) => ({
    kind: "bundle",
    spec: at,
    platform,
    misspelt: found,
  });
  const list = refused(
    "not-a-pipeline",
    "this is a list of Kubernetes resources",
    "give one of its items: kubectl get pipelineversion NAME -o yaml",
  );
  const item = { spec: { pipelineSpec: {} } };
  const inSpec = "the spec of a PipelineVersion";
  const ofKind = (kind: string) => ({
    path: ["kind"],
    meant: "PipelineVersion",
    message: `a ${kind} has no specification: this is a PipelineVersion`,
    isValue: true,
  });
  check([
    [{ apiVersion: "v1", kind: "Pod" }, resource("Pod")],
    [{ apiVersion: group, kind: "Pipeline" }, resource("Pipeline")],
    [{ apiVersion: group, kind: "Pipeline", spec: { displayName: "a" } }, resource("Pipeline")],
    [{ ...version, spec: 5 }, resource("PipelineVersion")],
    [{ ...version, spec: { pipelineSpec: undefined } }, holds(path, undefined)],
    [{ ...version, spec: { pipelineSpec: spec } }, holds(path, undefined)],
    [{ ...version, spec: { pipelineSpec: spec, platformSpec: {} } }, holds(path, ["spec", "platformSpec"])],
    [{ ...version, apiVersion: "v1", spec: { pipelineSpec: spec } }, resource("PipelineVersion")],
    [{ ...version, apiVersion: `my.${group}`, spec: { pipelineSpec: spec } }, resource("PipelineVersion")],
    [
      { ...version, kind: "Pipeline", spec: { pipelineSpec: spec } },
      holds(path, undefined, ofKind("Pipeline")),
    ],
    [
      { ...version, spc: { pipelineSpec: spec } },
      holds(["spc", "pipelineSpec"], undefined, misspelt(["spc"], "spec", "a PipelineVersion")),
    ],
    [
      { ...version, spec: { pipeline_spec: spec, platform_spec: {} } },
      holds(
        ["spec", "pipeline_spec"],
        ["spec", "platform_spec"],
        misspelt(["spec", "pipeline_spec"], "pipelineSpec", inSpec),
        misspelt(["spec", "platform_spec"], "platformSpec", inSpec),
      ),
    ],
    [
      { ...version, kind: "Pipelineversion", spc: { pipelineSpecs: spec, platformSpec: {} } },
      holds(
        ["spc", "pipelineSpecs"],
        ["spc", "platformSpec"],
        ofKind("Pipelineversion"),
        misspelt(["spc"], "spec", "a PipelineVersion"),
        misspelt(["spc", "pipelineSpecs"], "pipelineSpec", inSpec),
      ),
    ],
    // These are fields of their own.
    ...["pipelineName", "pipelineSpecURI", "versionName", "codeSourceURL", "description", "tags"].map(
      (name): Row => [{ ...version, spec: { [name]: {} } }, resource("PipelineVersion")],
    ),
    [{ ...version, status: { pipelineSpec: spec } }, resource("PipelineVersion")],
    [{ apiVersion: "v1", kind: "List", items: [5, {}, item] }, list],
    [{ apiVersion: group, kind: "PipelineVersionList", items: [item] }, list],
    [{ apiVersion: "v1", kind: "List", items: [] }, resource("List")],
    [
      { apiVersion: "v1", kind: "List", items: [{ spec: 5 }, { spec: { pipelineSpec: 5 } }] },
      resource("List"),
    ],
    [{ apiVersion: "v1", kind: "Lists", items: [item] }, resource("Lists")],
    [{ apiVersion: "v1", kind: "List", items: item }, resource("List")],
    [{ apiVersion: "v1", kind: "List", items: [workflow] }, resource("List")],
  ]);
});

describe("a value that resembles a message", () => {
  test.each([
    [{ root: 1 }, "PipelineSpec", true, true],
    [{ pipeline_info: 1 }, "PipelineSpec", true, true],
    [{ rooot: 1 }, "PipelineSpec", false, true],
    [{ a: 1, pipelin_info: 1 }, "PipelineSpec", false, true],
    [{ a: 1 }, "PipelineSpec", false, false],
    [{ platforms: 1 }, "PipelineSpec", false, false],
    [{ platforms: 1 }, "PlatformSpec", true, true],
    [{ platform: 1 }, "PlatformSpec", false, true],
    ["root", "PipelineSpec", false, false],
    [null, "PipelineSpec", false, false],
    [["root"], "PipelineSpec", false, false],
  ] as const)("%o as %s: by a field %s, by a misspelt one %s", (value, name, exactly, nearly) => {
    expect(resembles(value, name, false)).toBe(exactly);
    expect(resembles(value, name, true)).toBe(nearly);
  });

  test("is looked at as far as a message has fields", () => {
    const many = (count: number) =>
      Object.fromEntries([...Array.from({ length: count }, (_, i) => [`${i}`, 1]), ["rooot", 1]]);
    expect(resembles(many(49), "PipelineSpec", true)).toBe(true);
    expect(resembles(many(50), "PipelineSpec", true)).toBe(false);
  });
});
