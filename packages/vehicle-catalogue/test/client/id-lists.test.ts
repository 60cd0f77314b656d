import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { limits } from "../../src/protocol.js";
import { clientOf, collect, errorOf } from "./client-of.js";
import { answer, documentOf, type Scripted, scriptedServer } from "./scripted-server.js";

let server: Scripted;
afterEach(() => server.close());

const idsFrom = (from: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `00000000-0000-4000-8000-${String(from + index).padStart(12, "0")}`,
  );

const asked = (url: string | undefined): string[] =>
  new URL(url!, "http://x").searchParams.get("filter[id]")?.split(",") ?? [];

/** Knows every id that does not begin with “x”, answers in an order of its own, at most `max` on a page. */
function catalogueServer(max = 100): Promise<Scripted> {
  return scriptedServer((request, response) => {
    const { searchParams } = new URL(request.url!, "http://x");
    const ids = asked(request.url)
      .filter((id) => !id.startsWith("x"))
      .sort()
      .reverse();
    const start = (Number(searchParams.get("page[number]") ?? 1) - 1) * max;
    const brand = { type: "vehicle_brand", id: "b" };
    answer(response, {
      data: ids.slice(start, start + max).map((id) => ({
        type: "car",
        id,
        attributes: { model: `Model ${id}` },
        relationships: { manufacturer: { data: brand } },
      })),
      included: [{ ...brand, attributes: { name: "Brand" } }],
      meta: { overall_count: ids.length },
      links: { self: request.url },
    });
  });
}

describe("lists of ids", () => {
  test("of any length come back in their own order, in requests of at most a page and 8,000 characters", async () => {
    server = await catalogueServer();
    const ids = idsFrom(0, 250).sort((a, b) => a.slice(-1).localeCompare(b.slice(-1)));
    const vehicles = await collect(clientOf(server.origin).client.vehicles({ filter: { id: ids } }));
    expect(vehicles.map(({ id }) => id)).toEqual(ids);
    expect(vehicles[0]).toMatchObject({ manufacturer: { id: "b", name: "Brand" } });
    expect(server.requests.map(({ url }) => asked(url).length)).toEqual([100, 100, 50]);
    expect(Math.max(...server.requests.map(({ url }) => url!.length))).toBeLessThan(8000);
  });

  test("are asked for in the largest pages, whatever size the caller's have", async () => {
    server = await catalogueServer();
    const { vehicles } = await clientOf(server.origin).client.page({
      filter: { id: idsFrom(0, 5) },
      size: 2,
    });
    expect(vehicles).toHaveLength(2);
    expect(
      server.requests.map(({ url }) => new URL(url!, "http://x").searchParams.get("page[size]")),
    ).toEqual([`${limits.maxPageSize}`]);
  });

  test("are asked for at once where the URL is as long as it may be, and in two requests where it is longer", async () => {
    server = await catalogueServer();
    const filter = { id: idsFrom(0, 10) };
    await clientOf(server.origin).client.page({ filter });
    const { length } = `${server.origin}${server.requests[0]?.url}`;
    for (const maxUrlLength of [length, length - 1])
      await clientOf(server.origin, { maxUrlLength }).client.page({ filter });
    expect(server.requests.map(({ url }) => asked(url).length)).toEqual([10, 10, 5, 5]);
  });

  test("are read as they are consumed", async () => {
    server = await catalogueServer();
    for await (const vehicle of clientOf(server.origin).client.vehicles({
      filter: { id: idsFrom(0, 250) },
    })) {
      if (vehicle.id === idsFrom(100, 1)[0]) break;
    }
    expect(server.requests).toHaveLength(2);
  });

  test("page() and pages() cut pages out of the whole list, and count all of it", async () => {
    server = await catalogueServer();
    const { client } = clientOf(server.origin);
    const ids = idsFrom(0, 250);
    const filter = { id: ids.flatMap((id, index) => (index % 5 === 0 ? [`x${index}`, id] : [id])) };
    const second = await client.page({ filter, size: 60, number: 2 });
    expect(second.vehicles.map(({ id }) => id)).toEqual(ids.slice(60, 120));
    expect(second).toMatchObject({ overallCount: 250, number: 2, size: 60, hasNext: true });
    expect(second.document.data.map(({ id }) => id)).toEqual(ids.slice(60, 120));
    expect(second.document.included).toHaveLength(1);
    expect(second.document).not.toHaveProperty("links");
    const pages = await collect(client.pages({ filter, size: 60 }));
    expect(pages.map(({ vehicles, hasNext }) => [vehicles.length, hasNext])).toEqual([
      [60, true],
      [60, true],
      [60, true],
      [60, true],
      [10, false],
    ]);
    expect(pages[1]).toEqual(second);
    expect(await client.page({ filter, size: 60, number: 6 })).toMatchObject({
      vehicles: [],
      hasNext: false,
    });
  });

  test("one request is enough for a list that fits, also where it is paged", async () => {
    server = await catalogueServer();
    const page = await clientOf(server.origin).client.page({
      filter: { id: idsFrom(0, 30) },
      size: 10,
      number: 3,
    });
    expect(page.vehicles.map(({ id }) => id)).toEqual(idsFrom(20, 10));
    expect(server.requests).toHaveLength(1);
  });

  for (const { size, number } of [
    { size: 60, number: 2 },
    { size: 7, number: 30 },
    { size: 100, number: 3 },
    { size: 100, number: 4 },
  ]) {
    test(`vehicles() begins with page ${number} of ${size}, as pages() does`, async () => {
      server = await catalogueServer(30);
      const { client } = clientOf(server.origin);
      const request = { filter: { id: ["xa", ...idsFrom(0, 250).reverse(), "xb"] }, size, number };
      const vehicles = await collect(client.vehicles(request));
      const pages = await collect(client.pages(request));
      expect(vehicles).toEqual(pages.flatMap((page) => page.vehicles));
      expect(vehicles).toHaveLength(Math.max(0, 250 - (number - 1) * size));
    });
  }

  test("that are empty need no request", async () => {
    server = await catalogueServer();
    const { client } = clientOf(server.origin);
    for (const filter of [
      { id: [] },
      { manufacturerId: [] },
      { id: ["1"], manufacturerId: [] },
      { id: ["", "a,b"] },
    ]) {
      expect(await collect(client.vehicles({ filter }))).toEqual([]);
      expect(await client.page({ filter })).toEqual({
        vehicles: [],
        overallCount: 0,
        number: 1,
        size: 100,
        hasNext: false,
        document: { data: [], included: [], meta: { overall_count: 0 } },
      });
      expect(await collect(client.pages({ filter, size: 7 }))).toMatchObject([{ vehicles: [], size: 7 }]);
    }
    expect(await client.byId("")).toBeUndefined();
    expect(server.requests).toHaveLength(0);
  });

  test("with doubles, blanks and other letter case name each vehicle once, where it was first named", async () => {
    server = await scriptedServer((_, response) =>
      answer(
        response,
        documentOf([
          { type: "car", id: "AbC" },
          { type: "motorbike", id: "d" },
        ]),
      ),
    );
    const vehicles = await collect(
      clientOf(server.origin).client.vehicles({ filter: { id: ["d", " abc ", "d", "ABC", ""] } }),
    );
    expect(vehicles.map(({ id }) => id)).toEqual(["d", "AbC"]);
    expect(asked(server.requests[0]?.url)).toEqual(["d", "abc"]);
    const again = await collect(
      clientOf(server.origin).client.vehicles({ filter: { id: ["abc", "d", "ABC"] } }),
    );
    expect(again.map(({ id }) => id)).toEqual(["AbC", "d"]);
  });

  test("let nothing through that was not asked for, even if the server ignores the filter", async () => {
    server = await scriptedServer((_, response) =>
      answer(
        response,
        documentOf([
          { type: "car", id: "1" },
          { type: "car", id: "2" },
        ]),
      ),
    );
    const { client } = clientOf(server.origin);
    expect(await client.byId("2")).toMatchObject({ id: "2" });
    expect(await client.byId("3")).toBeUndefined();
    expect((await client.page({ filter: { id: ["3", "2"] } })).vehicles.map(({ id }) => id)).toEqual(["2"]);
  });

  test("are complete also when a server has smaller pages", async () => {
    server = await catalogueServer(30);
    const ids = idsFrom(0, 150);
    const page = await clientOf(server.origin).client.page({ filter: { id: ids }, size: 100, number: 2 });
    expect(page.vehicles.map(({ id }) => id)).toEqual(ids.slice(100));
    expect(server.requests).toHaveLength(6);
  });

  test("have the time of the first answer: what has changed since then is not in it", async () => {
    const time = (index: number) => new Date(1_700_000_000_000 + 60_000 * index).toUTCString();
    server = await scriptedServer((request, response, index) => {
      const number = Number(new URL(request.url!, "http://x").searchParams.get("page[number]") ?? 1);
      const id = asked(request.url)[number - 1];
      const document = { data: [{ type: "car", id, attributes: {} }], meta: { overall_count: 3 } };
      answer(response, document, { headers: { "last-modified": time(index) } });
    });
    const page = await clientOf(server.origin).client.page({ filter: { id: ["a", "b", "c"] } });
    expect(page.vehicles.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(server.requests).toHaveLength(3);
    expect(page.lastModified).toBe(time(0));
  });

  test("of any ids and any room come back whole and in order (seeded)", async () => {
    server = await catalogueServer();
    const id = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).map((text) => `i${text}`);
    const lists = fc.uniqueArray(id, {
      maxLength: 60,
      selector: (text) => text.trim().toLowerCase(),
    });
    const property = fc.asyncProperty(
      lists,
      fc.integer({ min: 100, max: 3000 }),
      async (list, maxUrlLength) => {
        const { client } = clientOf(server.origin, { maxUrlLength });
        const before = server.requests.length;
        const vehicles = await collect(client.vehicles({ filter: { id: list } }));
        const expected = list.map((text) => text.trim()).filter((text) => !text.includes(","));
        expect(vehicles.map((vehicle) => vehicle.id)).toEqual(expected);
        for (const { url } of server.requests.slice(before)) {
          expect(url!.length <= maxUrlLength || asked(url).length === 1).toBe(true);
        }
      },
    );
    await fc.assert(property, { seed: 6, numRuns: 100 });
  });

  test("that fail in the middle fail as a whole", async () => {
    server = await scriptedServer((request, response, index) => {
      if (index === 1) answer(response, {}, { status: 500 });
      else answer(response, documentOf(asked(request.url).map((id) => ({ type: "car", id }))));
    });
    const { client } = clientOf(server.origin);
    const error = await errorOf(client.page({ filter: { id: idsFrom(0, 250) } }));
    expect(error).toMatchObject({ code: "server_error", status: 500 });
    expect(server.requests).toHaveLength(2);
  });
});
