import { isObject } from "@wye/pipeline-spec";
import type { JsonObject } from "../wire/read-message.js";
import type { FakeStore } from "./fake-store.js";
import { refusal, unknown } from "./refusal.js";
import type { RunRow, TaskRow } from "./rows.js";

/** Takes what the workflow engine says of a run: the run follows it from now on, and no plan any more. */
export function reportWorkflow(store: FakeStore, text: string): void {
  let workflow: unknown;
  try {
    workflow = JSON.parse(text);
  } catch {
    throw refusal(3, "Report workflow failed: Invalid input error: Could not unmarshal workflow");
  }
  const metadata = part(workflow, "metadata");
  const status = part(workflow, "status");
  const runId = `${part(metadata, "labels")["pipeline/runid"] ?? ""}`;
  const run = store.runs.get(runId);
  if (run === undefined) throw unknown("Run", runId, "Report workflow failed");
  run.plan = [];
  run.isPlanned = false;
  const phase = `${status.phase ?? ""}`;
  const isEnding = isObject(workflow) && part(workflow, "spec").activeDeadlineSeconds === 0;
  const state = stateOf(phase, isEnding);
  if (state !== run.history.at(-1)?.state) run.history.push({ at: store.seconds(), state });
  run.state = state;
  run.phase = phase;
  run.message = `${status.message ?? ""}`;
  run.finishedAt = secondsOf(status.finishedAt);
  const nodes = part(status, "nodes");
  if (Object.keys(nodes).length > 0) takeNodes(run, nodes, secondsOf(metadata.creationTimestamp), store);
}

function takeNodes(run: RunRow, nodes: JsonObject, createdAt: number, store: FakeStore): void {
  const before = new Map(run.tasks.map((task) => [task.nodeId, task]));
  run.tasks = Object.entries(nodes).map(([nodeId, value]): TaskRow => {
    const node = isObject(value) ? value : {};
    const state = stateOf(`${node.phase ?? ""}`, false);
    const known = before.get(nodeId);
    const history = known?.history ?? [];
    return {
      id: known?.id ?? store.newId(),
      nodeId,
      name: `${node.displayName ?? ""}`,
      createdAt,
      startedAt: secondsOf(node.startedAt),
      endedAt: secondsOf(node.finishedAt),
      state,
      message: `${node.message ?? ""}`,
      history: known?.state === state ? history : [...history, { at: store.seconds(), state }],
      children: Array.isArray(node.children) ? node.children.map((child) => `${child}`) : [],
    };
  });
}

function stateOf(phase: string, isEnding: boolean): string {
  if (isEnding && (phase === "Running" || phase === "Pending")) return "CANCELING";
  if (phase === "Error") return "FAILED";
  if (phase === "Omitted") return "SKIPPED";
  return phase === "" ? "PENDING" : phase.toUpperCase();
}

function part(value: unknown, name: string): JsonObject {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

/** Whole seconds since 1970 of a time in text; 0 for none. */
function secondsOf(value: unknown): number {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}
