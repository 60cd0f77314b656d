import cluster, { type Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
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

/** A worker that Node would have started, with what it is sent and how it is ended. */
function fakeWorker({ isConnected = true } = {}) {
  const process = Object.assign(new EventEmitter(), { send: () => true, kill: vi.fn() });
  const parts = { process, isConnected: () => isConnected, send: vi.fn() };
  const worker = Object.assign(new EventEmitter(), parts);
  const fork = vi.spyOn(cluster, "fork").mockReturnValue(worker as unknown as Worker);
  const setupPrimary = vi.spyOn(cluster, "setupPrimary").mockImplementation(() => {});
  onTestFinished(() => {
    fork.mockRestore();
    setupPrimary.mockRestore();
  });
  return { worker, process, fork, setupPrimary, member: forkWorker(7) };
}

test("a worker is told its number, what it is told may have anything in it that can be copied, and connections that it leaves go to others", () => {
  const { worker, fork, setupPrimary, member } = fakeWorker();
  expect(fork.mock.calls).toEqual([[{ RELAY_WORKER_NUMBER: "7" }]]);
  expect(setupPrimary.mock.calls).toEqual([[{ serialization: "advanced" }]]);
  member.send({ type: "reload" });
  expect(worker.send.mock.calls).toEqual([[{ type: "reload" }, expect.any(Function)]]);
  expect(worker.process.listenerCount("internalMessage")).toBe(1);
  // As many as want to may ask it at once.
  expect(worker.getMaxListeners()).toBe(0);
});

test("a worker is heard until nobody wants to hear it any more, and is told nothing once it is gone", () => {
  const { worker, member } = fakeWorker({ isConnected: false });
  const heard: unknown[] = [];
  const stop = member.listen((message) => void heard.push(message));
  worker.emit("message", { type: "heard" });
  stop();
  worker.emit("message", { type: "heard" });
  member.send({ type: "reload" });
  expect([heard, worker.send.mock.calls]).toEqual([[{ type: "heard" }], []]);
});

test.each([
  [0, null, 0],
  [3, null, 3],
  [null, "SIGSEGV", "SIGSEGV"],
])("a worker whose process ends with %s and %s has ended with %s", async (code, signal, how) => {
  const { process, member } = fakeWorker();
  member.kill();
  expect(process.kill.mock.calls).toEqual([["SIGKILL"]]);
  process.emit("exit", code, signal);
  expect(await member.ended).toBe(how);
});
