import { type MessageTypes, type Pipeline, PipelineSpecError, writeJson } from "@wye/pipeline-spec";
import type { Finding } from "./problem-book.js";

/**
 * What of a pipeline has no form in JSON, which only pipelines have that were made by hand: texts with half of a pair of
 * surrogates, numbers that are none, fields of another type.
 */
export function findUnwritable({ spec, deployment, platform }: Pipeline): Finding | undefined {
  return (
    unwritable("PipelineSpec", spec, "") ??
    unwritable("PipelineDeploymentConfig", deployment, "/deploymentSpec") ??
    (platform === undefined ? undefined : unwritable("PlatformSpec", platform, ""))
  );
}

function unwritable<N extends keyof MessageTypes>(
  name: N,
  message: MessageTypes[N],
  base: string,
): Finding | undefined {
  try {
    writeJson(name, message);
    return undefined;
  } catch (error) {
    if (!(error instanceof PipelineSpecError)) throw error;
    return { code: "unwritable", path: `${base}${error.path}`, message: error.message };
  }
}
