import {
  type ComponentNode,
  isExitTask,
  isObject,
  type PipelineGraph,
  type TaskNode,
} from "@wye/pipeline-spec";
import { isPseudoImage } from "./containers.js";
import { quote } from "./quote.js";

/** A template of a workflow that the compiler of the back end makes for a task: a loop has two. */
export interface TaskTemplate {
  readonly name: string;
  readonly kind: "items" | "loop" | "exit task";
  readonly task: TaskNode;
}

/** The templates that the compiler of the back end makes beside those of the components with tasks. */
export interface BackEndTemplates {
  /** Names of those that several tasks use, or every workflow has. */
  readonly shared: ReadonlySet<string>;
  readonly ofTasks: ReadonlyMap<string, TaskTemplate>;
  /** Those that come out with the name of another one, which is the second of each pair. */
  readonly alike: readonly (readonly [TaskTemplate, TaskTemplate])[];
}

/** What is made of the tasks that a run comes to. */
export function backEndTemplates({ root }: PipelineGraph): BackEndTemplates {
  const shared = new Set(["entrypoint", "root", "system-dag-driver"]);
  const ofTasks = new Map<string, TaskTemplate>();
  const alike: [TaskTemplate, TaskTemplate][] = [];
  for (const { task, retries } of root === undefined ? [] : reachedTasks(root)) {
    for (const name of sharedTemplates(task, retries)) shared.add(name);
    for (const template of templatesOf(task)) {
      const other = ofTasks.get(template.name);
      if (other === undefined) ofTasks.set(template.name, template);
      else alike.push([template, other]);
    }
  }
  return { shared, ofTasks, alike };
}

/** What a template is made for. */
export function madeFor({ kind, task }: TaskTemplate): string {
  return kind === "items" ? `the items of the loop ${quote(task.name)}` : `the ${kind} ${quote(task.name)}`;
}

/** The tasks that a run comes to, each with whether it is retried, or the first task that leads to its DAG is. */
function* reachedTasks(
  root: ComponentNode,
): Generator<{ readonly task: TaskNode; readonly retries: boolean }> {
  const seen = new Set<ComponentNode>();
  const open = [{ component: root, retries: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next.component)) continue;
    seen.add(next.component);
    const below: typeof open = [];
    for (const task of [...(next.component.tasks?.values() ?? [])].sort(byName)) {
      const retries = next.retries || task.spec.retryPolicy !== undefined;
      yield { task, retries };
      if (task.component?.tasks !== undefined) below.push({ component: task.component, retries });
    }
    for (const one of below.reverse()) open.push(one);
  }
}

const byName = (a: TaskNode, b: TaskNode): number => (a.name < b.name ? -1 : 1);

/** Names of the templates that all tasks of a kind use. */
function sharedTemplates({ component }: TaskNode, retries: boolean): readonly string[] {
  const { executor } = component ?? {};
  const spec = executor?.spec.spec;
  if (spec?.$case === "importer") {
    return [spec.value.downloadToWorkspace ? "system-importer-workspace" : "system-importer"];
  }
  if (spec?.$case !== "container") return [];
  const driver = "system-container-driver";
  if (isPseudoImage(spec.value.image)) return [driver];
  const metadata = executor?.settings?.config.podMetadata;
  const counts = [metadata?.annotations, metadata?.labels].map(
    (entries) => Object.keys(entries ?? {}).length,
  );
  const prefix = `${isObject(metadata) ? `metadata-${counts.join("-")}-` : ""}${retries ? "retry-" : ""}`;
  return [driver, `${prefix}system-container-executor`, `${prefix}system-container-impl`];
}

function templatesOf(task: TaskNode): readonly TaskTemplate[] {
  const { name, component, parent, spec } = task;
  const found: TaskTemplate[] = [];
  if (isExitTask(task)) {
    found.push({ name: `exit-hook-${parent.name ?? "root"}-${name}`, kind: "exit task", task });
  }
  if (component !== undefined && spec.iterator?.$case === "parameterIterator") {
    found.push({ name: `${component.name}-iteration`, kind: "items", task });
    found.push({ name: `${component.name}-${name}-iterator`, kind: "loop", task });
  }
  return found;
}
