import { isObject, type MessageName, type Pipeline, PipelineSpecError, writeJson } from "@wye/pipeline-spec";
import type { Finding } from "./problem-book.js";

/**
 * What of a pipeline has no form in JSON, which only pipelines have that were made by hand: texts with half of a pair of
 * surrogates, numbers that are none, fields of another type. Undefined when that does not explain the error.
 */
export function findUnwritable(pipeline: Pipeline, error: unknown): Finding | undefined {
  const { spec, deployment, platform } = pipeline;
  return (
    unwritable("PipelineSpec", spec, "") ??
    unwritable("PipelineDeploymentConfig", deployment, "/deploymentSpec") ??
    unwritable("PlatformSpec", platform, "") ??
    (error instanceof PipelineSpecError
      ? { code: "unwritable", path: error.path, message: error.message }
      : undefined)
  );
}

function unwritable(name: MessageName, message: unknown, base: string): Finding | undefined {
  if (message === undefined) return undefined;
  try {
    // Whether it is such a message is what the writer finds out.
    writeJson(name, (isObject(message) ? message : {}) as never);
    return undefined;
  } catch (error) {
    if (!(error instanceof PipelineSpecError)) throw error;
    return { code: "unwritable", path: `${base}${error.path}`, message: error.message };
  }
}
