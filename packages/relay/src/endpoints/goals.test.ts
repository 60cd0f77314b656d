import { expect, test } from "vitest";
import type { GoalsAnswer } from "../goals-answer.js";
import type { Exchange } from "../http/exchange.js";
import { proxyGoals } from "./goals.js";

const body = Buffer.from("[]");

/** A page that asks for goals, and what it is sent. */
function setUp(answer: Partial<GoalsAnswer> | undefined) {
  const sent: unknown[] = [];
  const asked: unknown[] = [];
  const res = {
    destroyed: false,
    writeHead: (status: number, headers: object) => void sent.push(status, headers),
    end: () => void sent.push("end"),
  };
  const environment = {
    closed: false,
    accepts: () => true,
    goals: {
      async get(...question: unknown[]) {
        asked.push(question);
        return answer && { status: 200, headers: {}, body, asked: {}, fromCache: false, ...answer };
      },
    },
  };
  const exchange = {
    req: { url: "/sdk/goals/id", headers: {} as Record<string, string> },
    res,
    environment,
    headers: { Vary: "Origin" },
    credential: "envId",
    digest: "digest",
    credentials: { closed: false, knows: () => true },
    downloads: { end: (_: unknown, bytes: Buffer) => void sent.push(bytes) },
  };
  const ask = async (url = "/sdk/goals/id", headers: Record<string, string> = {}) => {
    sent.length = 0;
    // No more of an exchange is used.
    await proxyGoals({ ...exchange, req: { url, headers } } as unknown as Exchange);
    return [...sent];
  };
  return { ask, asked, res, environment };
}

test("a page is passed on with what upstream may use of its headers, and with its question", async () => {
  const { ask, asked } = setUp({});
  const passedOn = {
    accept: "a",
    "accept-language": "b",
    origin: "c",
    referer: "d",
    "user-agent": "e",
    "x-launchdarkly-user-agent": "f",
  };
  await ask("/sdk/goals/id?a=1?b", { ...passedOn, cookie: "secret", authorization: "secret" });
  await ask();
  expect(asked).toEqual([
    ["?a=1?b", passedOn],
    ["", {}],
  ]);
});

test("an answer goes to the page with headers of both, and says when it was kept", async () => {
  const headers = { etag: '"a"', vary: "Accept, origin" };
  expect(await setUp({ status: 404, headers }).ask()).toEqual([
    404,
    { etag: '"a"', Vary: "Origin, Accept", "Content-Length": 2 },
    body,
  ]);
  const [, kept] = await setUp({ fromCache: true }).ask();
  expect(kept).toMatchObject({ "X-From-Cache": "1", Vary: "Origin" });
});

test.each([
  ['"a"', 304],
  ['"b", W/"a"', 304],
  ["*", 304],
  ['"b"', 200],
])("a page that has %s gets %i", async (tag, status) => {
  const { ask } = setUp({ headers: { etag: '"a"' } });
  const sent = await ask("/", { "if-none-match": tag });
  expect([sent[0], sent.slice(2)]).toEqual([status, [status === 304 ? "end" : body]]);
  expect((await setUp({}).ask("/", { "if-none-match": tag }))[0]).toBe(200);
});

test("without an answer it is 502, unless the environment is no more, and who has gone is sent nothing", async () => {
  const { ask, environment, res } = setUp(undefined);
  expect((await ask())[0]).toBe(502);
  environment.closed = true;
  expect((await ask())[0]).toBe(503);
  res.destroyed = true;
  expect(await ask()).toEqual([]);
});
