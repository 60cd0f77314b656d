import { env } from "node:process";
import type { Host } from "./host.js";

/** The host that is this process. The first interruption is asked for, the second ends the program. */
export function processHost(): Host {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  // A reader that has seen enough, such as `head`, is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    cwd: process.cwd(),
    env,
    out: process.stdout,
    err: process.stderr,
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
    interrupted: controller.signal,
    onReload: (listener) => {
      process.on("SIGHUP", listener);
      return () => process.off("SIGHUP", listener);
    },
  };
}
