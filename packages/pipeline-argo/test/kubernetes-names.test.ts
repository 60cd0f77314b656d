import { describe, expect, test } from "vitest";
import { type ArgoOptions, type ArgoRun, toArgoWorkflow, toSubmittedWorkflow } from "../src/index.js";
import { type Json, pipelineOf, to, warningsOf } from "./small-pipelines.js";

const tasks = { a: to("leaf") };
const pipeline = pipelineOf({ tasks });
const run: ArgoRun = { id: "3f5a", displayName: "d", createdAt: new Date(0) };
const labelled = (podMetadata: Json): Json => ({
  kubernetes: { deploymentSpec: { executors: { e: { podMetadata } } } },
});

const keys = [
  "",
  "a b",
  "-a",
  "a/b/c",
  "/a",
  "a/",
  "A.b/c",
  `a/${"b".repeat(64)}`,
  `${"a.".repeat(127)}b/c`,
  "ü",
];
const values = ["x y", "-x", "x-", "ü", "x".repeat(64)];
const good = ["", "x", "X_y.z-1", "x".repeat(63)];
const goodKeys = ["a", "A_b.c-d", "example.com/a", `${"a".repeat(63)}/${"b".repeat(63)}`];

describe("a label that Kubernetes refuses is a warning", () => {
  test.each(keys)("key %j of a task, of labels and of annotations", (key) => {
    for (const kind of ["labels", "annotations"])
      expect(warningsOf({ tasks, platforms: labelled({ [kind]: { [key]: "x" } }) })).toEqual([
        [
          "kubernetes-label",
          expect.stringContaining(`/e/podMetadata/${kind}/`),
          expect.stringContaining("no key"),
        ],
      ]);
  });

  test.each(values)("value %j of a task", (value) => {
    expect(warningsOf({ tasks, platforms: labelled({ labels: { a: value } }) })).toEqual([
      [
        "kubernetes-label",
        "/platforms/kubernetes/deploymentSpec/executors/e/podMetadata/labels/a",
        expect.stringContaining("no value"),
      ],
    ]);
    expect(warningsOf({ tasks, platforms: labelled({ annotations: { a: value } }) })).toEqual([]);
  });

  test.each<[keyof ArgoOptions, Json, string]>([
    ["driverPodLabels", { "a b": "x" }, 'driverPodLabels: "a b" is no key'],
    ["driverPodLabels", { a: "x y" }, 'driverPodLabels: "x y" is no value'],
    ["driverPodAnnotations", { "a b": "x" }, 'driverPodAnnotations: "a b" is no key'],
  ])("in %s: %j", (option, value, says) => {
    const one = {
      code: "kubernetes-label",
      severity: "warning",
      path: "",
      message: expect.stringContaining(says),
    };
    expect(toArgoWorkflow(pipeline, { [option]: value }).problems).toMatchObject([one]);
    // Earlier versions have no such labels.
    expect(toArgoWorkflow(pipeline, { [option]: value, target: "2.17" }).problems).toEqual([]);
  });

  test.each([...values, "a b", "{{x}}"])("the id of a run: %j", (id) => {
    expect(toSubmittedWorkflow(pipeline, { ...run, id }).problems).toMatchObject([
      { code: "kubernetes-label", message: expect.stringContaining("run.id: ") },
    ]);
  });

  test("and none is what it takes", () => {
    for (const value of good) {
      const labels = Object.fromEntries(goodKeys.map((key) => [key, value]));
      const annotations = Object.fromEntries(goodKeys.map((key) => [key, "any text"]));
      expect(warningsOf({ tasks, platforms: labelled({ labels, annotations }) })).toEqual([]);
      expect(toArgoWorkflow(pipeline, { driverPodLabels: labels }).problems).toEqual([]);
    }
  });

  test("what Argo fills in is told as its tag alone", () => {
    const labels = { a: "{{workflow.name}}", b: "run-{{workflow.uid}} of" };
    const told = warningsOf({ tasks, platforms: labelled({ labels }) });
    expect(told.map(([code]) => code)).toEqual(["argo-tag", "argo-tag"]);
  });
});

describe("a name that Kubernetes refuses is a warning", () => {
  test.each<[Partial<ArgoRun>, string]>([
    [{ namespace: "A B" }, 'run.namespace: "A B"'],
    [{ namespace: "a.b" }, 'run.namespace: "a.b"'],
    [{ namespace: "" }, 'run.namespace: ""'],
    [{ serviceAccountName: "A B" }, 'serviceAccountName: "A B"'],
  ])("of a run: %j", (given, says) => {
    expect(toSubmittedWorkflow(pipeline, { ...run, ...given }).problems).toMatchObject([
      { code: "kubernetes-name", severity: "warning", message: expect.stringContaining(says) },
    ]);
  });

  test.each<[keyof ArgoOptions, string]>([
    ...["A B", "", "a.b", "-x", "a".repeat(64)].map(
      (name) => ["namespace", name] as [keyof ArgoOptions, string],
    ),
    ["mlPipelineServiceName", "ml pipeline"],
    ["metadataServiceName", "a.b"],
    ["clusterDomain", "cluster local"],
  ])("of the option %s: %j", (option, value) => {
    expect(toArgoWorkflow(pipeline, { [option]: value }).problems).toMatchObject([
      {
        code: "kubernetes-name",
        message: expect.stringContaining(`${option}: ${JSON.stringify(value).slice(0, 60)}`),
      },
    ]);
  });

  test.each([
    "hello/",
    "A",
    "a b",
    "a_b",
    "ä",
    "-a",
    ".a",
    "a.",
    "a..b",
    "a-.b",
    "a.-b",
    "a.B",
    "x".repeat(253),
  ])("of a pipeline, whose last part makes no name of a workflow: %j", (name) =>
    expect(warningsOf({ tasks, name }).map(([code]) => code)).toEqual(["workflow-name"]),
  );

  test.each(["a", "ab", "0", "a-", "a--b", "a.b", "a.bc", "1.2-3.c", "x".repeat(252)])(
    "but not of a pipeline that is called %j",
    (name) => expect(warningsOf({ tasks, name })).toEqual([]),
  );

  test("and none is what it takes", () => {
    const given = { namespace: "team-1", serviceAccountName: "default.editor" };
    expect(toSubmittedWorkflow(pipeline, { ...run, ...given }).problems).toEqual([]);
  });

  test("a run without an id is none", () => {
    expect(() => toSubmittedWorkflow(pipeline, { ...run, id: "" })).toThrow("run.id that is not empty");
  });
});

describe("what the pods of tasks are to have, and cannot", () => {
  const of = (settings: Json): Json => ({ kubernetes: { deploymentSpec: { executors: { e: settings } } } });
  const at = "/platforms/kubernetes/deploymentSpec/executors/e";

  test.each<[Json, at: string, name: string]>([
    [{ secretAsVolume: [{ secretName: "A B", mountPath: "/x" }] }, "/secretAsVolume/0/secretName", "A B"],
    [{ secretAsEnv: [{ secretName: "ok" }, { secretName: "a_b" }] }, "/secretAsEnv/1/secretName", "a_b"],
    [{ imagePullSecret: [{ secretName: "-x" }] }, "/imagePullSecret/0/secretName", "-x"],
    [
      { configMapAsVolume: [{ configMapName: "A", mountPath: "/x" }] },
      "/configMapAsVolume/0/configMapName",
      "A",
    ],
    [{ configMapAsEnv: [{ configMapName: "a/b" }] }, "/configMapAsEnv/0/configMapName", "a/b"],
    [{ pvcMount: [{ constant: "A B", mountPath: "/x" }] }, "/pvcMount/0/constant", "A B"],
  ])("a name that no object has: %j", (settings, place, name) => {
    const found = warningsOf({ tasks, platforms: of(settings) });
    expect(found).toEqual([["kubernetes-name", `${at}${place}`, `"${name}" is no name`]]);
  });

  test("a label that no node has", () => {
    expect(warningsOf({ tasks, platforms: of({ nodeSelector: { labels: { a: "x y" } } }) })).toEqual([
      ["kubernetes-label", `${at}/nodeSelector/labels/a`, expect.stringContaining("no value")],
    ]);
  });

  test("and what there may be", () => {
    const name = { secretName: "a.b-c", mountPath: "/x" };
    const constant = { runtimeValue: { constant: "s" } };
    const platforms = of({
      secretAsVolume: [name, { secretNameParameter: constant, mountPath: "/y" }],
      pvcMount: [
        { constant: "data", mountPath: "/z" },
        { taskOutputParameter: { producerTask: "a" }, mountPath: "/w" },
      ],
      nodeSelector: { labels: { "example.com/a": "b" } },
    });
    expect(warningsOf({ tasks, platforms })).toEqual([]);
  });
});

test.each<[ArgoOptions, told: readonly string[]]>([
  [{ clusterDomain: "cluster.local" }, []],
  [{ clusterDomain: "cluster..local" }, ["clusterDomain"]],
  [
    { namespace: "a.b", mlPipelineServiceName: "c.d", metadataServiceName: "e.f" },
    ["namespace", "mlPipelineServiceName", "metadataServiceName"],
  ],
  [{ driverPodAnnotations: { a: "any text: that there is" } }, []],
  [{ driverPodLabels: { a: "x y" } }, ["driverPodLabels"]],
  [
    { driverPodAnnotations: { "x y": "a" }, driverPodLabels: { "x y": "a" } },
    ["driverPodLabels", "driverPodAnnotations"],
  ],
  [{ driverPodAnnotations: { "x y": "a" }, target: "2.17" }, []],
])("options are looked at as what they are for: %j", (options, told) => {
  const { problems } = toArgoWorkflow(pipeline, options);
  expect(problems.map(({ message }) => message.split(":")[0])).toEqual(told);
});
