import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { init } from "@launchdarkly/node-server-sdk";
import { initialize } from "launchdarkly-node-client-sdk";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Board, Refusal } from "./board-api.js";
import { demoKeys } from "./demo-keys.js";
import type { Flag } from "./flag.js";
import { createFlagBoard, type FlagBoard } from "./flag-board.js";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const user = { kind: "user", key: "alice", plan: "free", country: "de" };
const key = "express-checkout";
/** What the relay warns of. */
const complaints: string[] = [];
let folder: string;
let board: FlagBoard;
let server: Server;
let origin: string;
let base: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "flag-board-"));
  for (const name of ["index.html", "page.js", "style.css", "icon.svg"])
    writeFileSync(join(folder, name), name);
  complaints.length = 0;
  const complain = (message: string): void => void complaints.push(message);
  const logger = { ...silent, warn: complain, error: complain };
  board = createFlagBoard({ publicFolder: folder, prefix: "/relay", logger });
  server = createServer((req, res) => board.handler(req, res, () => res.writeHead(404).end("none")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  base = `${origin}/relay`;
});
afterEach(async () => {
  await board.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const read = async (): Promise<Board> => (await (await fetch(`${base}/api/board`)).json()) as Board;
const flagNow = async (): Promise<Flag> => {
  const found = (await read()).flags.find((flag) => flag.key === key);
  if (found === undefined) throw new Error(`there is no flag ${key}`);
  return found;
};
const put = (body: string, headers: Record<string, string> = {}, path = `/api/flags/${key}`) =>
  fetch(base + path, { method: "PUT", headers: { "content-type": "application/json", ...headers }, body });
const refusal = async (response: Response): Promise<Refusal> => (await response.json()) as Refusal;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}

const pages = [
  { path: "/relay/", status: 200, type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/relay/?x=1", status: 200, type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/relay/page.js", status: 200, type: "text/javascript; charset=utf-8", body: "page.js" },
  { path: "/relay/style.css", status: 200, type: "text/css; charset=utf-8", body: "style.css" },
  { path: "/relay/icon.svg", status: 200, type: "image/svg+xml", body: "icon.svg" },
  { path: "/relay/other", status: 404, type: null, body: "none" },
  { path: "/relay/api/other", status: 404, type: null, body: "none" },
  { path: "/page.js", status: 404, type: null, body: "none" },
  { path: "/", status: 404, type: null, body: "none" },
];
for (const { path, status, type, body } of pages) {
  test(`${path} is ${status}`, async () => {
    const response = await fetch(origin + path);
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      status,
      type,
      body,
    ]);
  });
}

test("pages are only read, and may load from this server only", async () => {
  expect((await fetch(`${base}/`, { method: "POST" })).status).toBe(405);
  const head = await fetch(`${base}/`, { method: "HEAD" });
  expect([head.status, await head.text(), head.headers.get("content-length")]).toEqual([200, "", "10"]);
  const policy = head.headers.get("content-security-policy");
  for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"])
    expect(policy).toContain(part);
});

test("the relay beside the page is healthy and shows no whole key", async () => {
  const text = await (await fetch(`${base}/status`)).text();
  expect(JSON.parse(text)).toMatchObject({
    status: "healthy",
    environments: { demo: { envId: demoKeys.envId, connectionStatus: { state: "VALID" } } },
  });
  for (const secret of [demoKeys.sdkKey, demoKeys.mobileKey]) expect(text).not.toContain(secret);
});

test("the server SDK and the client SDK see a flip, and their events are taken", async () => {
  const options = { baseUri: base, streamUri: base, eventsUri: base, logger: silent, flushInterval: 1 };
  const onServer = init(demoKeys.sdkKey, options);
  onTestFinished(() => onServer.close());
  const onClient = initialize(demoKeys.envId, user, {
    baseUrl: base,
    streamUrl: base,
    eventsUrl: base,
    streaming: true,
    evaluationReasons: true,
    logger: silent,
  });
  onTestFinished(() => onClient.close());
  await onServer.waitForInitialization({ timeout: 30 });
  await onClient.waitForInitialization();
  expect([await onServer.variation(key, user, null), onClient.variation(key, null)]).toEqual([false, false]);
  expect((await read()).traffic.streams).toBe(2);

  const flag = await flagNow();
  const saved = await put(JSON.stringify({ ...flag, rules: [], fallthrough: { variation: 0 } }));
  expect([saved.status, ((await saved.json()) as Flag).version]).toEqual([200, flag.version + 1]);
  await until(async () => (await onServer.variation(key, user, null)) === true);
  await until(() => onClient.variation(key, null) === true);
  expect(onClient.variationDetail(key, null)).toMatchObject({
    variationIndex: 0,
    reason: { kind: "FALLTHROUGH" },
  });

  await Promise.all([onServer.flush(), onClient.flush()]);
  await until(async () => (await read()).traffic.events >= 2);
});

test("an edit is served when it is answered", async () => {
  const context = Buffer.from(JSON.stringify(user)).toString("base64url");
  const evaluated = async (): Promise<unknown> =>
    (await fetch(`${base}/sdk/evalx/${demoKeys.envId}/contexts/${context}`)).json();
  for (const on of [false, true, false]) {
    await put(JSON.stringify({ ...(await flagNow()), on, offVariation: 0 }));
    expect(await evaluated()).toMatchObject({ [key]: { value: !on } });
  }
});

test("reset goes back to the file", async () => {
  const before = await flagNow();
  await put(JSON.stringify({ ...before, on: false }));
  const response = await fetch(`${base}/api/reset`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(200);
  expect(await flagNow()).toEqual({ ...before, version: 3 });
});

const whole = `{ "key": "${key}", "on": true, "variations": [1], "fallthrough": { "variation": 0 } }`;
const refused = [
  {
    name: "malformed JSON",
    status: 400,
    send: () => put('{\n  "on": tru\n}'),
    answer: { problems: [{ line: 2, column: 9, path: "", message: 'expected a value, got "t"' }] },
  },
  {
    name: "a flag that makes no sense",
    status: 400,
    send: () =>
      put(
        '{\n  "key": "express-checkout",\n  "on": true,\n  "variations": [1],\n  "fallthrough": { "variation": 3 }\n}',
      ),
    answer: {
      problems: [
        {
          line: 5,
          column: 33,
          path: "/fallthrough/variation",
          message: "there is no variation 3; the last one is 0",
        },
      ],
    },
  },
  {
    name: "an unknown flag",
    status: 404,
    send: () => put(whole, {}, "/api/flags/none"),
    answer: { error: 'there is no flag "none"' },
  },
  {
    name: "a key such as __proto__",
    status: 404,
    send: () => put(whole, {}, "/api/flags/__proto__"),
    answer: {},
  },
  {
    name: "too much",
    status: 413,
    send: () => put(`{"x":"${"x".repeat(70_000)}"}`),
    answer: { error: "a flag may have 65536 bytes" },
  },
  {
    name: "a form",
    status: 415,
    send: () => put("on=true", { "content-type": "application/x-www-form-urlencoded" }),
    answer: { error: "the body must be application/json" },
  },
  { name: "plain text", status: 415, send: () => put(whole, { "content-type": "text/plain" }), answer: {} },
  {
    name: "a page of another site",
    status: 403,
    send: () => put(whole, { origin: "https://evil.example" }),
    answer: { error: "flags are edited from the pages of this server only" },
  },
  { name: "a page without an origin", status: 403, send: () => put(whole, { origin: "null" }), answer: {} },
  {
    name: "what a browser calls cross-site",
    status: 403,
    send: () =>
      raw(
        "PUT",
        `/relay/api/flags/${key}`,
        { "content-type": "application/json", "sec-fetch-site": "cross-site" },
        whole,
      ),
    answer: {},
  },
  {
    name: "an edit of an older version",
    status: 412,
    send: () => put(whole, { "if-match": '"7"' }),
    answer: { flag: { key, version: 1 } },
  },
  {
    name: "another method",
    status: 405,
    send: () => fetch(`${base}/api/flags/${key}`, { method: "DELETE" }),
    answer: {},
  },
  {
    name: "reading by POST",
    status: 405,
    send: () => fetch(`${base}/api/board`, { method: "POST" }),
    answer: {},
  },
  { name: "a reset by link", status: 405, send: () => fetch(`${base}/api/reset`), answer: {} },
  {
    name: "a reset by form",
    status: 415,
    send: () => fetch(`${base}/api/reset`, { method: "POST", body: new URLSearchParams({ a: "b" }) }),
    answer: {},
  },
];
for (const { name, status, send, answer } of refused) {
  test(`${name} is answered with ${status}, and nothing changes`, async () => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(await refusal(response)).toMatchObject({ error: expect.any(String), ...answer });
    expect(await read()).toMatchObject({ revision: 0 });
  });
}

test("a page of this server may edit, also with a version", async () => {
  const headers = { origin, "if-match": '"1"' };
  expect((await put(whole, headers)).status).toBe(200);
  expect((await put(whole, headers)).status).toBe(412);
});

test("preflights of other sites are not answered, so that their scripts cannot edit", async () => {
  const response = await fetch(`${base}/api/flags/${key}`, {
    method: "OPTIONS",
    headers: { origin: "https://evil.example", "access-control-request-method": "PUT" },
  });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([405, null]);
});

test("a broken escape in the path is nobody's", async () => {
  const response = await raw("PUT", "/relay/api/flags/%zz", {}, "");
  expect([response.status, await response.text()]).toEqual([404, "none"]);
});

test("nothing leaves the process: goals and events are answered inside", async () => {
  const goals = await fetch(`${base}/sdk/goals/${demoKeys.envId}`);
  expect([goals.status, await goals.json()]).toEqual([200, []]);
  const events = await fetch(`${base}/events/bulk/${demoKeys.envId}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-launchdarkly-event-schema": "4" },
    body: '[{"kind":"custom"}]',
  });
  expect(events.status).toBe(202);
  // Closing delivers what is waiting; an upstream that cannot be reached is complained about.
  await board.close();
  expect(complaints).toEqual([]);
});

test("closing ends the streams", async () => {
  const response = await fetch(`${base}/all`, { headers: { authorization: demoKeys.sdkKey } });
  const ended = response.text();
  await board.close();
  expect(await ended).toContain("event: put");
  expect((await fetch(`${base}/status`)).status).toBe(503);
});

test("wrong flags are refused at the start", () => {
  expect(() => createFlagBoard({ publicFolder: folder, flags: '{"flags":{"a":{}}}' })).toThrow(
    /flag "a" at \/key: must be "a"/,
  );
});

/** Sends what `fetch` would not. */
function raw(method: string, path: string, headers: Record<string, string>, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const sent = request({ hostname, port, path, method, headers }, (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve(new Response(text, { status: response.statusCode ?? 0 })));
    });
    sent.on("error", reject).end(body);
  });
}
