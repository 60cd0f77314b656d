import { Readable } from "node:stream";
import type { EventSourceMessage } from "eventsource-parser";
import { describe, expect, onTestFinished, test } from "vitest";
import { malformedData, RelayError } from "../error.js";
import { silentLogger } from "../logger.js";
import { resolveOptions } from "../options/resolve-options.js";
import type { UpstreamAnswer, UpstreamRequest } from "../options/resolved-sections.js";
import { createManualClock } from "../testing/manual-clock.js";
import { type FollowedStream, followStream } from "./follow-stream.js";

/** An answer with events, which ends, or goes on for ever. */
function events(text: string, ends = true): UpstreamAnswer {
  const body = new Readable({ read() {} });
  body.push(text);
  if (ends) body.push(null);
  return { statusCode: 200, headers: { "content-type": "text/event-stream" }, body };
}
const answer = (statusCode: number, headers: UpstreamAnswer["headers"] = {}): UpstreamAnswer => ({
  statusCode,
  headers,
  body: Readable.from(["x"]),
});

/** Follows a stream of an upstream that gives one answer after the other, and then none any more. */
function setUp(answers: (() => UpstreamAnswer)[], onEvent: FollowedStream["onEvent"] = () => undefined) {
  const clock = createManualClock();
  const asked: UpstreamRequest[] = [];
  const log: string[] = [];
  const warnings: string[] = [];
  const dispatcher = {
    async request(request: UpstreamRequest): Promise<UpstreamAnswer> {
      const next = answers[asked.length];
      asked.push(request);
      if (next === undefined) return new Promise<never>(() => {});
      const given = next();
      given.body.on("error", () => {});
      request.signal.addEventListener("abort", () => given.body.destroy(request.signal.reason));
      return given;
    },
  };
  const close = followStream({
    url: "http://upstream/all?a=b",
    key: "sdk-1",
    upstream: resolveOptions({ upstream: { dispatcher } }).upstream,
    clock,
    random: () => 0,
    logger: { ...silentLogger, warn: (line) => void warnings.push(line) },
    name: "the stream",
    onEvent(event: EventSourceMessage) {
      log.push(`event ${event.data}`);
      return onEvent(event);
    },
    onFailure: ({ kind, message }) => void log.push(`${kind} ${message}`),
    onRefusal: ({ kind, message }) => void log.push(`refused: ${kind} ${message}`),
  });
  onTestFinished(close);
  const until = async (enough: () => boolean) => {
    while (!enough()) await new Promise(setImmediate);
  };
  return { clock, asked, log, warnings, close, until };
}

const warned = (why: string, ms = 1000) => `the stream: ${why}; connecting again in ${ms} ms`;

describe("a connection that fails is told of by its kind, and another follows", () => {
  const nothing = "Cannot read properties of undefined";
  test.each([
    [new Error("boom"), "NETWORK_ERROR", "boom"],
    ["", "NETWORK_ERROR", "the connection failed"],
    ["gone", "NETWORK_ERROR", "gone"],
    [new TypeError(nothing), "UNKNOWN", nothing],
    [malformedData("half a flag"), "INVALID_DATA", "half a flag"],
    [new RelayError("store_failed", "no disk"), "STORE_ERROR", "no disk"],
    [new RelayError("closed", "over"), "STORE_ERROR", "over"],
  ])("after %s: %s", async (thrown, kind, message) => {
    const fail = () => {
      throw thrown;
    };
    const { clock, asked, log, warnings, until } = setUp([fail]);
    await until(() => log.length > 0);
    expect([log, warnings]).toEqual([[`${kind} ${message}`], [warned(message)]]);
    clock.advance(999);
    expect(asked).toHaveLength(1);
    clock.advance(1);
    expect(asked).toHaveLength(2);
  });

  test.each([
    [503, {}, "upstream answered 503"],
    [204, {}, "upstream answered 204"],
    [200, { "content-type": "text/html" }, "upstream answered with a page (text/html) in place of events"],
    [
      200,
      { "content-encoding": "br" },
      "upstream answered with compressed events (br), which nobody asked for",
    ],
    [503, { "content-type": "text/html" }, "upstream answered 503"],
  ])("after an answer of %i with %j", async (status, headers, message) => {
    const { log, warnings, until } = setUp([() => answer(status, headers)]);
    await until(() => log.length > 0);
    expect([log, warnings]).toEqual([[`ERROR_RESPONSE ${message}`], [warned(message)]]);
  });

  test.each([401, 403])("but not after an answer of %i, which refuses the key", async (status) => {
    const { clock, asked, log, warnings, until } = setUp([() => answer(status)]);
    await until(() => log.length > 0);
    expect(log).toEqual([`refused: ERROR_RESPONSE upstream answered ${status}`]);
    expect([warnings, clock.pending, asked.length]).toEqual([[], 0, 1]);
  });
});

test.each([{}, { "content-type": "application/octet-stream" }, { "content-encoding": "identity" }])(
  "events may come with the headers %j",
  async (headers) => {
    const { log, until } = setUp([() => ({ ...events("data: 1\n\n"), headers })]);
    await until(() => log.length === 2);
    expect(log).toEqual(["event 1", "NETWORK_ERROR upstream ended the stream"]);
  },
);

test("upstream is asked as a server-side SDK asks", async () => {
  const { asked, until } = setUp([]);
  await until(() => asked.length > 0);
  expect(asked).toEqual([
    {
      method: "GET",
      origin: "http://upstream",
      path: "/all?a=b",
      signal: expect.any(AbortSignal),
      headersTimeout: 30_000,
      bodyTimeout: 0,
      headers: {
        authorization: "sdk-1",
        accept: "text/event-stream",
        "cache-control": "no-cache",
        "user-agent": "wye-relay",
      },
    },
  ]);
});

test("a wish for a new connection is no failure, and what comes behind it is left", async () => {
  const { clock, asked, log, warnings, until } = setUp(
    [() => events("data: 1\n\ndata: 2\n\n", false)],
    () => "reconnect",
  );
  await until(() => warnings.length > 0);
  expect([log, warnings]).toEqual([["event 1"], [warned("upstream asks for a new connection")]]);
  expect(asked[0]?.signal.aborted).toBe(true);
  clock.advance(1000);
  expect(asked).toHaveLength(2);
});

test("an event that cannot be used ends the connection, and the next pause is longer", async () => {
  const { clock, asked, log, warnings, until } = setUp(
    [() => events("data: 1\n\n", false), () => events("data: 2\n\n", false)],
    () => Promise.reject(malformedData("no flags")),
  );
  await until(() => warnings.length === 1);
  expect(asked[0]?.signal.aborted).toBe(true);
  clock.advance(1000);
  await until(() => warnings.length === 2);
  expect(log).toEqual(["event 1", "INVALID_DATA no flags", "event 2", "INVALID_DATA no flags"]);
  expect(warnings).toEqual([warned("no flags"), warned("no flags", 2000)]);
});

test("a connection that was good for a minute makes the pauses short again", async () => {
  const failing = () => answer(500);
  const good = () => events("data: 1\n\n", false);
  const { clock, log, warnings, until } = setUp([failing, failing, good]);
  const wait = async (count: number) => until(() => warnings.length === count);
  await wait(1);
  clock.advance(1000);
  await wait(2);
  clock.advance(2000);
  await until(() => log.includes("event 1"));
  while (warnings.length < 3) {
    await new Promise(setImmediate);
    clock.advance(300_000);
  }
  expect(warnings).toEqual([
    warned("upstream answered 500"),
    warned("upstream answered 500", 2000),
    warned("nothing was received for too long"),
  ]);
});

test.each([
  { name: "one second less than a minute", goodMs: 59_000, pauseMs: 2000 },
  { name: "a minute", goodMs: 60_000, pauseMs: 1000 },
])("after $name of events the next pause takes $pauseMs ms", async ({ goodMs, pauseMs }) => {
  const good = events("data: 1\n\n", false);
  const { clock, log, warnings, until } = setUp([() => answer(500), () => good]);
  await until(() => warnings.length === 1);
  clock.advance(1000);
  await until(() => log.includes("event 1") && clock.pending > 0);
  clock.advance(goodMs);
  good.body.push(null);
  await until(() => warnings.length === 2);
  expect(warnings[1]).toBe(warned("upstream ended the stream", pauseMs));
});

test("an event that cannot be used makes no connection good, however long that takes to find out", async () => {
  let refuse = () => {};
  const answers = [() => events("data: 1\n\n", false), () => events("data: 2\n\n", false)];
  const { clock, log, warnings, until } = setUp(
    answers,
    () =>
      new Promise<never>((_, reject) => {
        refuse = () => reject(malformedData("no flags"));
      }),
  );
  for (const count of [1, 2]) {
    await until(() => log.includes(`event ${count}`));
    clock.advance(60_000);
    refuse();
    await until(() => warnings.length === count);
    clock.advance(1000);
  }
  expect(warnings).toEqual([warned("no flags"), warned("no flags", 2000)]);
});

test("pauses double up to half a minute", async () => {
  const { clock, warnings, until } = setUp(Array.from({ length: 7 }, () => () => answer(500)));
  const pauses = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];
  for (const [index, ms] of pauses.entries()) {
    await until(() => warnings.length > index);
    clock.advance(ms);
  }
  expect(warnings).toEqual(pauses.map((ms) => warned("upstream answered 500", ms)));
});

test.each([
  { id: " ", sent: undefined },
  { id: "a b~", sent: "a b~" },
  { id: "x".repeat(200), sent: "x".repeat(200) },
  { id: "x".repeat(201), sent: undefined },
  { id: "a\u001f", sent: undefined },
  { id: "\u007f", sent: undefined },
  { id: "é", sent: undefined },
])("of the last ID $id is sent $sent", async ({ id, sent }) => {
  const { clock, asked, warnings, until } = setUp([() => events(`id:${id}\ndata: 1\n\n`)]);
  await until(() => warnings.length > 0);
  clock.advance(1000);
  expect(asked[1]?.headers["last-event-id"]).toBe(sent);
});

test.each([
  { what: "of an event before one without", text: "id: 1\ndata: 1\n\ndata: 2\n\n", sent: "1" },
  { what: "of the last one", text: "id: 1\ndata: 1\n\nid: 2\ndata: 2\n\n", sent: "2" },
  {
    what: "of none, after one that cannot be sent",
    text: "id: 1\ndata: 1\n\nid: é\ndata: 2\n\n",
    sent: undefined,
  },
  { what: "of one that cannot be used", text: "id: 1\ndata: 1\n\nid: 2\ndata: useless\n\n", sent: "2" },
  { what: "of one that asks for it", text: "id: 1\ndata: 1\n\nid: 2\ndata: again\n\n", sent: "2" },
])("the next connection is asked for with the ID $what", async ({ text, sent }) => {
  const { clock, asked, warnings, until } = setUp([() => events(text)], ({ data }) => {
    if (data === "useless") throw malformedData("no flags");
    return data === "again" ? "reconnect" : undefined;
  });
  await until(() => warnings.length > 0);
  clock.advance(1000);
  expect(asked[1]?.headers["last-event-id"]).toBe(sent);
});

test("upstream says in milliseconds how long the first pause is to be", async () => {
  const { clock, asked, warnings, until } = setUp([() => events("retry: 5000\ndata: 1\n\n")]);
  await until(() => warnings.length > 0);
  expect(warnings).toEqual([warned("upstream ended the stream", 5000)]);
  clock.advance(4999);
  expect(asked).toHaveLength(1);
  clock.advance(1);
  expect(asked).toHaveLength(2);
});

describe("after the end", () => {
  test("an open connection is given up, and nothing is told", async () => {
    const { clock, asked, log, warnings, close, until } = setUp([() => events("data: 1\n\n", false)]);
    await until(() => log.length === 1);
    close();
    await until(() => asked[0]?.signal.aborted === true);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([log, warnings, clock.pending]).toEqual([["event 1"], [], 0]);
  });

  test("nobody waits for the next connection", async () => {
    const { clock, asked, warnings, close, until } = setUp([() => answer(500)]);
    await until(() => warnings.length === 1);
    expect(clock.pending).toBe(1);
    close();
    expect(clock.pending).toBe(0);
    clock.advance(60_000);
    expect(asked).toHaveLength(1);
  });

  test("a wish for a new connection is not fulfilled", async () => {
    const { clock, log, warnings, close, until } = setUp([() => events("data: 1\n\n", false)], () => {
      close();
      return "reconnect";
    });
    await until(() => log.length === 1);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([warnings, clock.pending]).toEqual([[], 0]);
  });

  test("an event that is being dealt with is the last", async () => {
    let through = () => {};
    const { log, warnings, clock, close, until } = setUp(
      [() => events("data: 1\n\ndata: 2\n\n")],
      () => new Promise<void>((resolve) => (through = resolve)),
    );
    await until(() => log.length === 1);
    close();
    through();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([log, warnings, clock.pending]).toEqual([["event 1"], [], 0]);
  });
});
