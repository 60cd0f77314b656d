import { checkOptions } from "@wye/pipeline-spec";
import type { RunEvent } from "../../run-event.js";
import type { RunResult } from "../run-pipeline.js";
import { LiveScreen } from "./live-screen.js";
import { plainLine } from "./plain-line.js";
import { progressLines } from "./progress-lines.js";
import { ProgressModel } from "./progress-model.js";
import type { ProgressStream } from "./progress-stream.js";
import { summaryLines } from "./summary-lines.js";

/** How the progress of a run is shown. */
export interface TerminalProgressOptions {
  /** Where to; the standard error stream by default. */
  readonly stream?: ProgressStream;
  /** Whether lines are drawn over: by default when the stream is a terminal, and neither `NO_COLOR` nor `TERM=dumb` is set. */
  readonly live?: boolean;
}

/** Shows the progress of a run: `onEvent` and `onLog` are for `runPipeline`. */
export interface TerminalProgress {
  readonly onEvent: (event: RunEvent) => void;
  readonly onLog: (task: string, chunk: Uint8Array) => void;
  /** Ends the view and, with a result, tells how the run has ended. Call it without one when the run has thrown. */
  readonly end: (result?: RunResult) => void;
}

/** A picture is drawn at most so often. */
const frameMs = 100;

/**
 * Shows the progress of a run in a terminal, a line per task; without a terminal, a line per change. It waits for nobody: what a slow
 * reader has not taken is not drawn again.
 */
export function terminalProgress(options: TerminalProgressOptions = {}): TerminalProgress {
  checkOptions("terminalProgress", options, { stream: "any", live: [true, false] });
  const { stream = process.stderr, live = isLive(stream) } = options;
  return live ? liveProgress(stream) : plainProgress(stream);
}

function isLive({ isTTY = false }: ProgressStream): boolean {
  // biome-ignore lint/style/noProcessEnv: these two tell what the user wants of programs in this terminal
  const { NO_COLOR = "", TERM } = process.env;
  return isTTY && NO_COLOR === "" && TERM !== "dumb";
}

function liveProgress(stream: ProgressStream): TerminalProgress {
  const model = new ProgressModel();
  const screen = new LiveScreen(stream);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const draw = (): void =>
    screen.draw((size) => progressLines(model, { ...size, now: Date.now(), colors: true }));
  return {
    onEvent: (event) => {
      if (isOver) return;
      model.take(event, Date.now());
      // The timer keeps no process alive, and durations go on while nothing happens.
      timer ??= setInterval(draw, frameMs).unref();
    },
    onLog: (task, chunk) => model.print(task, chunk),
    end: (result) => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      if (model.startedAt !== undefined) draw();
      screen.end(result ? summaryLines(result, true) : []);
    },
  };
}

function plainProgress(stream: ProgressStream): TerminalProgress {
  let startedAt: number | undefined;
  let isOver = false;
  const screen = new LiveScreen(stream);
  return {
    onEvent: (event) => {
      if (isOver) return;
      const at = event.at ?? Date.now();
      startedAt ??= at;
      const line = plainLine(event, at - startedAt);
      if (line !== undefined) screen.print([line]);
    },
    onLog: () => {},
    end: (result) => {
      if (isOver) return;
      isOver = true;
      screen.end(result ? summaryLines(result, false) : []);
    },
  };
}
