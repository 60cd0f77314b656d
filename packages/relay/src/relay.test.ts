import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "./logger.js";
import { createRelay } from "./relay.js";
import { createFixedSource } from "./sources/fixed-source.js";

const context = Buffer.from('{"kind":"user","key":"u"}').toString("base64url");

test("closing waits for the large answer to a request that was taken just before", async () => {
  // More than the system takes of a reader who reads nothing.
  const variations = ["x".repeat(30_000_000)];
  const flag = { key: "a", version: 1, on: true, variations, fallthrough: { variation: 0 }, salt: "a" };
  const { source } = createFixedSource(JSON.stringify({ flags: { a: flag } }));
  const relay = createRelay({ environments: { a: { sdkKey: "sdk-a", source } }, events: false });
  await relay.ready();
  let isClosed = false;
  let answer: ServerResponse | undefined;
  const server = createServer((req, res) => {
    answer = res;
    relay.handler(req, res);
    void relay.close({ within: "10m" }).then(() => {
      isClosed = true;
    });
  });
  server.listen(0, "127.0.0.1");
  await expect.poll(() => server.listening).toBe(true);
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write(`GET /sdk/evalx/contexts/${context} HTTP/1.1\r\nhost: a\r\nauthorization: sdk-a\r\n\r\n`);
  await expect.poll(() => answer?.headersSent).toBe(true);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  let length = 0;
  client.on("data", (part) => {
    length += part.length;
  });
  await expect.poll(() => length).toBeGreaterThan(30_000_000);
  await expect.poll(() => isClosed).toBe(true);
});

test("names that ready waits for are looked for at once only where the host names the environments", () => {
  const warningsOf = (options: Parameters<typeof createRelay>[0]) => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (line: string) => void warnings.push(line) };
    const relay = createRelay({ ...options, ready: ["later"], logger });
    onTestFinished(() => relay.close({ within: 0 }));
    return warnings;
  };
  expect(warningsOf({})).toEqual([expect.stringContaining('there is no environment "later"')]);
  const announcements = () => ({ close() {} });
  expect(warningsOf({ autoConfig: { key: "rel-1", announcements } })).toEqual([]);
});
