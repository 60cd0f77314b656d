import type { InputParameterSpec, PipelineTaskSpec } from "@wye/pipeline-spec";
import { shortName } from "./short-text.js";

/** That a task runs once for each item of a list. */
export interface Loop {
  /** Where the items come from, for people: `3 items`, `split.parts`. */
  readonly items: string;
  /** How many run at once; 0 sets no limit. */
  readonly atOnce: number;
}

/** What a task iterates over, if it does. */
export function describeLoop(task: PipelineTaskSpec): Loop | undefined {
  const { iterator } = task;
  if (iterator === undefined) return undefined;
  const atOnce = task.iteratorPolicy?.parallelismLimit ?? 0;
  const { parameters = {}, artifacts = {} } = task.inputs ?? {};
  if (iterator.$case === "artifactIterator") {
    const name = iterator.value.items?.inputArtifact ?? "";
    const source = Object.hasOwn(artifacts, name) ? artifacts[name]?.kind : undefined;
    if (source?.$case === "taskOutputArtifact")
      return { items: `${source.value.producerTask}.${source.value.outputArtifactKey}`, atOnce };
    return { items: shortName(source?.value ?? name), atOnce };
  }
  const items = iterator.value.items?.kind;
  if (items?.$case === "raw") return { items: countItems(items.value), atOnce };
  const name = items?.value ?? "";
  return { items: sourceOf(Object.hasOwn(parameters, name) ? parameters[name] : undefined, name), atOnce };
}

function sourceOf(input: InputParameterSpec | undefined, name: string): string {
  const kind = input?.kind;
  if (kind?.$case === "componentInputParameter") return shortName(kind.value);
  if (kind?.$case === "taskOutputParameter")
    return `${kind.value.producerTask}.${kind.value.outputParameterKey}`;
  const constant = kind?.$case === "runtimeValue" ? kind.value.value : undefined;
  if (constant?.$case === "constant" && Array.isArray(constant.value)) return plural(constant.value.length);
  return shortName(name);
}

function countItems(raw: string): string {
  try {
    const items: unknown = JSON.parse(raw);
    return Array.isArray(items) ? plural(items.length) : "no list";
  } catch {
    // The problem is reported where it stands; the graph only says what it sees.
    return "no list";
  }
}

function plural(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}
