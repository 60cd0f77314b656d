import type { ImporterSpec } from "@wye/pipeline-spec";
import type { ArgoTask } from "../argo-workflow.js";
import { quote } from "../problems/quote.js";
import { importer, importerName } from "../templates/importer-template.js";
import { argumentList, input } from "../templates/references.js";
import type { Compilation } from "./compilation.js";
import { componentReference } from "./component-reference.js";
import { warnOfIgnoredRetries } from "./lost-retries.js";
import type { PlacedTask } from "./placed-task.js";

/** One task, which needs no driver. It waits for nothing, and nothing can be hung on it. */
export function compileImporterTask(
  placed: PlacedTask,
  { downloadToWorkspace }: ImporterSpec,
  compilation: Compilation,
): ArgoTask[] | undefined {
  const { task, name, context } = placed;
  if (task.spec.triggerPolicy?.condition) {
    compilation.problems.add({
      code: "importer-condition",
      path: `${task.path}/triggerPolicy/condition`,
      message: `the task ${quote(task.name)} runs an importer, which cannot have a condition`,
      backEnd: `${context}triggerPolicy.condition on importer task is not supported`,
    });
    return undefined;
  }
  const component = componentReference(placed, "components", compilation);
  const spec = componentReference(placed, "implementations", compilation);
  if (component === undefined || spec === undefined) return undefined;
  warnOfIgnoredRetries(task, "an importer", compilation);
  const template = importerName(downloadToWorkspace);
  const { pipelineName, settings } = compilation;
  compilation.useSystemTemplate(template, () => importer(downloadToWorkspace, pipelineName, settings), {
    role: "importer",
    path: task.path,
  });
  const values = {
    task: compilation.counted(task.text),
    component,
    importer: spec,
    "parent-dag-id": input("parent-dag-id"),
  };
  return [{ name, template, arguments: argumentList(values) }];
}
