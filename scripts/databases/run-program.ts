import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "./until.js";

/** A program that a test has started. */
export interface RunningProgram {
  /** Halts or continues it: connections stay open and nobody answers. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Ends it the hard way. */
  stop(): Promise<void>;
}

/** Starts a program and waits until `answers` says that it does; what is thrown means not yet. */
export async function runProgram(
  command: string,
  parameters: readonly string[],
  answers: () => Promise<boolean>,
): Promise<RunningProgram> {
  // Some leave files where they are started.
  const child = spawn(command, parameters, { cwd: tmpdir(), stdio: "ignore" });
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  async function stop(): Promise<void> {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  try {
    await until(
      async () => {
        if (failure !== undefined) throw failure;
        if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
        return await answers().catch((error: unknown) => error);
      },
      (answer) => answer === true,
      () => pause(100),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { signal: (name) => void child.kill(name), stop };
}
