import { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { InHand } from "./in-hand.js";
import type { RelayResponse } from "./relay-response.js";

const never = new Promise<void>(() => {});

/** Whether a promise is fulfilled by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await new Promise(setImmediate);
  return over;
}

/** A response that says when it is over, as those of HTTP/2 do. */
function response(more: object = {}) {
  const fields = { stream: {}, destroyed: false, writableFinished: false, ...more };
  // No more of a response is used.
  return Object.assign(new EventEmitter(), fields) as unknown as RelayResponse & EventEmitter;
}

test("closing waits until all requests are answered, or until the deadline", async () => {
  const inHand = new InHand();
  expect(await isOver(inHand.close(never))).toBe(true);
  inHand.begin();
  inHand.begin();
  expect(await isOver(inHand.close(Promise.resolve()))).toBe(true);
  const closed = inHand.close(never);
  inHand.end();
  expect(await isOver(closed)).toBe(false);
  inHand.end();
  expect(await isOver(closed)).toBe(true);
});

test.each([["finish"], ["close"], ["finish", "close"], ["close", "finish", "close"]])(
  "an answer that something sends later is over once, with %s",
  async (...events) => {
    const inHand = new InHand();
    const res = response();
    inHand.begin();
    inHand.begin();
    inHand.endWith(res);
    const closed = inHand.close(never);
    for (const event of events) res.emit(event);
    // Of the other one nothing is known.
    expect(await isOver(closed)).toBe(false);
    inHand.end();
    expect(await isOver(closed)).toBe(true);
  },
);

test.each([
  ["has been sent", { writableFinished: true }],
  ["belongs to a client that has gone", { destroyed: true }],
  ["does not say when it is over", { stream: undefined }],
  [
    "cannot be listened to",
    {
      once() {
        throw new Error("no listeners");
      },
    },
  ],
])("an answer that %s is over at once", async (_, more) => {
  const inHand = new InHand();
  inHand.begin();
  inHand.endWith(response(more));
  expect(await isOver(inHand.close(never))).toBe(true);
});

test("an answer that nothing stands before is over at once, however slowly it is read", async () => {
  const inHand = new InHand();
  const socket = new Socket();
  const res = new ServerResponse(new IncomingMessage(socket));
  res.assignSocket(socket);
  inHand.begin();
  inHand.endWith(res);
  expect(await isOver(inHand.close(never))).toBe(true);
  socket.destroy();
});
