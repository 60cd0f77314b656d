import { getEventListeners } from "node:events";
import { createRelay } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import type { Host } from "../../host.js";
import { hostOf, serveAsWorker, sharedCredentials, sharedText } from "./as-worker.js";
import type { FromWorker, ToWorker } from "./messages.js";
import type { ThisWorker } from "./worker-channel.js";

/** A worker whose line is in the hands of the test. */
function createWorker() {
  const takers = new Set<(message: ToWorker) => void>();
  const said: FromWorker[] = [];
  const ending = new AbortController();
  const worker: ThisWorker = {
    number: 2,
    ended: ending.signal,
    send: (message) => void said.push(message),
    listen(take) {
      takers.add(take);
      return () => takers.delete(take);
    },
  };
  const tell = (message: ToWorker) => {
    for (const take of takers) take(message);
  };
  return { worker, said, tell, takers, end: () => ending.abort() };
}

test("a worker says where it serves, and answers what operators ask, each question by its number", async () => {
  const relay = createRelay({ environments: {}, prometheus: true });
  onTestFinished(() => relay.close({ within: 0 }));
  const { worker, said, tell } = createWorker();
  serveAsWorker(worker, relay, { port: 8030, renew() {} });
  expect(said).toEqual([{ type: "serving", port: 8030 }]);
  const asked = ["GET /status", "GET /metrics", "GET /live", "GET /none", "DELETE /status", "GET //status"];
  for (const [question, line] of asked.entries()) {
    const [method = "", path = ""] = line.split(" ");
    tell({ type: "ask", question, request: { method, path } });
  }
  tell({ type: "reload" });
  await expect.poll(() => said.length).toBe(7);
  const answers = said.flatMap((message) => (message.type === "answer" ? [message] : []));
  expect(answers.map(({ question, answer }) => [question, answer.status, answer.headers])).toMatchObject([
    [0, 200, { "content-type": "application/json" }],
    [1, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }],
    [2, 200, { "content-type": "application/json" }],
    [3, 404, { "content-type": "text/plain; charset=utf-8" }],
    [4, 405, { allow: "GET" }],
    [5, 301, { location: "/status" }],
  ]);
  expect(JSON.parse(answers[0]?.answer.body ?? "")).toMatchObject({ environments: {} });
  expect(answers[1]?.answer.body).toContain("wye_relay_requests_rejected_total");
});

/** What a program has of the world, as it is for a worker whose own end, and that of its program, are in the hands of the test. */
function hostOfWorker() {
  const stop = new AbortController();
  const host: Host = {
    cwd: "/",
    env: {},
    out: { write() {} },
    err: { write() {} },
    readInput: async () => new Uint8Array(),
    interrupted: stop.signal,
  };
  const { worker, tell, end } = createWorker();
  return { own: hostOf(worker, host), tell, end, stop: () => stop.abort() };
}

test("what ends or reloads a program comes to a worker over its line as well", () => {
  const { own, tell, end } = hostOfWorker();
  let reloads = 0;
  const stop = own.onReload?.(() => {
    reloads++;
  });
  tell({ type: "reload" });
  tell({ type: "end" });
  expect([reloads, own.interrupted.aborted]).toEqual([1, false]);
  stop?.();
  tell({ type: "reload" });
  end();
  expect([reloads, own.interrupted.aborted]).toEqual([1, true]);
});

test("a worker that gets a signal of its own ends, too", () => {
  const { own, stop } = hostOfWorker();
  expect(own.interrupted.aborted).toBe(false);
  stop();
  expect(own.interrupted.aborted).toBe(true);
});

test("a worker that has the configuration listens no more for it, however often it is read", async () => {
  const { worker, tell, takers, end } = createWorker();
  for (let count = 0; count < 12; count++) {
    const text = sharedText(worker);
    tell({ type: "configuration", text: `# ${count}` });
    expect(await text).toBe(`# ${count}`);
  }
  expect([getEventListeners(worker.ended, "abort").length, takers.size]).toEqual([0, 0]);
  const text = sharedText(worker);
  end();
  expect([await text, takers.size]).toEqual([{ message: "the worker was asked to end" }, 0]);
  expect(await sharedText(worker)).toEqual({ message: "the worker was asked to end" });
});

const credentials = { certificate: { cert: "c", key: "k" }, authorities: ["a"] };

test("a worker asks for the configuration and for what it proves with who it is, and takes no answer for another", async () => {
  const { worker, said, tell, takers } = createWorker();
  const given: unknown[] = [];
  const text = sharedText(worker).then((one) => given.push(one));
  const identity = sharedCredentials(worker).then((one) => given.push(one));
  expect(said).toEqual([{ type: "configure" }, { type: "identify" }]);
  tell({ type: "reload" });
  tell({ type: "credentials", credentials });
  await identity;
  expect([given, takers.size]).toEqual([[credentials], 1]);
  tell({ type: "configuration", text: "# it" });
  await text;
  expect([given, takers.size]).toEqual([[credentials, "# it"], 0]);
});

test("a worker that is asked to end serves nobody without a proof", async () => {
  const { worker, said, takers, end } = createWorker();
  const asked = sharedCredentials(worker);
  end();
  await expect(asked).rejects.toThrow("the worker was asked to end");
  await expect(sharedCredentials(worker)).rejects.toThrow("the worker was asked to end");
  expect([said, takers.size]).toEqual([[{ type: "identify" }], 0]);
});

test("a worker takes the certificates that it is sent, and nothing else for one", async () => {
  const relay = createRelay({ environments: {} });
  onTestFinished(() => relay.close({ within: 0 }));
  const { worker, said, tell } = createWorker();
  const renewed: unknown[] = [];
  serveAsWorker(worker, relay, { port: 1, renew: (certificate) => void renewed.push(certificate) });
  tell({ type: "reload" });
  tell({ type: "credentials", credentials });
  expect(renewed).toEqual([]);
  tell({ type: "certificate", certificate: credentials.certificate });
  expect(renewed).toEqual([credentials.certificate]);
  expect(said).toEqual([{ type: "serving", port: 1 }]);
});
