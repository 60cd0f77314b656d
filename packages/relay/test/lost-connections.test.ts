import { createServer, type IncomingMessage } from "node:http";
import { connect as connectHttp2, constants, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { keys, type Running, startRelay } from "./start-relay.js";

const alice = Buffer.from('{"kind":"user","key":"alice"}').toString("base64url");
const body = '{"kind":"user","key":"alice"}';
const head = `host: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
const requests = {
  "GET /ping": `GET /ping/${keys.envId} HTTP/1.1\r\nhost: x\r\n\r\n`,
  "GET /all": `GET /all HTTP/1.1\r\nhost: x\r\nauthorization: ${keys.sdkKey}\r\n\r\n`,
  "GET /eval": `GET /eval/${keys.envId}/${alice} HTTP/1.1\r\nhost: x\r\n\r\n`,
  "REPORT /eval": `REPORT /eval/${keys.envId} HTTP/1.1\r\n${head}${body}`,
};

/** A relay, and how many streams it believes to be open. */
async function startCounted(): Promise<{ relay: Running; open: () => number }> {
  const channels = new Map<string | undefined, number>();
  const relay = await startRelay({
    options: {
      metrics: {
        count: () => {},
        gauge: (name, value, { channel }) => name === "open_streams" && channels.set(channel, value),
      },
    },
  });
  return { relay, open: () => [...channels.values()].reduce((sum, value) => sum + value, 0) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

function connection(url: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    text += chunk;
  });
  onTestFinished(() => void socket.destroy());
  return { socket, text: () => text };
}

describe("requests that a client sends without waiting for answers", () => {
  for (const [name, request] of Object.entries(requests)) {
    test(`${name}: one stream is open, and none when the connection has gone`, async () => {
      const { relay, open } = await startCounted();
      const { socket, text } = connection(relay.url);
      socket.write(request.repeat(10));
      await until(() => text().includes("event:"));
      // All were read before the first was answered; one that another asks for afterwards shows that their turns are over.
      await relay.fetch("GET", "/status");
      expect(open()).toBe(1);
      socket.destroy();
      await until(() => open() === 0);
      await relay.fetch("GET", "/status");
      expect(open()).toBe(0);
    });
  }

  test("a context is left unread until its turn comes", async () => {
    const { relay } = await startCounted();
    const seen: IncomingMessage[] = [];
    const server = createServer((req, res) => {
      seen.push(req);
      relay.relay.handler(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { socket } = connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    socket.write(requests["GET /ping"] + requests["REPORT /eval"]);
    await until(() => seen.length === 2);
    await relay.fetch("GET", "/status");
    expect(seen[1]?.readableFlowing).toBeNull();
    socket.destroy();
  });

  test("that wait behind a stream end the connection when they are many", async () => {
    const { relay, open } = await startCounted();
    const { socket, text } = connection(relay.url);
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.write(requests["GET /ping"]);
    await until(() => text().includes("event:"));
    socket.write(requests["GET /ping"].repeat(17));
    await ended;
    await until(() => open() === 0);
  });

  test("a stream begins when what was asked before it has been answered", async () => {
    const { relay, open } = await startCounted();
    const { socket, text } = connection(relay.url);
    const poll = `GET /sdk/flags HTTP/1.1\r\nhost: x\r\nauthorization: ${keys.sdkKey}\r\n\r\n`;
    socket.write(poll + requests["GET /eval"]);
    await until(() => text().includes("event: put"));
    expect(text().match(/HTTP\/1.1 200/g)).toHaveLength(2);
    expect(open()).toBe(1);
  });

  test("a stream whose environment goes before its turn comes is refused", async () => {
    const { relay, open } = await startCounted();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = createServer((req, res) => {
      if (req.url === "/slow") void held.then(() => res.end("slow"));
      else relay.relay.handler(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { socket, text } = connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const arrived = new Promise((resolve) =>
      server.on("request", ({ url }) => url !== "/slow" && resolve(url)),
    );
    socket.write(`GET /slow HTTP/1.1\r\nhost: x\r\n\r\n${requests["GET /ping"]}`);
    await arrived;
    await relay.relay.environments.remove("prod");
    release();
    await until(() => text().includes("HTTP/1.1 404"));
    expect(open()).toBe(0);
  });
});

test("over HTTP/2 no stream is opened for a page that has gone before the relay was asked", async () => {
  const { relay, open } = await startCounted();
  let asked = () => {};
  const done = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = createHttp2Server((req, res) => {
    res.once("close", () => {
      relay.relay.handler(req, res);
      asked();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    page.destroy();
    server.close();
  });
  const arrived = new Promise((resolve) => server.once("request", resolve));
  const request = page.request({ ":path": `/ping/${keys.envId}` });
  request.on("error", () => {});
  await arrived;
  request.close(constants.NGHTTP2_CANCEL);
  await done;
  await relay.fetch("GET", "/status");
  expect(open()).toBe(0);
});
