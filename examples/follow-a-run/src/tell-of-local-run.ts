import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isFinal, type RunEvent } from "@wye/pipeline-runner";
import { functionExecutor, runPipeline } from "@wye/pipeline-runner/node";
import { drawRun } from "@wye/pipeline-runner/report";
import type { Pipeline } from "@wye/pipeline-spec";
import { type Told, trackHappenings } from "./told.js";

/** How the run on this machine goes. */
export interface LocalRunOptions {
  readonly signal: AbortSignal;
  /** How long each task takes. */
  readonly stepMs: number;
}

/** Runs a pipeline of the component `step` on this machine, and tells of it like of one on a server. It ends with who reads it. */
export async function* tellOfLocalRun(
  pipeline: Pipeline,
  { signal, stepMs }: LocalRunOptions,
): AsyncGenerator<Told, void> {
  const svg = drawRun(pipeline, []);
  if (svg !== undefined) yield { kind: "drawing", svg };
  const left = new AbortController();
  const events: RunEvent[] = [];
  let wake = (): void => {};
  const folder = await mkdtemp(join(tmpdir(), "wye-follow-"));
  let hasEnded = false;
  const ended = runPipeline(pipeline, {
    pipelineRoot: folder,
    executor: functionExecutor({ step: (_, __, context) => pause(stepMs, context.signal) }),
    signal: AbortSignal.any([signal, left.signal]),
    onEvent: (event) => {
      events.push(event);
      wake();
    },
  }).finally(() => {
    hasEnded = true;
    wake();
  });
  const happeningOf = trackHappenings();
  const name = `${pipeline.spec.pipelineInfo?.name}, on this machine`;
  // The runner says so of tasks, and of itself only how it ends.
  let state: RunEvent["state"] = "RUNNING";
  try {
    while (!hasEnded || events.length > 0) {
      const happened = events.splice(0);
      if (happened.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      else {
        state = happened.findLast(({ task }) => task === "")?.state ?? state;
        yield { kind: "picture", name, link: "", state, isFinal: isFinal(state), ...happeningOf(happened) };
      }
    }
    await ended;
  } finally {
    left.abort();
    // How a run ends that nobody reads of is nobody's business.
    await ended.catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}
