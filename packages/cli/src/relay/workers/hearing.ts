import type { SentTrouble } from "./messages.js";

/** What a worker is to be told next. */
export interface Untold {
  /** The environments that are other ones now; absent when nothing was announced. */
  readonly names: ReadonlySet<string> | undefined;
  /** Those whose flags are other ones now. */
  readonly flags: ReadonlySet<string>;
  readonly problems: ReadonlySet<string>;
  /** What has happened after the last announcement. */
  readonly trouble: SentTrouble | undefined;
}

/** A worker that wants to hear announcements. It is told when it has taken what it was told before: what comes meanwhile is one message. */
export class Hearing {
  readonly #tell: (untold: Untold) => void;
  #isBusy = false;
  #names: Set<string> | undefined;
  #flags = new Set<string>();
  #problems = new Set<string>();
  #trouble: SentTrouble | undefined;

  constructor(tell: (untold: Untold) => void) {
    this.#tell = tell;
  }

  changed(names: Iterable<string>, flags: Iterable<string>, problems: Iterable<string>): void {
    this.#names ??= new Set();
    for (const name of names) this.#names.add(name);
    for (const name of flags) this.#flags.add(name);
    for (const problem of problems) this.#problems.add(problem);
    this.#trouble = undefined;
    this.#next();
  }

  troubled(trouble: SentTrouble): void {
    this.#trouble = trouble;
    this.#next();
  }

  /** The worker has taken what it was told. */
  heard(): void {
    this.#isBusy = false;
    this.#next();
  }

  #next(): void {
    const [names, flags, problems, trouble] = [this.#names, this.#flags, this.#problems, this.#trouble];
    if (this.#isBusy || (names === undefined && trouble === undefined)) return;
    this.#isBusy = true;
    this.#names = this.#trouble = undefined;
    this.#flags = new Set();
    this.#problems = new Set();
    this.#tell({ names, flags, problems, trouble });
  }
}
