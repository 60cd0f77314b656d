import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { server, turn } from "./event-relay.js";
import { keys, type Running, startRelay } from "./start-relay.js";

const mebibyte = 1024 * 1024;

/** A post whose body is sent bit by bit. */
interface SlowPost {
  readonly req: ClientRequest;
  readonly status: () => number | undefined;
  write(bytes: Buffer): Promise<void>;
}

function slowPost(
  { url }: Running,
  path: string,
  headers: Record<string, string>,
  method = "POST",
): SlowPost {
  let answer: IncomingMessage | undefined;
  const req = request(url + path, { method, headers, agent: false });
  req.on("response", (res) => {
    answer = res.resume();
  });
  // The relay ends connections whose bodies it does not take.
  req.on("error", () => {});
  onTestFinished(() => void req.destroy());
  return {
    req,
    status: () => answer?.statusCode,
    write: (bytes) => new Promise((resolve) => req.write(bytes, () => resolve())),
  };
}

test("uploads that stall hold 64 MiB at most: the oldest gives way, the others arrive", {
  timeout: 300_000,
}, async () => {
  const relay = await startRelay();
  const blanks = Buffer.alloc(9 * mebibyte, " ");
  const stalled: SlowPost[] = [];
  for (let n = 0; n < 12; n++) {
    const one = slowPost(relay, "/bulk", server);
    stalled.push(one);
    await one.write(blanks);
  }
  while (stalled[0]?.status() === undefined) await turn();
  expect(stalled[0].status()).toBe(503);
  const newest = stalled.at(-1);
  newest?.req.end('[{"kind":"x"}]');
  while (newest?.status() === undefined) await turn();
  expect(newest.status()).toBe(202);
  const [post] = await relay.upstream.takePosts(1);
  expect(post?.body).toEqual([{ kind: "x" }]);
});

test("a context that is on its way longest gives way as well", async () => {
  const relay = await startRelay();
  const headers = { authorization: keys.sdkKey, "content-type": "application/json" };
  const context = slowPost(relay, "/sdk/evalx/context", headers, "REPORT");
  await context.write(Buffer.from("{"));
  for (let n = 0; n < 12; n++) await slowPost(relay, "/bulk", server).write(Buffer.alloc(9 * mebibyte, " "));
  while (context.status() === undefined) await turn();
  expect(context.status()).toBe(503);
});

test("what was given up makes room: uploads can follow each other for ever", {
  timeout: 300_000,
}, async () => {
  const relay = await startRelay();
  const blanks = Buffer.alloc(9 * mebibyte, " ");
  for (let n = 0; n < 16; n++) {
    const aborted = slowPost(relay, "/bulk", server);
    await aborted.write(blanks);
    aborted.req.destroy();
  }
  const slow = slowPost(relay, "/bulk", server);
  await slow.write(blanks);
  for (let n = 0; n < 16; n++) {
    const whole = slowPost(relay, "/bulk", server);
    whole.req.end(Buffer.concat([blanks, Buffer.from("[]")]));
    while (whole.status() === undefined) await turn();
    expect(whole.status()).toBe(202);
  }
  slow.req.end("[]");
  while (slow.status() === undefined) await turn();
  expect(slow.status()).toBe(202);
});
