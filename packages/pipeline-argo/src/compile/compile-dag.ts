import { type ComponentSpec, type DagSpec, isObject, writeJson } from "@wye/pipeline-spec";
import type { ArgoTask } from "../argo-workflow.js";
import { runtimeConfigText } from "../options/runtime-config.js";
import { quote } from "../problems/quote.js";
import { dagDriverName } from "../templates/driver-template.js";
import { argumentList, output, succeeded } from "../templates/references.js";
import { messageText, objectText } from "../text/json-text.js";
import { type Compilation, rootName } from "./compilation.js";
import { compileTask } from "./compile-task.js";
import { withProducers } from "./complete-tasks.js";
import { useDagDriver } from "./dag-task.js";
import { warnOfDag } from "./dag-warnings.js";
import { warnOfLongText } from "./long-text.js";
import { type CompletedTask, isExitTask, type NamedTask } from "./placed-task.js";

/** A DAG whose components are compiled. */
export interface OpenDag {
  /** Name of the component. */
  readonly name: string;
  readonly path: string;
  readonly spec: ComponentSpec;
  readonly dag: DagSpec;
  /** Its tasks in order. */
  readonly tasks: readonly NamedTask[];
}

/** A task of a template, and the task of the pipeline from which it comes. */
type OriginalTask = readonly [made: ArgoTask, from: CompletedTask];

/** Saves the component and adds the template of a DAG, and those of its exit tasks; for the root also the entry point. */
export function compileDag(open: OpenDag, compilation: Compilation): void {
  const { name, path } = open;
  const context = `compiling DAG ${JSON.stringify(name)}: `;
  const tasks = saveDag(open, context, compilation);
  if (refuseArtifactIterators(tasks, context, compilation)) return;
  const hooks = addExitHooks(open, tasks, context, compilation);
  const compiled = tasks.filter(({ spec }) => !isExitTask(spec));
  if (compiled.length === 0) {
    compilation.problems.add({
      code: "no-tasks",
      path: `${path}/dag`,
      message: "a DAG has at least one task that is not an exit task",
      backEnd: `${context}DAG ${name} must contain one or more non-exit tasks`,
    });
  }
  const made = compiled.flatMap((task): OriginalTask[] => {
    const exitTemplate = hooks.get(task.name);
    const hooked = exitTemplate === undefined ? {} : { exitTemplate };
    const placed = { task, name: task.name, context, ...hooked };
    return (compileTask(placed, compilation) ?? []).map((one) => [one, task]);
  });
  warnOfDag({ name, tasks, hooks }, compilation);
  addDagTemplate(name, made, { role: "dag", from: path, context: `${context}DAG: ` }, compilation);
  if (name === rootName) addEntrypoint(path, context, compilation);
}

/** Saves the component with its tasks completed, and gives those. */
function saveDag(
  { name, path, spec, dag, tasks }: OpenDag,
  context: string,
  compilation: Compilation,
): CompletedTask[] {
  const completed = tasks.map((task) =>
    withProducers(task, dag, ({ producer, ...finding }) => {
      const backEnd = `${context}failed to add implicit deps: unknown producer task ${JSON.stringify(producer)} in DAG`;
      compilation.problems.add({ ...finding, backEnd });
    }),
  );
  const texts = completed.map((task) => {
    const text = messageText(writeJson("PipelineTaskSpec", task.spec));
    warnOfLongText(text, task.path, compilation.problems);
    return { ...task, text };
  });
  compilation.save(`components-${name}`, () => dagText(spec, dag, texts), path);
  return texts;
}

/** The text of a component, in which the texts of its tasks are put as they are. */
function dagText(component: ComponentSpec, dag: DagSpec, tasks: readonly CompletedTask[]): string {
  const withoutTasks = {
    ...component,
    implementation: { $case: "dag", value: { ...dag, tasks: {} } },
  } as const;
  const inTasks = tasks.map(({ name, text }) => [name, text] as const);
  const { dag: rest, ...members } = writeJson("ComponentSpec", withoutTasks);
  return objectText([
    ...memberTexts(members),
    [
      "dag",
      objectText([
        ...memberTexts(isObject(rest) ? rest : {}),
        ...(tasks.length === 0 ? [] : [["tasks", objectText(inTasks)] as const]),
      ]),
    ],
  ]);
}

function memberTexts(members: Readonly<Record<string, unknown>>): [name: string, text: string][] {
  return Object.entries(members).map(([name, value]) => [name, messageText(value)]);
}

function refuseArtifactIterators(
  tasks: readonly CompletedTask[],
  context: string,
  { problems }: Compilation,
): boolean {
  const refused = tasks.filter(({ spec }) => spec.iterator?.$case === "artifactIterator");
  for (const { name, path } of refused) {
    problems.add({
      code: "artifact-iterator",
      path: `${path}/artifactIterator`,
      part: "key",
      message: `the task ${quote(name)} iterates over artifacts`,
      backEnd: `${context}artifact iterator not implemented yet`,
    });
  }
  return refused.length > 0;
}

/** Adds a template for each exit task, and tells which of them each task has to start. */
function addExitHooks(
  { name }: OpenDag,
  tasks: readonly CompletedTask[],
  context: string,
  compilation: Compilation,
): ReadonlyMap<string, string> {
  const hooks = new Map<string, string>();
  for (const task of tasks.filter(({ spec }) => isExitTask(spec))) {
    const made = compileTask({ task, name: task.name, context }, compilation);
    if (made === undefined) continue;
    const template = `exit-hook-${name}-${task.name}`;
    for (const dependency of task.spec.dependentTasks) hooks.set(dependency, template);
    const origin = { role: "exit-hook", from: task.path, context: `${context}DAG: ` } as const;
    addDagTemplate(
      template,
      made.map((one) => [one, task]),
      origin,
      compilation,
    );
  }
  return hooks;
}

function addDagTemplate(
  name: string,
  made: readonly OriginalTask[],
  origin: { readonly role: "dag" | "exit-hook"; readonly from: string; readonly context: string },
  compilation: Compilation,
): void {
  const { role, from, context } = origin;
  const template = {
    name,
    inputs: { parameters: [{ name: "parent-dag-id" }] },
    outputs: {},
    metadata: {},
    dag: { tasks: made.map(([one]) => one) },
  };
  const tasks = made.map(([one, { path }]) => ({ name: one.name, path }));
  compilation.addTemplate(template, { role, from, tasks }, context);
}

function addEntrypoint(path: string, context: string, compilation: Compilation): void {
  useDagDriver(path, compilation);
  const config = compilation.counted(runtimeConfigText(compilation.pipeline, compilation.settings.options));
  warnOfLongText(config, "/runtimeConfig", compilation.problems);
  const driver = {
    component: compilation.reference(`components-${rootName}`),
    "runtime-config": config,
    "driver-type": "ROOT_DAG",
  };
  const root = { "parent-dag-id": output("root-driver", "execution-id"), condition: "" };
  const tasks: ArgoTask[] = [
    { name: "root-driver", template: dagDriverName, arguments: argumentList(driver) },
    { name: rootName, template: rootName, arguments: argumentList(root), ...succeeded(["root-driver"]) },
  ];
  const template = { name: "entrypoint", inputs: {}, outputs: {}, metadata: {}, dag: { tasks } };
  const origins = tasks.map(({ name }) => ({ name, path }));
  compilation.addTemplate(template, { role: "entrypoint", from: path, tasks: origins }, context);
}
