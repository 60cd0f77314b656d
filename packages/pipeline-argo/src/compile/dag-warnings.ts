import { type Edge, findCycles } from "@wye/pipeline-spec";
import { quote, quoteList } from "../problems/quote.js";
import type { Compilation } from "./compilation.js";
import { argoName, mostCharacters, reason } from "./name-warnings.js";
import { type CompletedTask, isExitTask } from "./placed-task.js";

/** What a task becomes, as far as it matters for what other tasks expect of it. */
type TaskKind = "exit" | "loop" | "importer" | "volume" | "plain";

/** A DAG as it was compiled. */
export interface CompiledDag {
  /** Name of the component. */
  readonly name: string;
  readonly tasks: readonly CompletedTask[];
  /** The template that runs after a task, by the name of the task. */
  readonly hooks: ReadonlyMap<string, string>;
}

/** Tells what of a DAG the back end compiles, but Argo refuses or nobody expects. */
export function warnOfDag({ name, tasks, hooks }: CompiledDag, compilation: Compilation): void {
  const kinds = new Map(tasks.map((task) => [task.name, kindOf(task)]));
  const isWaiting = tasks.some((task) => !isExitTask(task.spec) && waits(task));
  const ordered = tasks.filter(({ name }) => kinds.get(name) !== "exit" && kinds.get(name) !== "importer");
  warnOfWords(tasks, ordered, compilation);
  warnOfCycles(ordered, compilation);
  for (const task of tasks) {
    const kind = kinds.get(task.name) ?? "plain";
    warnOfName(task, isWaiting, kinds, compilation);
    if (task.component?.name === name) warnOfRecursion(task, compilation);
    if (kind === "exit") warnOfHooks(name, task, { kinds, hooks }, compilation);
    if (kind === "importer") warnOfImporter(task, compilation);
    if (kind !== "exit" && kind !== "importer") warnOfDependencies(task, kinds, compilation);
  }
}

const kindOf = (task: CompletedTask): TaskKind => (isExitTask(task.spec) ? "exit" : workOf(task));

function workOf({ spec, component }: CompletedTask): Exclude<TaskKind, "exit"> {
  if (spec.iterator !== undefined) return "loop";
  const executor = component?.executor?.spec;
  if (executor?.$case === "importer") return "importer";
  return executor?.$case === "container" && isVolumeImage(executor.value.image) ? "volume" : "plain";
}

/** True for images that stand for what the driver does itself. */
export function isVolumeImage(image: string): boolean {
  return image === "argostub/createpvc" || image === "argostub/deletepvc";
}

/** Whether a task waits for another one in its template: what has a driver of its own does. */
function waits(task: CompletedTask): boolean {
  const work = workOf(task);
  return work === "plain" || (work !== "importer" && task.spec.dependentTasks.length > 0);
}

const driverSuffix = "-driver";

/** What is no name in the expressions by which tasks of Argo wait for others: `contains.Succeeded` fails when it is evaluated. */
const expressionWords: ReadonlySet<string> = new Set([
  ...["and", "or", "not", "in", "contains", "matches", "startsWith", "endsWith"],
  ...["let", "if", "else", "true", "false", "nil"],
]);

function warnOfName(
  task: CompletedTask,
  isWaiting: boolean,
  kinds: ReadonlyMap<string, TaskKind>,
  { problems }: Compilation,
): void {
  const problem = nameProblem(task, isWaiting, kinds);
  if (problem !== undefined)
    problems.add({ code: "argo-task-name", path: task.path, part: "key", message: problem });
}

function warnOfWords(
  tasks: readonly CompletedTask[],
  waiting: readonly CompletedTask[],
  { problems }: Compilation,
): void {
  for (const { name, path } of tasks) {
    if (!expressionWords.has(name)) continue;
    if (!waiting.some(({ spec }) => spec.dependentTasks.includes(name))) continue;
    const message = `the name of the task ${quote(name)}, for which others wait, is a word of the expressions of Argo`;
    const hint = "give the task another name: once it has ended, the workflow ends in an error";
    problems.add({ code: "argo-task-name", path, part: "key", message, hint });
  }
}

function nameProblem(
  task: CompletedTask,
  isWaiting: boolean,
  kinds: ReadonlyMap<string, TaskKind>,
): string | undefined {
  const { name } = task;
  if (!argoName.test(name)) return `the name of the task ${quote(name)} is none for Argo${reason(name)}`;
  const isExit = isExitTask(task.spec);
  if (/^\d/.test(name) && (isExit ? waits(task) : isWaiting))
    return `the name of the task ${quote(name)} begins with a digit, in a DAG whose tasks wait for each other`;
  const driver = `${name}${driverSuffix}`;
  if (driver.length > mostCharacters && workOf(task) === "plain")
    return `the driver of this task gets the name ${quote(driver)}, which is none for Argo${reason(driver)}`;
  const driven = name.endsWith(driverSuffix) ? name.slice(0, -driverSuffix.length) : "";
  if (kinds.get(driven) !== "plain" || isExit) return undefined;
  return `the driver of the task ${quote(driven)} gets the name ${quote(name)}, which is the name of another one`;
}

/** Importers and exit tasks wait for nothing: what leads back through them is no cycle. */
function warnOfCycles(tasks: readonly CompletedTask[], { problems }: Compilation): void {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const edgesOf = (from: CompletedTask): Edge<CompletedTask>[] =>
    from.spec.dependentTasks.flatMap((name) => {
      const to = byName.get(name);
      return to === undefined ? [] : [{ from, to, at: from.path }];
    });
  for (const cycle of findCycles(tasks, edgesOf)) {
    const names = cycle.map(({ from }) => from.name);
    const message =
      names.length === 1
        ? `the task ${quoteList(names)} waits for itself`
        : `the tasks ${quoteList(names)} wait for each other`;
    problems.add({ code: "circular-dependency", path: cycle[0]?.at ?? "", part: "key", message });
  }
}

function warnOfRecursion({ name, path }: CompletedTask, { problems }: Compilation): void {
  const message = `the task ${quote(name)} runs the DAG that it is in`;
  problems.add({ code: "recursive-component", path: `${path}/componentRef/name`, message });
}

function warnOfImporter({ name, path, spec }: CompletedTask, { problems }: Compilation): void {
  if (spec.dependentTasks.length === 0) return;
  const message = `the importer ${quote(name)} does not wait for ${quoteList(spec.dependentTasks)}`;
  problems.add({ code: "importer-does-not-wait", path, part: "key", message });
}

function warnOfDependencies(
  { name, path, spec }: CompletedTask,
  kinds: ReadonlyMap<string, TaskKind>,
  { problems }: Compilation,
): void {
  for (const dependency of new Set(spec.dependentTasks)) {
    const kind = kinds.get(dependency);
    if (kind !== undefined && kind !== "exit") continue;
    const waits = `the task ${quote(name)} waits for ${quote(dependency)}`;
    problems.add({
      code: kind === "exit" ? "depends-on-exit-task" : "unknown-dependency",
      path: `${path}/dependentTasks`,
      message: `${waits}, which is ${kind === "exit" ? "an exit task" : "no task of the DAG"}`,
    });
  }
}

/** An exit task runs after those tasks whose hook it has got. */
function warnOfHooks(
  dag: string,
  { name, path, spec }: CompletedTask,
  {
    kinds,
    hooks,
  }: { readonly kinds: ReadonlyMap<string, TaskKind>; readonly hooks: ReadonlyMap<string, string> },
  { problems }: Compilation,
): void {
  if (spec.iterator !== undefined && spec.dependentTasks.length > 0) {
    const message = `the exit task ${quote(name)} is a loop, which waits for a task outside of its hook`;
    problems.add({ code: "exit-loop", path, part: "key", message });
  }
  const upstream = [...new Set(spec.dependentTasks)];
  const starts = (one: string): boolean =>
    kinds.get(one) === "plain" && hooks.get(one) === `exit-hook-${dag}-${name}`;
  const lost = upstream.filter((one) => !starts(one));
  if (upstream.length === 0 || lost.length > 0) {
    const after = lost.length > 0 ? ` after ${quoteList(lost)}` : ": it names no task after which to run";
    const message = `the exit task ${quote(name)} never runs${after}`;
    problems.add({ code: "lost-exit-task", path, part: "key", message });
  }
  const started = upstream.filter(starts);
  if (started.length > 1) {
    const message = `the exit task ${quote(name)} runs ${started.length} times: after each of ${quoteList(started)}`;
    problems.add({ code: "repeated-exit-task", path, part: "key", message });
  }
}
