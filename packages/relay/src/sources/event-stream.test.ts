import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../clock.js";
import { resolveOptions } from "../options/resolve-options.js";
import type { UpstreamRequest } from "../options/resolved-sections.js";
import { createManualClock } from "../testing/manual-clock.js";
import { type ConnectionError, eventStream } from "./event-stream.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ["5m", 30_000],
  ["20s", 20_000],
])(
  "with readTimeout %s a stream that does not begin is given up after %i ms",
  async (readTimeout, limitMs) => {
    const asked: UpstreamRequest[] = [];
    const dispatcher = {
      request(request: UpstreamRequest) {
        asked.push(request);
        return new Promise<never>(() => {});
      },
    };
    const { upstream } = resolveOptions({ upstream: { dispatcher, readTimeout } });
    const stream = eventStream({
      url: "http://127.0.0.1/all",
      sdkKey: "sdk-1",
      upstream,
      clock: systemClock,
      signal: new AbortController().signal,
    });
    let outcome = "none yet";
    stream.next().catch((error: Error) => {
      outcome = error.message;
    });
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(outcome).toBe("none yet");
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBe(`no answer within ${limitMs} ms`);
    expect(asked.map(({ headersTimeout, signal }) => [headersTimeout, signal.aborted])).toEqual([
      [limitMs, true],
    ]);
  },
);

/** What becomes of a stream that upstream answers so: its first event, or why there is none. */
async function outcome(statusCode: number, headers: Record<string, string>): Promise<string> {
  const body = Readable.from([Buffer.from("event: put\ndata: 1\n\n")]);
  const dispatcher = { request: async () => ({ statusCode, headers, body }) };
  const { upstream } = resolveOptions({ upstream: { dispatcher } });
  const stream = eventStream({
    url: "http://127.0.0.1/all",
    sdkKey: "sdk-1",
    upstream,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  try {
    return `${(await stream.next()).value.event}`;
  } catch (error) {
    const { kind, message, refusal } = error as ConnectionError;
    return `${refusal ? "refused" : kind}${body.destroyed ? "" : ", left open"}: ${message}`;
  } finally {
    await stream.return(undefined as never);
  }
}

test.each([
  [200, {}, "put"],
  [200, { "content-type": "text/event-stream; charset=utf-8" }, "put"],
  [200, { "content-encoding": "identity" }, "put"],
  [200, { "content-type": "text/plain" }, "put"],
  [
    200,
    { "content-encoding": "gzip" },
    "ERROR_RESPONSE: upstream answered with compressed events (gzip), which nobody asked for",
  ],
  [
    200,
    { "content-type": "text/html; charset=utf-8" },
    "ERROR_RESPONSE: upstream answered with a page (text/html) in place of events",
  ],
  [204, {}, "ERROR_RESPONSE: upstream answered 204"],
  [201, {}, "ERROR_RESPONSE: upstream answered 201"],
  [201, { "content-type": "text/html" }, "ERROR_RESPONSE: upstream answered 201"],
  [401, {}, "refused: upstream answered 401"],
  [403, { "content-type": "text/html" }, "refused: upstream answered 403"],
  [402, {}, "ERROR_RESPONSE: upstream answered 402"],
  [404, {}, "ERROR_RESPONSE: upstream answered 404"],
  [407, {}, "ERROR_RESPONSE: upstream answered 407"],
  [503, { "content-encoding": "gzip" }, "ERROR_RESPONSE: upstream answered 503"],
])("a stream that is answered with %i and %j: %s", async (status, headers, expected) => {
  expect(await outcome(status, headers)).toBe(expected);
});

test("that what was answered in place of events is dropped does no harm, whatever it says to that", async () => {
  const destroy = (_: unknown, done: (error: Error) => void) => done(new Error("dropped"));
  const body = new Readable({ read() {}, destroy });
  const dispatcher = { request: async () => ({ statusCode: 503, headers: {}, body }) };
  const { upstream } = resolveOptions({ upstream: { dispatcher } });
  const { signal } = new AbortController();
  const asked = { url: "http://127.0.0.1/all", sdkKey: "sdk-1", upstream, clock: systemClock, signal };
  await expect(eventStream(asked).next()).rejects.toThrow("upstream answered 503");
  expect([body.closed, body.listenerCount("error")]).toEqual([true, 1]);
});

/** A stream with two events in one piece, whose connection goes on whatever it is told. */
function endless(text = "data: 1\n\ndata: 2\n\n", onOpen = async () => {}) {
  const body = new Readable({ read() {} });
  body.push(text);
  const requests: UpstreamRequest[] = [];
  const dispatcher = {
    async request(request: UpstreamRequest) {
      requests.push(request);
      return { statusCode: 200, headers: {}, body };
    },
  };
  const clock = createManualClock();
  const ending = new AbortController();
  const { upstream } = resolveOptions({ upstream: { dispatcher, maxEventBytes: 1000 } });
  const { signal } = ending;
  const url = "http://127.0.0.1/all";
  const stream = eventStream({ url, sdkKey: "sdk-1", upstream, clock, signal, onOpen });
  return { body, clock, requests, stream, signal, end: () => ending.abort(new Error("over")) };
}

test("once a stream is ended none of its events is given, as if it had been read", async () => {
  const { body, stream, clock, end } = endless();
  expect((await stream.next()).value.data).toBe("1");
  end();
  await expect(stream.next()).rejects.toThrow("over");
  expect([body.destroyed, clock.pending]).toEqual([true, 0]);
});

test("while the connection of a stream that is ended goes on nobody waits for what it says", async () => {
  const { stream, clock, end } = endless();
  for (const data of ["1", "2"]) expect((await stream.next()).value.data).toBe(data);
  void stream.next();
  await vi.waitUntil(() => clock.pending === 1);
  end();
  expect(clock.pending).toBe(0);
});

test("of a stream that upstream has ended nothing is left", async () => {
  const { body, stream, clock, signal } = endless();
  for (const data of ["1", "2"]) expect((await stream.next()).value.data).toBe(data);
  const last = expect(stream.next()).rejects.toThrow("upstream ended the stream");
  await vi.waitUntil(() => clock.pending === 1);
  body.push(null);
  await last;
  expect([clock.pending, getEventListeners(signal, "abort")]).toEqual([0, []]);
});

test("what comes before an event that is too large is given", async () => {
  const { stream, clock } = endless(`data: 1\n\ndata: ${"x".repeat(2000)}`);
  expect((await stream.next()).value.data).toBe("1");
  await expect(stream.next()).rejects.toThrow("an event is larger than maxEventBytes");
  expect(clock.pending).toBe(0);
});

test("an event may have maxEventBytes, and not one more", async () => {
  const line = (size: number) => "data: ".padEnd(size, "x");
  const { stream } = endless(`${line(1000)}\n\n`);
  expect((await stream.next()).value.data).toHaveLength(994);
  await expect(endless(line(1001)).stream.next()).rejects.toThrow("an event is larger than maxEventBytes");
});

test("no event is given, and no silence is noticed, before what is done at the beginning is done", async () => {
  let begun = () => {};
  const { stream, clock } = endless(undefined, () => new Promise<void>((resolve) => (begun = resolve)));
  const given: unknown[] = [];
  const first = stream.next().then(({ value }) => given.push(value.data));
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([given, clock.pending]).toEqual([[], 0]);
  begun();
  await first;
  expect(given).toEqual(["1"]);
});

test("a stream that says nothing from the beginning is given up after readTimeout, however long a head may take", async () => {
  const { stream, clock, body, requests } = endless("");
  const last = expect(stream.next()).rejects.toThrow("nothing was received for too long");
  await vi.waitUntil(() => clock.pending === 1);
  clock.advance(299_999);
  expect(requests[0]?.signal.aborted).toBe(false);
  clock.advance(1);
  expect(requests[0]?.signal.aborted).toBe(true);
  body.destroy(requests[0]?.signal.reason);
  await last;
});
