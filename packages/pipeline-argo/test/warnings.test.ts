import { describe, expect, test } from "vitest";
import { type ArgoProblemCode, toArgoWorkflow } from "../src/index.js";
import { problemTable } from "../src/problems/problem-table.js";
import {
  dag,
  exit,
  expectPlace,
  importer,
  type Json,
  leaf,
  loop,
  type Parts,
  pipelineOf,
  retries,
  to,
} from "./small-pipelines.js";

const after = (...dependentTasks: string[]): Json => to("leaf", { dependentTasks });
const x = (...dependentTasks: string[]): Json => to("leaf", { ...exit, dependentTasks });
const artifactType = { schemaTitle: "system.Model", schemaVersion: "0.0.1" };
const model = { ...leaf, outputDefinitions: { artifacts: { artifact: { artifactType } } } };
const tasks = { a: to("leaf") };
const policy = (retryPolicy: Json): Parts => ({ tasks: { a: to("leaf", { retryPolicy }) } });
const good = { maxRetryCount: 3, backoffDuration: "10s", backoffFactor: 2, backoffMaxDuration: "3600s" };
const executors = "/platforms/kubernetes/deploymentSpec/executors/e";
const executor = (settings: Json): Parts => ({
  tasks,
  platforms: { kubernetes: { deploymentSpec: { executors: { e: settings } } } },
});
const config = (pipelineConfig: Json): Parts => ({ tasks, platforms: { kubernetes: { pipelineConfig } } });
const claim = { accessModes: ["ReadWriteOnce", "Foo", "Bar"], storageClassName: "A B" };
const at = "/platforms/kubernetes/pipelineConfig";
const cut = (letter: string) => `${letter.repeat(77)}…`;
const never = (task: string) => `the task "${task}" is never tried again: `;
const word = "give the task another name: once it has ended, the workflow ends in an error";
const tagged = "is a tag of Argo, which looks for tags in all texts of a workflow, also in this one";

type Said = readonly [code: ArgoProblemCode, path: string, message: string, hint?: string];

/** Pipelines with something that nobody expects, and what is said of it, with the advice where it is another than usual. */
const rows: readonly (readonly [name: string, parts: Parts, ...said: Said[]])[] = [
  [
    "an underscore in the name of a task",
    { tasks: { a_b: to("leaf") } },
    ["argo-task-name", "/root/dag/tasks/a_b", 'the name of the task "a_b" is none for Argo'],
  ],
  [
    "a task of 129 characters",
    { tasks: { ["a".repeat(129)]: to("d") }, components: { d: dag } },
    [
      "argo-task-name",
      `/root/dag/tasks/${"a".repeat(129)}`,
      `the name of the task "${cut("a")}" is none for Argo: it has 129 characters, of 128`,
    ],
  ],
  [
    "a digit first",
    { tasks: { "1st": to("leaf") } },
    [
      "argo-task-name",
      "/root/dag/tasks/1st",
      'the name of the task "1st" begins with a digit, in a DAG whose tasks wait for each other',
    ],
  ],
  [
    "a driver of 129 characters",
    { tasks: { ["a".repeat(122)]: to("leaf") } },
    [
      "argo-task-name",
      `/root/dag/tasks/${"a".repeat(122)}`,
      `the driver of this task gets the name "${cut("a")}", which is none for Argo: it has 129 characters, of 128`,
    ],
  ],
  [
    "the name of a driver",
    { tasks: { a: to("leaf"), "a-driver": to("leaf") } },
    [
      "argo-task-name",
      "/root/dag/tasks/a-driver",
      'the driver of the task "a" gets the name "a-driver", which is the name of another one',
    ],
  ],
  [
    "a word of expressions",
    { tasks: { in: to("leaf"), b: after("in") } },
    [
      "argo-task-name",
      "/root/dag/tasks/in",
      'the name of the task "in", for which others wait, is a word of the expressions of Argo',
      word,
    ],
  ],
  [
    "an underscore in the name of a component",
    { tasks: { a: to("comp_x") }, components: { comp_x: dag } },
    [
      "argo-component-name",
      "/components/comp_x",
      'the template "comp_x" that is made of this has a name that Argo refuses',
    ],
  ],
  [
    "a component of 129 characters",
    { tasks: { a: to("c".repeat(129)) }, components: { ["c".repeat(129)]: dag } },
    [
      "argo-component-name",
      `/components/${"c".repeat(129)}`,
      `the template "${cut("c")}" that is made of this has a name that Argo refuses: it has 129 characters, of 128`,
    ],
  ],
  [
    "a dot in the name of an importer",
    { tasks: { a: to("c.x") }, components: { "c.x": model }, executor: importer },
    [
      "argo-component-name",
      "/components/c.x",
      'parameters of the workflow are named after the component "c.x": Argo refuses such names',
    ],
  ],
  [
    "a dot in the name of an importer that has hyphens, too",
    { tasks: { a: to("my-own-c.x") }, components: { "my-own-c.x": model }, executor: importer },
    [
      "argo-component-name",
      "/components/my-own-c.x",
      'parameters of the workflow are named after the component "my-own-c.x": Argo refuses such names',
    ],
  ],
  [
    "capitals in the name of the pipeline",
    { tasks, name: "My Pipeline" },
    ["workflow-name", "/pipelineInfo/name", 'names of workflows cannot begin with "My Pipeline-"'],
  ],
  [
    "an exit task that is a loop",
    { tasks: { a: to("leaf"), x: to("leaf", { ...exit, ...loop, dependentTasks: ["a"] }) } },
    [
      "exit-loop",
      "/root/dag/tasks/x",
      'the exit task "x" is a loop, which waits for a task outside of its hook',
    ],
  ],
  [
    "an exit task that is a loop and waits for nothing",
    { tasks: { a: to("leaf"), x: to("leaf", { ...exit, ...loop }) } },
    [
      "lost-exit-task",
      "/root/dag/tasks/x",
      'the exit task "x" never runs: it names no task after which to run',
    ],
  ],
  [
    "an exit task after nothing",
    { tasks: { a: to("leaf"), x: x() } },
    [
      "lost-exit-task",
      "/root/dag/tasks/x",
      'the exit task "x" never runs: it names no task after which to run',
    ],
  ],
  [
    "an exit task after one task that there is, and one that there is not",
    { tasks: { a: to("leaf"), x: x("a", "z") } },
    ["lost-exit-task", "/root/dag/tasks/x", 'the exit task "x" never runs after "z"'],
  ],
  [
    "an exit task after many that there are not",
    { tasks: { a: to("leaf"), x: x("p", "q", "r", "s", "t") } },
    ["lost-exit-task", "/root/dag/tasks/x", 'the exit task "x" never runs after "p", "q", "r" and 2 more'],
  ],
  [
    "two exit tasks after one",
    { tasks: { a: to("leaf"), x: x("a"), y: x("a") } },
    ["lost-exit-task", "/root/dag/tasks/x", 'the exit task "x" never runs after "a"'],
  ],
  [
    "an exit task after two",
    { tasks: { a: to("leaf"), b: to("leaf"), x: x("a", "b") } },
    ["repeated-exit-task", "/root/dag/tasks/x", 'the exit task "x" runs 2 times: after each of "a", "b"'],
  ],
  [
    "a task after an exit task",
    { tasks: { a: to("leaf"), x: x("a"), b: after("x") } },
    [
      "depends-on-exit-task",
      "/root/dag/tasks/b/dependentTasks",
      'the task "b" waits for "x", which is an exit task',
    ],
  ],
  [
    "a task after what is none, each once",
    { tasks: { a: after("z", "z", "y") } },
    ...["y", "z"].map(
      (name): Said => [
        "unknown-dependency",
        "/root/dag/tasks/a/dependentTasks",
        `the task "a" waits for "${name}", which is no task of the DAG`,
      ],
    ),
  ],
  [
    "an importer after others",
    {
      tasks: { b: to("c"), a: to("c", { dependentTasks: ["b", "d", "e", "f"] }) },
      components: { c: model },
      executor: importer,
    },
    [
      "importer-does-not-wait",
      "/root/dag/tasks/a",
      'the importer "a" does not wait for "b", "d", "e" and 1 more',
    ],
  ],
  [
    "a DAG that runs itself",
    { tasks: { a: to("d") }, components: { d: { dag: { tasks: { s: to("d") } } } } },
    [
      "recursive-component",
      "/components/d/dag/tasks/s/componentRef/name",
      'the task "s" runs the DAG that it is in',
    ],
  ],
  [
    "a task that waits for itself",
    { tasks: { a: after("a") } },
    ["circular-dependency", "/root/dag/tasks/a", 'the task "a" waits for itself'],
  ],
  [
    "tasks that wait for each other",
    { tasks: { a: after("b"), b: after("c"), c: after("d"), d: after("e"), e: after("a") } },
    ["circular-dependency", "/root/dag/tasks/a", 'the tasks "a", "b", "c" and 2 more wait for each other'],
  ],
  [
    "a policy that holds for others, and is none",
    { tasks: { a: to("d", retries(5)), b: to("d") }, components: { d: dag } },
    [
      "lost-retries",
      "/root/dag/tasks/a/retryPolicy",
      `${never("x")}without a backoffMaxDuration of a second or more no time is left for it`,
    ],
    [
      "shared-retries",
      "/root/dag/tasks/b",
      'what is in "d" has the retry policy of the task "a", also where "b" runs it',
    ],
  ],
  [
    "a factor that is not whole",
    policy({ ...good, backoffFactor: 1.5 }),
    [
      "lost-retries",
      "/root/dag/tasks/a/retryPolicy",
      `${never("a")}Argo takes no backoffFactor but a whole number below a million, and this one is 1.5`,
    ],
  ],
  [
    "a wait as long as the longest",
    policy({ ...good, backoffDuration: "3600s" }),
    [
      "lost-retries",
      "/root/dag/tasks/a/retryPolicy",
      `${never("a")}a backoffMaxDuration that is not above backoffDuration leaves no time for it`,
    ],
  ],
  [
    "more retries than there is time for",
    policy({ ...good, maxRetryCount: 10, backoffDuration: "60s" }),
    [
      "lost-retries",
      "/root/dag/tasks/a/retryPolicy",
      'the task "a" is tried again at most 5 of 10 times: the waits for more are longer than backoffMaxDuration',
    ],
  ],
  [
    "retries of a volume claim",
    { ...policy(good), executor: { container: { image: "argostub/deletepvc" } } },
    [
      "lost-retries",
      "/root/dag/tasks/a/retryPolicy",
      `${never("a")}what its driver does has no retries`,
      "do not rely on it",
    ],
  ],
  [
    "retries of an importer",
    { tasks: { a: to("c", retries(1)) }, components: { c: model }, executor: importer },
    [
      "lost-retries",
      "/root/dag/tasks/a/retryPolicy",
      `${never("a")}an importer has no retries`,
      "do not rely on it",
    ],
  ],
  [
    "equal containers of unequal components",
    { tasks: { a: to("leaf"), b: to("m") }, components: { m: model } },
    [
      "shared-container",
      "/components/m",
      'the component "m" runs with the inputs and outputs of "leaf", which has an equal container',
    ],
  ],
  [
    "a component with the name of a template of the back end",
    { tasks: { a: to("system-dag-driver") }, components: { "system-dag-driver": dag } },
    ...["/root/dag/tasks/a", "/root"].map(
      (path): Said => [
        "reserved-template-name",
        path,
        'a template of the pipeline, "system-dag-driver", takes the part of one of the back end',
      ],
    ),
  ],
  [
    "settings that drivers forget",
    executor({ podAffinity: [{}], enabledSharedMemory: { size: "1Gi", volumeName: "v" } }),
    ...["podAffinity", "enabledSharedMemory"].map(
      (field): Said => [
        "ignored-setting",
        `${executors}/${field}`,
        `${field} has no effect: the back end ignores it`,
      ],
    ),
  ],
  [
    "times below zero",
    config({ resourceTtlOnCompletion: -1, activeDeadlineSeconds: -2 }),
    ...[["resourceTtlOnCompletion", -1] as const, ["activeDeadlineSeconds", -2] as const].map(
      ([field, seconds]): Said => [
        "ignored-setting",
        `${at}/${field}`,
        `${field} has no effect: ${seconds} is below zero`,
        "write how many seconds",
      ],
    ),
  ],
  [
    "a workspace without a claim",
    config({ workspace: { size: "1Gi" } }),
    [
      "ignored-setting",
      `${at}/workspace`,
      "the workspace has no effect without kubernetes: the back end makes no claim",
      "add kubernetes: {pvcSpecPatch: {accessModes: [ReadWriteOnce]}}",
    ],
  ],
  [
    "a claim that Kubernetes refuses",
    config({ workspace: { size: "0", kubernetes: { pvcSpecPatch: claim } } }),
    ["workspace-claim", `${at}/workspace/size`, '"0" is no amount above zero'],
    [
      "workspace-claim",
      `${at}/workspace/kubernetes/pvcSpecPatch/accessModes`,
      'there is no access mode "Foo"',
    ],
    ["workspace-claim", `${at}/workspace/kubernetes/pvcSpecPatch/storageClassName`, '"A B" is no name'],
  ],
  [
    "a claim that nobody makes",
    { tasks, executor: { container: { image: "alpine", command: ["ls", "{{$.workspace_path}}/x"] } } },
    [
      "workspace-claim",
      "/deploymentSpec/executors/e",
      "this waits for the claim of a workspace, which nobody makes",
      "add pipelineConfig.workspace with a size and kubernetes to the settings of the pipeline",
    ],
  ],
  [
    "labels that Kubernetes refuses",
    executor({
      podMetadata: { labels: { "a b": "x y" }, annotations: { "c d": "x y" } },
      nodeSelector: { labels: { n: "-" } },
    }),
    [
      "kubernetes-label",
      `${executors}/podMetadata/labels/a b`,
      '"a b" is no key of a label or an annotation',
    ],
    ["kubernetes-label", `${executors}/podMetadata/labels/a b`, '"x y" is no value of a label'],
    [
      "kubernetes-label",
      `${executors}/podMetadata/annotations/c d`,
      '"c d" is no key of a label or an annotation',
    ],
    ["kubernetes-label", `${executors}/nodeSelector/labels/n`, '"-" is no value of a label'],
  ],
  [
    "a text that is too long for Linux",
    { tasks, executor: { container: { image: "a", args: ["x".repeat(131_072)] } } },
    [
      "long-argument",
      "/deploymentSpec/executors/e",
      "the text of this takes 131097 bytes as an argument of a driver, and Linux takes 131071",
    ],
  ],
  [
    "a tag of Argo",
    { tasks, executor: { container: { image: "a", args: ["{{item}} {{pod.name}}"] } } },
    ["argo-tag", "/deploymentSpec/executors/e/container/args/0", `"{{item}}" ${tagged}`],
  ],
];

describe("a warning says in words what nobody expects:", () => {
  for (const [name, parts, ...said] of rows)
    test(name, () => {
      const pipeline = pipelineOf(parts);
      const { ok, problems, counts } = toArgoWorkflow(pipeline, { cacheDisabled: true });
      expect([ok, counts]).toEqual([true, { error: 0, warning: said.length, info: 0 }]);
      expect(problems).toEqual(
        said.map(([code, path, message, hint = problemTable[code].hint]) => ({
          ...{ code, severity: "warning", path, message, hint },
          range: expect.anything(),
        })),
      );
      for (const problem of problems) expectPlace(problem, pipeline);
    });
});

test("a root that is an executor is told, and makes a workflow without templates", () => {
  const pipeline = pipelineOf({ tasks });
  const { root = expect.unreachable() } = pipeline.spec;
  const implementation = { $case: "executorLabel", value: "e" } as const;
  const result = toArgoWorkflow({
    ...pipeline,
    spec: { ...pipeline.spec, root: { ...root, implementation } },
  });
  const message = "the root is no DAG: the workflow has no templates";
  const { severity, hint } = problemTable["executor-root"];
  expect(result.problems).toEqual([{ code: "executor-root", severity, path: "/root", message, hint }]);
  expect(result.ok && result.workflow.spec.templates).toBeUndefined();
});
