import { createHmac } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { credentialDigest } from "../credentials.js";
import { FlagSet } from "../flag-set.js";
import type { Exchange } from "../http/exchange.js";
import { KeptAnswers } from "../http/kept-answers.js";
import { Uploads } from "../http/uploads.js";
import { evaluate } from "./evaluation.js";

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const flag = (version: number) =>
  parseItem(
    "flags",
    "a",
    JSON.stringify({
      key: "a",
      version,
      on: false,
      offVariation: 0,
      variations: [version],
      clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
    }),
  );

/** True for one user alone. */
const ofKeys = parseItem(
  "flags",
  "k",
  JSON.stringify({
    key: "k",
    version: 1,
    on: true,
    targets: [{ values: ["u"], variation: 1 }],
    fallthrough: { variation: 0 },
    offVariation: 0,
    variations: [false, true],
  }),
);

/** A request for evaluations, what it is answered, and what becomes of it meanwhile. */
function setUp() {
  const sent: unknown[] = [];
  const res = {
    destroyed: false,
    writeHead: (status: number) => void sent.push(status),
    end: (body?: unknown) => void sent.push(body),
  };
  const flags = new FlagSet();
  flags.apply({ extent: "full", items: [flag(1)] });
  const environment = {
    phase: "ready",
    closed: false,
    isAccepted: true,
    accepts: () => environment.isAccepted,
    settings: { secureMode: false },
    keys: { sdkKey: "sdk-1", further: [] },
    bigSegments: undefined as object | undefined,
    flags,
  };
  const exchange = {
    req: { method: "GET", headers: {} },
    res,
    query: new URLSearchParams(),
    match: { variables: { context: base64({ kind: "user", key: "u" }) } },
    credential: "sdkKey",
    digest: credentialDigest("sdkKey", "sdk-1"),
    credentials: { closed: false, knows: () => true },
    headers: {},
    environment,
    answers: new KeptAnswers(1_000_000),
    downloads: { end: (_: unknown, body: Uint8Array) => void sent.push(Buffer.from(body).toString()) },
  };
  const ask = async (more: object = {}, format: "eval" | "evalx" = "eval") => {
    sent.length = 0;
    // No more of an exchange is used.
    await evaluate({ ...exchange, ...more } as unknown as Exchange, format);
    return [...sent];
  };
  const change = () => flags.apply({ extent: "partial", items: [flag(2)] });
  return { ask, environment, res, exchange, change };
}

test("what cannot be answered is refused, and who has gone is sent nothing", async () => {
  const { ask, environment, res, exchange } = setUp();
  const right = await ask();
  expect(right).toEqual([200, '{"a":1}']);
  const contexts = { variables: { context: base64({ kind: "user", key: "" }) } };
  expect((await ask({ match: contexts }))[0]).toBe(400);
  const withoutKey = { variables: { context: base64({ key: "" }) } };
  expect(await ask({ match: withoutKey })).toEqual([400, '{"message":"User must have a \'key\' attribute"}']);
  environment.phase = "waiting";
  expect(await ask()).toEqual([503, '{"message":"Service not initialized"}']);
  environment.phase = "ready";
  environment.isAccepted = false;
  expect((await ask())[0]).toBe(503);
  exchange.credentials.knows = () => false;
  expect((await ask())[0]).toBe(401);
  environment.isAccepted = true;
  res.destroyed = true;
  expect(await ask()).toEqual([]);
});

test.each([
  ["goes", 0],
  ["stays", 1],
])("for one of many that are answered together who %s flags are evaluated %i times", async (what, times) => {
  const { exchange, environment } = setUp();
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  res.assignSocket(new Socket());
  let evaluations = 0;
  const evaluator = {
    evaluateAllBytes() {
      evaluations++;
      return Buffer.from("{}");
    },
  };
  const asked = {
    ...exchange,
    res,
    answers: new KeptAnswers(0),
    environment: { ...environment, flags: { evaluator } },
  };
  const done = evaluate(asked as unknown as Exchange, "eval");
  if (what === "goes") res.destroy();
  await done;
  expect(evaluations).toBe(times);
});

test.each([
  ["answered", () => {}, 200],
  [
    "sent nothing when he has gone",
    ({ res }: ReturnType<typeof setUp>) => void Object.assign(res, { destroyed: true }),
    undefined,
  ],
  [
    "refused when the environment has gone",
    ({ environment }: ReturnType<typeof setUp>) => void Object.assign(environment, { closed: true }),
    503,
  ],
])("who waits for a store of memberships is %s", async (_, meanwhile, status) => {
  const setting = setUp();
  let asked: readonly string[] = [];
  setting.environment.bigSegments = {
    missing: () => ["u"],
    async read(keys: readonly string[]) {
      asked = keys;
      meanwhile(setting);
      return new Map();
    },
  };
  const [sent] = await setting.ask();
  expect([asked, sent]).toEqual([["u"], status]);
});

test("an answer is kept for the same question about the same flags", async () => {
  const { ask, exchange, change } = setUp();
  const { answers } = exchange;
  for (let time = 0; time < 2; time++) await ask();
  const { bytes } = answers;
  await ask();
  expect([answers.bytes, bytes > 0]).toEqual([bytes, true]);
  const others = [
    { query: new URLSearchParams("withReasons=true") },
    { credential: "mobileKey" },
    { match: { variables: { context: base64({ kind: "user", key: "v" }) } } },
  ];
  for (const other of others) {
    const before = answers.bytes;
    await ask(other);
    expect(answers.bytes).toBeGreaterThan(before);
  }
  let before = answers.bytes;
  await ask({}, "evalx");
  expect(answers.bytes).toBeGreaterThan(before);
  before = answers.bytes;
  change();
  await ask();
  expect(answers.bytes).toBeGreaterThan(before);
});

test("a kept answer is waited for at the end, as any other", async () => {
  const { ask } = setUp();
  for (let time = 0; time < 2; time++) await ask();
  let count = 0;
  await ask({ downloads: { end: () => count++ } });
  expect(count).toBe(1);
});

test("a kept answer is given to nobody who would be refused without it", async () => {
  const { ask, environment } = setUp();
  const h = createHmac("sha256", "sdk-1").update("u").digest("hex");
  const page = { credential: "envId" };
  const proved = { ...page, query: new URLSearchParams({ h }) };
  for (const more of [{}, page, {}, page, {}, page]) await ask(more);
  environment.settings.secureMode = true;
  expect((await ask(page))[0]).toBe(400);
  expect(await ask(proved)).toEqual([200, '{"a":1}']);
  environment.phase = "waiting";
  expect((await ask())[0]).toBe(503);
});

test("what is asked with a body is answered for that one alone", async () => {
  const { ask, environment, exchange } = setUp();
  environment.flags.apply({ extent: "full", items: [ofKeys] });
  const report = (key: string) => {
    const headers = { "content-type": "application/json" };
    const req = Object.assign(new PassThrough(), { method: "REPORT", headers });
    req.end(JSON.stringify({ kind: "user", key }));
    const relayOptions = { maxContextBytes: 1000 };
    const more = { environment: { ...environment, relayOptions }, uploads: new Uploads(1_000_000) };
    return ask({ ...more, req, match: { variables: {} } });
  };
  for (const key of ["u", "v", "u", "u", "v"])
    expect(await report(key)).toEqual([200, key === "u" ? '{"k":true}' : '{"k":false}']);
  expect(exchange.answers.bytes).toBe(0);
});

test.each(["GET", "HEAD"])("%s asks about the context in the path", async (method) => {
  expect(await setUp().ask({ req: { method, headers: {} } })).toEqual([200, '{"a":1}']);
});

test.each([
  ["withReasons=true", true],
  ["withReasons=false", false],
  ["withReasons", false],
  ["", false],
])("reasons are told where they are asked for: %j", async (query, areTold) => {
  const [, body] = await setUp().ask({ query: new URLSearchParams(query) }, "evalx");
  expect(String(body).includes('"reason"')).toBe(areTold);
});

test("what the host has put something around is answered in the turn of its request", () => {
  const { exchange, res } = setUp();
  const sent: number[] = [];
  res.writeHead = (status) => void sent.push(status);
  expect(evaluate(exchange as unknown as Exchange, "eval")).toBeUndefined();
  expect(sent).toEqual([200]);
});

test.each<[string, (setting: ReturnType<typeof setUp>) => object | undefined]>([
  [
    "depends on a proof",
    ({ environment }) => {
      environment.settings.secureMode = true;
      return { credential: "envId" };
    },
  ],
  [
    "depends on memberships",
    ({ environment }) => {
      environment.bigSegments = { missing: () => [] };
      return undefined;
    },
  ],
  [
    "is that there are no data",
    ({ environment }) => {
      environment.phase = "waiting";
      return undefined;
    },
  ],
])("an answer is not kept that %s", async (_, prepare) => {
  const setting = setUp();
  const more = prepare(setting);
  for (let time = 0; time < 3; time++) await setting.ask(more);
  expect(setting.exchange.answers.bytes).toBe(0);
});
