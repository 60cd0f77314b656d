import { describe, expect, test } from "vitest";
import { createCors } from "./cors.js";
import type { RouterRequest } from "./exchange.js";
import { findPlatform } from "./platform.js";
import { refuse } from "./refusal.js";
import { createReplies, refusalOfTime } from "./replies.js";
import { createRepresentation } from "./representation.js";

const origin = "https://a.example";
const json = "application/json";
const platform = findPlatform();
const representation = createRepresentation("1", "n", new Uint8Array(2000), platform);
const replies = createReplies(createCors({ origins: [origin] }), 0);

const asking = (headers: Record<string, string> = {}, method = "GET"): RouterRequest => ({
  method,
  url: "/",
  headers: new Headers(headers),
});
const represent = (headers: Record<string, string>, method?: string) =>
  replies.represent(asking(headers, method), representation, json);

describe("pages of an origin that may read answers may read", () => {
  type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  const kinds: [string, number, (headers: Record<string, string>) => Answer | PromiseLike<Answer>][] = [
    ["a document", 200, represent],
    ["a compressed one", 200, (headers) => represent({ ...headers, "accept-encoding": "gzip" })],
    ["a document that is not sent again", 304, (headers) => represent({ ...headers, "if-none-match": "*" })],
    [
      "one that need not even be made",
      304,
      (headers) => replies.unchanged(asking({ ...headers, "if-none-match": '"n"' }), "n", []),
    ],
    ["a condition that does not hold", 412, (headers) => represent({ ...headers, "if-match": '"other"' })],
    ["a refusal", 400, (headers) => replies.refuse(asking(headers), refuse("BAD_REQUEST"))],
    ["what may be asked", 204, (headers) => replies.preflight(asking(headers))],
    ["that nothing is there", 404, (headers) => replies.notFound(asking(headers))],
  ];
  test.each(kinds)("%s, and others may not", async (_, status, answer) => {
    const seen = [];
    for (const headers of [{ origin }, { origin: "https://b.example" }, {}] as Record<string, string>[]) {
      const given = await answer(headers);
      expect([given?.status, given?.headers.Vary]).toEqual([
        status,
        "Accept, Accept-Encoding, API-Key, Origin",
      ]);
      seen.push(given?.headers["Access-Control-Allow-Origin"]);
    }
    expect(seen).toEqual([origin, undefined, undefined]);
  });
});

test("an error document has the label that was asked for", async () => {
  expect((await represent({ "if-match": '"other"' })).headers["Content-Type"]).toBe(json);
  const refusal = refuse("BAD_REQUEST");
  expect(replies.refuse(asking(), refusal, json).headers["Content-Type"]).toBe(json);
  expect(replies.refuse(asking(), refusal).headers["Content-Type"]).toBe("application/vnd.api+json");
});

test.each([
  [0, "private, no-cache"],
  [1, "private, max-age=1"],
])("with an age of %d, documents are kept as %j says, and errors never", async (age, rule) => {
  const made = createReplies(createCors(false), age);
  const answers = [{}, { "if-none-match": "*" }].map((headers) =>
    made.represent(asking(headers), representation, json),
  );
  for (const { headers } of await Promise.all(answers)) expect(headers["Cache-Control"]).toBe(rule);
  expect(made.refuse(asking(), refuse("BAD_REQUEST")).headers["Cache-Control"]).toBe("no-store");
});

test("an answer to HEAD has the headers of the one to GET, and no body", async () => {
  for (const headers of [{}, { "accept-encoding": "br" }, { "if-match": '"other"' }] as Record<
    string,
    string
  >[]) {
    const [whole, head] = await Promise.all([represent(headers), represent(headers, "HEAD")]);
    expect([head.status, head.headers, head.body.length]).toEqual([whole.status, whole.headers, 0]);
    expect(String(whole.body.length)).toBe(whole.headers["Content-Length"]);
  }
});

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ "if-none-match": '"n"' }, true],
  [{ "if-none-match": 'W/"n", "m"' }, true],
  [{ "if-none-match": '"m"' }, false],
  [{ "if-none-match": '"n"', "accept-encoding": "gzip" }, false],
  [{ "if-none-match": '"n-gzip"', "accept-encoding": "gzip" }, true],
  [{ "if-none-match": '"n"', "if-match": '"n"' }, false],
  [{ "if-none-match": '"n"', "if-unmodified-since": "Thu, 01 Jan 1970 00:00:10 GMT" }, false],
])("that a client with %j has the document is certain beforehand: %s", (headers, isCertain) => {
  const reply = replies.unchanged(asking(headers), "n", platform.codings);
  expect(reply?.status).toBe(isCertain ? 304 : undefined);
});

test.each([
  ["OPTIONS", { "access-control-request-method": "GET" }, 204],
  ["OPTIONS", {}, 404],
  ["GET", { "access-control-request-method": "GET" }, 404],
])("where nothing is, %s with %j is answered with %d", (method, headers, status) => {
  expect(replies.notFound(asking(headers as Record<string, string>, method)).status).toBe(status);
});

test.each<[string | undefined, number | undefined, boolean]>([
  ["Thu, 01 Jan 1970 00:00:10 GMT", 9999, false],
  ["Thu, 01 Jan 1970 00:00:10 GMT", 10_999, false],
  ["Thu, 01 Jan 1970 00:00:10 GMT", 11_000, true],
  ["Thu, 01 Jan 1970 00:00:10 GMT", undefined, false],
  ["Thu, 01 Jan 1970 00:00:10 GMT+0100", 1e12, false],
  ["Thu, 01 Jan 1970 00:00:10", 1e12, false],
  ["some day GMT", 1e12, false],
  [undefined, 1e12, false],
])("with If-Unmodified-Since %j, a change at %d is refused: %s", (since, updatedAt, isRefused) => {
  const headers: Record<string, string> = since === undefined ? {} : { "if-unmodified-since": since };
  expect(refusalOfTime(asking(headers), updatedAt) !== undefined).toBe(isRefused);
  expect(refusalOfTime(asking({ ...headers, "if-match": "*" }), updatedAt)).toBeUndefined();
});

test("headers that are added may be read by pages that may read any", () => {
  const name = "Access-Control-Expose-Headers";
  const added = { RateLimit: "r" };
  const readable = replies.withExposed(replies.notFound(asking({ origin })), added);
  expect(readable.headers).toMatchObject({ ...added, [name]: "ETag, Retry-After, RateLimit" });
  expect(readable.status).toBe(404);
  const hidden = replies.withExposed(replies.notFound(asking()), added);
  expect([hidden.headers.RateLimit, hidden.headers[name]]).toEqual(["r", undefined]);
});
