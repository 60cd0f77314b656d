import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import type { UpstreamAnswer, UpstreamRequest } from "../options/resolved-sections.js";
import { type PostOutcome, postAsKnown, postInLane, postUpstream } from "./post-upstream.js";

/** A post to an upstream that answers so. */
function post(answer: () => { statusCode: number; headers?: Record<string, string> }, length = 5) {
  const asked: UpstreamRequest[] = [];
  const dispatcher = {
    async request(request: UpstreamRequest) {
      asked.push(request);
      return { headers: {}, body: Readable.from(["x"]), ...answer() };
    },
  };
  const options = {
    dispatcher,

    timeoutMs: 1000,
    signal: new AbortController().signal,
  };
  const outcome = postUpstream("http://upstream/bulk?a=b", Buffer.alloc(length), { "x-a": "1" }, options);
  return { outcome, asked };
}

test.each([
  ...[400].map((status) => ({ status, kind: "retryable", fault: "content" })),
  ...[500, 503, 599].map((status) => ({ status, kind: "retryable", fault: "server" })),
  ...[199, 300, 304, 399, 408, 429].map((status) => ({ status, kind: "retryable" })),
  ...[401, 403].map((status) => ({ status, kind: "unauthorized" })),
  ...[413].map((status) => ({ status, kind: "too-large" })),
  ...[402, 404, 407, 409, 412, 414, 428, 430, 499].map((status) => ({ status, kind: "refused" })),
])("an answer of $status is $kind, by the fault of $fault", async ({ status, ...expected }) => {
  const { outcome } = post(() => ({ statusCode: status }));
  expect(await outcome).toEqual({ reason: `upstream answered ${status}`, ...expected });
});

const date = "Tue, 14 Nov 2023 22:13:20 GMT";
test.each([
  { status: 200, headers: { date }, serverTime: 1_700_000_000_000 },
  { status: 202, headers: { date: "soon" }, serverTime: undefined },
  { status: 299, headers: {}, serverTime: undefined },
])(
  "an answer of $status with $headers has taken the post, at $serverTime",
  async ({ status, headers, serverTime }) => {
    const { outcome } = post(() => ({ statusCode: status, headers }));
    expect(await outcome).toEqual({ kind: "accepted", serverTime });
  },
);

test.each([
  { code: "ERR_INVALID_CHAR", kind: "refused" },
  { code: "ERR_INVALID_HTTP_TOKEN", kind: "refused" },
  { code: "UND_ERR_INVALID_ARG", kind: "refused" },
  { code: "ECONNRESET", kind: "retryable" },
  { code: undefined, kind: "retryable" },
])("a failure with the code $code is $kind", async ({ code, kind }) => {
  const { outcome } = post(() => {
    throw Object.assign(new Error("no way"), code === undefined ? {} : { code });
  });
  expect(await outcome).toEqual({ kind, reason: "no way" });
});

test("what is thrown that is no error is told as well", async () => {
  const { outcome } = post(() => {
    throw { code: "ERR_INVALID_CHAR" };
  });
  expect(await outcome).toMatchObject({ kind: "retryable" });
});

test.each([
  { length: 63, ms: 1000 },
  { length: 64, ms: 1001 },
  { length: 640_000, ms: 11_000 },
])("$length bytes may take $ms ms to be sent and answered", async ({ length, ms }) => {
  const { outcome, asked } = post(() => ({ statusCode: 202 }), length);
  await outcome;
  expect(asked).toEqual([
    expect.objectContaining({
      origin: "http://upstream",
      path: "/bulk?a=b",
      method: "POST",
      headers: { "x-a": "1" },
      headersTimeout: ms,
      bodyTimeout: 1000,
    }),
  ]);
});

test("a key that is set while upstream is being asked is tried when upstream refuses those before it", async () => {
  const keys = ["old", "older", "foreign"];
  const asked: string[] = [];
  const dispatcher = {
    async request({ headers }: UpstreamRequest) {
      const key = String(headers.authorization);
      asked.push(key);
      if (key === "old") keys.unshift("new");
      return { statusCode: key === "new" ? 202 : 401, headers: {}, body: Readable.from([]) };
    },
  };
  const destination = {
    keys: () => keys,
    mayStandIn: (key: string) => key !== "foreign",
    request: (authorization: string) => ({ url: "http://upstream/bulk", authorization }),
  };
  const signal = new AbortController().signal;
  const post = (key: string | undefined) =>
    postAsKnown(
      { id: "1", body: Buffer.alloc(1), metadata: { schema: 4, tags: "", key } },
      destination,
      { dispatcher, requestTimeoutMs: 1000 },
      signal,
    );
  expect(await post("old")).toMatchObject({ kind: "accepted" });
  expect(asked.splice(0)).toEqual(["old", "new"]);
  keys.splice(0, 1);
  expect(await post(undefined)).toMatchObject({ kind: "accepted" });
  expect(asked.splice(0)).toEqual(["old", "new"]);
  keys.splice(0, keys.length, "older", "foreign");
  // Each is asked once.
  expect(await post("foreign")).toMatchObject({ kind: "unauthorized" });
  expect(asked.splice(0)).toEqual(["foreign", "older"]);
  keys.splice(0, keys.length, "foreign", "older");
  expect(await post(undefined)).toMatchObject({ kind: "unauthorized" });
  expect(asked.splice(0)).toEqual(["older"]);
  keys.splice(0);
  expect(await post(undefined)).toEqual({ kind: "unauthorized", reason: "there is no key to send with" });
});

test.each([503, 429, 400, 413, 404])(
  "what upstream answers %i to is not sent with another key",
  async (statusCode) => {
    const asked: unknown[] = [];
    const dispatcher = {
      async request({ headers }: UpstreamRequest) {
        asked.push(headers.authorization);
        return { statusCode, headers: {}, body: Readable.from([]) };
      },
    };
    await postAsKnown(
      { id: "1", body: Buffer.alloc(1), metadata: { schema: 4, tags: "", key: "new" } },
      {
        keys: () => ["new", "old"],
        mayStandIn: () => true,
        request: (authorization) => ({ url: "http://upstream/bulk", authorization }),
      },
      { dispatcher, requestTimeoutMs: 1000 },
      new AbortController().signal,
    );
    expect(asked).toEqual(["new"]);
  },
);

/** What has become of a post whose answer, or the end of it, never comes: before its time is over, and after it. */
async function outcomesAround(limitMs: number, request: () => Promise<UpstreamAnswer>) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const options = { dispatcher: { request }, timeoutMs: 1000, signal: new AbortController().signal };
  let outcome: PostOutcome | undefined;
  void postUpstream("http://upstream/bulk", Buffer.alloc(640), {}, options).then((known) => {
    outcome = known;
  });
  const turns = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    return outcome;
  };
  await turns();
  vi.advanceTimersByTime(limitMs - 1);
  const before = await turns();
  vi.advanceTimersByTime(1);
  return [before, await turns()];
}

test.each([
  [202, { kind: "accepted", serverTime: undefined }],
  [500, { kind: "retryable", fault: "server", reason: "upstream answered 500" }],
])(
  "of an answer that goes on and on the status %i counts once it is cut off",
  async (statusCode, outcome) => {
    const body = new Readable({ read() {} });
    const request = async () => ({ statusCode, headers: {}, body });
    expect(await outcomesAround(1000, request)).toEqual([undefined, outcome]);
    expect(body.destroyed).toBe(true);
  },
);

test("what connects, sends and does not answer in the time of all three may work later", async () => {
  const outcomes = await outcomesAround(2010, () => new Promise(() => {}));
  expect(outcomes).toEqual([undefined, { kind: "retryable", reason: "no answer within 2010 ms" }]);
});

test("who is waiting for a lane when there is no time any more may try later; what fails in a lane has failed", async () => {
  const ending = new AbortController();
  const failing = () => Promise.reject(new Error("no lane"));
  await expect(postInLane(failing, () => new Promise(() => {}), ending.signal)).rejects.toThrow("no lane");
  ending.abort();
  const late = await postInLane(failing, () => new Promise(() => {}), ending.signal);
  expect(late).toEqual({ kind: "retryable", reason: "no lane" });
});
