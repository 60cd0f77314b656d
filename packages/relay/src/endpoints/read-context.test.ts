import { createHmac } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Exchange } from "../http/exchange.js";
import { Uploads } from "../http/uploads.js";
import { isStillVouchedFor, readContext } from "./read-context.js";

const user = { kind: "user", key: "u" };
const most = 100;

/** A request with a context, and what it is answered if that cannot be used. */
function setUp() {
  const sent: unknown[] = [];
  const environment = {
    relayOptions: { maxContextBytes: most },
    settings: { secureMode: false },
    keys: { sdkKey: "sdk-1", further: [{ kind: "sdkKey", value: "sdk-0" }] },
    logger: { error() {} },
  };
  const exchange = {
    res: {
      writeHead: (status: number) => void sent.push(status),
      end: (body?: unknown) => void sent.push(String(body)),
    },
    match: { variables: {}, route: { endpoint: "evaluate" } },
    query: new URLSearchParams(),
    credential: "envId",
    headers: {},
    environment,
    uploads: new Uploads(10_000_000),
  };
  // No more of an exchange is used.
  const asked = (more: object) => ({ ...exchange, ...more }) as unknown as Exchange;
  const post = async (text: string, type: string | undefined = "application/json", query = "") => {
    sent.length = 0;
    const headers = type === "" ? {} : { "content-type": type };
    const req = Object.assign(new PassThrough(), { method: "REPORT", headers });
    req.end(text);
    const given = await readContext(asked({ req, query: new URLSearchParams(query) }));
    return { given, status: sent[0], text: sent[1], isRead: req.readableFlowing };
  };
  const get = async (context: string, query = "") => {
    sent.length = 0;
    const more = {
      req: { method: "GET" },
      match: { variables: { context } },
      query: new URLSearchParams(query),
    };
    const given = await readContext(asked(more));
    return { given, status: sent[0], text: sent[1] };
  };
  return { environment, post, get, asked };
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a context in the body", () => {
  test.each([
    ["application/json", undefined],
    [" Application/JSON ; charset=utf-8", undefined],
    ["", 415],
    ["text/json", 415],
    ["application/jsonp", 415],
  ])("of the type %j is answered %s", async (type, status) => {
    const { post } = setUp();
    const answer = await post(JSON.stringify(user), type);
    expect([answer.status, answer.given?.context.key]).toEqual([
      status,
      status === undefined ? "u" : undefined,
    ]);
    // What nobody wants is read all the same: the connection may be used again.
    expect(answer.isRead).toBe(true);
  });

  test.each<[string, string, number | undefined]>([
    ["may have what is allowed", `${JSON.stringify(user)}${" ".repeat(most)}`.slice(0, most), undefined],
    ["may not have more", `${JSON.stringify(user)}${" ".repeat(most)}`.slice(0, most + 1), 413],
    ["must be JSON", "{", 400],
    ["must be a context", '{"kind":"kind","key":"u"}', 400],
  ])("%s", async (_, text, status) => {
    const { given, status: answered } = await setUp().post(text);
    expect([answered, given?.bytes]).toEqual([status, status === undefined ? most : undefined]);
  });

  test.each([
    ['"u"', '{"message":"expected an object, got a string"}'],
    ['{"kind":"org"}', '{"message":"the member \\"key\\" is missing"}'],
    ['{"kind":"multi","org":{"key":5}}', '{"message":"/org/key: expected a string, got a number"}'],
  ])("that is %s is answered with what is wrong, and where", async (body, text) => {
    expect(await setUp().post(body)).toMatchObject({ given: undefined, status: 400, text });
  });

  test("may have as many characters as bytes, where many are allowed", async () => {
    const { post, environment } = setUp();
    environment.relayOptions.maxContextBytes = 400_000;
    const { given } = await post(JSON.stringify({ ...user, name: "x".repeat(390_000) }));
    expect(given?.context.key).toBe("u");
  });

  test("that is too large ends the connection with the answer", async () => {
    const { asked } = setUp();
    const req = Object.assign(new PassThrough(), {
      method: "REPORT",
      headers: { "content-type": "application/json", "content-length": `${most + 1}` },
    });
    const sent: unknown[] = [];
    const res = Object.assign(new ServerResponse(new IncomingMessage(new Socket())), {
      writeHead: (...head: unknown[]) => void sent.push(...head),
    });
    expect(await readContext(asked({ req, res, headers: { "X-A": "1" } }))).toBeUndefined();
    expect(sent.slice(0, 2)).toEqual([413, expect.objectContaining({ Connection: "close", "X-A": "1" })]);
  });
});

test("a context in the path is read as one, and takes no room", async () => {
  const { get } = setUp();
  const { given } = await get(base64(user));
  expect([given?.context.key, given?.bytes, given?.voucher]).toEqual(["u", 0, undefined]);
  expect(await get("%")).toMatchObject({
    status: 400,
    text: '{"message":"context part of URL path did not decode as valid base64"}',
  });
  expect(await get(base64("x"))).toMatchObject({
    status: 400,
    text: '{"message":"context part of URL path did not decode to valid evaluation context as JSON"}',
  });
});

test("in secure mode a page has to prove that it may speak for a context, which holds as long as the key of the proof", async () => {
  const { get, post, environment, asked } = setUp();
  environment.settings.secureMode = true;
  const proof = (key: string) => `h=${createHmac("sha256", key).update("u").digest("hex")}`;
  for (const query of ["", "h=", proof("sdk-2")])
    expect(await get(base64(user), query)).toMatchObject({
      given: undefined,
      status: 400,
      text: '{"message":"Environment is in secure mode, and context hash does not match."}',
    });
  const { given: first } = await get(base64(user), proof("sdk-1"));
  const { given: other } = await get(base64(user), proof("sdk-0"));
  expect([first?.voucher, other?.voucher]).toEqual(["sdk-1", "sdk-0"]);
  const text = JSON.stringify(user);
  const { given: inBody } = await post(text, "application/json", proof("sdk-0"));
  expect(inBody).toMatchObject({ voucher: "sdk-0", bytes: text.length });
  if (first === undefined || other === undefined) throw new Error("nothing was given");
  environment.keys.further = [];
  expect([first, other].map((given) => isStillVouchedFor(asked({}), given))).toEqual([true, false]);
  // Of others no proof is asked.
  expect(isStillVouchedFor(asked({ credential: "mobileKey" }), other)).toBe(true);
  environment.settings.secureMode = false;
  expect(isStillVouchedFor(asked({}), other)).toBe(true);
});
