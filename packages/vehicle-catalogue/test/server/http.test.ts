import { createHash } from "node:crypto";
import http from "node:http";
import zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  catalogueFromVehicles,
  createTokenBucket,
  createVehicleRouter,
  type VehicleRouterOptions,
  webPlatform,
} from "../../src/server/index.js";
import {
  type Answer,
  type Asking,
  ask,
  fullKey,
  type Listening,
  listening,
  openCatalogue,
  openEvDataFile,
  openRouter,
  restrictedKey,
} from "./listening.js";

const page = "/v2/vehicles";

describe("conditional requests and compression", () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listening(http.createServer(openRouter().node));
  });
  afterAll(() => server.close());
  const get = (headers: http.OutgoingHttpHeaders = {}, asking: Asking = {}): Promise<Answer> =>
    ask(server.origin, page, { ...asking, headers });

  test("a document has a strong ETag, and is not kept without asking again", async () => {
    const { headers } = await get();
    expect(headers.etag).toMatch(/^"[A-Za-z0-9._-]+"$/);
    expect(headers["cache-control"]).toBe("private, no-cache");
  });

  test("If-None-Match with the tag gives 304 without a body, in every form of the header", async () => {
    const { headers } = await get();
    const tag = headers.etag ?? "";
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, `"a,b",W/${tag} , "c"`, "*"]) {
      const answer = await get({ "if-none-match": value });
      expect([value, answer.status, answer.body.length]).toEqual([value, 304, 0]);
      expect(answer.headers.etag).toBe(tag);
      expect(answer.headers.vary).toBe("Accept, Accept-Encoding, API-Key");
      expect(answer.headers["content-type"]).toBeUndefined();
    }
    for (const value of ['"other"', tag.slice(1, -1), "", `${tag.slice(0, -1)}x"`]) {
      expect((await get({ "if-none-match": value })).status).toBe(200);
    }
    expect((await get({ "if-none-match": tag }, { method: "HEAD" })).status).toBe(304);
  });

  test("the tag differs by key group, by coding and by query, and not by anything else", async () => {
    const tags = await Promise.all([
      get(),
      get({}, { key: restrictedKey }),
      get({ "accept-encoding": "gzip" }),
      get({ "accept-encoding": "br" }),
      ask(server.origin, `${page}?page[number]=2`),
    ]);
    expect(new Set(tags.map(({ headers }) => headers.etag)).size).toBe(5);
    expect((await get({ accept: "application/json", "x-other": "1" })).headers.etag).toBe(
      tags[0]!.headers.etag,
    );
    const elsewhere = await listening(http.createServer(openRouter().node));
    expect((await ask(elsewhere.origin, page)).headers.etag).toBe(tags[0]!.headers.etag);
    await elsewhere.close();
  });

  test("a compressed body is the same document, and each coding keeps its length for HEAD", async () => {
    const plain = await get();
    for (const [coding, unpack] of [
      ["gzip", zlib.gunzipSync],
      ["br", zlib.brotliDecompressSync],
    ] as const) {
      for (const round of ["cold", "kept"]) {
        const packed = await get({ "accept-encoding": coding });
        expect([round, packed.headers["content-encoding"]]).toEqual([round, coding]);
        expect(packed.body.length).toBeLessThan(plain.body.length / 8);
        expect(unpack(packed.body).equals(plain.body)).toBe(true);
        const head = await get({ "accept-encoding": coding }, { method: "HEAD" });
        expect(head.headers["content-length"]).toBe(String(packed.body.length));
      }
    }
  });

  const negotiations = [
    { accept: undefined, coding: undefined },
    { accept: "", coding: undefined },
    { accept: "identity", coding: undefined },
    { accept: "gzip", coding: "gzip" },
    { accept: "GZIP", coding: "gzip" },
    { accept: "x-gzip", coding: "gzip" },
    { accept: "br", coding: "br" },
    { accept: "gzip, br", coding: "br" },
    { accept: "gzip, deflate, br, zstd", coding: "br" },
    { accept: "gzip;q=1, br;q=0.5", coding: "gzip" },
    { accept: "gzip;q=0.5, br;q=0", coding: "gzip" },
    { accept: "gzip;q=0, br;q=0", coding: undefined },
    { accept: "deflate, zstd", coding: undefined },
    { accept: "*", coding: "br" },
    { accept: "*;q=0.5, br;q=0.1", coding: "gzip" },
    { accept: "identity;q=1, gzip;q=0.5", coding: undefined },
    { accept: "identity;q=0", coding: undefined },
    { accept: "gzip;q=oops", coding: "gzip" },
    { accept: "*;q=0", coding: undefined },
  ];
  for (const { accept, coding } of negotiations) {
    test(`Accept-Encoding "${accept}" is answered with ${coding ?? "no coding"}`, async () => {
      const { headers } = await get(accept === undefined ? {} : { "accept-encoding": accept });
      expect(headers["content-encoding"]).toBe(coding);
    });
  }

  test("small bodies are not compressed", async () => {
    const small = await ask(server.origin, `${page}?page[size]=1&fields[car]=`, {
      headers: { "accept-encoding": "br" },
    });
    expect(small.headers["content-encoding"]).toBeUndefined();
  });

  test("a changed catalogue changes the tag; the same data bring it back", async () => {
    const catalogue = openCatalogue();
    const changing = await listening(http.createServer(openRouter({ catalogue }).node));
    const before = (await ask(changing.origin, page)).headers.etag ?? "";
    const file = openEvDataFile();
    file.data[0]!.usable_battery_size = 1;
    await catalogue.replace(file);
    const other = await ask(changing.origin, page, { headers: { "if-none-match": before } });
    expect(other.status).toBe(200);
    expect(other.headers.etag).not.toBe(before);
    await catalogue.replace(openEvDataFile());
    expect((await ask(changing.origin, page)).headers.etag).toBe(before);
    await changing.close();
  });

  test("without a cache, and with a tiny one, answers are the same", async () => {
    const expected = createHash("sha256")
      .update((await get()).body)
      .digest("hex");
    for (const cacheBytes of [0, 1000, 100_000]) {
      const other = await listening(http.createServer(openRouter({ cacheBytes }).node));
      for (let round = 0; round < 3; round++) {
        const plain = await ask(other.origin, page);
        expect(createHash("sha256").update(plain.body).digest("hex")).toBe(expected);
        const packed = await ask(other.origin, page, { headers: { "accept-encoding": "gzip" } });
        expect(createHash("sha256").update(zlib.gunzipSync(packed.body)).digest("hex")).toBe(expected);
      }
      await other.close();
    }
  });
});

/** Asks a router that lives for one request. */
async function askRouter(
  options: Partial<VehicleRouterOptions>,
  target: string,
  asking?: Asking,
): Promise<Answer> {
  const server = await listening(http.createServer(openRouter(options).node));
  try {
    return await ask(server.origin, target, asking);
  } finally {
    await server.close();
  }
}

describe("keys", () => {
  const refusals = [
    { name: "no key", asking: { key: null }, title: "api_key missing" },
    { name: "an empty key", asking: { key: "" }, title: "api_key missing" },
    { name: "an unknown key", asking: { key: "guess" }, title: "api_key invalid" },
    { name: "a prefix of a key", asking: { key: fullKey.slice(0, -1) }, title: "api_key invalid" },
    {
      name: "two API-Key headers",
      asking: { key: null, headers: { "API-Key": [fullKey, fullKey] } },
      title: "api_key invalid",
    },
    { name: "a key without groups", asking: { key: "no-groups" }, title: "api_key not authorized" },
    {
      name: "a key of ReadVehiclesFull alone",
      asking: { key: "other-groups" },
      title: "api_key not authorized",
    },
    {
      name: "the key in Authorization",
      asking: { key: null, headers: { authorization: `Bearer ${fullKey}` } },
      title: "api_key missing",
    },
  ];
  for (const { name, asking, title } of refusals) {
    test(`${name} is 403`, async () => {
      for (const target of [page, "/v2/vehicle_brands"]) {
        const { status, json } = await askRouter({}, target, asking);
        expect(status).toBe(403);
        expect(json.errors).toEqual([
          {
            status: "403",
            code: "FORBIDDEN",
            title,
            detail: expect.any(String),
            source: { header: "API-Key" },
          },
        ]);
      }
    });
  }

  test("the key in the URL is no key", async () => {
    expect((await askRouter({}, `${page}?api_key=${fullKey}`, { key: null })).status).toBe(403);
  });

  test("the digests of a list of keys are made once, and then one for each key until it was right", async () => {
    const digested: string[] = [];
    const platform = {
      digest: (text: string) => {
        digested.push(text);
        return `digest of ${text}`;
      },
      codings: [],
      compress: () => new Uint8Array(),
    };
    const groups = ["ReadVehicles" as const];
    const { respond } = createVehicleRouter({
      catalogue: catalogueFromVehicles([]),
      keys: [
        { key: "a", groups },
        { key: "b", groups },
      ],
      platform,
    });
    const statuses: number[] = [];
    for (const key of ["a", "b", "c", "b", "a", "c"]) {
      const request = { method: "GET", url: page, headers: new Headers({ "api-key": key }) };
      statuses.push((await respond(request)).status);
    }
    expect(statuses).toEqual([200, 200, 403, 200, 200, 403]);
    expect(digested).toEqual(["a", "b", "a", "b", "c", "c"]);
  });

  test("the name of the header is in any case", async () => {
    expect((await askRouter({}, page, { key: null, headers: { "aPi-kEY": fullKey } })).status).toBe(200);
  });

  test("keys may come from a function, at once or later", async () => {
    for (const keys of [
      (key: string) => (key === "k" ? { groups: ["ReadVehicles" as const] } : undefined),
      async (key: string) => (key === "k" ? { groups: ["ReadVehicles" as const] } : undefined),
    ]) {
      expect((await askRouter({ keys }, page, { key: "k" })).status).toBe(200);
      expect((await askRouter({ keys }, page, { key: "x" })).status).toBe(403);
    }
  });

  test("a look-up that fails is 500 without detail, with a line in the log that hides the key", async () => {
    for (const keys of [
      (key: string): never => {
        throw new Error(`select * from keys where key = '${key}'`);
      },
      async (key: string): Promise<never> => Promise.reject(new Error(`no connection for ${key}`)),
      async (key: string): Promise<never> => Promise.reject(`plain text ${key}`),
    ]) {
      const lines: string[] = [];
      const logger = { info() {}, warn() {}, error: (line: string) => void lines.push(line) };
      const { status, json, text } = await askRouter({ keys, logger }, page, { key: "secret-key" });
      expect(status).toBe(500);
      expect(json.errors).toEqual([
        { status: "500", code: "INTERNAL_SERVER_ERROR", title: "unexpected error" },
      ]);
      expect(text).not.toContain("secret-key");
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^GET \/v2\/vehicles failed: /);
      expect(lines[0]).toContain("[key]");
      expect(lines[0]).not.toContain("secret-key");
    }
  });

  test("a catalogue that fails is 500 without detail, for HEAD without a body", async () => {
    const broken = {
      snapshot: () => ({ ...openCatalogue().snapshot(), find: () => Promise.reject(new Error("disk")) }),
    };
    const { status, json } = await askRouter({ catalogue: broken }, page);
    expect([status, json.errors[0]!.code]).toEqual([500, "INTERNAL_SERVER_ERROR"]);
    const head = await askRouter({ catalogue: broken }, page, { method: "HEAD" });
    expect([head.status, head.body.length]).toEqual([500, 0]);
  });

  test("keys that no header can carry and groups that do not exist are refused at once", () => {
    for (const key of ["", "a b", "a,b", "schlüssel", "a\nb"]) {
      expect(() => openRouter({ keys: [{ key, groups: ["ReadVehicles"] }] })).toThrow(TypeError);
    }
    // @ts-expect-error the group does not exist
    expect(() => openRouter({ keys: [{ key: "k", groups: ["ReadVehicle"] }] })).toThrow(
      /Known are ReadVehicles,/,
    );
  });
});

describe("wrong options", () => {
  const rows = [
    { options: { catalogue: undefined }, message: /needs a catalogue/ },
    { options: { catalogue: [] }, message: /needs a catalogue/ },
    { options: { keys: undefined }, message: /needs keys/ },
    { options: { keys: { key: "k" } }, message: /needs keys/ },
    { options: { prefix: "api" }, message: /must begin with a slash/ },
    { options: { prefix: "/api/" }, message: /not end with one/ },
    { options: { prefix: 5 }, message: /must begin with a slash.*got 5/ },
    { options: { keys: [null] }, message: /keys\[0\] must be an object/ },
    {
      options: { keys: [{ key: 1, groups: ["ReadVehicles"] }] },
      message: /keys\[0\] must have a key, a text/,
    },
    { options: { keys: [{ key: "a b", groups: [] }] }, message: /keys\[0\] must have a key/ },
    { options: { keys: [{ key: "", groups: [] }] }, message: /keys\[0\] must have a key/ },
    { options: { keys: [{ key: "a" }] }, message: /keys\[0\] must have groups/ },
    { options: { keys: [{ key: "a", groups: "ReadVehicles" }] }, message: /keys\[0\] must have groups/ },
    { options: { keys: [{ key: "a", groups: [undefined] }] }, message: /keys\[0\] names the group nothing/ },
    { options: { keys: [{ key: "a", groups: [], name: 5 }] }, message: /keys\[0\] must have a text as name/ },
    {
      options: {
        keys: [
          { key: "s3cret", groups: ["ReadVehicles"] },
          { key: "s3cret", groups: [] },
        ],
      },
      message: /^keys\[1\] has the same key as keys\[0\]: [^3]*$/,
    },
    { options: { rateLimit: {} }, message: /rateLimit must have a function take/ },
    { options: { failedKeys: {} }, message: /failedKeys.limit must have a function take/ },
    { options: { timeoutMs: "5s" }, message: /timeoutMs must be a number from 0; got "5s"/ },
    { options: { cacheBytes: -1 }, message: /cacheBytes must be/ },
    { options: { preparedBytes: null }, message: /preparedBytes must be/ },
    { options: { maxQueryLength: Number.NaN }, message: /maxQueryLength must be/ },
  ];
  for (const { options, message } of rows) {
    test(`${JSON.stringify(options)} are refused at once`, () => {
      // What a program without types may do.
      expect(() => openRouter(options as never)).toThrow(message);
      expect(() => openRouter(options as never)).toThrow(TypeError);
    });
  }
});

describe("rate limit", () => {
  test("beyond the limit is 429 with Retry-After, per holder, before parameters are looked at", async () => {
    let now = 0;
    const rateLimit = createTokenBucket({ perMinute: 60, burst: 2, now: () => now });
    const server = await listening(http.createServer(openRouter({ rateLimit }).node));
    const statuses = async (key: string, count: number): Promise<number[]> => {
      const found: number[] = [];
      for (let at = 0; at < count; at++)
        found.push((await ask(server.origin, `${page}?x=1`, { key })).status);
      return found;
    };
    expect(await statuses(fullKey, 3)).toEqual([400, 400, 429]);
    expect(await statuses(restrictedKey, 1)).toEqual([400]);
    const limited = await ask(server.origin, page);
    expect(limited.headers["retry-after"]).toBe("1");
    expect(limited.json.errors[0]!.code).toBe("TOO_MANY_REQUESTS");
    now += 1000;
    expect(await statuses(fullKey, 2)).toEqual([400, 429]);
    await server.close();
  });

  test("keys of one name share their bucket, and the limiter never sees a key", async () => {
    const holders: string[] = [];
    const rateLimit = { take: (holder: string) => Promise.resolve(holders.push(holder) && 0) };
    const server = await listening(
      http.createServer(
        openRouter({
          rateLimit,
          keys: [
            { key: "one", name: "acme", groups: ["ReadVehicles"] },
            { key: "two", name: "acme", groups: ["ReadVehicles"] },
            { key: "three", groups: ["ReadVehicles"] },
          ],
        }).node,
      ),
    );
    for (const key of ["one", "two", "three"]) await ask(server.origin, page, { key });
    await server.close();
    expect(holders).toEqual(["acme", "acme", expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  test("the bucket fills up steadily, never beyond the burst, and forgets the quietest holder", () => {
    let now = 0;
    const bucket = createTokenBucket({ perMinute: 60, burst: 3, maxHolders: 2, now: () => now });
    const take = (holder: string): number => Number(bucket.take(holder));
    expect([take("a"), take("a"), take("a"), take("a")]).toEqual([0, 0, 0, 1000]);
    now += 500;
    expect(take("a")).toBe(500);
    now += 3_600_000;
    expect([take("a"), take("a"), take("a"), take("a")]).toEqual([0, 0, 0, 1000]);
    now -= 5000;
    expect(take("a")).toBe(1000);
    take("b");
    take("c");
    expect(take("a")).toBe(0);
    expect(() => createTokenBucket({ perMinute: 0 })).toThrow(TypeError);
  });
});

describe("browsers", () => {
  const origin = "https://app.example.org";
  const preflight: Asking = {
    method: "OPTIONS",
    key: null,
    headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "api-key" },
  };

  test("a preflight is answered without a key", async () => {
    const { status, headers, body } = await askRouter({}, page, preflight);
    expect([status, body.length]).toEqual([204, 0]);
    expect(headers).toMatchObject({
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "API-Key, Content-Type, If-None-Match, If-Match, If-Unmodified-Since",
      "access-control-max-age": "600",
    });
  });

  test("every answer may be read, with ETag and Retry-After", async () => {
    for (const asking of [{}, { key: null }, { method: "POST" }, { headers: { "if-none-match": "*" } }]) {
      const { headers } = await askRouter({}, page, asking);
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "ETag, Retry-After",
      });
    }
  });

  test("with a list of origins only those are allowed, and caches are told", async () => {
    const cors = { origins: [origin], maxAgeSeconds: 5 };
    const allowed = await askRouter({ cors }, page, preflight);
    expect(allowed.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-max-age": "5",
      vary: "Accept, Accept-Encoding, API-Key, Origin",
    });
    for (const headers of [{ origin: "https://evil.example" }, {}]) {
      const other = await askRouter({ cors }, page, { headers });
      expect(other.headers["access-control-allow-origin"]).toBeUndefined();
      expect(other.headers.vary).toBe("Accept, Accept-Encoding, API-Key, Origin");
    }
  });

  test("a preflight can be widened by the headers that a program's own parts send", async () => {
    const cors = { allowedHeaders: ["traceparent", "X-Request-Id"] };
    const { headers } = await askRouter({ cors }, page, preflight);
    expect(headers["access-control-allow-headers"]).toBe(
      "API-Key, Content-Type, If-None-Match, If-Match, If-Unmodified-Since, traceparent, X-Request-Id",
    );
    for (const wrong of [["a b"], ["a\nb"], [""], "x"]) {
      expect(() => openRouter({ cors: { allowedHeaders: wrong as never } })).toThrow(/allowedHeaders/);
    }
  });

  test("CORS can be switched off", async () => {
    const { headers } = await askRouter({ cors: false }, page, preflight);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers.allow).toBe("GET, HEAD, OPTIONS");
  });
});

describe("a runtime that has only what the Web has", () => {
  test("answers the same, compressed with gzip", async () => {
    const platform = webPlatform();
    const expected = await askRouter({}, page);
    const plain = await askRouter({ platform }, page);
    expect([plain.status, plain.body.equals(expected.body)]).toEqual([200, true]);
    const packed = await askRouter({ platform }, page, { headers: { "accept-encoding": "br, gzip" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(zlib.gunzipSync(packed.body).equals(expected.body)).toBe(true);
    expect((await askRouter({ platform }, page, { key: "guess" })).status).toBe(403);
  });

  test("a compression that fails is 500, and tried again next time", async () => {
    let broken = true;
    const platform = {
      ...webPlatform(),
      compress: async (_: string, body: Uint8Array) =>
        broken ? Promise.reject(new Error("no memory")) : body,
    };
    const server = await listening(http.createServer(openRouter({ platform }).node));
    const packed = (): Promise<Answer> =>
      ask(server.origin, page, { headers: { "accept-encoding": "gzip" } });
    expect((await packed()).status).toBe(500);
    expect((await ask(server.origin, page)).status).toBe(200);
    broken = false;
    expect((await packed()).status).toBe(200);
    await server.close();
  });
});
