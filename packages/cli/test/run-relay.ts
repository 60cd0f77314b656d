import { onTestFinished } from "vitest";
import { type ExitCode, type Host, run } from "../src/index.js";
import { makeFolder } from "./run-program.js";

/** A relay that runs in this process. */
export interface RunningRelay {
  readonly cwd: string;
  /** Everything that it has printed so far. */
  readonly printed: () => string;
  /** Where SDKs are served. */
  readonly base: string;
  /** Resolves when this was printed, `times` times. */
  until(text: string, times?: number): Promise<void>;
  /** As SIGHUP. */
  reload(): void;
  /** As SIGTERM; resolves with how it has ended. */
  end(): Promise<ExitCode>;
}

/** Starts `wye relay` on a free port, and waits until it listens or has ended. It ends with the test. */
export async function startRelay(
  args: readonly string[],
  { cwd = makeFolder(), env = {} }: Partial<Pick<Host, "cwd" | "env">> = {},
): Promise<RunningRelay> {
  const ending = new AbortController();
  const reloads = new Set<() => void>();
  const waiting = new Set<() => void>();
  let printed = "";
  const write = (text: string) => {
    printed += text;
    for (const look of waiting) look();
  };
  const ended = run(["relay", ...args, "--port", "0", "--host", "127.0.0.1"], {
    cwd,
    env,
    readInput: async () => new Uint8Array(),
    interrupted: ending.signal,
    onReload(listener) {
      reloads.add(listener);
      return () => reloads.delete(listener);
    },
    out: { write },
    err: { write },
  });
  onTestFinished(async () => {
    ending.abort();
    await ended;
  });
  const until = (text: string, times = 1) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (printed.split(text).length <= times) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void ended.then((code) => reject(new Error(`ended with ${code} before "${text}":\n${printed}`)));
    });
  await until("listening on port");
  const port = /listening on port (\d+)/.exec(printed)?.[1];
  return {
    cwd,
    printed: () => printed,
    base: `http://127.0.0.1:${port}`,
    until,
    reload() {
      for (const listener of reloads) listener();
    },
    end() {
      ending.abort();
      return ended;
    },
  };
}
