import { columnsOf } from "../../visible-text.js";
import type { ProgressStream } from "./progress-stream.js";
import { unpainted } from "./state-paint.js";

/** The size of a terminal. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The last lines of a terminal, drawn over again and again. Each picture is one write, between marks that let a terminal show it at
 * once; nothing is switched off beyond a picture, so a process that is killed leaves the terminal as it was.
 */
export class LiveScreen {
  readonly #stream: ProgressStream;
  /** How wide each line is that stands there now; the cursor is at the end of the last one. */
  #widths: readonly number[] = [];
  #shown = "";
  #isBroken = false;
  readonly #onError = (): void => {
    // A reader that is gone must not end the run.
    this.#isBroken = true;
  };

  constructor(stream: ProgressStream) {
    this.#stream = stream;
    stream.on?.("error", this.#onError);
  }

  /** Draws lines over those that stand there. */
  draw(lines: (size: ScreenSize) => readonly string[]): void {
    // A terminal that does not say its size is taken for a small one.
    const { columns = 80, rows = 24 } = this.#stream;
    if (this.#stream.writableNeedDrain) return;
    const size = { columns: sizeOf(columns, 80), rows: sizeOf(rows, 24) };
    const next = lines(size);
    const text = next.join("\x1b[K\r\n");
    if (text === this.#shown) return;
    this.#write(`\x1b[?2026h\x1b[?7l${this.#toFirstLine(size)}${text}\x1b[K\x1b[J\x1b[?7h\x1b[?2026l`);
    this.#shown = text;
    this.#widths = next.map((line) => columnsOf(unpainted(line)));
  }

  /** Writes lines that stay. */
  print(lines: readonly string[]): void {
    if (lines.length > 0) this.#write(`${lines.join("\n")}\n`);
  }

  /** Leaves what stands there, writes lines below it, and lets go of the stream. */
  end(lines: readonly string[]): void {
    this.#write(
      `${this.#widths.length > 0 ? "\n" : ""}${lines.map((line) => `${line}\n`).join("")}`,
      (error) => {
        // The event of a failed write comes after this.
        if (!error) this.#stream.off?.("error", this.#onError);
      },
    );
    this.#widths = [];
  }

  /** Back to where the last picture began. A terminal that has become narrower shows its lines in several rows. */
  #toFirstLine({ columns, rows }: ScreenSize): string {
    const taken = this.#widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    const up = Math.min(taken - 1, rows - 1);
    return up > 0 ? `\r\x1b[${up}A` : "\r";
  }

  #write(text: string, done?: (error?: Error | null) => void): void {
    if (this.#isBroken) return;
    try {
      this.#stream.write(text, done);
    } catch {
      this.#isBroken = true;
    }
  }
}

/** Streams that wrap others say what they compute, which may be no size of a terminal. */
function sizeOf(said: number, usual: number): number {
  return said >= 1 ? Math.min(said, 1000) : usual;
}
