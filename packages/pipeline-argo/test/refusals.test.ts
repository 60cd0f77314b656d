import { locate } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { toArgoWorkflow } from "../src/index.js";
import { cases, parsedInput } from "./cases.js";
import { expectPlace, type Json, pipelineOf, to } from "./small-pipelines.js";

const executor = "/deploymentSpec/executors/e";
const settings = "/platforms/kubernetes/deploymentSpec/executors/exec-a";
const workspace = "/platforms/kubernetes/pipelineConfig/workspace";
const claim = `${workspace}/kubernetes/pvcSpecPatch`;
const runsNothing = 'the executor "e" is neither a container nor an importer';
const noTask = "a DAG has at least one task that is not an exit task";
const asRoot = "the container is to run as root and must not";
const producer = "/root/dag/tasks/a/inputs/parameters/p/taskOutputParameter/producerTask";

/** What is said of each pipeline that the back end refuses. */
const said: Readonly<Record<string, readonly (readonly [code: string, path: string, message: string])[]>> = {
  "error-upstream-artifact-iterator": [1, 2].map((i) => [
    "artifact-iterator",
    `/root/dag/tasks/for-loop-${i}/artifactIterator`,
    `the task "for-loop-${i}" iterates over artifacts`,
  ]),
  "error-no-name": [["no-name", "/pipelineInfo/name", "the pipeline has no name"]],
  "error-unknown-component": [
    ["unknown-component", "/root/dag/tasks/a/componentRef/name", 'there is no component "comp-b"'],
  ],
  "error-empty-component-name": [["no-component", "/root/dag/tasks/a", 'the task "a" names no component']],
  "error-unknown-executor": [
    ["unknown-executor", "/components/comp-a/executorLabel", 'there is no executor "nope"'],
  ],
  "error-resolver": [["unsupported-executor", executor, runsNothing]],
  "error-custom-job": [["unsupported-executor", executor, runsNothing]],
  "error-no-implementation": [
    ["no-implementation", "/components/comp-a", 'the component "comp-a" has neither an executor nor a DAG'],
  ],
  "error-artifact-iterator": [
    ["artifact-iterator", "/root/dag/tasks/a/artifactIterator", 'the task "a" iterates over artifacts'],
  ],
  "error-importer-condition": [
    [
      "importer-condition",
      "/root/dag/tasks/a/triggerPolicy/condition",
      'the task "a" runs an importer, which cannot have a condition',
    ],
  ],
  "error-unknown-producer": [["unknown-producer", producer, 'there is no task "b" in the DAG of "a"']],
  "error-only-exit-tasks": [
    ["no-tasks", "/root/dag", noTask],
    [
      "lost-exit-task",
      "/root/dag/tasks/a",
      'the exit task "a" never runs: it names no task after which to run',
    ],
  ],
  "error-empty-dag": [["no-tasks", "/root/dag", noTask]],
  "error-loop-component-twice": [
    [
      "duplicate-template",
      "/root/dag/tasks/l2",
      'the template "comp-body-iteration" that is made of this is there already',
    ],
  ],
  "error-reserved-template-name": [
    ["duplicate-template", "/root", 'the template "entrypoint" that is made of this is there already'],
  ],
  "error-kubernetes-unknown-field": [
    ["invalid-kubernetes-settings", `${settings}/wrong`, 'KubernetesExecutorConfig has no field "wrong"'],
  ],
  "error-root-user": [["root-user", `${settings}/securityContext/runAsUser`, asRoot]],
  "error-root-user-admin": [["root-user", `${settings}/securityContext/runAsUser`, asRoot]],
  "error-workspace-no-size": [["workspace-size", workspace, "a workspace has a size"]],
  "error-workspace-no-access-modes": [
    ["workspace-access-modes", `${claim}/accessModes`, "a workspace has access modes"],
  ],
  "error-workspace-bad-size": [
    ["workspace-size", `${workspace}/size`, '"big" is not a quantity of Kubernetes'],
  ],
  "error-workspace-negative": [["workspace-size", `${workspace}/size`, 'the size "-1Gi" is negative']],
  "error-workspace-storage-class-empty": [
    ["workspace-storage-class", `${claim}/storageClassName`, "a storage class has a name"],
  ],
  "error-workspace-unknown-field": [
    ["workspace-patch", `${claim}/volumeName`, 'pvcSpecPatch cannot set "volumeName"'],
  ],
};

const refused = cases.filter(({ error = "proto:" }) => !error.startsWith("proto:"));

test.each(refused)("$name is refused in words, at its place", (one) => {
  const parsed = parsedInput(one);
  if (!parsed.ok) expect.unreachable(JSON.stringify(parsed.problems));
  const { ok, problems } = toArgoWorkflow(parsed.pipeline, one.options);
  expect([ok, problems.map(({ code, path, message }) => [code, path, message])]).toEqual([
    false,
    said[one.name],
  ]);
  for (const problem of problems) expectPlace(problem, parsed.pipeline);
});

test("nothing is said of others", () => {
  expect(Object.keys(said).sort()).toEqual(refused.map(({ name }) => name).sort());
});

test("a pipeline without a root is refused, and nothing else is said of it", () => {
  const pipeline = pipelineOf({ tasks: { a: to("leaf") } });
  const rootless = { ...pipeline, spec: { ...pipeline.spec, root: undefined } };
  const hint = "add a root with the tasks of the pipeline";
  expect(toArgoWorkflow(rootless)).toEqual({
    ok: false,
    problems: [
      { code: "no-root", severity: "error", path: "", message: "the specification has no root", hint },
    ],
    counts: { error: 1, warning: 0, info: 0 },
  });
});

test.each<[settings: Json, at: string, part: "key" | "value", hint: string]>([
  [{ nodeSelectr: {} }, "/nodeSelectr", "key", 'did you mean "nodeSelector"?'],
  [{ imagePullPolicy: 5 }, "/imagePullPolicy", "value", "put it in quotes"],
  [{ tolerations: {} }, "/tolerations", "value", "correct the settings of the executor"],
])(
  "settings that cannot be read are told where they are wrong, and how to mend them: %j",
  (settings, at, part, hint) => {
    const platforms = { kubernetes: { deploymentSpec: { executors: { e: settings } } } };
    const pipeline = pipelineOf({ tasks: { a: to("leaf") }, platforms });
    const path = `/platforms/kubernetes/deploymentSpec/executors/e${at}`;
    const { problems } = toArgoWorkflow(pipeline);
    expect(problems).toMatchObject([{ code: "invalid-kubernetes-settings", path, hint }]);
    expect(problems[0]?.range).toEqual(locate(pipeline, path, part));
  },
);
