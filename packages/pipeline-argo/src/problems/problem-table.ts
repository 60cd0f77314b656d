import type { Severity } from "@wye/pipeline-spec";

interface ProblemKind {
  readonly severity: Severity;
  /** What to do about it. */
  readonly hint: string;
}

const error = (hint: string): ProblemKind => ({ severity: "error", hint });
const warning = (hint: string): ProblemKind => ({ severity: "warning", hint });

/** Kinds of problems, stable for programs. */
export type ArgoProblemCode =
  | "no-name"
  | "no-root"
  | "no-component"
  | "unknown-component"
  | "unknown-executor"
  | "unsupported-executor"
  | "no-implementation"
  | "artifact-iterator"
  | "unknown-producer"
  | "no-tasks"
  | "importer-condition"
  | "duplicate-template"
  | "component-not-ready"
  | "invalid-kubernetes-settings"
  | "root-user"
  | "workspace-size"
  | "workspace-access-modes"
  | "workspace-storage-class"
  | "workspace-patch"
  | "workspace-claim"
  | "invalid-spec-patch"
  | "unwritable"
  | "over-limit"
  | "reserved-template-name"
  | "executor-root"
  | "recursive-component"
  | "unknown-dependency"
  | "circular-dependency"
  | "argo-task-name"
  | "argo-component-name"
  | "workflow-name"
  | "kubernetes-name"
  | "kubernetes-label"
  | "depends-on-exit-task"
  | "exit-loop"
  | "importer-does-not-wait"
  | "lost-exit-task"
  | "repeated-exit-task"
  | "shared-retries"
  | "lost-retries"
  | "shared-container"
  | "ignored-setting"
  | "ignored-null"
  | "unknown-patch-field"
  | "argo-tag"
  | "too-many-problems"
  | "too-large"
  | "long-argument";

/** Every problem that can be found: refusals of the back end are errors, what it does unexpectedly is a warning. */
export const problemTable: Readonly<Record<ArgoProblemCode, ProblemKind>> = {
  "no-name": error("set pipelineInfo.name"),
  "no-root": error("add a root with the tasks of the pipeline"),
  "no-component": error("name the component in componentRef.name"),
  "unknown-component": error("define the component in components, or correct the name"),
  "unknown-executor": error("define the executor in deploymentSpec.executors, or correct the label"),
  "unsupported-executor": error(
    "use a container or an importer: the back end runs no resolvers and no custom jobs",
  ),
  "no-implementation": error("give the component an executorLabel or a dag"),
  "artifact-iterator": error("iterate over a parameter: the back end cannot iterate over artifacts"),
  "unknown-producer": error("correct the name: inputs come from tasks of the same DAG"),
  "no-tasks": error("add a task that is not an exit task"),
  "importer-condition": error(
    "put the importer into a DAG of its own, and the condition on the task that runs it",
  ),
  "duplicate-template": error(
    "give each loop a component of its own, and no component the name of a template of the back end",
  ),
  "component-not-ready": error(
    "break the circle: a DAG may contain itself for the back end, but not two DAGs each other",
  ),
  "invalid-kubernetes-settings": error("correct the settings of the executor"),
  "root-user": error("ask for another user, or let the administrator set defaultRunAsUser"),
  "workspace-size": error("write the size as a quantity of Kubernetes, such as 10Gi"),
  "workspace-access-modes": error("set accessModes in pvcSpecPatch, or in the option defaultWorkspace"),
  "workspace-storage-class": error("leave storageClassName out, or name a class"),
  "workspace-patch": error("pvcSpecPatch takes accessModes and storageClassName"),
  "workspace-claim": warning(
    "write another one: Kubernetes makes no such claim, and the workflow ends before its first task",
  ),
  "invalid-spec-patch": error("patch existing templates and other fields of spec by name"),
  "over-limit": error("raise the limit maxSize"),
  unwritable: error("write what JSON can hold"),
  "reserved-template-name": warning("give the component another name"),
  "executor-root": warning("wrap the executor in a DAG: Argo finds no entry point in this workflow"),
  "recursive-component": warning("stop the recursion: Argo accepts it, and runs it without end"),
  "unknown-dependency": warning(
    "correct the name: Argo refuses a workflow whose tasks depend on unknown ones",
  ),
  "circular-dependency": warning("let one of them not wait: Argo refuses tasks that wait for each other"),
  "argo-task-name": warning(
    "name the task with letters, digits and hyphens, a letter first, and at most 121 of them: Argo refuses the workflow",
  ),
  "argo-component-name": warning(
    "name the component with letters, digits and hyphens, and not at length: Argo refuses the workflow",
  ),
  "workflow-name": warning("use small letters, digits and hyphens: Kubernetes refuses the workflow"),
  "kubernetes-name": warning("use small letters, digits and hyphens: Kubernetes refuses other names"),
  "kubernetes-label": warning(
    "use at most 63 letters, digits, hyphens, underscores and dots, a letter or digit first and last: Kubernetes makes no pod with others",
  ),
  "depends-on-exit-task": warning("exit tasks run in a hook: Argo refuses a task that waits for one"),
  "exit-loop": warning("put the loop into a DAG, and make that the exit task: Argo refuses the workflow"),
  "importer-does-not-wait": warning("do not rely on it: importers start at once, whatever they depend on"),
  "lost-exit-task": warning("put what the exit task follows into a DAG: no hook of Argo starts it here"),
  "repeated-exit-task": warning(
    "put what the exit task follows into a DAG, and make that what it waits for: each of them starts it here",
  ),
  "shared-retries": warning(
    "give each task a component of its own, or the tasks inside a policy of their own",
  ),
  "lost-retries": warning(
    "write such as {backoffDuration: 10s, backoffFactor: 2, backoffMaxDuration: 3600s}",
  ),
  "shared-container": warning("make the containers differ, for example by an argument that is not used"),
  "ignored-setting": warning("do not rely on it: the back end reads it and does nothing"),
  "unknown-patch-field": warning("correct the name: the patch has no effect there"),
  "ignored-null": warning("leave it out: a patch of the back end removes nothing"),
  "argo-tag": warning(
    "write it otherwise, or hand the text over as an artifact: Argo fills a tag in, or refuses the workflow",
  ),
  "too-many-problems": { severity: "info", hint: "raise the limit maxProblems" },
  "too-large": warning("make the sources of Python components shorter, or put them into images"),
  "long-argument": warning(
    "put tasks into DAGs of their own, sources into images, large values into artifacts: drivers do not start with it (Argo 3.7.9 and before: argument list too long)",
  ),
};
