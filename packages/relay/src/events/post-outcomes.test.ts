import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { UpstreamRequest } from "../options/resolved-sections.js";
import { postAsKnown, postUpstream } from "./post-upstream.js";

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
  keys.splice(0);
  expect(await post(undefined)).toEqual({ kind: "unauthorized", reason: "there is no key to send with" });
});
