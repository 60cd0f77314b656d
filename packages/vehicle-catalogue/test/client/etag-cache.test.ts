import { afterEach, describe, expect, test } from "vitest";
import type { RequestEvent, VehicleClientOptions } from "../../src/client/index.js";
import { clientOf, collect, errorOf } from "./client-of.js";
import { answer, cars, documentOf, type Scripted, scriptedServer } from "./scripted-server.js";

let server: Scripted;
afterEach(() => server.close());

/** Tags each document with its version and answers 304 to who has it. */
function taggingServer(version: () => number): Promise<Scripted> {
  return scriptedServer((request, response) => {
    const etag = `"${version()}"`;
    if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
    else answer(response, documentOf(cars(version(), 1)), { headers: { etag } });
  });
}

const conditions = (): unknown[] => server.requests.map(({ headers }) => headers["if-none-match"]);

describe("the cache", () => {
  const off: VehicleClientOptions["cache"][] = [undefined, false];
  for (const cache of off) {
    test(`is off with ${cache}`, async () => {
      server = await taggingServer(() => 1);
      const { client } = clientOf(server.origin, { cache });
      await client.page();
      await client.page();
      expect(conditions()).toEqual([undefined, undefined]);
    });
  }

  test("asks with the tag, uses what it kept, and takes what is new", async () => {
    let version = 1;
    server = await taggingServer(() => version);
    const { client } = clientOf(server.origin, { cache: true });
    const first = await client.page();
    expect(await client.page()).toEqual(first);
    version = 2;
    expect((await client.page()).vehicles[0]?.id).toBe("car-2");
    expect((await client.page()).vehicles[0]?.id).toBe("car-2");
    expect(conditions()).toEqual([undefined, '"1"', '"1"', '"2"']);
  });

  test.each([
    ["another tag than was asked about", '"2"', ['"1"', undefined]],
    ["the same tag, weakened on the way", 'W/"1"', ['"1"']],
    ["no tag", undefined, ['"1"']],
  ])("with a 304 that carries %s", async (_, etag, asked) => {
    server = await scriptedServer((request, response) => {
      if (request.headers["if-none-match"] !== undefined)
        response.writeHead(304, { ...(etag && { etag }) }).end();
      else answer(response, documentOf(cars(server.requests.length, 1)), { headers: { etag: '"1"' } });
    });
    const attempts: number[] = [];
    const request = ({ attempt }: RequestEvent): void => void attempts.push(attempt);
    const { client } = clientOf(server.origin, { cache: true, hooks: { request } });
    await client.page();
    const { vehicles } = await client.page();
    expect(conditions()).toEqual([undefined, ...asked]);
    // To ask without a tag is no other attempt: nothing has failed.
    expect(attempts).toEqual([undefined, ...asked].map(() => 1));
    expect(vehicles[0]?.id).toBe(asked.length === 2 ? "car-3" : "car-1");
  });

  test("with a 304 that carries the tag that was weakened on the way as it was", async () => {
    server = await scriptedServer((request, response) => {
      if (request.headers["if-none-match"] !== undefined) response.writeHead(304, { etag: '"1"' }).end();
      else answer(response, documentOf(cars(server.requests.length, 1)), { headers: { etag: 'W/"1"' } });
    });
    const { client } = clientOf(server.origin, { cache: true });
    const first = await client.page();
    expect(await client.page()).toEqual(first);
    expect(conditions()).toEqual([undefined, 'W/"1"']);
  });

  test("says when what it kept was last changed, also where a 304 does not", async () => {
    const before = "Thu, 01 Jan 2026 00:00:00 GMT";
    const after = "Fri, 02 Jan 2026 00:00:00 GMT";
    const times = [undefined, undefined, undefined, after, undefined, undefined];
    server = await scriptedServer((request, response) => {
      if (request.headers["if-none-match"] === undefined) {
        answer(response, documentOf(cars(1, 1)), { headers: { etag: '"1"', "last-modified": before } });
        return;
      }
      const time = times[server.requests.length - 1];
      response.writeHead(304, { etag: '"1"', ...(time !== undefined && { "last-modified": time }) }).end();
    });
    const { client } = clientOf(server.origin, { cache: true });
    const told: (string | undefined)[] = [];
    for (const _ of times) told.push((await client.page()).lastModified);
    expect(told).toEqual([before, before, before, after, after, after]);
  });

  test("does not say of what is new that it was last changed when what it kept was", async () => {
    const time = "Thu, 01 Jan 2026 00:00:00 GMT";
    server = await scriptedServer((_, response, index) => {
      const headers = { etag: `"${index}"`, ...(index === 0 && { "last-modified": time }) };
      answer(response, documentOf(cars(index, 1)), { headers });
    });
    const { client } = clientOf(server.origin, { cache: true });
    const told = [await client.page(), await client.page(), await client.page()];
    expect(told.map(({ lastModified }) => lastModified)).toEqual([time, undefined, undefined]);
  });

  test("keeps each URL for itself, also brands", async () => {
    server = await taggingServer(() => 1);
    const { client } = clientOf(server.origin, { cache: {} });
    for (let round = 0; round < 2; round++) {
      await client.page();
      await client.page({ number: 2 });
      await client.brands();
    }
    expect(conditions()).toEqual([undefined, undefined, undefined, '"1"', '"1"', '"1"']);
  });

  test("gives each caller results of his own", async () => {
    server = await taggingServer(() => 1);
    const { client } = clientOf(server.origin, { cache: true });
    const first = await client.page();
    Object.assign(first.vehicles[0]!, { model: "changed" });
    Object.assign(first.document, { data: [] });
    expect((await client.page()).vehicles[0]?.model).toBe("Model 1");
  });

  test("keeps within maxBytes, and what was used last stays", async () => {
    server = await taggingServer(() => 1);
    const { client } = clientOf(server.origin, { cache: { maxBytes: 2500 } });
    // One entry is about 700 bytes: three fit.
    for (const number of [1, 2, 3, 1, 4, 1, 3, 2]) await client.page({ number });
    expect(conditions().map((tag) => tag !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  test("does not keep what is larger than all of it, or has no tag, or is no document", async () => {
    server = await scriptedServer((request, response) => {
      const number = new URL(request.url!, "http://x").searchParams.get("page[number]");
      if (number === "2") answer(response, documentOf(cars(0, 100)), { headers: { etag: '"large"' } });
      else if (number === "3") answer(response, documentOf([]));
      else if (number === "4") answer(response, documentOf([]), { headers: { etag: '"small"' } });
      else answer(response, "oops", { headers: { etag: '"broken"' } });
    });
    const { client } = clientOf(server.origin, { cache: { maxBytes: 2000 } });
    for (const number of [4, 2, 2, 3, 3, 4]) await client.page({ number });
    await errorOf(client.page());
    await errorOf(client.page());
    // Nor does it put out what is kept already.
    expect(conditions()).toEqual([...Array(5).fill(undefined), '"small"', undefined, undefined]);
  });

  test("counts a body by its bytes, not by its characters", async () => {
    server = await scriptedServer((_, response, index) => {
      const data = [{ type: "car", id: (index < 2 ? "ü" : "u").repeat(600) }];
      answer(response, documentOf(data), { headers: { etag: '"1"' } });
    });
    const { client } = clientOf(server.origin, { cache: { maxBytes: 1500 } });
    for (let round = 0; round < 4; round++) await client.page();
    expect(conditions()).toEqual([undefined, undefined, undefined, '"1"']);
  });

  test("does not stand in for a document without a tag, whatever a server says that nobody has asked", async () => {
    server = await scriptedServer((_, response, index) => {
      if (index > 0) response.writeHead(304).end();
      else answer(response, documentOf(cars(0, 1)));
    });
    const { client } = clientOf(server.origin, { cache: true });
    await client.page();
    expect(await errorOf(client.page())).toMatchObject({ code: "invalid_response", status: 304 });
    expect(conditions()).toEqual([undefined, undefined]);
  });

  test("is used in iterations, and after a failed attempt", async () => {
    let failing = false;
    server = await scriptedServer((request, response) => {
      if (failing) answer(response, "", { status: 503 });
      else if (request.headers["if-none-match"]) response.writeHead(304).end();
      else answer(response, documentOf(cars(0, 2)), { headers: { etag: 'W/"weak"' } });
      failing = false;
    });
    const { client } = clientOf(server.origin, { cache: true });
    const first = await collect(client.vehicles());
    failing = true;
    expect(await collect(client.vehicles())).toEqual(first);
    expect(conditions()).toEqual([undefined, 'W/"weak"', 'W/"weak"']);
  });
});
