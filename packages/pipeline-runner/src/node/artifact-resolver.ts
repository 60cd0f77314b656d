import type { TaskOutputs } from "@wye/pipeline-resolver";
import { checkArguments } from "@wye/pipeline-spec";
import type { ReadyResolver } from "../ready-task.js";
import { describeProblems } from "../reasons.js";
import { type IndexedArtifact, selectArtifacts } from "../select-artifacts.js";

/** Finds artifacts of earlier runs for a resolver; what it throws fails the task. */
export type ArtifactResolver = (
  task: ReadyResolver,
  /** The name of the pipeline, which is the context of queries that name none. */
  context: string,
) => Promise<TaskOutputs> | TaskOutputs;

/** Gives the artifacts that there are, in the order in which they were made. */
export type ArtifactIndex = () => Promise<readonly IndexedArtifact[]> | readonly IndexedArtifact[];

/** Answers the queries of resolvers from an index: for the option `resolve` of `runPipeline`. */
export function artifactResolver(index: ArtifactIndex): ArtifactResolver {
  checkArguments("artifactResolver", "function", { index });
  return async ({ resolver }, context) => {
    const entries = await index();
    checkArguments("artifactResolver", "list", { "index()": entries });
    const found = selectArtifacts(resolver, entries, { context });
    if (found.ok) return found.value;
    const [first] = found.problems;
    throw new Error(`${first?.path ?? ""}: ${describeProblems(found.problems)}`);
  };
}
