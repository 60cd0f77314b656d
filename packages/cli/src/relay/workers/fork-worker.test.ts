import cluster from "node:cluster";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forkWorker } from "./fork-worker.js";

test("a worker to which something was written when it had just been killed has ended, and that is all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wye-fork-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const exec = join(folder, "waits.cjs");
  writeFileSync(exec, "setInterval(() => {}, 1000);");
  cluster.setupPrimary({ exec });
  const member = forkWorker(7);
  // As Node tells that it could not write to its channel.
  for (const worker of Object.values(cluster.workers ?? {}))
    worker?.process.emit("error", new Error("write EPIPE"));
  member.kill();
  expect(await member.ended).toBe("SIGKILL");
});
