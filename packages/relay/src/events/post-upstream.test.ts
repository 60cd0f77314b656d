import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { UpstreamConnections } from "../upstream/upstream-connections.js";
import { postUpstream } from "./post-upstream.js";

test("a large post over a slow link has time to be sent, and the answer its own", async () => {
  let received = 0;
  const body = Buffer.alloc(3_000_000, "x");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      socket.pause();
      // Several times as slow as the limit for the answer allows, and many times as fast as what is given up.
      setTimeout(() => socket.resume(), chunk.length / 3000);
      if (received >= body.length) socket.end("HTTP/1.1 202 OK\r\ncontent-length: 0\r\n\r\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const dispatcher = new UpstreamConnections(60_000);
  onTestFinished(() => {
    dispatcher.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bulk`;
  const options = {
    dispatcher,

    timeoutMs: 100,
    signal: new AbortController().signal,
  };
  expect(await postUpstream(url, body, {}, options)).toMatchObject({ kind: "accepted" });
  expect(received).toBeGreaterThan(body.length);
});
