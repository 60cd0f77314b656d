import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { listen } from "./listen.js";

const servers: Server[] = [];
const newServer = (): Server => {
  const server = createServer();
  servers.push(server);
  return server;
};
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test("takes the next port when the first one is busy", async () => {
  const busy = await listen(newServer(), { exactly: 0 });
  const next = await listen(newServer(), { from: busy });
  expect(next).toBeGreaterThan(busy);
  expect(next).toBeLessThan(busy + 100);
});

test("refuses to take another port than the one that was asked for", async () => {
  const busy = await listen(newServer(), { exactly: 0 });
  await expect(listen(newServer(), { exactly: busy })).rejects.toThrow(`port ${busy} is in use`);
});

test("leaves no listeners behind on the server", async () => {
  const busy = await listen(newServer(), { exactly: 0 });
  const server = newServer();
  const before = ["error", "listening"].map((event) => server.listenerCount(event));
  await listen(server, { from: busy });
  expect(["error", "listening"].map((event) => server.listenerCount(event))).toEqual(before);
});
