import { expect, test } from "vitest";
import { toArgoWorkflow } from "../src/index.js";
import { container, importer, type Json, pipelineOf, to, warningsOf } from "./small-pipelines.js";

// The claim of a workspace is made by the workflow, or by nobody: then pods wait for it without end, and no error is seen.

const tasks = { a: to("leaf") };
const download = { importer: { ...(importer.importer as Json), downloadToWorkspace: true } };
const inFolder = { container: { image: "alpine", command: ["ls", "{{$.workspace_path}}/x"] } };
const config = (pipelineConfig: Json): Json => ({ kubernetes: { pipelineConfig } });
const workspace = (more: Json = {}, pvcSpecPatch: Json = { accessModes: ["ReadWriteOnce"] }): Json =>
  config({ workspace: { size: "1Gi", kubernetes: { pvcSpecPatch }, ...more } });
const at = "/platforms/kubernetes/pipelineConfig/workspace";
const unmade = expect.stringContaining("nobody makes");
const claimPatch = { volumeClaimTemplates: [{ metadata: { name: "kfp-workspace" }, spec: {} }] };

test.each<[string, Json]>([
  ["an importer", download],
  ["a container", inFolder],
])("%s that waits for a claim which nobody makes is a warning", (_, executor) => {
  const missing = ["workspace-claim", "/deploymentSpec/executors/e", unmade];
  expect(warningsOf({ tasks, executor })).toEqual([missing]);
  // Two tasks are one executor.
  expect(warningsOf({ tasks: { ...tasks, b: to("leaf") }, executor })).toContainEqual(missing);
  expect(warningsOf({ tasks, executor, platforms: config({ workspace: { size: "1Gi" } }) })).toEqual([
    ["ignored-setting", at, expect.stringContaining("without kubernetes")],
    missing,
  ]);
  expect(warningsOf({ tasks, executor, platforms: workspace() })).toEqual([]);
  // Whoever runs the cluster may have the claim made.
  expect(warningsOf({ tasks, executor }, { specPatch: claimPatch })).toEqual([]);
});

test("and none where nothing waits for it", () => {
  expect(warningsOf({ tasks, executor: container })).toEqual([]);
  expect(warningsOf({ tasks, executor: importer })).toEqual([]);
});

test.each<[string, Json, at: string, says: string]>([
  ["no size", workspace({ size: "0" }), `${at}/size`, '"0" is no amount above zero'],
  [
    "other access",
    workspace({}, { accessModes: ["Foo"] }),
    `${at}/kubernetes/pvcSpecPatch/accessModes`,
    '"Foo"',
  ],
  [
    "a class that is no name",
    workspace({}, { accessModes: ["ReadWriteOnce"], storageClassName: "A B" }),
    `${at}/kubernetes/pvcSpecPatch/storageClassName`,
    '"A B" is no name',
  ],
])("a claim that Kubernetes refuses is a warning: %s", (_, platforms, place, says) => {
  expect(warningsOf({ tasks, platforms })).toEqual([
    ["workspace-claim", place, expect.stringContaining(says)],
  ]);
});

test.each([
  "resourceTtlOnCompletion",
  "resourceTtlOnSuccess",
  "resourceTtlOnFailure",
  "activeDeadlineSeconds",
])("a time before the start has no effect: %s", (field) => {
  const place = `/platforms/kubernetes/pipelineConfig/${field}`;
  expect(warningsOf({ tasks, platforms: config({ [field]: -1 }) })).toEqual([
    ["ignored-setting", place, expect.stringContaining(`${field} has no effect`)],
  ]);
  expect(toArgoWorkflow(pipelineOf({ tasks, platforms: config({ [field]: 0 }) })).problems).toEqual([]);
});

test.each<[string, Json, modes: readonly string[]]>([
  ["no modes of its own", {}, ["ReadWriteMany"]],
  ["an empty list of modes", { accessModes: [] }, ["ReadWriteMany"]],
  ["modes of its own", { accessModes: ["ReadWriteOnce"] }, ["ReadWriteOnce"]],
])("a claim has its own access modes, or else those of the installation: %s", (_, patch, modes) => {
  const defaultWorkspace = { accessModes: ["ReadWriteMany"], storageClassName: "fast" };
  const result = toArgoWorkflow(pipelineOf({ tasks, platforms: workspace({}, patch) }), { defaultWorkspace });
  expect(result).toMatchObject({
    ok: true,
    workflow: {
      spec: { volumeClaimTemplates: [{ spec: { accessModes: modes, storageClassName: "fast" } }] },
    },
  });
});
