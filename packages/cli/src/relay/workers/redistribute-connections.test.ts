import type { Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { redistributeConnections } from "./redistribute-connections.js";

/** A worker that is no process, with what it was sent, and the answers to which Node listens. */
function createWorker() {
  const sent: unknown[] = [];
  const answers: unknown[] = [];
  const process = Object.assign(new EventEmitter(), {
    send: (...all: unknown[]) => {
      sent.push(all);
      return "sent";
    },
  });
  const worker = Object.assign(new EventEmitter(), { process });
  redistributeConnections(worker as unknown as Worker);
  process.on("internalMessage", (message) => void answers.push(message));
  const hand = (seq: number | undefined, cmd = "NODE_CLUSTER", act = "newconn") =>
    process.send({ cmd, act, seq }, `handle ${seq}`);
  const take = (ack: number) => process.emit("internalMessage", { cmd: "NODE_CLUSTER", ack });
  const end = () => process.emit("exit");
  onTestFinished(() => void end());
  return { worker, sent, answers, hand, take, end };
}

const turns = async () => {
  for (let count = 0; count < 4; count++) await new Promise(setImmediate);
};

const given = (ack: number, accepted: boolean) => ({ cmd: "NODE_CLUSTER", ack, accepted });

test("connections that a worker was handed and has not taken when it ends go to another one that listens", async () => {
  const [first, second] = [createWorker(), createWorker()];
  for (const { worker } of [first, second]) worker.emit("listening");
  for (const seq of [1, 2, 3, 4]) expect(first.hand(seq)).toBe("sent");
  expect(first.sent[0]).toEqual([{ cmd: "NODE_CLUSTER", act: "newconn", seq: 1 }, "handle 1"]);
  first.take(2);
  first.hand(5, "OTHER");
  first.hand(6, "NODE_CLUSTER", "close");
  first.hand(undefined);
  second.hand(7);
  first.answers.length = 0;
  first.end();
  // What it has said before its end is read behind it.
  first.take(4);
  await turns();
  expect(first.answers.slice(1)).toEqual([given(1, false), given(3, false)]);
  expect([second.answers, second.sent.length]).toEqual([[], 1]);
});

test("what a worker has said is waited for two turns after its end, and no longer", async () => {
  const { hand, take, end, answers } = createWorker();
  for (const seq of [1, 2]) hand(seq);
  // The second turn from now is the last one.
  const said = new Promise<void>((resolve) => {
    setImmediate(() =>
      setImmediate(() => {
        take(1);
        setImmediate(resolve);
      }),
    );
  });
  end();
  await said;
  expect(answers.slice(1)).toEqual([given(2, true)]);
});

test("where no other one listens they are closed", async () => {
  const [first, second, third] = [createWorker(), createWorker(), createWorker()];
  for (const { worker, hand } of [first, second]) {
    worker.emit("listening");
    hand(1);
  }
  second.end();
  await turns();
  expect(second.answers).toEqual([given(1, false)]);
  first.end();
  await turns();
  expect([first.answers, third.answers]).toEqual([[given(1, true)], []]);
});
