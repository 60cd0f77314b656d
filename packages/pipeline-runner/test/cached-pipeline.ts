import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { expect } from "vitest";
import { runPipeline } from "../src/node/index.js";

/** The type of the artifacts. */
export const type = { schemaTitle: "system.Artifact", schemaVersion: "0.0.1" };
/** The definition of a text. */
export const string = { parameterType: "STRING" };
/** A task with the artifact `a` of another one. */
export const takes = (producerTask: string): object => ({
  inputs: { artifacts: { x: { taskOutputArtifact: { producerTask, outputArtifactKey: "a" } } } },
});
/** The inputs of such a task. */
export const artifact: object = { artifacts: { x: { artifactType: type } } };
/** What runs a line of a shell, with arguments. */
export const shell = (line: string, ...args: readonly string[]): { readonly container: object } => ({
  container: { image: "alpine", command: ["sh", "-c", line, ...args] },
});
/** Where that artifact is. */
export const path = "{{$.inputs.artifacts['x'].path}}";
/** Where the output parameter `o` goes. */
export const out = "{{$.outputs.parameters['o'].output_file}}";

/** A task with its component and what carries it out. */
export interface Part {
  readonly task?: object;
  readonly component: object;
  readonly executor: object;
}

/** A pipeline whose tasks may all be taken from the cache. */
export function pipelineOf(name: string, parts: Readonly<Record<string, Part>>, cacheKey = ""): Pipeline {
  const entries = <T>(of: (key: string, part: Part) => readonly [string, T]) =>
    Object.fromEntries(Object.entries(parts).map(([key, part]) => of(key, part)));
  const cachingOptions = { enableCache: true, cacheKey };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name },
      schemaVersion: "2.1.0",
      sdkVersion: "kfp-2.0.0",
      root: {
        dag: {
          tasks: entries((key, { task }) => [
            key,
            { taskInfo: { name: key }, componentRef: { name: `comp-${key}` }, cachingOptions, ...task },
          ]),
        },
      },
      components: entries((key, { component }) => [`comp-${key}`, { executorLabel: key, ...component }]),
      deploymentSpec: { executors: entries((key, { executor }) => [key, executor]) },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
}

/** Runs a pipeline with the cache of a folder, and tells of each task what it gave, and whether that was found. */
export async function outcome(
  pipeline: Pipeline,
  pipelineRoot: string,
): Promise<{ readonly [task: string]: readonly [output: unknown, isCached: boolean] }> {
  const { tasks, error, warnings } = await runPipeline(pipeline, { pipelineRoot, cache: true });
  expect([error, warnings.filter((one) => one.startsWith("the cache"))]).toEqual([undefined, []]);
  return Object.fromEntries(
    tasks.map(({ id, outputs, cached = false }) => [id, [outputs?.parameters.o, cached] as const]),
  );
}

/** A task that makes a text. */
export const says = (line: string, executor: object = {}): Part => ({
  component: { outputDefinitions: { parameters: { o: string } } },
  executor: { container: { ...shell(line, out).container, ...executor } },
});
