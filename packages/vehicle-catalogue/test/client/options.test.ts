import { afterEach, describe, expect, test } from "vitest";
import { createVehicleClient, type VehicleClient, VehicleClientError } from "../../src/client/index.js";
import { apiKey, clientOf } from "./client-of.js";
import { answer, documentOf, type Scripted, scriptedServer } from "./scripted-server.js";

const valid = { baseUrl: "https://example.org", apiKey };

/** Calls as a program without types would make them. */
// biome-ignore-start lint/suspicious/noExplicitAny: wrong calls are the matter of these tests
const untyped: (options: any) => any = createVehicleClient;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

describe("options that cannot be meant are refused at once, with a word on what is wrong", () => {
  const refused: [options: object, part: RegExp][] = [
    [{}, /apiKey/],
    [{ ...valid, apiKey: undefined }, /apiKey/],
    [{ ...valid, apiKey: "" }, /apiKey/],
    [{ ...valid, apiKey: "  " }, /apiKey/],
    [{ ...valid, apiKey: 12 }, /apiKey/],
    [{ ...valid, baseUrl: undefined }, /baseUrl/],
    [{ ...valid, baseUrl: ["https://example.org"] }, /baseUrl/],
    [{ ...valid, baseUrl: "blob:https://example.org/1" }, /baseUrl/],
    [{ ...valid, baseUrl: "" }, /baseUrl/],
    [{ ...valid, baseUrl: "example.org" }, /baseUrl/],
    [{ ...valid, baseUrl: "/api" }, /baseUrl/],
    [{ ...valid, baseUrl: "ftp://example.org" }, /baseUrl/],
    [{ ...valid, baseUrl: "file:///etc" }, /baseUrl/],
    [{ ...valid, baseUrl: "https://a:b@example.org" }, /baseUrl/],
    [{ ...valid, baseUrl: "https://example.org/?a=1" }, /baseUrl/],
    [{ ...valid, baseUrl: "https://example.org/#a" }, /baseUrl/],
    [{ ...valid, timeout: 5 }, /options.*"timeout"/],
    [{ ...valid, timeoutMs: "5s" }, /timeoutMs/],
    [{ ...valid, timeoutMs: -1 }, /timeoutMs/],
    [{ ...valid, deadlineMs: Number.NaN }, /deadlineMs/],
    [{ ...valid, maxBodyBytes: null, maxPages: -1 }, /maxPages/],
    [{ ...valid, retry: { retries: 3 } }, /retry.*"retries"/],
    [{ ...valid, retry: { constructor: 3 } }, /retry.*"constructor"/],
    [{ ...valid, retry: { limit: "3" } }, /limit/],
    [{ ...valid, cache: { size: 3 } }, /cache.*"size"/],
    [{ ...valid, cache: { maxBytes: -3 } }, /maxBytes/],
    [{ ...valid, fetch: 5 }, /fetch must be a function/],
    [{ ...valid, hooks: { retry: 5 } }, /hooks must be a function/],
    [{ ...valid, hooks: { onRetry: () => {} } }, /hooks.*"onRetry"/],
    [{ ...valid, hooks: 5 }, /hooks must be an object/],
    [{ ...valid, retry: 5 }, /retry must be an object/],
    [{ ...valid, retry: true }, /retry must be an object/],
    [{ ...valid, cache: 5 }, /cache must be an object/],
    [{ ...valid, clock: 5 }, /clock must be an object/],
    [{ ...valid, clock: null }, /clock must be an object/],
    [{ ...valid, hooks: [] }, /hooks must be an object/],
    [{ ...valid, cache: [] }, /cache must be an object/],
    [{ ...valid, clock: {} }, /clock.now must be a function/],
    [{ ...valid, clock: { now: () => 0, after: () => () => {} } }, /clock.random must be a function/],
    [{ ...valid, clock: { now: () => 0, random: () => 0 } }, /clock.after must be a function/],
    [[], /options must be an object/],
  ];
  for (const [options, part] of refused) {
    test(
      JSON.stringify(options, (_, value) => (value === undefined ? "undefined" : value)),
      () => {
        expect(() => untyped(options)).toThrow(TypeError);
        expect(() => untyped(options)).toThrow(part);
      },
    );
  }
});

test.each([[undefined], [null], ["https://example.org"]])("options that are %j are none", (options) => {
  expect(() => untyped(options)).toThrow("options must be an object");
});

describe("requests that would be misunderstood are refused at once", () => {
  const client = untyped(valid);
  const requests: [request: object, part: RegExp][] = [
    [{ filters: {} }, /"filters"/],
    [{ limit: 10 }, /request has no "limit"/],
    [{ filter: { brand: ["x"] } }, /"brand"/],
    [{ filter: { id: "abc" } }, /filter\[id\]/],
    [{ filter: { manufacturerId: {} } }, /filter\[manufacturer.id\]/],
    [{ fields: { truck: [] } }, /"truck"/],
    [{ fields: { car: "model" } }, /fields\[car\]/],
    [{ q: "vw", filter: {} }, /q excludes filter/],
    [{ q: "", filter: {} }, /q excludes filter/],
    [{ q: "", sort: ["model"] }, /q excludes filter and sort/],
    [{ filter: { id: ["a"] }, size: 0 }, /size/],
    [{ filter: { id: ["a"] }, size: 101 }, /size/],
    [{ filter: { id: ["a"] }, size: "10" }, /size/],
    [{ filter: { id: [] }, size: 1.5 }, /size/],
    [{ filter: { id: ["a"] }, number: 0 }, /number/],
    [{ filter: { id: ["a"] }, number: -1 }, /number/],
    [{ filter: { id: ["a"] }, number: 2 ** 53 }, /number/],
    [{ filter: { id: ["a"] }, number: Number.NaN }, /number/],
    [{ timeoutMs: "1" }, /timeoutMs/],
    [{ filter: { id: [5] } }, /filter\[id\]/],
    [{ fields: { car: [null] } }, /fields\[car\]/],
    [{ signal: {} }, /signal must be an AbortSignal/],
    [{ signal: null }, /signal must be an AbortSignal/],
    [{ deadlineMs: -1 }, /deadlineMs/],
    [{ filter: { id: null } }, /filter\[id\]/],
    [{ filter: { manufacturerId: null } }, /filter\[manufacturer.id\]/],
    [{ fields: { car: null } }, /fields\[car\]/],
    [{ filter: [] }, /filter must be an object/],
    [{ filter: 5 }, /filter must be an object/],
    [{ fields: [] }, /fields must be an object/],
    [{ q: null }, /q must be a text/],
    [{ q: 5 }, /q must be a text/],
  ];
  for (const [request, part] of requests) {
    test(JSON.stringify(request), async () => {
      expect(() => client.vehicles(request)).toThrow(part);
      expect(() => client.pages(request)).toThrow(part);
      await expect(client.page(request)).rejects.toThrow(part);
      await expect(client.page(request)).rejects.toThrow(TypeError);
    });
  }

  test("requests that are none", async () => {
    for (const request of [null, 5, []]) {
      expect(() => client.vehicles(request)).toThrow("request must be an object");
      await expect(client.page(request)).rejects.toThrow(TypeError);
      for (const call of [client.search("x", request), client.byId("x", request), client.brands(request)])
        await expect(call).rejects.toThrow(new TypeError("request must be an object"));
    }
  });

  test("calls without what they are about", async () => {
    for (const call of [
      () => client.search(),
      () => client.search(5),
      () => client.byId(),
      () => client.byId(5),
    ]) {
      await expect(call()).rejects.toThrow(TypeError);
      await expect(call()).rejects.toThrow(/^(search|byId) needs a text$/);
    }
    await expect(client.brands({ size: 5 })).rejects.toThrow(/"size"/);
  });
});

describe("options", () => {
  let server: Scripted;
  afterEach(() => server?.close());
  const emptyServer = (): Promise<Scripted> =>
    scriptedServer((_, response) => answer(response, documentOf([])));

  for (const path of ["", "/", "/api", "/api/", "/a%20b/v9", "/@scope/api"]) {
    test(`baseUrl may have the path “${path}”`, async () => {
      server = await emptyServer();
      await clientOf(`${server.origin}${path}`).client.page();
      await clientOf("", { baseUrl: new URL(`${server.origin}${path}`) }).client.brands();
      const base = path.replace(/\/$/, "");
      expect(server.requests.map(({ url }) => url)).toEqual([
        `${base}/v2/vehicles?page%5Bsize%5D=100`,
        `${base}/v2/vehicle_brands`,
      ]);
    });
  }

  test("the key may have white space around, as from a file", async () => {
    server = await emptyServer();
    await clientOf(server.origin, { apiKey: ` ${apiKey}\r\n` }).client.page();
    expect(server.requests[0]?.headers["api-key"]).toBe(apiKey);
  });

  test("a fetch that is replaced later counts, unless one was given", async () => {
    const { client } = clientOf("https://nowhere.invalid");
    const original = globalThis.fetch;
    globalThis.fetch = async () => Response.json({ data: [{ type: "car", id: "replaced" }] });
    try {
      expect((await client.page()).vehicles[0]?.id).toBe("replaced");
    } finally {
      globalThis.fetch = original;
    }
  });

  test("methods work without their object", async () => {
    server = await emptyServer();
    const { page, vehicles, search, byId, brands, pages } = clientOf(server.origin).client;
    await Promise.all([page(), search("x"), byId("x"), brands(), vehicles().next(), pages().next()]);
    expect(server.requests).toHaveLength(6);
  });

  test("what a call is about counts, whatever a request without types says of it", async () => {
    server = await emptyServer();
    const client = untyped({ baseUrl: server.origin, apiKey });
    await client.search("this", { q: "that" });
    await client.byId("this", { filter: { id: ["that"] } });
    const asked = server.requests.map(({ url }) => new URL(url!, server.origin).searchParams);
    expect(asked.map((each) => [each.get("q"), each.get("filter[id]")])).toEqual([
      ["this", null],
      [null, "this"],
    ]);
  });

  test("numbers may be infinite", async () => {
    server = await emptyServer();
    const unlimited: VehicleClient = createVehicleClient({
      baseUrl: server.origin,
      apiKey,
      timeoutMs: Number.POSITIVE_INFINITY,
      deadlineMs: Number.POSITIVE_INFINITY,
    });
    expect((await unlimited.page()).vehicles).toEqual([]);
  });

  test("an error is one also for another copy of the package", async () => {
    const { isVehicleClientError } = await import("../../src/client/index.js");
    const copy = Object.assign(new Error("x"), { name: "VehicleClientError", code: "network" });
    const details = { code: "network", url: "", attempts: 1, retryable: true, status: undefined } as const;
    const own = new VehicleClientError("x", {
      ...details,
      errors: [],
      requestId: undefined,
      retryAfterMs: undefined,
      excerpt: undefined,
    });
    expect(
      [copy, own, new Error("x"), { name: "VehicleClientError" }, null].map(isVehicleClientError),
    ).toEqual([true, true, false, false, false]);
  });
});

test.each([[null], [undefined], [5], [{}]])(
  "a fetch that gives %j is a failure that says why, and that another attempt would not mend",
  async (given) => {
    const client = untyped({ ...valid, retry: { baseDelayMs: 0 }, fetch: async () => given });
    const error: unknown = await client.page().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(VehicleClientError);
    expect(error).toMatchObject({
      ...{ code: "network", attempts: 1, retryable: false },
      cause: { message: expect.stringMatching(/./) },
      message: expect.stringMatching(/: fetch gave no Response: ./),
    });
  },
);
