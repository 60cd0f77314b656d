import { EventEmitter } from "node:events";
import { createServer, IncomingMessage, request, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { Downloads } from "./downloads.js";
import type { RelayResponse } from "./relay-response.js";

const large = 64 * 1024;
const never = new Promise<void>(() => {});
const turn = () => new Promise(setImmediate);

/** A response that says when it is over, as those of HTTP/2 do. */
function fakeResponse(more: object = {}) {
  const done: unknown[] = [];
  const fields = {
    ...{ stream: {}, destroyed: false, writableEnded: false, closed: false },
    end: (body: unknown) => void done.push(["end", body]),
    destroy: () => void done.push("destroy"),
    ...more,
  };
  const emitter = Object.assign(new EventEmitter(), fields);
  // No more of a response is used.
  return { res: emitter as unknown as RelayResponse, emitter, done };
}

/** Whether a promise is fulfilled by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await turn();
  return over;
}

test("closing waits for all large bodies that are on their way, and for none twice", async () => {
  const downloads = new Downloads();
  const [one, two] = [fakeResponse(), fakeResponse()];
  const body = "x".repeat(large);
  for (const { res } of [one, two]) downloads.end(res, body);
  const closed = downloads.close(never);
  expect(await isOver(closed)).toBe(false);
  one.emitter.emit("close");
  expect(await isOver(closed)).toBe(false);
  two.emitter.emit("close");
  expect(await isOver(closed)).toBe(true);
  expect([one.done, two.done]).toEqual([[["end", body]], [["end", body]]]);
});

test("closing cuts off what has not arrived at the deadline", async () => {
  const downloads = new Downloads();
  const [slow, quick] = [fakeResponse(), fakeResponse()];
  for (const { res } of [slow, quick]) downloads.end(res, Buffer.alloc(large));
  quick.emitter.emit("close");
  let expire = () => {};
  const closed = downloads.close(
    new Promise((resolve) => {
      expire = resolve;
    }),
  );
  expect(await isOver(closed)).toBe(false);
  expire();
  await closed;
  expect([slow.done.at(-1), quick.done.length]).toEqual(["destroy", 1]);
});

test.each([
  ["is smaller", large - 1, {}],
  ["belongs to a response that is gone", large, { destroyed: true }],
  ["belongs to a response that does not say when it is over", large, { stream: undefined }],
])("closing does not wait for a body that %s", async (_, size, more) => {
  const downloads = new Downloads();
  const { res, emitter, done } = fakeResponse(more);
  const body = "x".repeat(size);
  downloads.end(res, body);
  await downloads.close(never);
  expect([done, emitter.listenerCount("close")]).toEqual([[["end", body]], 0]);
});

test("nothing that is sent after the end is waited for", async () => {
  const downloads = new Downloads();
  await downloads.close(never);
  const { res, emitter, done } = fakeResponse();
  downloads.end(res, "x".repeat(large));
  expect([done.length, emitter.listenerCount("close")]).toEqual([1, 0]);
});

/** The port of a server that answers so. */
async function portOf(answer: (res: ServerResponse) => void): Promise<number> {
  const server = createServer((_, res) => answer(res));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** What a client gets of a server that answers so. */
async function answerOf(answer: (res: ServerResponse) => void): Promise<number> {
  const port = await portOf(answer);
  return await new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", agent: false }, (response) => {
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
      });
      response.on("end", () => resolve(length));
    })
      .on("error", reject)
      .end();
  });
}

for (const when of ["before", "after"])
  test.each([0, 10, large - 1, large, 40 * large])(
    `a body of %i bytes that is sent ${when} the end arrives, and is free once`,
    async (size) => {
      const downloads = new Downloads();
      let frees = 0;
      if (when === "after") await downloads.close(never);
      const length = await answerOf((res) => downloads.end(res, Buffer.alloc(size), () => frees++));
      await downloads.close(never);
      expect([length, frees]).toEqual([size, 1]);
    },
  );

test("what looks at all that is written does not see a body twice, and its memory is not given back", async () => {
  const downloads = new Downloads();
  let [writes, frees] = [0, 0];
  const length = await answerOf((res) => {
    const write = res.write.bind(res);
    res.write = (...given: readonly unknown[]) => {
      writes++;
      return write(...(given as Parameters<typeof write>));
    };
    downloads.end(res, "x".repeat(large), () => frees++);
  });
  expect([length, writes, frees]).toEqual([large, 0, 0]);
});

test("the memory of a body that the system has taken is free at once", async () => {
  const downloads = new Downloads();
  const frees: string[] = [];
  await answerOf((res) => {
    downloads.end(res, Buffer.alloc(10), () => frees.push("free"));
    frees.push("sent");
  });
  expect(frees).toEqual(["free", "sent"]);
});

test("what has been put around a response sees the body with the end, and its memory is not given back", async () => {
  const downloads = new Downloads();
  const seen: unknown[] = [];
  let frees = 0;
  await answerOf((res) => {
    const end = res.end.bind(res);
    res.end = (body: unknown) => {
      seen.push(body);
      return end();
    };
    downloads.end(res, "x".repeat(large), () => frees++);
  });
  expect([seen, frees]).toEqual([["x".repeat(large)], 0]);
});

test("the memory of a large body whose reader goes away is not given back, and its response is over", async () => {
  const downloads = new Downloads();
  let frees = 0;
  let answer = (_res: ServerResponse) => {};
  const answering = new Promise<ServerResponse>((resolve) => {
    answer = resolve;
  });
  const client = connect(await portOf((res) => answer(res)), "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nHost: any\r\n\r\n");
  const res = await answering;
  // More than the system takes of a reader who reads nothing.
  downloads.end(res, Buffer.alloc(1024 * large), () => frees++);
  const closed = downloads.close(never);
  client.destroy();
  await closed;
  await expect.poll(() => res.writableEnded).toBe(true);
  expect(frees).toBe(0);
});

test("the memory of a body is not given back before its reader has taken it, after the end neither", async () => {
  const downloads = new Downloads();
  await downloads.close(never);
  let frees = 0;
  let answered = () => {};
  const answering = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const port = await portOf((res) => {
    downloads.end(res, Buffer.alloc(1024 * large), () => frees++);
    answered();
  });
  const client = connect(port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  client.write("GET / HTTP/1.1\r\nHost: any\r\n\r\n");
  await answering;
  await turn();
  expect(frees).toBe(0);
  client.resume();
  await expect.poll(() => frees).toBe(1);
});

test("closing does not wait for a response that has no connection", async () => {
  const downloads = new Downloads();
  downloads.end(new ServerResponse(new IncomingMessage(new Socket())), Buffer.alloc(large));
  await expect(downloads.close(never)).resolves.toBeUndefined();
});

test("the memory of a body is not given back that something in place of a connection may keep", async () => {
  const downloads = new Downloads();
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const kept: unknown[] = [];
  const inPlace = new Writable({
    write(chunk, _, done) {
      kept.push(chunk);
      done();
    },
  });
  // What tools for tests give to Node.
  res.assignSocket(inPlace as Socket);
  let frees = 0;
  downloads.end(res, Buffer.alloc(10), () => frees++);
  await expect.poll(() => kept.length).toBeGreaterThan(0);
  await turn();
  expect(frees).toBe(0);
});
