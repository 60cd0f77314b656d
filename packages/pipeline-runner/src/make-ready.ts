import { buildExecutorInput, resolveImporter, taskRoot } from "@wye/pipeline-resolver";
import type { Execution } from "./execution.js";
import type { ReadyTask } from "./ready-task.js";
import { describeProblems } from "./reasons.js";
import type { RunSettings } from "./run-settings.js";

/** What a host is told of a task in the queue, or why the task cannot be carried out. */
export function makeReady(task: Execution, { root, facts }: RunSettings): ReadyTask | string {
  const { view, component, plan } = task;
  const inputs = view.inputs ?? { parameters: {}, artifacts: {}, defaulted: [] };
  const folder = taskRoot(root, view.name, encodeURIComponent(view.id));
  const base = {
    id: view.id,
    name: view.name,
    displayName: view.displayName,
    component: component.name ?? "",
    definition: component.spec,
    attempt: view.attempts + 1,
    notBefore: task.notBefore,
    inputs,
    executorInput: buildExecutorInput(component.spec, inputs, { artifactUri: (key) => `${folder}/${key}` }),
  };
  const work = component.executor?.spec.spec;
  switch (work?.$case) {
    case "container": {
      const { executorInput } = base;
      const key = plan?.cacheKey?.({ inputs, executorInput });
      return {
        ...base,
        kind: "container",
        container: work.value,
        ...(key === undefined ? {} : { cacheKey: key }),
      };
    }
    case "importer": {
      const made = resolveImporter(work.value, component.spec, inputs, { facts, plainPaths: true });
      if (!made.ok) return `it cannot be imported: ${describeProblems(made.problems)}`;
      const { reimport, downloadToWorkspace } = work.value;
      return { ...base, kind: "importer", outputs: made.value, reimport, downloadToWorkspace };
    }
    case "resolver":
      return { ...base, kind: "resolver", resolver: work.value };
    case "customJob":
      return { ...base, kind: "custom-job", customJob: work.value };
    default:
      return "its executor says nothing about what to run";
  }
}
