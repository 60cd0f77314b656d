import { pointer } from "@wye/pipeline-spec";
import { quote } from "../problems/quote.js";
import type { TemplateOrigin } from "../source-map.js";
import type { Compilation } from "./compilation.js";

export const mostCharacters = 128;
/** What Argo takes for a template and for a task. */
export const argoName: RegExp = /^[a-zA-Z0-9][-a-zA-Z0-9]{0,127}$/;
const argoParameter = /^[-\w]+$/;
/** What Kubernetes makes names of, by putting something behind it. */
const namePrefix = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*-*$/;

/** Tells of the names in the workflow, but for those of tasks, that Argo or Kubernetes refuses. */
export function warnOfNames(compilation: Compilation): void {
  warnOfWorkflow(compilation);
  const components = warnOfParameters(compilation);
  for (const template of compilation.templates) {
    const origin = compilation.sources.originOf(template.name);
    if (origin === undefined) continue;
    warnOfTemplate(template.name, origin, components, compilation);
  }
}

function warnOfWorkflow({ pipelineName, workflowPrefix, problems }: Compilation): void {
  // A pipeline without a name is refused.
  if (pipelineName === "" || namePrefix.test(workflowPrefix)) return;
  const message = `names of workflows cannot begin with ${quote(workflowPrefix)}`;
  problems.add({ code: "workflow-name", path: "/pipelineInfo/name", message });
}

/** Parameters are named after components. Gives the components that were told. */
function warnOfParameters({ parameterNames, problems }: Compilation): ReadonlySet<string> {
  const told = new Set<string>();
  for (const parameter of parameterNames) {
    if (argoParameter.test(parameter)) continue;
    const component = parameter.slice(parameter.indexOf("-") + 1);
    if (told.has(component)) continue;
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

/** Why a long name is none. */
export function reason(name: string): string {
  return name.length > mostCharacters ? `: it has ${name.length} characters, of ${mostCharacters}` : "";
}
