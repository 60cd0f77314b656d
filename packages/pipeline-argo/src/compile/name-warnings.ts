import { pointer } from "@wye/pipeline-spec";
import type { ArgoTemplate } from "../argo-workflow.js";
import { quote } from "../problems/quote.js";
import type { TemplateOrigin } from "../source-map.js";
import type { Compilation } from "./compilation.js";

const mostCharacters = 128;
/** What Argo takes for a template and for a task. */
export const argoName: RegExp = /^[a-zA-Z0-9][-a-zA-Z0-9]{0,127}$/;
const argoParameter = /^[-\w]+$/;
/** What Kubernetes makes names of, by putting something behind it. */
const namePrefix = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*-*$/;

/** Tells of the names that the back end makes, and Argo or Kubernetes refuses. */
export function warnOfNames(compilation: Compilation): void {
  warnOfWorkflow(compilation);
  const components = warnOfParameters(compilation);
  for (const template of compilation.templates) {
    const origin = compilation.sources.originOf(template.name);
    if (origin === undefined) continue;
    warnOfTemplate(template.name, origin, components, compilation);
    warnOfTasks(template, origin, compilation);
  }
}

function warnOfWorkflow({ workflowPrefix, problems }: Compilation): void {
  if (workflowPrefix === "-" || namePrefix.test(workflowPrefix)) return;
  const message = `names of workflows cannot begin with ${quote(workflowPrefix)}`;
  problems.add({ code: "workflow-name", path: "/pipelineInfo/name", message });
}

/** Parameters are named after components. Gives the components that were told. */
function warnOfParameters({ parameterNames, problems }: Compilation): ReadonlySet<string> {
  const told = new Set<string>();
  for (const parameter of parameterNames) {
    const component = parameter.slice(parameter.indexOf("-") + 1);
    if (argoParameter.test(parameter) || told.has(component)) continue;
    told.add(component);
    const message = `parameters of the workflow are named after the component ${quote(component)}: Argo refuses such names`;
    problems.add({
      code: "argo-component-name",
      path: pointer("/components", component),
      part: "key",
      message,
    });
  }
  return told;
}

function warnOfTemplate(
  name: string,
  { role, from = "" }: TemplateOrigin,
  components: ReadonlySet<string>,
  { problems }: Compilation,
): void {
  if (argoName.test(name) || (role === "dag" && components.has(name))) return;
  const message = `the template ${quote(name)} that is made of this has a name that Argo refuses${reason(name)}`;
  problems.add({ code: "argo-component-name", path: from, part: "key", message });
}

function warnOfTasks(
  { dag }: ArgoTemplate,
  { tasks: origins = [] }: TemplateOrigin,
  { misnamedTasks, problems }: Compilation,
): void {
  const tasks = dag?.tasks ?? [];
  const isWaiting = tasks.some(({ depends }) => depends !== undefined);
  const names = new Set<string>();
  let told = "";
  for (const [index, { name }] of tasks.entries()) {
    const path = origins[index]?.path ?? "";
    const problem = names.has(name)
      ? "which is the name of another one"
      : isWaiting && /^\d/.test(name)
        ? "which begins with a digit, in a DAG whose tasks wait for each other"
        : argoName.test(name)
          ? undefined
          : `which is none for Argo${reason(name)}`;
    names.add(name);
    // The driver of a task has its name: it is told once.
    if (problem === undefined || path === told || misnamedTasks.has(path)) continue;
    told = path;
    const message = `a task that is made of this gets the name ${quote(name)}, ${problem}`;
    problems.add({ code: "argo-task-name", path, part: "key", message });
  }
}

function reason(name: string): string {
  return name.length > mostCharacters ? `: it has ${name.length} characters, of ${mostCharacters}` : "";
}
