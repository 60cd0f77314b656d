import { describe, expect, test } from "vitest";
import { findPlatform } from "../../src/server/http/platform.js";
import {
  type Catalogue,
  catalogueFromVehicles,
  createTokenBucket,
  type VehicleRouterOptions,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { fullKey, openRouter } from "./listening.js";

const memory = catalogueFromVehicles(catalogueTestVehicles());

interface Asked {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

function asking(options: Partial<VehicleRouterOptions> = {}) {
  const { respond } = openRouter(options);
  return async ({ method = "GET", url = "/v2/vehicles", headers = {} }: Asked) => {
    return respond({ method, url, headers: new Headers({ "api-key": fullKey, ...headers }) });
  };
}

describe("the answer to HEAD has the headers of GET and no body", () => {
  test.each<[what: string, status: number, asked: Asked]>([
    ["a document", 200, {}],
    ["a compressed document", 200, { headers: { "accept-encoding": "gzip" } }],
    ["the description", 200, { url: "/v2/openapi.json" }],
    ["what is wrong with the query", 400, { url: "/v2/vehicles?x=1" }],
    ["a key that nobody knows", 403, { headers: { "api-key": "unknown" } }],
  ])("%s", async (_, status, asked) => {
    const ask = asking();
    const [get, head] = [await ask(asked), await ask({ ...asked, method: "HEAD" })];
    expect([get.status, get.body.length > 0]).toEqual([status, true]);
    expect(head).toEqual({ ...get, body: new Uint8Array(0) });
    expect(head.headers["Content-Length"]).toBe(String(get.body.length));
  });
});

describe("an error document has the type that was asked for, once that is known", () => {
  const json = { accept: "application/json" };
  const early = new Date(0).toUTCString();
  test.each<[what: string, status: number, type: string, asked: Asked]>([
    ["the query is wrong", 400, "application/json", { url: "/v2/vehicles?x=1" }],
    ["the query is too long", 414, "application/json", { url: `/v2/vehicles?q=${"x".repeat(300)}` }],
    ["the tag is another", 412, "application/json", { headers: { "if-match": '"x"' } }],
    ["it has changed since", 412, "application/json", { headers: { "if-unmodified-since": early } }],
    [
      "the content is of a wrong type",
      415,
      "application/vnd.api+json",
      {
        headers: { "content-type": "application/vnd.api+json; charset=utf-8" },
      },
    ],
    ["the key is unknown", 403, "application/vnd.api+json", { headers: { "api-key": "unknown" } }],
    ["the method is wrong", 405, "application/vnd.api+json", { method: "POST" }],
  ])("%s", async (_, status, type, asked) => {
    const ask = asking({ maxQueryLength: 300, additions: { updatedSince: true } });
    const answer = await ask({ ...asked, headers: { ...json, ...asked.headers } });
    expect([answer.status, answer.headers["Content-Type"]]).toEqual([status, type]);
  });
});

describe("a client that has the document", () => {
  test.each([0, 1_000_000])(
    "is told the same of it as one that has not, with a cache of %d",
    async (cacheBytes) => {
      const ask = asking({ cacheBytes, additions: { updatedSince: true } });
      const { headers } = await ask({});
      const again = await ask({ headers: { "if-none-match": headers.ETag ?? "" } });
      const { "Content-Type": _, "Content-Length": __, ...others } = headers;
      expect(again).toEqual({ status: 304, headers: others, body: new Uint8Array(0) });
      expect(others["Last-Modified"]).toMatch(/ GMT$/);
    },
  );
});

test("a part of a millisecond does not make a second that is over of the one in which something changed", async () => {
  const catalogue: Catalogue = {
    snapshot: () => ({ ...memory.snapshot(), updatedAt: 1999.5 }),
    understands: ["updatedSince"],
  };
  const ask = asking({ catalogue, additions: { updatedSince: true } });
  const statusOf = async (ms: number) =>
    (await ask({ headers: { "if-unmodified-since": new Date(ms).toUTCString() } })).status;
  expect([await statusOf(0), await statusOf(1000)]).toEqual([412, 200]);
});

test("what is told of a limit is exposed to other pages where anything is", async () => {
  const rateLimit = createTokenBucket({ announce: true });
  const name = "Access-Control-Expose-Headers";
  const exposed = async (cors: NonNullable<VehicleRouterOptions["cors"]>) => {
    const { headers } = await asking({ rateLimit, cors })({});
    expect(headers.RateLimit).toMatch(/^"default";r=/);
    return headers[name];
  };
  expect(await exposed({})).toBe("ETag, Retry-After, RateLimit-Policy, RateLimit");
  expect([await exposed(false), await exposed({ origins: [] })]).toEqual([undefined, undefined]);
});

test("the description is compressed once for each of the first 20 mounts, and anew for others", async () => {
  const platform = findPlatform();
  const compressed: number[] = [];
  let mount = 0;
  const { respond } = openRouter({
    platform: {
      ...platform,
      compress(coding, body) {
        compressed.push(mount);
        return platform.compress(coding, body);
      },
    },
  });
  const headers = new Headers({ "accept-encoding": "gzip" });
  for (let count = 0; count < 42; count++) {
    mount = count % 21;
    const originalUrl = `/${mount}/v2/openapi.json`;
    await respond({ method: "GET", url: "/v2/openapi.json", originalUrl, headers });
  }
  expect(compressed).toEqual([...Array(21).keys(), 20]);
});

test("no two routers over the same data whose documents differ have a tag in common", async () => {
  const own = (extension: NonNullable<Catalogue["extension"]>): Partial<VehicleRouterOptions> => ({
    catalogue: { ...memory, extension },
  });
  const text = { type: "string" } as const;
  const routers: readonly Partial<VehicleRouterOptions>[] = [
    {},
    { links: false },
    { maxAgeSeconds: 5 },
    { additions: { sort: true } },
    { additions: { attributeFilters: true } },
    { additions: { sort: true, attributeFilters: true } },
    own({ openValues: true }),
    own({ attributes: { a: text } }),
    own({ attributes: { b: text } }),
    own({ attributes: { a: text, b: text } }),
  ];
  const tags = routers.map(async (options) => {
    const answer = await asking({ catalogue: memory, ...options })({ url: "/v2/vehicles?filter[id]=" });
    expect(answer.status).toBe(200);
    return answer.headers.ETag;
  });
  expect(new Set(await Promise.all(tags)).size).toBe(routers.length);
});
