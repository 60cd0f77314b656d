import { checkArguments, locate, type Pipeline, type ProblemCounts } from "@wye/pipeline-spec";
import type { ArgoWorkflow } from "./argo-workflow.js";
import { assembleWorkflow, pipelineConfig } from "./assemble-workflow.js";
import { Compilation, TooLarge } from "./compile/compilation.js";
import { warnOfNames } from "./compile/name-warnings.js";
import { walkComponents } from "./compile/walk-components.js";
import type { ArgoOptions } from "./options/argo-options.js";
import { checkArgoOptions } from "./options/check-argo-options.js";
import { optionFindings } from "./options/option-findings.js";
import { runtimeConfigOf } from "./options/runtime-config.js";
import { settingsOf } from "./options/settings.js";
import type { ArgoProblem } from "./problems/argo-problem.js";
import { tagIn, tagsIn, tagsOfPipeline } from "./problems/argo-tags.js";
import { type Finding, ProblemBook } from "./problems/problem-book.js";
import { findUnwritable } from "./problems/unwritable.js";
import type { TemplateSource } from "./source-map.js";
import { workflowFindings } from "./workflow-findings.js";
import { warnOfSize } from "./workflow-size.js";
import { workspaceClaim } from "./workspace-claim.js";

/** What came of compiling a pipeline; a workflow may still come with warnings. */
export type ArgoResult =
  | {
      readonly ok: true;
      readonly workflow: ArgoWorkflow;
      /** Where each template of the workflow comes from, in their order; looked up when it is first asked for. */
      readonly sources: readonly TemplateSource[];
      readonly problems: readonly ArgoProblem[];
      /** How many problems there are, listed or not. */
      readonly counts: ProblemCounts;
    }
  | { readonly ok: false; readonly problems: readonly ArgoProblem[]; readonly counts: ProblemCounts };

/**
 * The Argo workflow that the back end of Kubeflow Pipelines makes of a pipeline, or everything for which it refuses the pipeline.
 * A function of its arguments alone, which it does not change; the workflow shares nothing with them.
 *
 * @throws TypeError for options that there are not, or that cannot have such values
 */
export function toArgoWorkflow(pipeline: Pipeline, options: ArgoOptions = {}): ArgoResult {
  return exportWorkflow(pipeline, options, []);
}

/** The same, with what was found of the run that the workflow is made for. */
export function exportWorkflow(
  pipeline: Pipeline,
  options: ArgoOptions,
  ofRun: readonly Finding[],
): ArgoResult {
  checkArguments("toArgoWorkflow", "object", { pipeline });
  checkArguments("toArgoWorkflow", "object", {
    "pipeline.spec": pipeline.spec,
    "pipeline.deployment": pipeline.deployment,
  });
  checkArgoOptions(options);
  const { maxProblems = 1000, displayName = pipeline.job?.displayName ?? "" } = options;
  const problems = new ProblemBook(pipeline, maxProblems);
  const compilation = new Compilation(pipeline, settingsOf({ ...options, displayName }), problems);
  for (const finding of [...ofRun, ...optionFindings(compilation.settings)]) problems.add(finding);
  let workflow: ArgoWorkflow | undefined;
  try {
    workflow = compile(compilation);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    problems.add(overLimit(compilation));
  }
  const found = { problems: problems.listed(), counts: problems.counts };
  if (workflow === undefined || problems.refused) return { ok: false, ...found };
  let sources: readonly TemplateSource[] | undefined;
  return {
    ok: true,
    workflow,
    get sources() {
      sources ??= compilation.sources.listed();
      return sources;
    },
    ...found,
  };
}

function compile(compilation: Compilation): ArgoWorkflow | undefined {
  const { pipeline, problems } = compilation;
  // What a reader has given is as it has to be; what was made or copied by hand may be anything.
  const unwritable = locate(pipeline, "") === undefined ? findUnwritable(pipeline) : undefined;
  if (unwritable !== undefined) {
    problems.add(unwritable);
    return undefined;
  }
  if (compilation.pipelineName === "") {
    const message = "the pipeline has no name";
    problems.add({
      code: "no-name",
      path: "/pipelineInfo/name",
      message,
      backEnd: "pipelineInfo.name is empty",
    });
  }
  const claim = workspaceClaim(pipelineConfig(compilation)?.workspace, compilation);
  const { root } = pipeline.spec;
  if (root === undefined) {
    problems.add({ code: "no-root", path: "", message: "the specification has no root" });
    return undefined;
  }
  walkComponents(root, compilation);
  warnOfNames(compilation);
  warnOfTags(compilation);
  const workflow = assembleWorkflow(compilation, claim);
  for (const finding of workflowFindings(workflow, compilation)) problems.add(finding);
  warnOfSize(workflow, compilation);
  return workflow;
}

/** Argo looks through all texts of a workflow for its tags, whoever has written them. */
function warnOfTags({ pipeline, pipelineName, parameters, problems, settings }: Compilation): void {
  for (const finding of tagsIn(pipelineName, "/pipelineInfo/name")) problems.add(finding);
  // Hardly any pipeline has one: their places are looked for when there is one.
  const hasTags = parameters.some(({ value = "" }) => tagIn(value) !== undefined);
  if (hasTags) for (const finding of tagsOfPipeline(pipeline)) problems.add(finding);
  const config = runtimeConfigOf(pipeline, settings.options);
  for (const finding of tagsIn(config, "/runtimeConfig")) problems.add(finding);
}

function overLimit({ settings: { maxSize } }: Compilation): Finding {
  const message = `the texts of the pipeline take more than ${maxSize} characters in the workflow`;
  return { code: "over-limit", path: "", message };
}
