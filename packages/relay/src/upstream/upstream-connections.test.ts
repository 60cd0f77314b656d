import { getEventListeners, once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { UpstreamRequest } from "../options/resolved-sections.js";
import { readLimited } from "../sources/read-limited.js";
import { UpstreamConnections } from "./upstream-connections.js";

const whole = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx";
const half = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx";

/** Connections to a server that does one of these with each question, the last of them for ever; counts the questions. */
async function setUp(...answers: readonly ((socket: Socket) => void)[]) {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", () => answers[Math.min(asked++, answers.length - 1)]?.(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connections = new UpstreamConnections(60_000);
  onTestFinished(() => {
    connections.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const question: UpstreamRequest = {
    ...{ origin, path: "/", method: "GET", headers: {} },
    ...{ signal: new AbortController().signal, headersTimeout: 60_000, bodyTimeout: 60_000 },
  };
  return {
    connections,
    sockets,
    question,
    ask: async (more: Partial<UpstreamRequest> = {}) => {
      const { body } = await connections.request({ ...question, ...more });
      return (await readLimited(body, 100)).toString();
    },
    get asked() {
      return asked;
    },
  };
}

const answerWhole = (socket: Socket) => void socket.write(whole);

/** Timers that nothing but the test lets go off. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("a kept connection that is cut off in the middle of an answer is a failure, and is not made up for", async () => {
  const running = await setUp(answerWhole, (socket) => void socket.write(half), answerWhole);
  await running.ask();
  const { body } = await running.connections.request(running.question);
  for (const socket of running.sockets) socket.resetAndDestroy();
  await expect(readLimited(body, 100)).rejects.toThrow();
  expect(await running.ask()).toBe("x");
  expect(running.asked).toBe(3);
});

test("a kept connection that is silent is a failure, and is not made up for", async () => {
  fakeTimers();
  const running = await setUp(answerWhole, () => {}, answerWhole);
  await running.ask();
  const asked = expect(running.ask({ headersTimeout: 20 })).rejects.toThrow("no answer within 20 ms");
  await expect.poll(() => running.asked, { interval: 5 }).toBe(2);
  vi.advanceTimersByTime(20);
  await asked;
  expect(await running.ask()).toBe("x");
  expect(running.asked).toBe(3);
});

test("a new connection that is cut off is a failure", async () => {
  const running = await setUp((socket) => socket.resetAndDestroy(), answerWhole);
  await expect(running.ask()).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(running.asked).toBe(1);
});

test("one time at a time runs until an answer begins, and nobody listens for the end afterwards", async () => {
  fakeTimers();
  const timers: number[] = [];
  const running = await setUp((socket) => {
    timers.push(vi.getTimerCount());
    socket.write(whole);
  });
  const { signal } = new AbortController();
  const { body } = await running.connections.request({ ...running.question, signal });
  timers.push(vi.getTimerCount());
  expect((await readLimited(body, 100)).toString()).toBe("x");
  expect(timers).toEqual([1, 0]);
  await expect.poll(() => getEventListeners(signal, "abort"), { interval: 5 }).toEqual([]);
});

test("no time runs, and nobody listens for the end, once a question has failed", async () => {
  fakeTimers();
  const running = await setUp((socket) => void socket.destroy());
  const { signal } = new AbortController();
  await expect(running.ask({ signal })).rejects.toThrow();
  await expect.poll(() => getEventListeners(signal, "abort"), { interval: 5 }).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("who is told to stop while an answer comes is told why by its body", async () => {
  const { connections, question } = await setUp((socket) => void socket.write(half));
  const ending = new AbortController();
  const { body } = await connections.request({ ...question, signal: ending.signal });
  const read = expect(readLimited(body, 100)).rejects.toThrow("no more time");
  ending.abort(new Error("no more time"));
  await read;
});

test("an address in brackets is that of a host, not its name", async () => {
  const { connections, question } = await setUp();
  // Nobody listens there.
  await expect(connections.request({ ...question, origin: "http://[::1]:1" })).rejects.toMatchObject({
    syscall: "connect",
  });
});

test("closing gives up connections that are not secure yet", async () => {
  const { connections, question, sockets } = await setUp(() => {});
  const origin = question.origin.replace("http:", "https:");
  const asked = expect(connections.request({ ...question, origin })).rejects.toThrow(
    /hang up|closed|disconnected/,
  );
  await expect.poll(() => sockets.size, { interval: 5 }).toBe(1);
  connections.close();
  await asked;
  await expect.poll(() => sockets.size, { interval: 5 }).toBe(0);
});
