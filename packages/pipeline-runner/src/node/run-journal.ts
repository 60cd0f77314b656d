import { closeSync, fstatSync, openSync, renameSync, rmSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@wye/pipeline-spec";
import { PipelineRunError } from "../run-error.js";
import type { RunCommand, RunSnapshot } from "../run-snapshot.js";
import { isSealed, LineSeal } from "./line-seal.js";
import { formerFolder, headIn, moveLines } from "./moved-run.js";
import { readAtOnce } from "./read-at-once.js";

/** The file of a run by which it is known. */
export const journalName = "run.jsonl";

/**
 * The snapshot of a run as a file that grows by a line with every command, before anybody hears of what it did: whatever ends the
 * process, the file is the run as it was. After a line that could not be written there is no other, because it would not make sense. Each line
 * tells whether all up to it is as it was written.
 */
export class RunJournal {
  #file: number;
  #seal: LineSeal;
  readonly #path: string;
  /** The folder of the host when the run was started: what its relative paths mean, wherever it goes on. */
  readonly startedIn: string;
  #broken: PipelineRunError | undefined;

  private constructor(path: string, mode: "wx" | "a", startedIn: string, seal = new LineSeal()) {
    this.#path = path;
    this.#seal = seal;
    this.startedIn = startedIn;
    this.#file = openSync(path, mode);
  }

  /** The journal of a run that starts. */
  static start(folder: string, snapshot: RunSnapshot): RunJournal {
    return new RunJournal(join(folder, journalName), "wx", process.cwd()).#writeAll(snapshot);
  }

  /**
   * The journal of an earlier process, and what it says. A last line that was not written to its end never took effect. Paths in a folder
   * that was moved or copied mean the folder as it is now.
   */
  static resume(folder: string): {
    readonly journal: RunJournal;
    readonly snapshot: RunSnapshot;
  } {
    const path = join(folder, journalName);
    const text = readAtOnce(path);
    const end = text.lastIndexOf("\n") + 1;
    const lines = text.slice(0, end).split("\n").slice(0, -1);
    const seal = new LineSeal();
    const [first, ...others] = withoutSums(lines, seal, path);
    if (first === undefined) {
      const reason =
        text === ""
          ? "is empty: the run had not started"
          : "ends within its first line, which says what the run is of";
      throw new PipelineRunError("snapshot", `${path} ${reason}`);
    }
    const head = parse(first, path, 1);
    const former = formerFolder(head);
    const wasMoved = former !== undefined && former !== folder;
    const move = wasMoved ? moveLines(former, folder) : (line: string) => line;
    const commands = others.map((line, i) => parse(move(line), path, i + 2));
    truncateSync(path, Buffer.byteLength(text.slice(0, end)));
    // What a line says is checked when it is followed.
    const start = (wasMoved ? headIn(folder, head) : head) as RunSnapshot;
    const snapshot = { ...start, commands: commands as readonly RunCommand[] };
    const startedIn = isObject(head) && typeof head.startedIn === "string" ? head.startedIn : process.cwd();
    return { journal: new RunJournal(path, "a", startedIn, seal), snapshot };
  }

  append(command: RunCommand): void {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      // A file that was removed can be written for as long as it is open, for nobody.
      if (fstatSync(this.#file).nlink === 0) throw wasRemoved(this.#path);
      this.#write(command);
    } catch (error) {
      this.#broken = error instanceof PipelineRunError ? error : cannotGoOn(this.#path, error);
      throw this.#broken;
    }
  }

  /** Says something else from now on: all of it, or it stays what it was. */
  replace(snapshot: RunSnapshot): void {
    const path = `${this.#path}.part`;
    try {
      rmSync(path, { force: true });
      const draft = new RunJournal(path, "wx", this.startedIn).#writeAll(snapshot);
      renameSync(path, this.#path);
      closeSync(this.#file);
      this.#file = draft.#file;
      this.#seal = draft.#seal;
    } catch (error) {
      rmSync(path, { force: true });
      throw cannotGoOn(this.#path, error);
    }
  }

  /** @throws PipelineRunError when what was written may not have arrived, as network folders tell only here */
  close(): void {
    try {
      closeSync(this.#file);
    } catch (error) {
      throw this.#broken ?? cannotGoOn(this.#path, error);
    }
  }

  #writeAll({ commands, ...head }: RunSnapshot): this {
    try {
      this.#write({ ...head, startedIn: this.startedIn });
      for (const command of commands) this.#write(command);
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #write(value: object): void {
    const bytes = Buffer.from(`${this.#seal.seal(JSON.stringify(value))}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }
}

const wasRemoved = (path: string): PipelineRunError =>
  new PipelineRunError(
    "folder",
    `the journal ${path} was removed, or another process goes on with the run: it is given up here`,
  );

/** The run is as its journal says all the same. */
function cannotGoOn(path: string, error: unknown): PipelineRunError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `the journal ${path} cannot be written: ${reason}; with resumeFrom the run goes on`;
  return new PipelineRunError("folder", message);
}

/** The lines of a journal without their sums; those of earlier versions have none. */
function withoutSums(lines: readonly string[], seal: LineSeal, path: string): readonly string[] {
  if (!lines.some(isSealed)) return lines;
  return lines.map((line, i) => {
    const bare = seal.open(line);
    if (bare !== undefined) return bare;
    const help =
      i === 0 ? "start the run anew" : "without its lines from there on the run goes on from before them";
    const message = `${path}:${i + 1} is not as it was written: the journal is damaged; ${help}`;
    throw new PipelineRunError("snapshot", message);
  });
}

function parse(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new PipelineRunError("snapshot", `${path}:${number} is no JSON: the journal of the run is damaged`);
  }
}
