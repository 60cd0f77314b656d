import { buildExecutorInput, resolveImporter, type TaskInputs, taskRoot } from "@wye/pipeline-resolver";
import type { Execution } from "./execution.js";
import type { ReadyTask } from "./ready-task.js";
import { describeProblems } from "./reasons.js";
import type { RunSettings } from "./run-settings.js";

/**
 * Tells a host of a task in the queue, always the same; or why the task cannot be carried out. Very many tasks may be in the queue: what is told of
 * one is made when somebody asks.
 */
export function makeReady(task: Execution, settings: RunSettings): (() => ReadyTask) | string {
  const work = task.component.executor?.spec.spec;
  switch (work?.$case) {
    case "container":
      return once(() => {
        const base = baseOf(task, settings);
        const key = task.plan?.cacheKey?.(base);
        const isNamed = key !== undefined && task.plan?.node.spec.cachingOptions?.cacheKey;
        return {
          ...base,
          kind: "container",
          container: work.value,
          ...(key === undefined ? {} : { cacheKey: key }),
          ...(isNamed ? { isKeyNamed: true } : {}),
        };
      });
    case "importer": {
      const { facts } = settings;
      const options = { facts, plainPaths: true };
      const made = resolveImporter(work.value, task.component.spec, inputsOf(task), options);
      if (!made.ok) return `it cannot be imported: ${describeProblems(made.problems)}`;
      const { reimport, downloadToWorkspace } = work.value;
      return once(() => ({
        ...baseOf(task, settings),
        kind: "importer",
        outputs: made.value,
        reimport,
        downloadToWorkspace,
      }));
    }
    case "resolver":
      return once(() => ({ ...baseOf(task, settings), kind: "resolver", resolver: work.value }));
    case "customJob":
      return once(() => ({ ...baseOf(task, settings), kind: "custom-job", customJob: work.value }));
    default:
      return "its executor says nothing about what to run";
  }
}

function baseOf(task: Execution, { root }: RunSettings) {
  const { view, component, notBefore } = task;
  const inputs = inputsOf(task);
  const folder = taskRoot(root, view.name, encodeURIComponent(view.id));
  return {
    id: view.id,
    name: view.name,
    displayName: view.displayName,
    component: component.name ?? "",
    definition: component.spec,
    attempt: view.attempts + 1,
    notBefore,
    inputs,
    executorInput: buildExecutorInput(component.spec, inputs, { artifactUri: (key) => `${folder}/${key}` }),
  };
}

const inputsOf = ({ view }: Execution): TaskInputs =>
  view.inputs ?? { parameters: {}, artifacts: {}, defaulted: [] };

function once(make: () => ReadyTask): () => ReadyTask {
  let made: ReadyTask | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
