import { pathSegment } from "./http/api-request.js";

/** Addresses of the web page of Kubeflow Pipelines, for people. */
export interface PipelineLinks {
  run(runId: string): string;
  experiment(experimentId: string): string;
  pipeline(pipelineId: string, versionId?: string): string;
  recurringRun(recurringRunId: string): string;
}

export function createLinks(uiHost: string): PipelineLinks {
  return {
    run: (runId) => `${uiHost}/#/runs/details/${pathSegment(runId)}`,
    experiment: (experimentId) => `${uiHost}/#/experiments/details/${pathSegment(experimentId)}`,
    pipeline: (pipelineId, versionId) =>
      `${uiHost}/#/pipelines/details/${pathSegment(pipelineId)}${versionId === undefined ? "" : `/version/${pathSegment(versionId)}`}`,
    recurringRun: (recurringRunId) => `${uiHost}/#/recurringrun/details/${pathSegment(recurringRunId)}`,
  };
}
