import { locate, type Pipeline } from "@wye/pipeline-spec";
import type { GraphDag } from "./pipeline-graph.js";

/** A stretch of the text, in UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Where a task stands in the text: the place of its name first, then all that belongs to it. */
export interface TaskRanges {
  readonly name: TextRange;
  readonly all: readonly TextRange[];
}

/** Where the tasks of a graph stand, by their ids. */
export function rangesOf(root: GraphDag, pipeline: Pipeline): ReadonlyMap<string, TaskRanges> {
  const known = new Map<string, TextRange>();
  const rangeAt = (place: string, part: "key" | "value"): TextRange => {
    const found = known.get(part + place);
    if (found !== undefined) return found;
    const at = locate(pipeline, pipeline.specPath + place, part);
    const range = { from: at?.start.offset ?? 0, to: at?.end.offset ?? 0 };
    known.set(part + place, range);
    return range;
  };
  const ranges = new Map<string, TaskRanges>();
  const dags = [root];
  for (let dag = dags.pop(); dag !== undefined; dag = dags.pop()) {
    for (const { id, places, inside } of dag.tasks) {
      const all = places.map((place) => ({
        from: rangeAt(place, "key").from,
        to: rangeAt(place, "value").to,
      }));
      ranges.set(id, { name: rangeAt(places[0] ?? "", "key"), all });
      if (inside !== undefined) dags.push(inside);
    }
  }
  return ranges;
}

/** The tasks whose text is closest around a place: several when they share a component. */
export function tasksAt(ranges: ReadonlyMap<string, TaskRanges>, position: number): readonly string[] {
  let closest = Infinity;
  let found: string[] = [];
  for (const [id, { all }] of ranges) {
    for (const { from, to } of all) {
      if (position < from || position > to || to - from > closest) continue;
      if (to - from < closest) found = [];
      closest = to - from;
      found.push(id);
    }
  }
  return found;
}
