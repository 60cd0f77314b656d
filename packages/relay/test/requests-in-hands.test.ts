import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Relay } from "../src/index.js";
import { server, turn } from "./event-relay.js";
import { keys, startRelay } from "./start-relay.js";

/** A host that does something to requests and responses before the relay has them. */
const after =
  (touch: (req: IncomingMessage, res: ServerResponse) => void) =>
  (relay: Relay): RequestListener =>
  (req, res) => {
    touch(req, res);
    relay.handler(req, res);
  };

function failing(): never {
  throw new Error("the host's own trouble");
}

describe("events arrive whole when the host", () => {
  const hosts: Record<string, (req: IncomingMessage) => void> = {
    "has asked for text": (req) => req.setEncoding("utf8"),
    "has asked for text in base64": (req) => req.setEncoding("base64"),
    "holds the request back": (req) => req.pause(),
  };
  for (const [name, touch] of Object.entries(hosts)) {
    for (const length of [1, 300_000]) {
      test(`${name}, ${length} characters`, async () => {
        const relay = await startRelay({ mount: after(touch) });
        const sent = [{ kind: "x", text: "é".repeat(length) }];
        const answer = await relay.fetch("POST", "/bulk", { headers: server, body: JSON.stringify(sent) });
        expect(answer).toMatchObject({ status: 202 });
        await relay.relay.close();
        expect((await relay.upstream.takePosts()).map(({ body }) => body)).toEqual([sent]);
      });
    }
  }
});

describe("a response that throws ends its own connection and nothing else", () => {
  const methods = ["writeHead", "write", "end"] as const;
  const requests: Record<string, [string, string, string?]> = {
    "a post": ["POST", "/bulk", '[{"kind":"x"}]'],
    "a poll": ["GET", "/sdk/latest-all"],
    "a stream": ["GET", "/all"],
  };
  for (const method of methods) {
    for (const [name, [verb, path, body]] of Object.entries(requests)) {
      // An answer of one piece is not written in others, and a stream does not end.
      if (method === "write" && name !== "a stream") continue;
      if (method === "end" && name === "a stream") continue;
      test(`${method}, ${name}`, async () => {
        const unhandled: unknown[] = [];
        const note = (error: unknown) => unhandled.push(error);
        process.on("uncaughtException", note).on("unhandledRejection", note);
        onTestFinished(() => void process.off("uncaughtException", note).off("unhandledRejection", note));
        const relay = await startRelay({
          mount: after((req, res) => {
            if (req.headers["x-trouble"] !== undefined) res[method] = failing;
          }),
        });
        const headers = { ...server, "x-trouble": "1" };
        const options = body === undefined ? { headers } : { headers, body };
        await expect(relay.fetch(verb, path, options)).rejects.toThrow();
        expect(await relay.fetch("GET", "/sdk/latest-all", { headers: server })).toMatchObject({
          status: 200,
        });
        await turn();
        expect(unhandled).toEqual([]);
      });
    }
  }
});

test("an answer that the host has given meanwhile stays as it is, and is no error", async () => {
  const errors: string[] = [];
  const log = () => {};
  const relay = await startRelay({
    options: { logger: { debug: log, info: log, warn: log, error: (message) => void errors.push(message) } },
    mount: after((req, res) => req.once("end", () => res.writeHead(504).end("too slow"))),
  });
  const answer = await relay.fetch("POST", "/bulk", { headers: server, body: '[{"kind":"x"}]' });
  expect(answer).toMatchObject({ status: 504, body: "too slow" });
  expect(errors).toEqual([]);
});

test("HTTP/2: a body that was broken off is no body", async () => {
  const errors: string[] = [];
  const log = () => {};
  const { relay } = await startRelay({
    options: { logger: { debug: log, info: log, warn: log, error: (message) => void errors.push(message) } },
  });
  let closed = 0;
  const listening = createHttp2Server((req, res) => {
    res.on("close", () => closed++);
    relay.handler(req, res);
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const session = connect(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`);
  onTestFinished(() => {
    session.destroy();
    listening.close();
  });
  const headers = { ":method": "POST", ":path": "/bulk", authorization: keys.sdkKey };
  for (let n = 0; n < 5; n++) {
    const stream = session.request(headers);
    stream.on("error", () => {});
    await new Promise<void>((resolve) => stream.write("[1,", () => resolve()));
    await new Promise((resolve) => session.ping(resolve));
    stream.close(8);
  }
  while (closed < 5) await turn();
  await turn();
  expect(errors).toEqual([]);
});
