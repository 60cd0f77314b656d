import type { TaskInput, TaskNode } from "@wye/pipeline-spec";
import { shortName } from "./short-text.js";

/** That a task runs once for each item of a list. */
export interface Loop {
  /** Where the items come from, for people: `3 items`, `split.parts`. */
  readonly items: string;
  /** How many run at once; 0 sets no limit. */
  readonly atOnce: number;
}

/** What a task iterates over, if it does. */
export function describeLoop(task: TaskNode): Loop | undefined {
  const { iterator, iteratorPolicy } = task.spec;
  if (iterator === undefined) return undefined;
  const atOnce = iteratorPolicy?.parallelismLimit ?? 0;
  if (iterator.$case === "artifactIterator") {
    const name = iterator.value.items?.inputArtifact ?? "";
    return { items: sourceOf(task.input("artifact", name), name), atOnce };
  }
  const items = iterator.value.items?.kind;
  if (items?.$case === "raw") return { items: countItems(items.value), atOnce };
  const name = items?.value ?? "";
  return { items: sourceOf(task.input("parameter", name), name), atOnce };
}

function sourceOf(input: TaskInput | undefined, name: string): string {
  const source = input?.source;
  if (source?.kind === "input") return shortName(source.name);
  if (source?.kind === "output") return `${source.producer}.${source.key}`;
  if (source?.kind === "constant" && Array.isArray(source.value)) return plural(source.value.length);
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
