import type { RunEvent } from "../../run-event.js";
import { placeOf } from "../../task-place.js";
import { isFinal, type RunState, type TaskState } from "../../task-state.js";
import { visibleText } from "../../visible-text.js";

/** A task as a view shows it. */
export interface ProgressTask {
  readonly label: string;
  readonly parent: ProgressTask | undefined;
  /** Counts up, in the order in which tasks were first heard of. */
  readonly number: number;
  state: TaskState;
  attempt: number;
  reason: string;
  /** When the attempt began, or the DAG or loop. */
  since: number | undefined;
  endedAt: number | undefined;
  /** How many tasks or iterations a DAG or a loop has, and how many of them have ended. */
  inside: number | undefined;
  ended: number;
  /** The last line that it has printed. */
  said: string;
}

/** So many tasks that have ended are remembered by name. */
const mostEnded = 200;
const mostSaid = 400;

/** What is known of a run from its events. What has ended is soon only counted, so that a run of any size takes little room. */
export class ProgressModel {
  readonly queued: Set<ProgressTask> = new Set();
  readonly running: Set<ProgressTask> = new Set();
  /** DAGs and loops that have begun. */
  readonly open: Set<ProgressTask> = new Set();
  /** The last ones that have ended. */
  readonly ended: Set<ProgressTask> = new Set();
  readonly counts = { SUCCEEDED: 0, FAILED: 0, SKIPPED: 0, CANCELLED: 0 };
  run: RunState = "RUNNING";
  startedAt: number | undefined;
  readonly #tasks = new Map<string, ProgressTask>();
  #number = 0;

  /** @param now  when it happened, if the event does not say */
  take({ task: id, state, attempt, reason, inside, at }: RunEvent, now: number): void {
    const when = at ?? now;
    this.startedAt ??= when;
    if (id === "") {
      // The run has states that no task has, and no task has the empty id.
      this.run = state as RunState;
      return;
    }
    const task = this.#task(id);
    for (const set of [this.queued, this.running, this.open]) set.delete(task);
    task.state = state as TaskState;
    task.reason = visibleText(reason);
    if (attempt !== undefined) task.attempt = attempt;
    if (inside !== undefined) task.inside = inside;
    if (task.state === "RUNNING") task.since = when;
    if (isFinal(task.state)) this.#end(id, task, when);
    else this.#setOf(task).add(task);
  }

  /** Takes what a task has printed. */
  print(id: string, chunk: Uint8Array): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    const lines = new TextDecoder().decode(chunk.subarray(-mostSaid)).split(/[\r\n]+/);
    const last = lines.findLast((line) => line.trim() !== "");
    if (last !== undefined) task.said = visibleText(last.trim());
  }

  #setOf({ state, inside }: ProgressTask): Set<ProgressTask> {
    if (state !== "RUNNING") return this.queued;
    return inside === undefined ? this.running : this.open;
  }

  #end(id: string, task: ProgressTask, when: number): void {
    task.endedAt = when;
    task.said = "";
    if (isFinal(task.state) && task.inside === undefined) this.counts[task.state]++;
    this.#tasks.delete(id);
    if (task.parent !== undefined) task.parent.ended++;
    // What was in it has ended before, and is told by it from now on.
    if (task.inside !== undefined)
      for (const one of this.ended) if (isWithin(one, task)) this.ended.delete(one);
    this.ended.add(task);
    for (const oldest of this.ended) {
      if (this.ended.size <= mostEnded) break;
      this.ended.delete(oldest);
    }
  }

  #task(id: string): ProgressTask {
    const known = this.#tasks.get(id);
    if (known !== undefined) return known;
    const { parent, name, iteration } = placeOf(id);
    const task: ProgressTask = {
      label: iteration === undefined ? visibleText(name) : `[${iteration}]`,
      parent: parent === "" ? undefined : this.#task(parent),
      number: ++this.#number,
      state: "PENDING",
      attempt: 0,
      reason: "",
      since: undefined,
      endedAt: undefined,
      inside: undefined,
      ended: 0,
      said: "",
    };
    this.#tasks.set(id, task);
    return task;
  }
}

function isWithin({ parent }: ProgressTask, around: ProgressTask): boolean {
  for (let one = parent; one !== undefined; one = one.parent) if (one === around) return true;
  return false;
}
