import { ownEntry, type PipelineGraph, pointer, type SinglePlatformSpec } from "@wye/pipeline-spec";
import { nearest } from "./suggest.js";

/** What the platform specification says of Kubernetes. */
export const kubernetes = ({ platform }: PipelineGraph): SinglePlatformSpec | undefined =>
  ownEntry(platform?.platforms, "kubernetes");

/** What stands under a misspelt name of Kubernetes, and is lost. */
export interface MisspeltPlatform {
  readonly name: string;
  readonly at: string;
  readonly single: SinglePlatformSpec;
}

export function misspeltPlatforms({ platform }: PipelineGraph): readonly MisspeltPlatform[] {
  const found: MisspeltPlatform[] = [];
  for (const [name, single] of Object.entries(platform?.platforms ?? {})) {
    const isMisspelt = name !== "kubernetes" && nearest(name, ["kubernetes"]) !== undefined;
    if (isMisspelt) found.push({ name, at: pointer("/platforms", name), single });
  }
  return found;
}

/** True when there is a platform specification. */
export const hasPlatform = ({ platform }: PipelineGraph): boolean => platform !== undefined;

/** Text of an example that has a platform specification. */
export const platform = (kubernetes: string, name = "kubernetes"): string =>
  `{}\n---\nplatforms: {${name}: ${kubernetes}}\n`;

/** Text of an example that configures an executor for Kubernetes. */
export const executor = (config: string, label = "exec-report"): string =>
  platform(`{deploymentSpec: {executors: {${label}: ${config}}}}`);
