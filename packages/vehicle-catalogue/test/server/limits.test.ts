import http from "node:http";
import { describe, expect, test } from "vitest";
import {
  CatalogueError,
  createTokenBucket,
  createVehicleRouter,
  type KeyGrant,
  openApiDescription,
  type RateLimit,
  type RateLimitState,
  type VehicleRouter,
} from "../../src/server/index.js";
import { ask, fullKey, listening, openCatalogue, openRouter, restrictedKey } from "./listening.js";

const page = "/v2/vehicles?page[size]=1";

interface DescribedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The headers that the description names for a status, of those that are looked for. */
function describedHeaders(status: number, looked: readonly string[]): readonly string[] {
  const sources = { announcesLimit: true, additions: { updatedSince: true } } as const;
  const { paths, components } = openApiDescription("", sources) as unknown as {
    paths: Record<string, { get: { responses: Record<number, DescribedResponse> } }>;
    components: { responses: Record<string, DescribedResponse> };
  };
  const response = paths["/v2/vehicles"]!.get.responses[status]!;
  const found =
    response.$ref === undefined ? response : components.responses[response.$ref.split("/").pop()!];
  return looked.filter((name) => name in (found?.headers ?? {}));
}

describe("a limit that is announced", () => {
  test.each([
    [200, {}, ""],
    [304, { "if-none-match": "*" }, ""],
    [400, {}, "?x=1"],
    [403, { "api-key": "unknown" }, ""],
    [406, { accept: "text/html" }, ""],
    [412, { "if-match": '"other"' }, ""],
    [414, {}, `?q=${"x".repeat(70_000)}`],
    [415, { "content-type": "application/vnd.api+json; ext=x" }, ""],
    [429, {}, "", 1000],
    [500, {}, "?q=broken"],
    [503, {}, "?q=away"],
  ])("is described with the headers that an answer has: %i", async (status, given, query, waitMs = 0) => {
    const state: RateLimitState = { waitMs, quota: 1, windowMs: 1000, remaining: 0, resetMs: 1000 };
    const catalogue = openCatalogue();
    const search = ({ text }: { text: string }): never => {
      throw text === "away" ? new CatalogueError("unavailable", "away") : new Error("broken");
    };
    const { respond } = createVehicleRouter({
      catalogue: { ...catalogue, snapshot: () => ({ ...catalogue.snapshot(), search }) },
      keys: [{ key: fullKey, groups: ["ReadVehicles"] }],
      rateLimit: { announces: true, take: () => state },
      additions: { updatedSince: true },
    });
    const headers = new Headers({ "api-key": fullKey, ...given });
    const answer = await respond({ method: "GET", url: `/v2/vehicles${query}`, headers });
    const looked = ["ETag", "Last-Modified", "Retry-After", "RateLimit-Policy", "RateLimit"];
    const answered = looked.filter((name) => name in answer.headers);
    expect([answer.status, answered]).toEqual([status, describedHeaders(status, looked)]);
  });

  test("tells on every answer what is left, in the headers of the IETF draft, also to pages", async () => {
    let now = 0;
    const rateLimit = createTokenBucket({ perMinute: 60, burst: 3, announce: true, now: () => now });
    const server = await listening(http.createServer(openRouter({ rateLimit }).node));
    const seen: unknown[] = [];
    for (const target of [page, "/v2/vehicles?x=1", page, page]) {
      const { status, headers } = await ask(server.origin, target);
      expect(headers["ratelimit-policy"]).toBe('"default";q=3;w=3');
      expect(headers["access-control-expose-headers"]).toBe("ETag, Retry-After, RateLimit-Policy, RateLimit");
      seen.push([status, headers.ratelimit]);
    }
    expect(seen).toEqual([
      [200, '"default";r=2;t=1'],
      [400, '"default";r=1;t=2'],
      [200, '"default";r=0;t=3'],
      [429, '"default";r=0;t=3'],
    ]);
    now += 1500;
    expect((await ask(server.origin, page)).headers.ratelimit).toBe('"default";r=0;t=3');
    const refused = await ask(server.origin, page, { key: "unknown" });
    expect(refused.headers.ratelimit).toBeUndefined();
    await server.close();
  });

  test("need not say beforehand that it is announced: documents and description name it from the first time on", async () => {
    let state: number | RateLimitState = 0;
    const { respond } = openRouter({ rateLimit: { take: () => state } });
    const read = async (url: string) => {
      const headers = new Headers({ "api-key": fullKey });
      const answer = await respond({ method: "GET", url, headers });
      return { ...answer, document: JSON.parse(new TextDecoder().decode(answer.body)) };
    };
    const before = await read(page);
    expect([before.headers.RateLimit, before.document.meta.additions]).toEqual([undefined, undefined]);
    expect((await read("/v2/openapi.json")).document["x-additions"]).toBeUndefined();
    state = { waitMs: 0, quota: 5, windowMs: 1000, remaining: 4.5, resetMs: 10 };
    const after = await read(page);
    expect([after.headers.RateLimit, after.document.meta.additions]).toEqual([
      '"default";r=4;t=1',
      ["rate_limit_headers"],
    ]);
    expect(after.headers.ETag).not.toBe(before.headers.ETag);
    expect((await read("/v2/openapi.json")).document["x-additions"]).toHaveProperty("rate_limit_headers");
    state = 0;
    expect((await read(page)).document.meta.additions).toEqual(["rate_limit_headers"]);
  });

  test("is a fault of the limit when what it tells is rubbish", async () => {
    for (const told of [{ quota: Number.NaN }, { resetMs: undefined }, { remaining: "4" }]) {
      const state = { waitMs: 0, quota: 5, windowMs: 1000, remaining: 4, resetMs: 10, ...told } as never;
      const errors: string[] = [];
      const logger = { info() {}, warn() {}, error: (line: string) => void errors.push(line) };
      const { respond } = openRouter({ rateLimit: { take: () => state }, logger });
      const headers = new Headers({ "api-key": fullKey });
      expect((await respond({ method: "GET", url: page, headers })).status).toBe(500);
      expect(errors).toEqual([expect.stringContaining("quota, windowMs, remaining and resetMs")]);
    }
  });

  test("is not announced unless it is asked for", async () => {
    const server = await listening(http.createServer(openRouter({ rateLimit: createTokenBucket() }).node));
    expect((await ask(server.origin, page)).headers["ratelimit-policy"]).toBeUndefined();
    await server.close();
  });
});

describe("a bucket of tokens", () => {
  test.each([
    { perMinute: Number.POSITIVE_INFINITY },
    { burst: Number.POSITIVE_INFINITY },
    { perMinute: Number.NaN },
    { perMinute: 0 },
    { burst: 0.5 },
    { maxHolders: 0 },
    { now: 5 as never },
  ])("of %j is refused at once", (options) => {
    expect(() => createTokenBucket(options)).toThrow(TypeError);
  });

  test("stands a clock that tells no time for once", () => {
    let now = 0;
    const bucket = createTokenBucket({ perMinute: 60, burst: 1, now: () => now });
    const waits = [0, Number.NaN, 500, 1500].map((time) => {
      now = time;
      return bucket.take("a");
    });
    expect(waits).toEqual([0, 1000, 500, 0]);
  });

  test("fills up while its clock goes forward, also after it was set back", () => {
    let now = 86_400_000;
    const bucket = createTokenBucket({ perMinute: 60, burst: 1, now: () => now });
    const waits = [now, 0, 600, 1000].map((time) => {
      now = time;
      return bucket.take("a");
    });
    expect(waits).toEqual([0, 1000, 400, 0]);
  });
});

describe("failed keys", () => {
  test("are limited by address: beyond the limit no key is looked at, until it is time", async () => {
    let now = 0;
    let revoked = false;
    const looked: string[] = [];
    const keys = (key: string): KeyGrant | undefined => {
      looked.push(key);
      return key === fullKey && !revoked ? { groups: ["ReadVehicles"] } : undefined;
    };
    const limit = createTokenBucket({ perMinute: 60, burst: 2, now: () => now });
    const server = await listening(
      http.createServer(openRouter({ keys, failedKeys: { limit, now: () => now } }).node),
    );
    const status = async (key: string | null): Promise<number> =>
      (await ask(server.origin, page, { key })).status;
    expect(await status(fullKey)).toBe(200);
    expect([await status("a"), await status(null), await status("c")]).toEqual([403, 403, 429]);
    looked.length = 0;
    const blocked = await ask(server.origin, page, { key: "d" });
    expect([blocked.status, blocked.headers["retry-after"], looked]).toEqual([429, "1", []]);
    // Who shares the address has to wait as well, unless the key has been right from there before.
    expect([await status(restrictedKey), await status(fullKey)]).toEqual([429, 200]);
    revoked = true;
    looked.length = 0;
    expect([await status(fullKey), await status(fullKey)]).toEqual([429, 429]);
    expect(looked).toEqual([fullKey]);
    revoked = false;
    now += 1000;
    expect(await status(fullKey)).toBe(200);
    await server.close();
  });

  test.each([1, 2, 10])("an address has exactly as many tries as a burst of %d allows", async (burst) => {
    const limit = createTokenBucket({ perMinute: 1, burst, now: () => 0 });
    const { respond } = openRouter({ failedKeys: { limit, now: () => 0 } });
    const statuses: number[] = [];
    for (let at = 0; at < burst + 2; at++) {
      const headers = new Headers({ "api-key": `wrong ${at}` });
      statuses.push((await respond({ method: "GET", url: page, headers, clientAddress: "10.0.0.1" })).status);
    }
    expect(statuses).toEqual([...Array(burst).fill(403), 429, 429]);
  });

  /** Asks with all of these keys at once, from one address. */
  const statusesOf = (respond: VehicleRouter["respond"], tried: readonly string[]): Promise<number[]> =>
    Promise.all(
      tried.map(async (key) => {
        const headers = new Headers({ "api-key": key });
        return (await respond({ method: "GET", url: page, headers, clientAddress: "10.0.0.1" })).status;
      }),
    );
  const lookup = async (key: string): Promise<KeyGrant | undefined> =>
    key === fullKey ? { groups: ["ReadVehicles"] } : undefined;

  test.each<readonly [string, (limit: RateLimit) => RateLimit]>([
    ["in the process", (limit) => limit],
    ["elsewhere", (limit) => ({ take: async (address) => await Promise.resolve(limit.take(address)) })],
  ])("keys that are tried at once are judged in turn, with a limit %s", async (_, kept) => {
    const limit = kept(createTokenBucket({ perMinute: 1, burst: 2, now: () => 0 }));
    const { respond } = openRouter({ keys: lookup, failedKeys: { limit, now: () => 0 } });
    expect(await statusesOf(respond, ["a", "b", "c", "d", fullKey])).toEqual([403, 403, 429, 429, 429]);
    expect(await statusesOf(respond, [fullKey])).toEqual([429]);
  });

  test("a key that was right from an address passes while others of it are tried, and one that comes before the limit is passed", async () => {
    const limit = createTokenBucket({ perMinute: 1, burst: 2, now: () => 0 });
    const { respond } = openRouter({ keys: lookup, failedKeys: { limit, now: () => 0 } });
    expect(await statusesOf(respond, ["a", "b", fullKey])).toEqual([403, 403, 200]);
    expect(await statusesOf(respond, ["c", "d", fullKey])).toEqual([429, 429, 200]);
  });

  test.each([
    ["as they came", [0, 1, 2]],
    ["the last one first", [2, 1, 0]],
    ["the last one first of all", [2, 0, 1]],
    ["the first one last", [1, 2, 0]],
  ])("a right key waits for all that are being counted, %s", async (_, order) => {
    const answers: ((waitMs: number) => void)[] = [];
    const limit: RateLimit = { take: () => new Promise((resolve) => answers.push(resolve)) };
    const { respond } = openRouter({ keys: lookup, failedKeys: { limit, now: () => 0 }, timeoutMs: 60_000 });
    const wrong = statusesOf(respond, ["a", "b", "c"]);
    await expect.poll(() => answers.length, { interval: 1 }).toBe(3);
    const [first, second, last] = order.map((index) => answers[index]!);
    first!(0);
    second!(0);
    // Time enough for what they are counted with to be put away.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    let passed = false;
    const right = statusesOf(respond, [fullKey]).finally(() => {
      passed = true;
    });
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(passed).toBe(false);
    last!(1000);
    expect(await right).toEqual([429]);
    expect((await wrong).toSorted()).toEqual([403, 403, 429]);
  });

  test("a right key does not wait for what is counted of another address", async () => {
    const limit: RateLimit = { take: () => new Promise(() => {}) };
    const addressOf = (request: { headers: { get(name: string): string | null | undefined } }) =>
      request.headers.get("x-real-ip") ?? undefined;
    const failedKeys = { limit, addressOf, now: () => 0 };
    const { respond } = openRouter({ keys: lookup, failedKeys, timeoutMs: 1000 });
    const statusFrom = async (address: string, key: string) => {
      const headers = new Headers({ "api-key": key, "x-real-ip": address });
      return (await respond({ method: "GET", url: page, headers })).status;
    };
    const wrong = statusFrom("10.0.0.1", "a");
    expect(await Promise.race([statusFrom("10.0.0.2", fullKey), wrong])).toBe(200);
    expect(await wrong).toBe(503);
  });

  test("an address waits no longer because the clock was set back", async () => {
    let now = 86_400_000;
    const limit = createTokenBucket({ perMinute: 60, burst: 1, now: () => now });
    const { respond } = openRouter({ failedKeys: { limit, now: () => now } });
    expect(await statusesOf(respond, ["a", "b"])).toEqual([403, 429]);
    const headers = new Headers({ "api-key": fullKey });
    now = 0;
    const waiting = await respond({ method: "GET", url: page, headers, clientAddress: "10.0.0.1" });
    expect([waiting.status, waiting.headers["Retry-After"]]).toEqual([429, "1"]);
    now = 1000;
    expect(await statusesOf(respond, [fullKey])).toEqual([200]);
  });

  test("those beyond the limit are not counted, whenever they came", async () => {
    let taken = 0;
    const limit: RateLimit = { take: () => (++taken > 2 ? 1000 : 0) };
    const { respond } = openRouter({ keys: lookup, failedKeys: { limit, now: () => 0 } });
    expect(await statusesOf(respond, ["a", "b", "c", "d", "e"])).toEqual([403, 403, 429, 429, 429]);
    expect(taken).toBe(3);
  });

  test("a limit that does not answer keeps a right key no longer than the time it has", async () => {
    const limit: RateLimit = { take: () => new Promise(() => {}) };
    const { respond } = openRouter({ keys: lookup, failedKeys: { limit }, timeoutMs: 20 });
    expect((await statusesOf(respond, ["a", fullKey]))[0]).toBe(503);
    expect(await statusesOf(respond, [fullKey])).toEqual([200]);
  });

  test("are limited by what a proxy says, if the program says so; those of unknown origin are not", async () => {
    const limit = createTokenBucket({ perMinute: 1, burst: 1 });
    const addressOf = (request: { headers: { get(name: string): string | null | undefined } }) =>
      request.headers.get("x-real-ip") ?? undefined;
    const { respond } = openRouter({ failedKeys: { limit, addressOf } });
    const statusFrom = async (address?: string): Promise<number> => {
      const headers = new Headers({
        "api-key": "wrong",
        ...(address === undefined ? {} : { "x-real-ip": address }),
      });
      return (await respond({ method: "GET", url: page, headers })).status;
    };
    expect([await statusFrom("1"), await statusFrom("1"), await statusFrom("1")]).toEqual([403, 429, 429]);
    expect([await statusFrom("2"), await statusFrom()]).toEqual([403, 403]);
    for (let at = 0; at < 5; at++) expect(await statusFrom()).toBe(403);
  });
});

describe("an address that is none", () => {
  test.each([
    ["a promise", async () => "9.9.9.9"],
    ["a promise", () => Promise.reject(new Error("no address"))],
    ["a list", () => ["9.9.9.9"]],
    ["an object", () => ({ ip: "9.9.9.9" })],
    ["5", () => 5],
  ])("is a fault of the program, which is told: %s", async (words, addressOf) => {
    const errors: string[] = [];
    const logger = { info() {}, warn() {}, error: (line: string) => void errors.push(line) };
    const limit = createTokenBucket({ perMinute: 1, burst: 1 });
    const { respond } = openRouter({ failedKeys: { limit, addressOf: addressOf as never }, logger });
    const headers = new Headers({ "api-key": "wrong" });
    expect((await respond({ method: "GET", url: page, headers })).status).toBe(500);
    expect(errors).toEqual([
      expect.stringContaining(`failedKeys.addressOf must give a text or undefined; got ${words}`),
    ]);
  });

  test("may be empty or null: then nobody knows it", async () => {
    const limit = createTokenBucket({ perMinute: 1, burst: 1 });
    for (const none of [null, undefined, ""]) {
      const { respond } = openRouter({ failedKeys: { limit, addressOf: () => none as never } });
      for (let at = 0; at < 3; at++) {
        const headers = new Headers({ "api-key": "wrong" });
        expect((await respond({ method: "GET", url: page, headers })).status).toBe(403);
      }
    }
  });
});

describe("addresses of one machine", () => {
  const blocked = async (first: string, second: string): Promise<boolean> => {
    const limit = createTokenBucket({ perMinute: 1, burst: 1 });
    const { respond } = openRouter({ failedKeys: { limit } });
    const from = async (clientAddress: string): Promise<number> => {
      const headers = new Headers({ "api-key": "wrong" });
      return (await respond({ method: "GET", url: page, headers, clientAddress })).status;
    };
    await from(first);
    await from(first);
    return (await from(second)) === 429;
  };

  test.each([
    ["2001:db8::1", "2001:db8::5", true],
    ["2001:db8::1", "2001:db8:0:0:1:2:3:4", true],
    ["2001:DB8:0:0::1", "2001:db8::5", true],
    ["2001:db8::1", "2001:db8:0:1::1", false],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::", true],
    ["fe80::1%eth0", "fe80::2%eth0", true],
    ["::ffff:9.9.9.9", "9.9.9.9", true],
    ["::ffff:9.9.9.9", "::ffff:9.9.9.8", false],
    ["::ffff:909:909", "9.9.9.9", true],
    ["0:0:0:0:0:FFFF:c0a8:0001", "192.168.0.1", true],
    ["::ffff:909:909", "::ffff:909:908", false],
    ["9.9.9.9", "9.9.9.8", false],
    ["::1", "9.9.9.8", false],
    ["client 1", "client 2", false],
    // As proxies write them that name the port as well.
    ["9.9.9.9:4711", "9.9.9.9:4712", true],
    ["9.9.9.9:4711", "9.9.9.9", true],
    ["9.9.9.9:4711", "9.9.9.8:4711", false],
    ["[2001:db8::1]:4711", "2001:db8::5", true],
    ["[2001:db8::1]", "[2001:db8::5]:4711", true],
    ["[2001:db8::1]:4711", "[2001:db8:0:1::1]:4711", false],
    ["[::ffff:9.9.9.9]:4711", "9.9.9.9:4712", true],
    // As programs do that put a colon between what a socket says.
    ["::ffff:9.9.9.9:4711", "::ffff:9.9.9.9:4712", true],
    ["::ffff:9.9.9.9:4711", "::ffff:9.9.9.8:4711", false],
    ["2001:db8::1:4711", "2001:db8::1:50000", true],
    ["2001:db8:1:2:3:4:5:6:4711", "2001:db8:1:2:3:4:5:6:4712", true],
    ["tenant:1", "tenant:2", false],
    // Lists, of which anyone can begin with what he likes.
    ["1.1.1.1, 9.9.9.9", "1.1.1.2, 9.9.9.9", true],
    ["9.9.9.9", "1.1.1.2,9.9.9.9:4711", true],
    ["1.1.1.1, 9.9.9.9", "1.1.1.1, 9.9.9.8", false],
    ["x, [2001:db8::1]:4711", "2001:db8::5", true],
    ["first, client", "second, client", false],
    // Elements of `Forwarded`, which say more than where a request comes from.
    ["for=9.9.9.9;proto=https;host=a", "for=9.9.9.9;proto=https;host=b", true],
    ['host=a;For="9.9.9.9:4711"', "for=9.9.9.9", true],
    ["for=1.1.1.1, for=9.9.9.9", "for=1.1.1.2,for=9.9.9.9", true],
    ['for="[2001:db8::1]:4711"', 'for="[2001:db8::5]:4712"', true],
    ["for=9.9.9.9", "for=9.9.9.8", false],
    ['host="a, for=1.1.1.1;for=1.1.1.1";for=9.9.9.9', "for=9.9.9.9", true],
    ['for="1.1.1.1, for=9.9.9.9', "for=9.9.9.9", true],
    ["for=_hidden;host=a", "for=_hidden;host=b", true],
    ["for=_hidden", "for=_other", false],
    // Hosts that have a quote in them, as a proxy writes it.
    ['for=9.9.9.9;host="\\""', "for=9.9.9.9", true],
    ['for="9.9.9.9:4711";host="a\\"b\\\\";proto=https', "for=9.9.9.9", true],
    ['for=9.9.9.9;host=", for=1.1.1.1;x=\\""', "for=9.9.9.9", true],
    ['for=9.9.9.9;host=";for=1.1.1.1;x=\\""', "for=1.1.1.1", false],
    ['x\\", \\", for="9.9.9.9"', "for=9.9.9.9", true],
    // Ports of what is hidden, and hidden ports.
    ['for="_hidden:4711"', 'for="_hidden:4712"', true],
    ['for="9.9.9.9:_a1"', 'for="9.9.9.9:_b2"', true],
    ['for="[2001:db8::1]:_a1"', "for=2001:db8::1", true],
    // Clients of IPv4, translated for a server that has none.
    ["64:ff9b::909:909", "64:ff9b::909:908", false],
    ["64:ff9b::909:909", "64:ff9b::9.9.9.9", true],
  ])("%s and %s", async (first, second, isOne) => {
    expect(await blocked(first, second)).toBe(isOne);
  });

  test("what is long and no address costs no more than its length", async () => {
    for (const digits of ["1".repeat(40_000), `[::${"1".repeat(40_000)}`, "1.".repeat(20_000)]) {
      const before = process.cpuUsage().user;
      expect(await blocked(`${digits}x`, `${digits}y`)).toBe(false);
      expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
    }
  });
});

describe("maxAgeSeconds", () => {
  test("lets clients use documents without asking again; errors never", async () => {
    const headers = new Headers({ "api-key": fullKey });
    const { respond } = openRouter({ maxAgeSeconds: 300 });
    const answer = await respond({ method: "GET", url: page, headers });
    expect(answer.headers["Cache-Control"]).toBe("private, max-age=300");
    headers.set("if-none-match", answer.headers.ETag ?? "");
    const again = await respond({ method: "GET", url: page, headers });
    expect([again.status, again.headers["Cache-Control"]]).toEqual([304, "private, max-age=300"]);
    const wrong = await respond({ method: "GET", url: `${page}&x=1`, headers });
    expect(wrong.headers["Cache-Control"]).toBe("no-store");
    for (const maxAgeSeconds of [-1, 1.5, Number.NaN, "60" as never]) {
      expect(() => openRouter({ maxAgeSeconds })).toThrow(/maxAgeSeconds/);
    }
  });
});
