import { describe, expect, test } from "vitest";
import { allowsOrigin, anyOrigin, corsHeaders } from "./cors.js";

const answerTo = (allowedOrigins: string[], origin?: string) =>
  corsHeaders({ allowedOrigins, allowedHeaders: [] }, ["GET"], origin)["Access-Control-Allow-Origin"];

describe("which origin an answer names", () => {
  const below = "https://*.example.org";
  const cases: { allowed: string[]; origin?: string; answer: string | undefined }[] = [
    { allowed: [], answer: "*" },
    { allowed: [], origin: "https://a.example", answer: "https://a.example" },
    {
      allowed: ["https://a.example", "https://b.example"],
      origin: "https://b.example",
      answer: "https://b.example",
    },
    {
      allowed: ["https://a.example", "https://b.example"],
      origin: "https://c.example",
      answer: "https://a.example",
    },
    { allowed: ["https://a.example"], answer: "https://a.example" },
    { allowed: [below], origin: "https://shop.example.org", answer: "https://shop.example.org" },
    { allowed: [below], origin: "https://eu.shop.example.org", answer: "https://eu.shop.example.org" },
    { allowed: [below], origin: "https://example.org", answer: undefined },
    { allowed: [below], origin: "http://shop.example.org", answer: undefined },
    { allowed: [below], origin: "https://shop.example.org.evil.example", answer: undefined },
    { allowed: [below], origin: "https://evil.example/.example.org", answer: undefined },
    { allowed: [below], origin: "https://evil.example#.example.org", answer: undefined },
    { allowed: [below], origin: "https://user@x.example.org", answer: undefined },
    { allowed: [below], origin: "https://shopexample.org", answer: undefined },
    { allowed: [below], origin: "https://.example.org", answer: undefined },
    { allowed: [below], origin: "https://a..example.org", answer: undefined },
    { allowed: [below], origin: "https://shop.example.org:8443", answer: undefined },
    {
      allowed: ["https://*.example.org:8443"],
      origin: "https://a.example.org:8443",
      answer: "https://a.example.org:8443",
    },
    { allowed: [below], origin: "null", answer: undefined },
    { allowed: [below], answer: undefined },
    { allowed: [below, "https://a.example"], origin: "https://evil.example", answer: "https://a.example" },
  ];
  for (const { allowed, origin, answer } of cases) {
    test(`${allowed.join(" ")} for ${origin ?? "no origin"}`, () =>
      expect(answerTo(allowed, origin)).toBe(answer));
  }

  test("a long origin is judged at once", () => {
    const origin = `https://${"a.".repeat(100_000)}!.example.org`;
    const began = performance.now();
    expect(answerTo([below], origin)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(500);
  });
});

test("a page is told how it may ask, with the headers of the SDKs and those of the host", () => {
  const names = [
    "Cache-Control,Content-Type,Content-Length,Accept-Encoding,X-LaunchDarkly-User-Agent",
    "X-LaunchDarkly-Payload-ID,X-LaunchDarkly-Wrapper,X-LaunchDarkly-Event-Schema,X-LaunchDarkly-Tags",
    "X-LaunchDarkly-Instance-Id,X-LaunchDarkly-Unsummarized",
  ].join(",");
  const always = {
    "Access-Control-Allow-Methods": "GET,OPTIONS",
    "Access-Control-Allow-Credentials": "false",
    "Access-Control-Max-Age": "300",
    "Access-Control-Expose-Headers": "Date",
    Vary: "Origin",
  };
  expect(corsHeaders(anyOrigin, ["GET", "OPTIONS"], undefined)).toStrictEqual({
    ...always,
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": names,
  });
  const rules = { allowedOrigins: ["https://*.example.org"], allowedHeaders: ["X-A", "X-B"] };
  const own = { ...always, "Access-Control-Allow-Headers": `${names},X-A,X-B` };
  for (let times = 0; times < 2; times++)
    expect(corsHeaders(rules, ["GET", "OPTIONS"], "https://a.example")).toStrictEqual(own);
  expect(corsHeaders(rules, ["GET", "OPTIONS"], "https://a.example.org")).toStrictEqual({
    ...own,
    "Access-Control-Allow-Origin": "https://a.example.org",
  });
});

test.each([
  [[], "https://a.example", true],
  [["https://a.example"], "https://a.example", true],
  [["https://a.example"], "https://b.example", false],
  [["https://a.example"], undefined, true],
  [["https://*.example.org"], "https://a.example.org", true],
  [["https://*.example.org"], "https://a.example", false],
  [["https://*.example.org"], "https://a_1-b.example.org", true],
  [["https://*.example.org"], "https://a.b.c.d.example.org", true],
  [["https://*.example.org"], undefined, true],
  [["*"], "https://a.example", true],
  [["https://a.example", "*"], "https://b.example", false],
])("with %j allowed a page of %s may read answers: %s", (allowedOrigins, origin, may) => {
  expect(allowsOrigin({ allowedOrigins, allowedHeaders: [] }, origin)).toBe(may);
});
