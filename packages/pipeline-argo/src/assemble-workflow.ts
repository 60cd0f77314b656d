import { ownEntry, type PipelineConfig } from "@wye/pipeline-spec";
import type { ArgoWorkflow, ArgoWorkflowSpec } from "./argo-workflow.js";
import type { Compilation } from "./compile/compilation.js";
import { patchSpec } from "./patch/patch-spec.js";
import type { Json, JsonObject } from "./text/json.js";

/** The settings of the whole pipeline on Kubernetes. */
export function pipelineConfig({ pipeline }: Compilation): PipelineConfig | undefined {
  return ownEntry(pipeline.platform?.platforms, "kubernetes")?.pipelineConfig;
}

/** Puts the workflow together from what was compiled, and lays the patch of the administrator over it. */
export function assembleWorkflow(compilation: Compilation, claim: JsonObject | undefined): ArgoWorkflow {
  const { workflowPrefix, settings } = compilation;
  const labels = () => ({ "pipelines.kubeflow.org/v2_component": "true" });
  const { runAsUser } = settings.options;
  const spec: ArgoWorkflowSpec = {
    arguments: { parameters: compilation.parameters },
    entrypoint: "entrypoint",
    podMetadata: { annotations: labels(), labels: labels() },
    securityContext: {
      runAsNonRoot: true,
      ...(runAsUser === undefined ? {} : { runAsUser }),
      seccompProfile: { type: "RuntimeDefault" },
    },
    serviceAccountName: settings.serviceAccountName,
    ...(compilation.templates.length === 0 ? {} : { templates: compilation.templates }),
    ...(claim === undefined ? {} : { volumeClaimTemplates: [claim] }),
    ...limits(compilation),
  };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { generateName: workflowPrefix },
    spec: patched(spec, compilation),
    status: { startedAt: null, finishedAt: null },
  };
}

const lifetimes = [
  "resourceTtlOnCompletion",
  "resourceTtlOnSuccess",
  "resourceTtlOnFailure",
  "activeDeadlineSeconds",
] as const;

/** How long the workflow may run, and how long its resources are kept. */
function limits(compilation: Compilation): Partial<ArgoWorkflowSpec> {
  const config = pipelineConfig(compilation);
  if (config === undefined) return {};
  for (const field of lifetimes) {
    if (config[field] >= 0) continue;
    const path = `/platforms/kubernetes/pipelineConfig/${field}`;
    const message = `${field} has no effect: ${config[field]} is below zero`;
    compilation.problems.add({ code: "ignored-setting", path, message, hint: "write how many seconds" });
  }
  const times = {
    secondsAfterCompletion: config.resourceTtlOnCompletion,
    secondsAfterSuccess: config.resourceTtlOnSuccess,
    secondsAfterFailure: config.resourceTtlOnFailure,
  };
  const ttlStrategy = Object.fromEntries(Object.entries(times).filter(([, seconds]) => seconds > 0));
  return {
    ...(Object.keys(ttlStrategy).length === 0 ? {} : { ttlStrategy }),
    ...(config.activeDeadlineSeconds > 0 ? { activeDeadlineSeconds: config.activeDeadlineSeconds } : {}),
  };
}

function patched(spec: ArgoWorkflowSpec, { settings, problems }: Compilation): ArgoWorkflowSpec {
  const { specPatch } = settings.options;
  if (specPatch === undefined) return spec;
  const result = patchSpec(spec, specPatch);
  for (const { code, at, message } of result.findings) {
    problems.add({ code, path: "", message: `specPatch, at ${at}: ${message}` });
  }
  // The patch is JSON that the host has given; what it makes of the fields is for Argo to say.
  return result.spec as Json as ArgoWorkflowSpec;
}
