import type { RunEvent } from "../run-event.js";
import { isFinal } from "../task-state.js";

/** A stretch of time in which a task waited for its turn, or in which an attempt ran. */
export interface TaskSpan {
  readonly kind: "waits" | "runs" | "failed";
  readonly from: number;
  readonly to: number;
}

/** What each task did when, by its id, as far as the events have times. */
export function taskSpans(events: readonly RunEvent[]): ReadonlyMap<string, readonly TaskSpan[]> {
  const spans = new Map<string, TaskSpan[]>();
  const open = new Map<string, { readonly kind: "waits" | "runs"; readonly from: number }>();
  for (const { task, state, at } of events) {
    if (task === "" || at === undefined) continue;
    const before = open.get(task);
    if (before !== undefined) {
      const hasFailed = before.kind === "runs" && (state === "FAILED" || state === "QUEUED");
      const list = spans.get(task) ?? [];
      list.push({ kind: hasFailed ? "failed" : before.kind, from: before.from, to: at });
      spans.set(task, list);
      open.delete(task);
    }
    if (!isFinal(state)) open.set(task, { kind: state === "RUNNING" ? "runs" : "waits", from: at });
  }
  return spans;
}
