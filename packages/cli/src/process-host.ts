import { constants } from "node:os";
import { endWhenStalled } from "./end-when-stalled.js";
import type { ExitCode } from "./exit-code.js";
import type { Host } from "./host.js";
import { outlivesTerminal } from "./outlives-terminal.js";
import { readAtMost } from "./read-at-most.js";

/** The host that is a process, which ends with what it hosts. */
export interface ProcessHost extends Host {
  /** Ends with this code when nothing is left to do, or to be waited for. */
  end(code: ExitCode): void;
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** What serves others ends although its last lines were not taken when its reader has taken nothing for so long: it may hang for ever. */
const longestStallMs = 2000;

/**
 * The host that is this process. Once a command has looked at `interrupted` the first signal is asked for there, and the second
 * ends the program; until then the first one does, since nobody would hear of it.
 */
export function processHost(): ProcessHost {
  const controller = new AbortController();
  let listens = false;
  let isAsked = false;
  // The first process of a container gets only the signals that it listens to: none of them ends it by itself.
  if (process.pid === 1)
    for (const signal of signals)
      process.on(signal, () => {
        if (!listens || isAsked) process.exit(128 + constants.signals[signal]);
        isAsked = true;
        controller.abort();
      });
  let servesOthers = false;
  let wasTold = false;
  let leavesBehind = false;
  let reloaders = 0;
  const listen = (): void => {
    if (listens) return;
    listens = true;
    if (process.pid !== 1) for (const signal of signals) process.once(signal, () => controller.abort());
    // A terminal that was closed ends what ran in it, as gently.
    const goesOn = outlivesTerminal();
    const hangUp = (): void => {
      if (goesOn || reloaders > 0) return;
      process.off("SIGHUP", hangUp);
      controller.abort();
    };
    process.on("SIGHUP", hangUp);
  };
  // A reader that has seen enough, such as `head`, is no error, and changes no verdict; what goes on for long has no more use,
  // unless it serves others. A terminal that was closed has ended what ran in it.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (servesOthers && !process.stdout.isTTY) {
      if (!wasTold) process.stderr.write(`wye: lines are lost: ${error.message}\n`);
      wasTold = true;
      return;
    }
    controller.abort();
    if (error.code === "EPIPE") return;
    process.stderr.write(`wye: cannot write: ${error.message}\n`);
    process.exitCode = 2;
  });
  // Nobody is left who could be told. What serves others goes on all the same.
  process.stderr.on("error", () => {});
  return {
    cwd: process.cwd(),
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    readInput: (maxBytes) => readAtMost(process.stdin, maxBytes),
    get interrupted() {
      listen();
      return controller.signal;
    },
    outliveOutput: () => {
      servesOthers = true;
    },
    leaveBehind: () => {
      leavesBehind = true;
    },
    onReload: (listener) => {
      reloaders += 1;
      process.on("SIGHUP", listener);
      return () => {
        reloaders -= 1;
        process.off("SIGHUP", listener);
      };
    },
    end: (code) => {
      // An output that fails has its say before, or after.
      process.exitCode ??= code;
      // Behind all that was written.
      if (leavesBehind) process.stdout.write("", () => process.exit());
      if (servesOthers) endWhenStalled([process.stdout, process.stderr], longestStallMs);
    },
  };
}
