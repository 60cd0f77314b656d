import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinal, type RunEvent } from "@wye/pipeline-runner";
import { functionExecutor, runPipeline, writeRunReport } from "@wye/pipeline-runner/node";
import { type GraphNote, graphNotes, trackTasks } from "@wye/pipeline-runner/report";
import type { Pipeline } from "@wye/pipeline-spec";
import { forecastFunctions } from "./forecast-functions.js";

/** What a page shows of a run. */
export interface RunPicture {
  /** Which run since the start of this server; 0 before the first. */
  readonly run: number;
  readonly state: "NONE" | RunEvent["state"];
  readonly notes: readonly (readonly [box: string, note: GraphNote])[];
  /** The last things that happened. */
  readonly happened: readonly string[];
  readonly hasReport: boolean;
}

const mostHappened = 20;

/** One run at a time, and who watches it. */
export class LiveRun {
  readonly #pipeline: Pipeline;
  readonly #stepMs: number;
  readonly #watchers = new Set<() => void>();
  #run = 0;
  #state: RunPicture["state"] = "NONE";
  #tracked = trackTasks();
  #happened: string[] = [];
  #report: string | undefined;
  #stop: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(pipeline: Pipeline, stepMs: number) {
    this.#pipeline = pipeline;
    this.#stepMs = stepMs;
  }

  get picture(): RunPicture {
    return {
      run: this.#run,
      state: this.#state,
      notes: [...graphNotes(this.#tracked.tasks())],
      happened: this.#happened,
      hasReport: this.#report !== undefined,
    };
  }

  get tasks(): ReturnType<ReturnType<typeof trackTasks>["tasks"]> {
    return this.#tracked.tasks();
  }

  /** The report of the last run that has ended. */
  get report(): string | undefined {
    return this.#report;
  }

  /** Hears of every change until it says that it has heard enough. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  /** Starts a run; false while there is one. */
  start(withoutData: string): boolean {
    if (this.#stop !== undefined) return false;
    this.#stop = new AbortController();
    this.#run++;
    this.#state = "RUNNING";
    this.#tracked = trackTasks();
    this.#happened = [];
    this.#ended = this.#drive(withoutData, this.#stop.signal)
      .catch((error: unknown) => {
        this.#happened.push(error instanceof Error ? error.message : String(error));
        return "FAILED" as const;
      })
      .then((state) => {
        this.#stop = undefined;
        this.#state = state;
        this.#tell();
      });
    this.#tell();
    return true;
  }

  /** Stops the run, and resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    await this.#ended;
  }

  async #drive(withoutData: string, signal: AbortSignal): Promise<RunEvent["state"]> {
    const folder = await mkdtemp(join(tmpdir(), "wye-forecast-"));
    try {
      const result = await runPipeline(this.#pipeline, {
        parameters: { without_data: withoutData },
        pipelineRoot: folder,
        executor: functionExecutor(forecastFunctions(this.#stepMs)),
        concurrency: 4,
        signal,
        onEvent: (event) => this.#take(event),
      });
      const file = join(folder, "report.html");
      await writeRunReport(result, file);
      this.#report = await readFile(file, "utf8");
      return result.state;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #take(event: RunEvent): void {
    this.#tracked.take(event);
    // How it has ended is told when there may be another: until then its report is written.
    if (event.task === "" && !isFinal(event.state)) this.#state = event.state;
    const line = `${event.task === "" ? "the run" : event.task}: ${event.reason}`;
    this.#happened = [...this.#happened, line].slice(-mostHappened);
    this.#tell();
  }

  #tell(): void {
    for (const onChange of this.#watchers) onChange();
  }
}
