import { createHmac } from "node:crypto";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Exchange } from "../http/exchange.js";
import { LargeContexts } from "../http/large-contexts.js";
import { Uploads } from "../http/uploads.js";
import type { Subscriber } from "../streaming/subscriber.js";
import { createManualClock } from "../testing/manual-clock.js";
import { openClientStream, openStream } from "./streams.js";

const context = Buffer.from('{"kind":"user","key":"u"}').toString("base64url");

/** A request for a stream, and what becomes of it. */
function setUp({ maxConnectionMs = 0, random = 0 } = {}) {
  const clock = createManualClock();
  const said: string[] = [];
  const joined: Subscriber[] = [];
  const headersOf: object[] = [];
  const res = Object.assign(new EventEmitter(), {
    destroyed: false,
    writeHead: (status: number) => void said.push(`${status}`),
    end: (body?: unknown) => void said.push(String(body)),
  });
  const environment = {
    phase: "ready",
    closed: false,
    accepts: () => true,
    allowsOrigin: () => true,
    settings: { secureMode: false, clientStream: "evaluated" },
    keys: { sdkKey: "sdk-1", further: [] },
    bigSegments: undefined as object | undefined,
    flags: { evaluator: {} },
    relayOptions: { clock, random: () => random, maxContextBytes: 100_000, streams: { maxConnectionMs } },
    later: clock.schedule,
    streams: {
      join(subscriber: Subscriber, headers: object) {
        joined.push(subscriber);
        headersOf.push(headers);
        said.push(`join ${subscriber.channel} ${subscriber.audience}`);
      },
      leave: () => void said.push("leave"),
      end: () => void said.push("end"),
    },
    meter: {
      streamOpened: (channel: string) => void said.push(`opened ${channel}`),
      streamClosed: (channel: string) => void said.push(`closed ${channel}`),
    },
  };
  const exchange = {
    req: { method: "GET", headers: {} as Record<string, string> },
    res,
    query: new URLSearchParams(),
    match: { variables: { context } },
    credential: "envId",
    digest: "digest",
    credentials: { closed: false, knows: () => true },
    headers: {} as Record<string, string>,
    environment,
    contexts: new LargeContexts(),
    uploads: new Uploads(1_000_000),
  };
  // No more of an exchange is used.
  return {
    clock,
    said,
    joined,
    headersOf,
    res,
    environment,
    given: exchange,
    exchange: exchange as unknown as Exchange,
  };
}

test("a stream is counted when it is opened and when its reader goes, and takes no notice of its time any more", () => {
  const { exchange, said, res, clock } = setUp({ maxConnectionMs: 1000 });
  openStream(exchange, "all");
  expect(said.splice(0)).toEqual(["join all browser", "opened all"]);
  res.emit("close");
  expect([said, clock.pending]).toEqual([["leave", "closed all"], 0]);
});

test("of a stream that cannot be opened no context is kept", async () => {
  const { exchange, given, res, environment } = setUp();
  const kept = { taken: 0, released: 0 };
  Object.assign(given.contexts, {
    take() {
      kept.taken++;
      return () => kept.released++;
    },
  });
  environment.streams.join = () => {
    throw new Error("no stream");
  };
  await expect(openClientStream(exchange)).rejects.toThrow("no stream");
  res.emit("close");
  expect(kept).toEqual({ taken: 1, released: 1 });
});

test("who has gone already opens no stream", async () => {
  const { exchange, said, res } = setUp();
  res.destroyed = true;
  openStream(exchange, "all");
  await openClientStream(exchange);
  expect(said).toEqual([]);
});

test.each([
  [0, 1000],
  [0.5, 950],
])("a stream ends after its time, less up to a tenth at random: %d", (random, ms) => {
  const { exchange, said, clock } = setUp({ maxConnectionMs: 1000, random });
  openStream(exchange, "all");
  clock.advance(ms - 1);
  expect(said).not.toContain("end");
  clock.advance(1);
  expect(said).toContain("end");
});

test("without a time a stream has no end, and of the origin of its page no more is kept than one may have", () => {
  const { exchange, given, joined, clock } = setUp();
  given.req.headers.origin = "x".repeat(1000);
  openStream(exchange, "ping");
  expect([clock.pending, joined[0]?.origin?.length, joined[0]?.credential]).toEqual([0, 300, "digest"]);
});

test("a stream has the headers of its request, and is an event stream that nobody keeps or collects", () => {
  const { exchange, given, headersOf } = setUp();
  Object.assign(given.headers, { "X-Request-Id": "7", "Cache-Control": "max-age=5" });
  openStream(exchange, "all");
  expect(headersOf).toEqual([
    {
      "X-Request-Id": "7",
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-store, must-revalidate",
      "X-Accel-Buffering": "no",
    },
  ]);
});

test("who comes from no page is left out by no origins", async () => {
  const { exchange, environment, said } = setUp();
  environment.allowsOrigin = () => false;
  await openClientStream(exchange);
  expect(said).toEqual(["join client browser", "opened client"]);
});

describe("the stream of a context", () => {
  test.each([
    ["mobileKey", "evaluated", "client mobile"],
    ["envId", "evaluated", "client browser"],
    ["envId", "ping", "ping browser"],
  ])("of %s is %s", async (credential, clientStream, expected) => {
    const { exchange, environment, said } = setUp();
    environment.settings.clientStream = clientStream;
    await openClientStream({ ...exchange, credential } as Exchange);
    expect(said[0]).toBe(`join ${expected}`);
  });

  test.each([
    ["", false],
    ["withReasons=false", false],
    ["withReasons=true", true],
  ])("is asked for with %j, and knows whose it is and who has vouched for it", async (query, withReasons) => {
    const { exchange, environment, joined } = setUp();
    environment.settings.secureMode = true;
    const h = createHmac("sha256", "sdk-1").update("u").digest("hex");
    await openClientStream({ ...exchange, query: new URLSearchParams(`${query}&h=${h}`) });
    expect(joined[0]).toMatchObject({
      voucher: "sdk-1",
      view: { audience: "browser", withReasons, context: { key: "u" } },
    });
  });

  test("is refused when there are no data, or its environment, its key or its origin has gone", async () => {
    const { exchange, environment, given, said } = setUp();
    const refusal = async () => {
      await openClientStream(exchange);
      return said.splice(0);
    };
    given.req.headers.origin = "https://a.example";
    given.headers["Access-Control-Allow-Origin"] = "https://a.example";
    environment.allowsOrigin = () => false;
    expect(await refusal()).toEqual(["503", '{"message":"the origin is not allowed any more"}']);
    // To another one nothing was promised.
    given.headers["Access-Control-Allow-Origin"] = "https://b.example";
    expect((await refusal())[0]).toBe("join client browser");
    environment.phase = "waiting";
    expect(await refusal()).toEqual(["503", '{"message":"Service not initialized"}']);
    environment.closed = true;
    expect(await refusal()).toEqual([
      "503",
      "the environment or the payload filter was set up anew; try again",
    ]);
  });

  test("keeps room for a large context until its reader goes", async () => {
    const { exchange, given, res, said } = setUp();
    given.contexts = new LargeContexts(30_000);
    const open = async () => {
      const req = Object.assign(new PassThrough(), {
        method: "REPORT",
        headers: { "content-type": "application/json" },
      });
      req.end(JSON.stringify({ kind: "user", key: "u", text: "x".repeat(20_000) }));
      await openClientStream({ ...exchange, req, contexts: given.contexts });
      return said.splice(0)[0];
    };
    expect([await open(), await open()]).toEqual(["join client browser", "503"]);
    res.emit("close");
    said.length = 0;
    expect(await open()).toBe("join client browser");
  });

  /** Memberships that change so often while they are asked for. */
  function changing(times: number) {
    let [asked, revision] = [0, 0];
    return {
      asked: () => asked,
      bigSegments: {
        get revision() {
          return revision;
        },
        missing: (_: unknown, __: unknown, known?: ReadonlyMap<string, unknown>) =>
          known === undefined ? ["u"] : [],
        async read() {
          asked++;
          if (asked <= times) revision++;
          return new Map([["u", { status: "HEALTHY" }]]);
        },
      },
    };
  }

  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
    [9, 3],
  ])("whose memberships change %i times meanwhile asks %i times", async (times, asked) => {
    const { exchange, environment, said } = setUp();
    const members = changing(times);
    environment.bigSegments = members.bigSegments;
    await openClientStream(exchange);
    expect([members.asked(), said[0]]).toEqual([asked, "join client browser"]);
  });

  test.each<[string, (setting: ReturnType<typeof setUp>) => void, string | undefined]>([
    [
      "is not opened when its reader has gone",
      ({ res }) => void Object.assign(res, { destroyed: true }),
      undefined,
    ],
    [
      "is refused when its environment has gone",
      ({ environment }) => void Object.assign(environment, { closed: true }),
      "503",
    ],
    [
      "is refused when proofs are asked for",
      ({ environment }) => void Object.assign(environment.settings, { secureMode: true }),
      "503",
    ],
  ])("%s while memberships are asked for", async (_, meanwhile, sent) => {
    const setting = setUp();
    const { bigSegments } = changing(0);
    setting.environment.bigSegments = {
      ...bigSegments,
      read() {
        meanwhile(setting);
        return bigSegments.read();
      },
    };
    await openClientStream(setting.exchange);
    expect(setting.said[0]).toBe(sent);
  });
});
