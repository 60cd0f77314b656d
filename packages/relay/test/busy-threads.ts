import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Keeps all threads of the process busy until the returned function is called: they wait for somebody to write into a pipe. */
export function keepThreadsBusy(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "busy-threads-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const readers: Promise<FileHandle>[] = Array.from({ length: threads }, () => open(pipe, "r"));
  let released: Promise<void> | undefined;
  const release = () => {
    released ??= (async () => {
      // Ends the waiting of all that have opened it, or will.
      const writer = openSync(pipe, "w");
      for (const reader of await Promise.all(readers)) await reader.close();
      closeSync(writer);
      rmSync(folder, { recursive: true });
    })();
    return released;
  };
  onTestFinished(release);
  return release;
}
