import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Exchange } from "../http/exchange.js";
import { Uploads } from "../http/uploads.js";
import { receiveDiagnostic, receiveEventImage, receiveEvents } from "./events.js";

const most = 1000;

/** Posts of events, what each is answered, and what is taken of it. */
function setUp() {
  const sent: unknown[] = [];
  const taken: unknown[] = [];
  const environment = {
    isAccepted: true,
    closed: false,
    accepts: () => environment.isAccepted,
    logger: { error() {} },
    events: {
      maxBodyBytes: most,
      look: (body: Buffer) => ({ kind: "events", text: body.toString() }),
      accept(family: string, body: Buffer, _: unknown, headers: Record<string, string>) {
        taken.push([family, body.toString(), headers["x-launchdarkly-event-schema"]]);
        return body.includes("deep") ? "too-deep" : "taken";
      },
      forwardDiagnostic: (family: string, body: Buffer) => void taken.push([family, body.toString()]),
    } as object | undefined,
  };
  const res = {
    destroyed: false,
    writeHead: (status: number) => void sent.push(status),
    end: (body?: unknown) => void sent.push(body),
  };
  const exchange = {
    res,
    environment,
    credential: "sdkKey",
    digest: "digest",
    credentials: { closed: false, knows: () => true },
    match: { route: { endpoint: "events" } },
    headers: {},
    uploads: new Uploads(100_000),
  };
  const request = (headers: Record<string, string> = {}) => Object.assign(new PassThrough(), { headers });
  const post = async (
    body: string | Buffer,
    {
      headers = {},
      endpoint = receiveEvents,
      ...more
    }: Record<string, unknown> & {
      headers?: Record<string, string>;
      endpoint?: (exchange: Exchange) => Promise<void>;
    } = {},
  ) => {
    sent.length = 0;
    taken.length = 0;
    const req = request(headers);
    req.end(body);
    // No more of an exchange is used.
    await endpoint({ ...exchange, req, ...more } as unknown as Exchange);
    return [sent[0], ...taken];
  };
  return { environment, exchange, post, sent, taken, request };
}

const packed = { "content-encoding": "gzip" };

test.each([
  ["events", receiveEvents],
  ["diagnostics", receiveDiagnostic],
])("%s are taken from each family, packed or not, up to what is allowed", async (_, endpoint) => {
  const { post } = setUp();
  const text = "x".repeat(most);
  const is = (...all: unknown[]) => [202, [...all, ...(endpoint === receiveEvents ? [undefined] : [])]];
  expect(await post("a", { endpoint })).toEqual(is("server", "a"));
  expect(await post("a", { endpoint, credential: "mobileKey" })).toEqual(is("mobile", "a"));
  expect(await post("a", { endpoint, credential: "envId" })).toEqual(is("browser", "a"));
  expect(await post(text, { endpoint })).toEqual(is("server", text));
  expect(await post(`${text}x`, { endpoint })).toEqual([413]);
  expect(await post(gzipSync(text), { endpoint, headers: packed })).toEqual(is("server", text));
  expect(await post(gzipSync(`${text}x`), { endpoint, headers: packed })).toEqual([413]);
  const list = { "content-encoding": "identity, gzip" };
  expect(await post(gzipSync("a"), { endpoint, headers: list })).toEqual(is("server", "a"));
  expect(await post("a", { endpoint, headers: { "content-encoding": "br" } })).toEqual(is("server", "a"));
});

test("what is taken goes on with the headers of its SDK", async () => {
  const { post, exchange } = setUp();
  const headers = { "x-launchdarkly-event-schema": "4" };
  expect(await post("a", { headers })).toEqual([202, ["server", "a", "4"]]);
  const forwarded: unknown[] = [];
  const events = { maxBodyBytes: most, forwardDiagnostic: (...all: unknown[]) => void forwarded.push(all) };
  const environment = { ...exchange.environment, events };
  await post("a", { headers, endpoint: receiveDiagnostic, environment });
  expect(forwarded).toEqual([["server", Buffer.from("a"), headers]]);
});

test("of packed bodies four are unpacked at a time, until they have been looked at", async () => {
  const { post, environment } = setUp();
  const looking: (() => void)[] = [];
  const look = () => new Promise((resolve) => looking.push(() => resolve({ kind: "events" })));
  environment.events = { ...environment.events, look };
  const posts = Array.from({ length: 6 }, () => post(gzipSync("a"), { headers: packed }));
  for (const count of [4, 2]) {
    await expect.poll(() => looking.length).toBe(count);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(looking).toHaveLength(count);
    for (const seen of looking.splice(0)) seen();
  }
  await Promise.all(posts);
});

test("a body that is too large ends the connection with the answer", async () => {
  const { post } = setUp();
  const head: unknown[] = [];
  const res = Object.assign(new ServerResponse(new IncomingMessage(new Socket())), {
    writeHead: (...all: unknown[]) => void head.push(...all),
  });
  await post("x".repeat(most + 1), { res });
  expect(head.slice(0, 2)).toEqual([413, expect.objectContaining({ Connection: "close" })]);
});

test("what cannot be taken is refused", async () => {
  const { post, environment, exchange } = setUp();
  expect(await post("")).toEqual([400]);
  expect(await post(gzipSync(""), { headers: packed })).toEqual([400]);
  expect(await post("no gzip", { headers: packed })).toEqual([400]);
  expect(await post("deep")).toEqual([400, ["server", "deep", undefined]]);
  environment.closed = true;
  expect(await post("a")).toEqual([503]);
  environment.isAccepted = false;
  exchange.credentials.knows = () => false;
  expect(await post("a")).toEqual([401]);
  environment.events = undefined;
  expect(await post("a")).toEqual([503]);
});

test("who goes away is sent nothing, and what is not read of a body keeps nobody", async () => {
  const { exchange, sent, request } = setUp();
  const req = request({});
  const received = receiveEvents({ ...exchange, req } as unknown as Exchange);
  req.write("a");
  req.destroy();
  await received;
  expect(sent).toEqual([]);
  const large = request({ "content-length": `${most + 1}` });
  await receiveEvents({ ...exchange, req: large } as unknown as Exchange);
  expect([sent[0], large.readableFlowing]).toEqual([413, true]);
});

test("what something in front of the relay has unpacked is not unpacked again", async () => {
  const { exchange, taken, request } = setUp();
  const req = Object.assign(request(packed), { body: [{ kind: "a" }] });
  await req.resume().end().toArray();
  await receiveEvents({ ...exchange, req } as unknown as Exchange);
  expect(taken).toEqual([["server", '[{"kind":"a"}]', undefined]]);
});

describe("events in the address of an image", () => {
  const ask = async (
    data: string | undefined,
    prepare: (setting: ReturnType<typeof setUp>) => void = () => {},
  ) => {
    const setting = setUp();
    prepare(setting);
    const query = new URLSearchParams(data === undefined ? "" : `d=${data}`);
    await receiveEventImage({ ...setting.exchange, query } as unknown as Exchange);
    return [setting.sent[0], ...setting.taken];
  };

  test("are taken in both alphabets, and with plus signs that were not escaped", async () => {
    const text = '[{"k":"~~~???>>>"}]';
    const plain = Buffer.from(text).toString("base64");
    expect(plain).toContain("+");
    for (const data of [plain, encodeURIComponent(plain), Buffer.from(text).toString("base64url")])
      expect(await ask(data)).toEqual([200, ["browser", text, "3"]]);
  });

  test("need not be there", async () => {
    expect([await ask(undefined), await ask("")]).toEqual([[200], [200]]);
    const without = (setting: ReturnType<typeof setUp>) => {
      setting.environment.events = undefined;
    };
    expect(await ask("W10", without)).toEqual([503]);
  });
});
