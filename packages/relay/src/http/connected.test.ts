import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { untilConnected } from "./connected.js";

function connection(): Socket {
  const socket = new Socket();
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** A request that has come on a connection, and its response, which gets the connection when it is its turn. */
function exchange(socket: Socket) {
  const req = new IncomingMessage(socket);
  return { req, res: new ServerResponse(req) };
}

test("a response that has its connection, or needs none, does not wait for one", () => {
  const { req, res } = exchange(connection());
  res.assignSocket(req.socket);
  expect(untilConnected(req, res)).toBeUndefined();
  // Requests and responses of frameworks for tests.
  const { res: own } = exchange(connection());
  expect(untilConnected(Object.assign(new PassThrough(), { headers: {} }), own)).toBeUndefined();
  const foreign = Object.assign(exchange(connection()).req, { socket: new PassThrough() });
  expect(untilConnected(foreign as unknown as IncomingMessage, own)).toBeUndefined();
});

test("a response waits until it gets its connection", async () => {
  const { req, res } = exchange(connection());
  const connected = untilConnected(req, res);
  let is = false;
  void connected?.then(() => {
    is = true;
  });
  await new Promise(setImmediate);
  expect(is).toBe(false);
  res.assignSocket(req.socket);
  await connected;
  expect(res.listenerCount("socket")).toBe(0);
});

test("a connection on which seventeen wait at once is ended, whatever waited before or waits on another", async () => {
  const [socket, other] = [connection(), connection()];
  for (let n = 0; n < 40; n++) {
    const { req, res } = exchange(socket);
    const connected = untilConnected(req, res);
    res.emit("socket", socket);
    await connected;
  }
  const wait = (on: Socket) => {
    const { req, res } = exchange(on);
    void untilConnected(req, res);
  };
  for (let n = 0; n < 16; n++) wait(socket);
  for (let n = 0; n < 16; n++) wait(other);
  expect([socket.destroyed, other.destroyed]).toEqual([false, false]);
  wait(socket);
  expect([socket.destroyed, other.destroyed]).toEqual([true, false]);
});

test("of many that wait on a connection one that gets it leaves room for one more", () => {
  const socket = connection();
  const wait = () => {
    const { req, res } = exchange(socket);
    void untilConnected(req, res);
    return res;
  };
  const [first] = Array.from({ length: 16 }, wait);
  first?.emit("socket", socket);
  wait();
  expect(socket.destroyed).toBe(false);
  wait();
  expect(socket.destroyed).toBe(true);
});
