import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { OpenConnections } from "./open-connections.js";

/** A server of which the test ends the connections, and ways to talk to it. */
async function listen(handler: RequestListener) {
  const server = createServer(handler);
  const connections = new OpenConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    connections,
    server,
    async open(): Promise<{ readonly socket: Socket; readonly said: () => string }> {
      const socket = connect(port, "127.0.0.1");
      let said = "";
      socket.on("data", (chunk) => {
        said += chunk;
      });
      socket.on("error", () => {});
      onTestFinished(() => void socket.destroy());
      await Promise.all([once(socket, "connect"), once(server, "connection")]);
      return { socket, said: () => said };
    },
  };
}

const ask = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const longMs = 600_000;

test("connections on which nobody asks are waited for a moment, and no more are taken", async () => {
  const { connections, server, open } = await listen((_, answer) => void answer.end());
  const [silent, quiet] = [await open(), await open()];
  quiet.socket.write(ask);
  await once(quiet.socket, "data");
  expect(quiet.said()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: keep-alive\r\n/i);
  await connections.end(longMs);
  expect(server.listening).toBe(false);
  await expect(open()).rejects.toThrow("ECONNREFUSED");
  // What comes after all is answered, with the word that it was the last.
  silent.socket.write(ask);
  await once(silent.socket, "end");
  expect(silent.said()).toMatch(/connection: close\r\n/i);
});

test("answers that are on their way are not waited for, those that have not begun are", async () => {
  const answers: ServerResponse[] = [];
  const { connections, server, open } = await listen((_, answer) => void answers.push(answer));
  const [stream, late] = [await open(), await open()];
  for (const { socket } of [stream, late]) {
    const asked = once(server, "request");
    socket.write(ask);
    await asked;
  }
  answers[0]?.write("begun");
  let isOver = false;
  const ended = connections.end(longMs).then(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect(isOver).toBe(false);
  answers[1]?.write("late");
  await ended;
  await expect.poll(late.said).toMatch(/connection: close\r\n/i);
  expect(stream.said()).toMatch(/connection: keep-alive\r\n/i);
});

test("who has no time to wait does not", async () => {
  const { connections, server, open } = await listen(() => {});
  const { socket } = await open();
  const asked = once(server, "request");
  socket.write(ask);
  await asked;
  await connections.end(0);
  expect(server.listening).toBe(false);
});

/** A clock that stands still until the test moves it, and that can tell whether it was looked at again. */
function stopClock() {
  let now = 1000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return {
    at(ms: number) {
      now = ms;
    },
    async lookedAt(): Promise<void> {
      const before = clock.mock.calls.length;
      while (clock.mock.calls.length < before + 9) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

test("it is over when nobody has asked for a while, and whoever asks meanwhile begins that anew", async () => {
  const { connections, open } = await listen((_, answer) => void answer.end());
  const [{ socket }] = [await open(), await open()];
  const answered = async () => {
    socket.write(ask);
    await once(socket, "data");
  };
  await answered();
  const { at, lookedAt } = stopClock();
  let isOver = false;
  const ended = connections.end(longMs).then(() => {
    isOver = true;
  });
  at(1249);
  await lookedAt();
  expect(isOver).toBe(false);
  await answered();
  at(1498);
  await lookedAt();
  expect(isOver).toBe(false);
  at(1499);
  await ended;
});

test("who has got an answer may ask once more", async () => {
  const { connections, open } = await listen((_, answer) => void answer.end());
  const { socket } = await open();
  socket.write(ask);
  await once(socket, "data");
  const { at, lookedAt } = stopClock();
  const ended = connections.end(longMs);
  at(1249);
  await lookedAt();
  at(1250);
  await ended;
});

test("who has gone away is not waited for", async () => {
  const { connections, server, open } = await listen(() => {});
  const { socket } = await open();
  const asked = once(server, "request");
  socket.write(ask);
  const [request] = await asked;
  const gone = once(request.socket, "close");
  socket.destroy();
  await gone;
  stopClock();
  await connections.end(longMs);
  expect(server.listening).toBe(false);
});

test("who was promised that the connection stays open may ask on it behind the end of an answer", async () => {
  const answers: ServerResponse[] = [];
  const { connections, server, open } = await listen((_, answer) => void answers.push(answer));
  const { socket, said } = await open();
  const asked = once(server, "request");
  socket.write(ask);
  await asked;
  answers[0]?.write("begun");
  await connections.end(longMs);
  answers[0]?.end();
  const askedAgain = once(server, "request");
  socket.write(ask);
  await askedAgain;
  answers[1]?.end("again");
  await once(socket, "end");
  expect(said().match(/connection: [a-z-]+/gi)).toEqual(["Connection: keep-alive", "Connection: close"]);
});

test("it is over when the time is over, whoever still asks", async () => {
  const { connections, open } = await listen(() => {});
  await open();
  const { at, lookedAt } = stopClock();
  let isOver = false;
  const ended = connections.end(100).then(() => {
    isOver = true;
  });
  at(1099);
  await lookedAt();
  expect(isOver).toBe(false);
  at(1100);
  await ended;
});

test("connections in TLS on which answers are on their way are not waited for either", async () => {
  const pem = (what: string) =>
    readFileSync(new URL(`../../testdata/relay/first-${what}.pem`, import.meta.url));
  const server = createSecureServer({ cert: pem("certificate"), key: pem("key") }, (_, answer) => {
    answer.write("begun");
  });
  const connections = new OpenConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const socket = connectSecurely({ port, host: "127.0.0.1", rejectUnauthorized: false });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(ask);
  await once(socket, "data");
  stopClock();
  await connections.end(longMs);
  expect(server.listening).toBe(false);
});
