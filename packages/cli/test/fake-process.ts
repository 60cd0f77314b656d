import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { onTestFinished, vi } from "vitest";

/** An output of a process that a test looks at. */
export class FakeOutput extends EventEmitter {
  readonly written: string[] = [];
  isTTY = false;
  /** How much waits to be taken. */
  writableLength = 0;
  /** How long it is watched, and what happens when it has taken nothing for so long. */
  readonly watched: { readonly ms: number; readonly stalled: () => void }[] = [];

  write(text: string, done?: () => void): boolean {
    this.written.push(text);
    done?.();
    return true;
  }

  setTimeout(ms: number, stalled?: () => void): this {
    if (stalled !== undefined) this.watched.push({ ms, stalled });
    return this;
  }
}

/** What a test can see of a process that is not one. */
export interface FakeProcess extends EventEmitter {
  exitCode: number | undefined;
  /** With what it was ended, in turn. */
  readonly exits: (number | undefined)[];
  readonly stdout: FakeOutput;
  readonly stderr: FakeOutput;
}

/** Puts another process in the place of this one, until the test ends: signals, outputs and ends are those of the test. */
export function fakeProcess(parts: object = {}): FakeProcess {
  const real = globalThis.process;
  const exits: (number | undefined)[] = [];
  const own = Object.assign(new EventEmitter(), {
    pid: 4711,
    env: {},
    cwd: () => "/here",
    stdin: Readable.from([Buffer.from("in"), Buffer.from("put")]),
    stdout: new FakeOutput(),
    stderr: new FakeOutput(),
    exitCode: undefined,
    exits,
    exit: (code?: number) => void exits.push(code),
    ...parts,
  });
  vi.stubGlobal(
    "process",
    new Proxy(real, {
      get: (_, name) => Reflect.get(name in own ? own : real, name),
      set: (_, name, value) => Reflect.set(own, name, value),
    }),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return own;
}
