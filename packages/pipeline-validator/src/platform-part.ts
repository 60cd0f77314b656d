import { ownEntry, type PipelineGraph, type SinglePlatformSpec } from "@wye/pipeline-spec";

/** What the platform specification says of Kubernetes. */
export const kubernetes = ({ platform }: PipelineGraph): SinglePlatformSpec | undefined =>
  ownEntry(platform?.platforms, "kubernetes");

/** True when there is a platform specification. */
export const hasPlatform = ({ platform }: PipelineGraph): boolean => platform !== undefined;

/** Text of an example that has a platform specification. */
export const platform = (kubernetes: string, name = "kubernetes"): string =>
  `{}\n---\nplatforms: {${name}: ${kubernetes}}\n`;

/** Text of an example that configures an executor for Kubernetes. */
export const executor = (config: string, label = "exec-report"): string =>
  platform(`{deploymentSpec: {executors: {${label}: ${config}}}}`);
