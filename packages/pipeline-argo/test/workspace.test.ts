import { expect, test } from "vitest";
import { type ArgoOptions, toArgoWorkflow } from "../src/index.js";
import { container, importer, type Json, pipelineOf, to, warningsOf } from "./small-pipelines.js";

// The claim of a workspace is made by the workflow, or by nobody: then pods wait for it without end, and no error is seen.

const tasks = { a: to("leaf") };
const download = { importer: { ...(importer.importer as Json), downloadToWorkspace: true } };
const inFolder = { container: { image: "alpine", command: ["ls", "{{$.workspace_path}}/x"] } };
const inArguments = { container: { image: "alpine", command: ["ls"], args: ["-l", "{{$.workspace_path}}"] } };
const inVariable = {
  container: {
    image: "alpine",
    command: ["ls"],
    env: [
      { name: "a", value: "1" },
      { name: "b", value: "in {{$.workspace_path}}/y" },
    ],
  },
};
const config = (pipelineConfig: Json): Json => ({ kubernetes: { pipelineConfig } });
const workspace = (more: Json = {}, pvcSpecPatch: Json = { accessModes: ["ReadWriteOnce"] }): Json =>
  config({ workspace: { size: "1Gi", kubernetes: { pvcSpecPatch }, ...more } });
const at = "/platforms/kubernetes/pipelineConfig/workspace";
const unmade = expect.stringContaining("nobody makes");
const claimPatch = { volumeClaimTemplates: [{ metadata: { name: "kfp-workspace" }, spec: {} }] };

test.each<[string, Json]>([
  ["an importer", download],
  ["a container by its command", inFolder],
  ["a container by its arguments", inArguments],
  ["a container by a variable", inVariable],
])("%s that waits for a claim which nobody makes is a warning", (_, executor) => {
  const missing = ["workspace-claim", "/deploymentSpec/executors/e", unmade];
  expect(warningsOf({ tasks, executor })).toEqual([missing]);
  // Two tasks are one executor.
  expect(warningsOf({ tasks: { ...tasks, b: to("leaf") }, executor })).toContainEqual(missing);
  // Two components are one executor as well.
  const components = { second: { executorLabel: "e" } };
  expect(
    warningsOf({ tasks: { ...tasks, b: to("second") }, components, executor }).filter(
      ([code]) => code === "workspace-claim",
    ),
  ).toEqual([missing]);
  expect(warningsOf({ tasks, executor, platforms: config({ workspace: { size: "1Gi" } }) })).toEqual([
    ["ignored-setting", at, expect.stringContaining("without kubernetes")],
    missing,
  ]);
  expect(warningsOf({ tasks, executor, platforms: workspace() })).toEqual([]);
  // Whoever runs the cluster may have the claim made.
  expect(warningsOf({ tasks, executor }, { specPatch: claimPatch })).toEqual([]);
});

test("settings for other platforms make no claim and set no bounds", () => {
  const other = { pipelineConfig: { workspace: { size: "1Gi", kubernetes: {} }, activeDeadlineSeconds: 5 } };
  const options = { cacheDisabled: true };
  const plain = toArgoWorkflow(pipelineOf({ tasks }), options);
  const platforms = { elsewhere: other };
  expect(toArgoWorkflow(pipelineOf({ tasks, platforms }), options)).toMatchObject({
    workflow: plain.ok && plain.workflow,
    problems: [],
  });
});

test("a size below zero is told as it is written, and less than nothing is nothing", () => {
  const of = (size: string) =>
    toArgoWorkflow(pipelineOf({ tasks, platforms: workspace({ size }) }), {
      cacheDisabled: true,
    }).problems.map(({ code, severity, message, backEnd }) => [severity, code, message, backEnd]);
  expect(of("-1024Mi")).toEqual([
    [
      "error",
      "workspace-size",
      'the size "-1024Mi" is negative',
      "negative size value for workspace PVC: -1024Mi",
    ],
  ]);
  expect(of("-0")).toEqual([["warning", "workspace-claim", '"-0" is no amount above zero', undefined]]);
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
    "other access beside one that there is",
    workspace(
      {},
      { accessModes: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod", "Bar"] },
    ),
    `${at}/kubernetes/pvcSpecPatch/accessModes`,
    '"Bar"',
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

test("a time of one second is the least that has an effect", () => {
  const times = {
    resourceTtlOnCompletion: 1,
    resourceTtlOnSuccess: 1,
    resourceTtlOnFailure: 0,
    activeDeadlineSeconds: 1,
  };
  const result = toArgoWorkflow(pipelineOf({ tasks, platforms: config(times) }));
  const { spec } = result.ok ? result.workflow : expect.unreachable();
  expect(spec.ttlStrategy).toEqual({ secondsAfterCompletion: 1, secondsAfterSuccess: 1 });
  expect(spec.activeDeadlineSeconds).toBe(1);
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

test("a claim has the size of its workspace, and of the installation what is said beside that", () => {
  const resources = {
    limits: { storage: "2048Mi", other: "x" },
    requests: { storage: "1Ki", b: "1000", a: "0.5" },
  };
  const result = toArgoWorkflow(pipelineOf({ tasks, platforms: workspace() }), {
    defaultWorkspace: { accessModes: ["ReadWriteMany"], volumeMode: "Block", resources },
  });
  expect(result.ok && result.workflow.spec.volumeClaimTemplates).toEqual([
    {
      metadata: { name: "kfp-workspace" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        volumeMode: "Block",
        resources: {
          limits: { other: "x", storage: "2Gi" },
          requests: { a: "500m", b: "1k", storage: "1Gi" },
        },
      },
      status: {},
    },
  ]);
});

test.each<[resources: NonNullable<ArgoOptions["defaultWorkspace"]>, claimed: Json]>([
  [{}, { requests: { storage: "1Gi" } }],
  [{ requests: { a: "1000" } }, { requests: { a: "1k", storage: "1Gi" } }],
  [{ limits: { a: "1000" } }, { limits: { a: "1k" }, requests: { storage: "1Gi" } }],
])(
  "a claim has its own class, and of the resources %j of the installation what there is",
  (resources, claimed) => {
    const patch = { accessModes: ["ReadWriteOnce"], storageClassName: "own" };
    const result = toArgoWorkflow(pipelineOf({ tasks, platforms: workspace({}, patch) }), {
      defaultWorkspace: { storageClassName: "fast", resources },
    });
    const claims = result.ok ? result.workflow.spec.volumeClaimTemplates : expect.unreachable();
    expect(claims).toStrictEqual([
      {
        metadata: { name: "kfp-workspace" },
        spec: { ...patch, resources: claimed },
        status: {},
      },
    ]);
  },
);

test.each<[accessModes: unknown, base: unknown, message: string, backEnd: string | undefined]>([
  ["one", undefined, 'accessModes is a list of texts, not the text "one"', undefined],
  [[1], undefined, "accessModes is a list of texts, not a list", undefined],
  [[], undefined, "a workspace has access modes", "workspace PVC spec must specify accessModes"],
  [null, [], "a workspace has access modes", "workspace PVC spec must specify accessModes"],
])("access modes that are %j beside %j are refused in words", (accessModes, base, message, backEnd) => {
  const defaultWorkspace = (base === undefined ? {} : { accessModes: base }) as Readonly<
    Record<string, never>
  >;
  const platforms = workspace({}, { accessModes });
  const { problems } = toArgoWorkflow(pipelineOf({ tasks, platforms }), { defaultWorkspace });
  expect(problems.map((one) => [one.path, one.message, one.backEnd])).toEqual([
    [`${at}/kubernetes/pvcSpecPatch/accessModes`, message, backEnd],
  ]);
});

test.each<[string, patch: Json, NonNullable<ArgoOptions["defaultWorkspace"]>, refused: readonly string[]]>([
  ["no modes at all", {}, {}, ["workspace-access-modes"]],
  ["none in a list", {}, { accessModes: [] }, ["workspace-access-modes"]],
  ["none in two lists", { accessModes: [] }, { accessModes: [] }, ["workspace-access-modes"]],
  ["modes that are no list", {}, { accessModes: "ReadWriteOnce" }, ["workspace-access-modes"]],
  ["modes that are no texts", { accessModes: [1] }, {}, ["workspace-access-modes"]],
  ["a class of its own", { accessModes: ["ReadWriteOnce"], storageClassName: "fast-1.ssd" }, {}, []],
  ["a class that is null", { accessModes: ["ReadWriteOnce"], storageClassName: null }, {}, []],
  ["null for modes", { accessModes: null }, { accessModes: ["ReadWriteOnce"] }, []],
])("a claim is made of what is said, or refused: %s", (_, patch, defaultWorkspace, refused) => {
  const result = toArgoWorkflow(pipelineOf({ tasks, platforms: workspace({}, patch) }), { defaultWorkspace });
  expect(result.problems.map(({ code }) => code)).toEqual(refused);
  expect(result.ok).toBe(refused.length === 0);
});

test("what cannot be set of a claim is refused one by one, as the back end does with all of it", () => {
  const patch = { accessModes: ["ReadWriteOnce"], volumeName: "x", selector: {} };
  const { problems } = toArgoWorkflow(pipelineOf({ tasks, platforms: workspace({}, patch) }));
  const backEnd = "unknown fields in PVC spec patch: [volumeName selector]";
  expect(problems).toMatchObject([
    { code: "workspace-patch", path: `${at}/kubernetes/pvcSpecPatch/volumeName`, backEnd },
    { code: "workspace-patch", path: `${at}/kubernetes/pvcSpecPatch/selector`, backEnd },
  ]);
});
