import { buildGraph, type ComponentNode, type Pipeline } from "@wye/pipeline-spec";
import type { NameKind } from "../text/field-at.js";

/** The names that a file declares, of each kind. */
export type DeclaredNames = Readonly<Record<NameKind, readonly string[]>>;

/** What can be named in a pipeline, each name once, in the order of the text. */
export function namesOf(pipeline: Pipeline): DeclaredNames {
  const { components, executors, tasks } = buildGraph(pipeline);
  const valuesOf = (side: "inputDefinitions" | "outputDefinitions") =>
    components.flatMap(({ spec }: ComponentNode) => {
      const { parameters = {}, artifacts = {} } = spec[side] ?? {};
      return [...Object.keys(parameters), ...Object.keys(artifacts)];
    });
  return {
    component: unique(components.flatMap(({ name }) => name ?? [])),
    executor: unique(executors.map(({ label }) => label)),
    task: unique(tasks.map(({ name }) => name)),
    input: unique(valuesOf("inputDefinitions")),
    output: unique(valuesOf("outputDefinitions")),
  };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
