import { connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { routes } from "../src/http/routes.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { keys, startRelay } from "./start-relay.js";

/** Everything that the relay may answer; 500 would be a mistake of ours. */
const expected = new Set([200, 202, 301, 304, 400, 401, 404, 405, 413, 415, 502, 503]);

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    keys.envId,
    "unknown",
    "__proto__",
    "constructor",
    "eyJrZXkiOiJhIn0",
    "..",
    "%",
    "%2F",
    "%zz",
    "",
  ),
);
const path = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...routes.map((route) => route.path)),
      fc.array(text, { minLength: 2, maxLength: 2 }),
    )
    .map(([route, values]) => {
      let index = 0;
      return route.replaceAll(/\{\w+\}/g, () => escaped(values[index++ % 2] ?? ""));
    }),
  fc.array(text, { maxLength: 6 }).map((parts) => `/${parts.map(escaped).join("/")}`),
);
const query = fc.constantFrom(
  "",
  "?filter=x",
  "?filter=",
  "?h=zz&withReasons=true",
  "?d=W3t9XQ",
  "?%",
  "?&&=",
  "?d=%ff",
);
const headers = fc.record(
  {
    authorization: fc.constantFrom(keys.sdkKey, keys.mobileKey, `api_key ${keys.sdkKey}`, "Bearer x", ""),
    "content-type": fc.constantFrom("application/json", "APPLICATION/JSON ;x", "text/plain"),
    "content-encoding": fc.constantFrom("gzip", "br", "gzip, gzip"),
    "if-none-match": fc.constantFrom("relay-1", "*", '"x"'),
    origin: fc.constantFrom("null", "https://a.example", "\u00ff"),
    "x-launchdarkly-event-schema": fc.constantFrom("4", "3", "1", "-1", "9e99", "x"),
    "x-launchdarkly-tags": fc.constantFrom("a", "\u00e9"),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.json(),
  fc.json().map((json) => `[${json}]`),
  fc.string(),
  fc.constantFrom(
    '{"kind":"multi"}',
    '{"key":""}',
    '{"kind":"user","key":"u","__proto__":{"x":1}}',
    '[{"kind":"feature"}]',
  ),
);

/** Characters that cannot stand in a request line are escaped; broken escapes stay as they are. */
function escaped(value: string): string {
  return value.replaceAll(/[^!-~]|[#?\\]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** Sends a request as it is and gives the status of the answer. */
function statusOf(port: number, head: string, content: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", reject);
    socket.once("data", (chunk) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString())?.[1]));
    });
    socket.write(head, "latin1");
    socket.write(content);
  });
}

test("whatever is asked, there is an answer that the documentation knows, and the relay goes on", async () => {
  const errors: string[] = [];
  const clock = createManualClock();
  let waiting = 0;
  const gauge = (name: string, value: number) => {
    if (name === "queued_events") waiting = value;
  };
  const relay = await startRelay({
    options: {
      clock,
      metrics: { count() {}, gauge },
      logger: { debug() {}, info() {}, warn() {}, error: (message) => errors.push(message) },
    },
  });
  const port = Number(new URL(relay.url).port);
  const method = fc.constantFrom("GET", "POST", "REPORT", "OPTIONS", "DELETE", "PUT");
  await fc.assert(
    fc.asyncProperty(method, path, query, headers, body, async (verb, target, search, fields, content) => {
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `${verb} ${target}${search} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(content)}\r\n${lines.join("")}\r\n`;
      expect(expected).toContain(await statusOf(port, head, content));
    }),
    { seed: 11, numRuns: 600 },
  );
  // What was taken is still to be sent.
  while (waiting > 0) {
    clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect((await relay.upstream.takePosts()).length).toBeGreaterThan(0);
  // Bodies that are no events are reported; nothing else may be.
  expect(errors.filter((message) => !message.includes("events: "))).toEqual([]);
  expect(await relay.fetch("GET", "/status")).toMatchObject({ status: 200 });
});
