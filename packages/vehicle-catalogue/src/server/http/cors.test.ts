import { describe, expect, test } from "vitest";
import { type CorsOptions, createCors } from "./cors.js";

const vary = "Accept, Accept-Encoding, API-Key";
const exposed = { "Access-Control-Expose-Headers": "ETag, Retry-After" };
const allowed = "API-Key, Content-Type, If-None-Match, If-Match, If-Unmodified-Since";

test("without options pages of all origins may use the API, and remember that for ten minutes", () => {
  expect(createCors({})).toEqual({
    constant: { Vary: vary, "Access-Control-Allow-Origin": "*", ...exposed },
    preflight: {
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers": allowed,
      "Access-Control-Max-Age": "600",
    },
  });
});

test("without CORS answers only say what they differ by", () => {
  expect(createCors(false)).toEqual({ constant: { Vary: vary }, preflight: {} });
});

test("pages may send what is allowed, remember it as long as is said, and read what additions send", () => {
  const options = { allowedHeaders: ["traceparent", "X-A"], maxAgeSeconds: 0 };
  const { constant, preflight } = createCors(options, ["updated_since"]);
  expect(preflight).toMatchObject({
    "Access-Control-Allow-Headers": `${allowed}, traceparent, X-A`,
    "Access-Control-Max-Age": "0",
  });
  expect(constant["Access-Control-Expose-Headers"]).toBe("ETag, Retry-After, Last-Modified");
  expect(createCors({}, ["sort"]).constant).toMatchObject(exposed);
});

test("of several origins each is told about itself alone, and answers differ by it", () => {
  const origins = ["https://a.example", "http://localhost:5173", "null", "capacitor://localhost"];
  const { constant, headersFor, preflight } = createCors({ origins, maxAgeSeconds: 5 }, ["updated_since"]);
  expect(preflight).toEqual({ ...createCors({}).preflight, "Access-Control-Max-Age": "5" });
  expect(constant).toEqual({ Vary: `${vary}, Origin` });
  for (const origin of origins) {
    expect(headersFor?.(origin)).toEqual({
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Expose-Headers": "ETag, Retry-After, Last-Modified",
    });
  }
  for (const other of [
    "https://b.example",
    "https://a.example:444",
    "http://a.example",
    "",
    null,
    undefined,
  ]) {
    expect(headersFor?.(other)).toEqual({});
  }
  expect(createCors({ origins: [] }).headersFor?.("https://a.example")).toEqual({});
});

describe("options that let nobody in, or that mean nothing, are refused", () => {
  const expected = 'cors.origins must be "*" or a list of origins such as "https://example.org"; got';
  test.each<[options: unknown, says: string]>([
    [true, "cors must be an object or false; got true."],
    [[], "cors must be an object or false; got a list."],
    [{ origin: "*" }, 'cors has no "origin"; did you mean "origins"?'],
    [{ origins: "https://a.example" }, `${expected} "https://a.example".`],
    [
      { origins: ["https://a.example/"] },
      `${expected} "https://a.example/" in the list, for which browsers send "https://a.example".`,
    ],
    [
      { origins: ["https://a.example:443"] },
      `${expected} "https://a.example:443" in the list, for which browsers send "https://a.example".`,
    ],
    [
      { origins: ["https://A.example"] },
      `${expected} "https://A.example" in the list, for which browsers send "https://a.example".`,
    ],
    [
      { origins: ["http://a.example:80"] },
      `${expected} "http://a.example:80" in the list, for which browsers send "http://a.example".`,
    ],
    [{ origins: ["a.example"] }, `${expected} "a.example" in the list.`],
    [{ origins: ["mailto:a@a.example"] }, `${expected} "mailto:a@a.example" in the list.`],
    [{ origins: ["capacitor://localhost/page"] }, `${expected} "capacitor://localhost/page" in the list.`],
    [{ origins: ["https://a.example", "b.example"] }, `${expected} "b.example" in the list.`],
    [{ origins: ["*"] }, `${expected} "*" in the list.`],
    [{ origins: [5] }, `${expected} 5 in the list.`],
    [{ allowedHeaders: "traceparent" }, "cors.allowedHeaders must be a list of names of headers."],
    [{ allowedHeaders: ["a b"] }, "cors.allowedHeaders must be a list of names of headers."],
    [{ allowedHeaders: [5] }, "cors.allowedHeaders must be a list of names of headers."],
    [{ allowedHeaders: ["a", null] }, "cors.allowedHeaders must be a list of names of headers."],
    [{ allowedHeaders: [""] }, "cors.allowedHeaders must be a list of names of headers."],
    [{ maxAgeSeconds: 1.5 }, "cors.maxAgeSeconds must be a whole number from 0; got 1.5."],
    [{ maxAgeSeconds: -1 }, "cors.maxAgeSeconds must be a whole number from 0; got -1."],
  ])("%j", (options, says) => {
    expect(() => createCors(options as CorsOptions)).toThrow(TypeError);
    expect(() => createCors(options as CorsOptions)).toThrow(says);
  });
});
