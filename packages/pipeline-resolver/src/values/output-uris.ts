import { checkArguments } from "@wye/pipeline-spec";

/** Where the artifacts of a run go when nobody says: the store that comes with Kubeflow. */
export const defaultPipelineRoot = "minio://mlpipeline/v2/artifacts";

/** The folder of a run: `<root>/<pipeline>/<run>`. A query at the end of the root stays at the end. */
export function runRoot(pipelineRoot: string, pipelineName: string, runId: string): string {
  checkArguments("runRoot", "text", { pipelineRoot, pipelineName, runId });
  const [path, query] = splitQuery(pipelineRoot);
  return `${join(path, pipelineName, runId)}${query}`;
}

/**
 * The folder of one execution of a task: `<run root without its query>/<task>/<execution>`. The execution is anything unique:
 * iterations must not collide, retries share it.
 */
export function taskRoot(root: string, taskName: string, executionId: string): string {
  checkArguments("taskRoot", "text", { root, taskName, executionId });
  return join(splitQuery(root)[0], taskName, executionId);
}

function splitQuery(uri: string): readonly [path: string, query: string] {
  const question = uri.indexOf("?");
  return question < 0 ? [uri, ""] : [uri.slice(0, question), uri.slice(question)];
}

function join(path: string, ...names: readonly string[]): string {
  // The slashes behind a scheme stay.
  const start = path.endsWith("/") && !path.endsWith("//") ? path.slice(0, -1) : path;
  return [start, ...names].join("/");
}
