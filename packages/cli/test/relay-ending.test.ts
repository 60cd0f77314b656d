import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { fakeUpstream, mainSection, served, start } from "./relay-and-upstream.js";

const ask = "GET /sdk/flags HTTP/1.1\r\nHost: relay\r\nAuthorization: sdk-a\r\n\r\n";
const follow = "GET /all HTTP/1.1\r\nHost: relay\r\nAuthorization: sdk-a\r\n\r\n";

/** A kept connection, and everything that it has got. */
async function open(base: string) {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let got = "";
  let error: Error | undefined;
  socket.on("data", (chunk: Buffer) => {
    got += chunk.toString();
  });
  socket.on("error", (thrown) => {
    error = thrown;
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return {
    socket: socket as Socket,
    closed,
    heads: () => got.match(/HTTP\/1\.1 \d+[\s\S]*?\r\n\r\n/g) ?? [],
    error: () => error,
    async until(pattern: RegExp) {
      while (!pattern.test(got)) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A relay of one environment that has its flags. */
async function startServing(more = "") {
  const upstream = await fakeUpstream("sdk-a");
  const relay = await start(`${mainSection(upstream)}[Environment "a"]\nsdkKey = sdk-a\n${more}`);
  await served(relay.base, "sdk-a");
  return relay;
}

test("what is asked on kept connections is answered when the relay has been asked to end, and is the last there", async () => {
  const relay = await startServing();
  const kept = await Promise.all(Array.from({ length: 8 }, () => open(relay.base)));
  for (const { socket, until } of kept) {
    socket.write(ask);
    await until(/my-flag/);
  }
  const ended = relay.end();
  for (const { socket } of kept) socket.write(ask);
  await Promise.all(kept.map(({ closed }) => closed));
  for (const { heads, error } of kept) {
    const [first = "", second = ""] = heads();
    expect(error()).toBeUndefined();
    expect([first, heads().length]).toEqual([expect.not.stringMatching(/connection: close/i), 2]);
    expect(second).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
  }
  expect(await ended).toBe(0);
});

test("streams, and connections on which nobody asks, do not keep a relay that has been asked to end", async () => {
  const relay = await startServing();
  const [stream, idle] = await Promise.all([open(relay.base), open(relay.base)]);
  stream.socket.write(follow);
  await stream.until(/event: put/);
  idle.socket.write(ask);
  await idle.until(/my-flag/);
  const begun = performance.now();
  expect(await relay.end()).toBe(0);
  // Half of its ten seconds are for those who ask, and the other half for streams.
  expect(performance.now() - begun).toBeLessThan(5000);
  await Promise.all([stream.closed, idle.closed]);
});

test("a relay without time to end waits for nobody", async () => {
  const relay = await startServing("[Wye]\ndrainTimeout = 0s\n");
  const { socket, until, closed } = await open(relay.base);
  socket.write(ask);
  await until(/my-flag/);
  expect(await relay.end()).toBe(0);
  await closed;
});
