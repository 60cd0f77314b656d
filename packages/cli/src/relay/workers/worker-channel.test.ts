import cluster from "node:cluster";
import type { EventEmitter } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { fakeProcess } from "../../../test/fake-process.js";
import { createReloadRequests } from "../reload-requests.js";
import { runRelay } from "../run-relay.js";
import { leaveCrew, thisWorker } from "./worker-channel.js";

/** A process that was started by another one, with what it has said to that. */
function startedProcess({ isWorker = true, connected = true, number = "3" } = {}) {
  const before = cluster.isWorker;
  Object.assign(cluster, { isWorker });
  onTestFinished(() => void Object.assign(cluster, { isWorker: before }));
  const said: unknown[] = [];
  let disconnected = 0;
  const line = {
    connected,
    env: number === "" ? {} : { RELAY_WORKER_NUMBER: number },
    send: (message: unknown, done: unknown) => void said.push([message, typeof done]),
    disconnect: () => void disconnected++,
  };
  const fake: EventEmitter & { exitCode: number | undefined } = fakeProcess(line);
  return { fake, said, line, disconnected: () => disconnected };
}

test("a worker knows its number, and hears what it is told until it wants to hear no more", () => {
  const { fake, said } = startedProcess();
  const worker = thisWorker();
  expect([worker?.number, worker?.ended.aborted]).toEqual([3, false]);
  const heard: unknown[] = [];
  const stop = worker?.listen((message) => void heard.push(message));
  fake.emit("message", { type: "reload" });
  stop?.();
  fake.emit("message", { type: "reload" });
  expect(heard).toEqual([{ type: "reload" }]);
  worker?.send({ type: "configure" });
  expect(said).toEqual([[{ type: "configure" }, "function"]]);
  expect(worker?.ended.aborted).toBe(false);
});

test.each([
  ["is asked to end", "message", { type: "end" }],
  ["is alone", "disconnect", undefined],
])("a worker that %s ends", (_, event, message) => {
  const { fake } = startedProcess();
  const worker = thisWorker();
  fake.emit(event, message);
  expect(worker?.ended.aborted).toBe(true);
});

test("a worker that is alone says nothing", () => {
  const { said } = startedProcess({ connected: false });
  thisWorker()?.send({ type: "configure" });
  expect(said).toEqual([]);
});

test.each([
  ["of no cluster", { isWorker: false }],
  ["of a cluster of others", { number: "" }],
])("a process %s is no worker", (_, parts) => {
  startedProcess(parts);
  expect(thisWorker()).toBeUndefined();
});

test("a process to which nobody listens is no worker", () => {
  const { line } = startedProcess();
  fakeProcess({ ...line, send: undefined });
  expect(thisWorker()).toBeUndefined();
});

test("a worker that leaves ends with its code, whatever Node makes of that", () => {
  const { fake, disconnected } = startedProcess();
  leaveCrew(2);
  expect([disconnected(), fake.exitCode]).toEqual([1, undefined]);
  fake.exitCode = 0;
  fake.emit("exit");
  expect(fake.exitCode).toBe(2);
});

test.each([{ isWorker: false }, { connected: false }])("whoever has no crew leaves none: %j", (parts) => {
  const { fake, disconnected } = startedProcess(parts);
  leaveCrew(2);
  fake.emit("exit");
  expect([disconnected(), fake.exitCode]).toEqual([0, undefined]);
});

test("a worker that cannot be used as it was started ends with 2", async () => {
  const { fake } = startedProcess();
  const stream = { write: () => {} };
  const interrupted = new AbortController().signal;
  const host = {
    cwd: "/",
    env: {},
    out: stream,
    err: stream,
    interrupted,
    readInput: async () => new Uint8Array(),
  };
  await expect(runRelay({ json: true }, host, createReloadRequests({}))).rejects.toThrow("--json needs");
  fake.emit("exit");
  expect(fake.exitCode).toBe(2);
});
