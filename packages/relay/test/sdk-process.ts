import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** An SDK of another language in a process of its own. */
export interface SdkProcess {
  /** Sends a command and gives its answer. */
  ask(command: SdkCommand): Promise<unknown>;
  /** Ends the process in an orderly way; gives all that it complained about. */
  stop(): Promise<string>;
}

/** What the programs in `sdk-programs/` understand. */
export interface SdkCommand {
  readonly do: "ready" | "detail" | "all" | "identify" | "track" | "flush";
  readonly user?: string;
  readonly key?: string;
  readonly data?: unknown;
}

/** Starts a program of `sdk-programs/`, which ends with the test at the latest. */
export function startSdkProcess([program, ...args]: readonly string[]): SdkProcess {
  if (program === undefined) throw new TypeError("an SDK is started with a program");
  // Without the environment of the test: no proxy comes between the SDK and the relay.
  const child = spawn(program, args, { env: {}, stdio: "pipe" });
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  // A command to a process that has ended is answered below.
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", (error) => {
      complaints += error;
      resolve();
    });
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    async ask(command) {
      child.stdin.write(`${JSON.stringify({ user: "alice", ...command })}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${program} has ended: ${complaints}`);
      return JSON.parse(value);
    },
    async stop() {
      child.stdin.end();
      await ended;
      return complaints;
    },
  };
}
