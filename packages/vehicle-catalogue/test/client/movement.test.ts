import { expect, test } from "vitest";
import type { RequestEvent, VehicleClientHooks } from "../../src/client/index.js";
import type { Vehicle } from "../../src/index.js";
import { createVehicleRouter, type MemoryCatalogue } from "../../src/server/index.js";
import { openCatalogue } from "../server/listening.js";
import { clientOf, collect } from "./client-of.js";
import { answer, cars, documentOf, scriptedServer } from "./scripted-server.js";

/** A client of a router over the open data, by way of a `fetch` without a network. */
function overCatalogue(catalogue: MemoryCatalogue, hooks: VehicleClientHooks = {}) {
  const router = createVehicleRouter({ catalogue, keys: [{ key: "secret", groups: ["ReadVehicles"] }] });
  return clientOf("http://catalogue.test", {
    apiKey: "secret",
    hooks,
    fetch: (url, init) => router.fetch(new Request(url, init)),
  });
}

const changes: readonly (readonly [
  name: string,
  change: (catalogue: MemoryCatalogue, front: readonly string[]) => Promise<unknown>,
])[] = [
  ["one in front goes", (catalogue, [first]) => catalogue.remove([first!])],
  ["five in front go", (catalogue, front) => catalogue.remove(front.slice(0, 5))],
  [
    "a brand moves to the beginning",
    (catalogue) => {
      const last = catalogue.vehicles().at(-1)!;
      return catalogue.upsert([{ ...last, manufacturer: { ...last.manufacturer, name: "AAA" } }]);
    },
  ],
  [
    "a brand moves to the end",
    (catalogue) => {
      const [first] = catalogue.vehicles();
      return catalogue.upsert([{ ...first!, manufacturer: { ...first!.manufacturer, name: "ZZZ" } }]);
    },
  ],
];

for (const size of [5, 7, 100]) {
  test.each(changes)(
    `vehicles that are there all the time are given, each once, ${size} at a time: %s`,
    async (_, change) => {
      const catalogue = openCatalogue();
      const before = catalogue.vehicles().map(({ id }) => id);
      const { client } = overCatalogue(catalogue);
      const ids: string[] = [];
      for await (const { id } of client.vehicles({ size })) {
        ids.push(id);
        if (ids.length === 8) await change(catalogue, before);
      }
      const after = new Set(catalogue.vehicles().map(({ id }) => id));
      expect(before.filter((id) => after.has(id) && !ids.includes(id))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );
}

for (const [total, size, pages, gone] of [
  [201, 100, 2, 1],
  [200, 100, 1, 100],
  [250, 100, 2, 150],
  [11, 1, 10, 1],
  [12, 5, 2, 2],
] as const) {
  test(`none is missed where ${gone} of ${total} go and the next page of ${size} is empty`, async () => {
    const catalogue = openCatalogue();
    await catalogue.remove(
      catalogue
        .vehicles()
        .slice(total)
        .map(({ id }) => id),
    );
    const before = catalogue.vehicles().map(({ id }) => id);
    const { client } = overCatalogue(catalogue);
    const ids: string[] = [];
    for await (const { id } of client.vehicles({ size })) {
      if (ids.push(id) === pages * size) await catalogue.remove(before.slice(0, gone));
    }
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
}

test.each([5, 7])(
  "as many that come in front as others go move a page of %d to the next place",
  async (size) => {
    const catalogue = openCatalogue();
    const before = catalogue.vehicles();
    const asked: (string | null)[] = [];
    const request = ({ url }: RequestEvent) => asked.push(new URL(url).searchParams.get("page[number]"));
    const { client } = overCatalogue(catalogue, { request });
    const [first] = before;
    const { manufacturer } = first!;
    const front = before
      .slice(0, size)
      .map((one, at) => ({ ...one, id: `new-${at}`, model: "!", manufacturer }));
    const gone = before.slice(-size).map(({ id }) => id);
    const ids: string[] = [];
    for await (const { id } of client.vehicles({ size })) {
      if (ids.push(id) === size) await catalogue.upsert(front, { remove: gone });
    }
    // One look at the page before tells that it has moved.
    expect(asked.slice(0, 4)).toEqual([null, "2", null, "3"]);
    // What is in front is found when the pages are read again for what may have been missed.
    const idsOf = (vehicles: readonly { readonly id: string }[]) => vehicles.map(({ id }) => id);
    expect(ids.slice(0, -size)).toEqual(idsOf(before.slice(0, -size)));
    expect(ids.slice(-size).sort()).toEqual(idsOf(front));
  },
);

/** What a client gives of twenty vehicles that change after some of its requests. */
async function giveWhile(size: number, changesAfter: { readonly [request: number]: Change }) {
  const catalogue = openCatalogue();
  const all = catalogue.vehicles();
  const before = all.slice(0, 20).map(({ id }) => id);
  await catalogue.remove(all.slice(20).map(({ id }) => id));
  const router = createVehicleRouter({ catalogue, keys: [{ key: "secret", groups: ["ReadVehicles"] }] });
  let requests = 0;
  const { client } = clientOf("http://catalogue.test", {
    apiKey: "secret",
    async fetch(url, init) {
      const response = await router.fetch(new Request(url, init));
      await changesAfter[++requests]?.(catalogue, before);
      return response;
    },
  });
  const given = (await collect(client.vehicles({ size }))).map(({ id }) => id);
  const after = new Set(catalogue.vehicles().map(({ id }) => id));
  return { given, lost: before.filter((id) => after.has(id) && !given.includes(id)) };
}

type Change = (catalogue: MemoryCatalogue, before: readonly string[]) => Promise<unknown>;

/** A vehicle of a brand of its own, which is the first or the last by its name. */
const other = (catalogue: MemoryCatalogue, name: string) => ({
  ...catalogue.vehicles()[0]!,
  id: name,
  manufacturer: { id: name, name },
});

const comesInFront: Change = (catalogue) => catalogue.upsert([other(catalogue, "!first")]);

test.each<readonly [string, number, { readonly [request: number]: Change }]>([
  [
    "some go while the pages are read again",
    5,
    {
      2: (catalogue, before) => catalogue.remove(before.slice(0, 5)),
      4: (catalogue, before) => catalogue.remove(before.slice(5, 10)),
    },
  ],
  [
    "one comes in front, and then one in front gives way to one at the end",
    5,
    {
      1: comesInFront,
      2: (catalogue, [first]) => catalogue.upsert([other(catalogue, "ZZZ")], { remove: [first!] }),
    },
  ],
  [
    "a page moves to the next place and back again",
    1,
    {
      1: (catalogue, before) => catalogue.upsert([other(catalogue, "!first")], { remove: [before.at(-1)!] }),
      2: (catalogue) => catalogue.remove(["!first"]),
    },
  ],
  [
    "a page moves to the next place and back again, and as many are there all the time",
    1,
    {
      1: (catalogue) => {
        const manufacturer = { id: "!", name: "!" };
        return catalogue.upsert([{ ...catalogue.vehicles()[1]!, manufacturer }]);
      },
      2: (catalogue) => {
        const [first, { manufacturer }] = catalogue.vehicles() as [Vehicle, Vehicle];
        return catalogue.upsert([{ ...first, manufacturer }]);
      },
    },
  ],
  [
    "the same one is passed over in two readings, for different reasons",
    1,
    {
      2: comesInFront,
      3: (catalogue) => catalogue.remove(["!first"]),
      22: (catalogue, [first]) => catalogue.remove([first!]),
    },
  ],
])("none is missed where %s", async (_, size, changesAfter) => {
  const { given, lost } = await giveWhile(size, changesAfter);
  expect(lost).toEqual([]);
  expect(new Set(given).size).toBe(given.length);
});

test("what comes behind the pages that were read is no reason to read them again", async () => {
  const { given } = await giveWhile(5, {
    2: (catalogue) => catalogue.upsert([other(catalogue, "ZZZ")]),
    5: () => Promise.reject(new Error("there are five pages")),
  });
  expect(given).toHaveLength(21);
});

test("a server that repeats itself on every page is read twice", async () => {
  const server = await scriptedServer((request, response) => {
    const page = Number(new URL(request.url!, server.origin).searchParams.get("page[number]") ?? 1);
    answer(response, documentOf(cars(page * 2, 3), 6));
  });
  const vehicles = await collect(clientOf(server.origin).client.vehicles());
  expect([vehicles.length, server.requests.length]).toEqual([5, 4]);
  await server.close();
});

test("a catalogue that changes faster than it is read is not read without end", async () => {
  const server = await scriptedServer((_, response, index) =>
    answer(response, documentOf(cars(index * 10, 3), index % 2 === 0 ? 6 : 5)),
  );
  const vehicles = await collect(clientOf(server.origin).client.vehicles());
  expect([vehicles.length, server.requests.length]).toEqual([30, 10]);
  await server.close();
});

test.each<readonly [name: string, counts: readonly unknown[], requests: number]>([
  ["as long as the count is another one each time", [6, 5, 6, 4, 5, 4, 6, 5, 6, 4], 10],
  ["twice where nothing moves any more", [6, 5, 6, 6, 6, 6], 4],
  ["twice where all is as it was", [6, 5, 6, 5], 4],
  ["once where the server no longer says how many there are", [6, null, null], 3],
])("the same pages, of which the count falls, are read %s", async (_, counts, requests) => {
  const server = await scriptedServer((request, response, index) => {
    const page = Number(new URL(request.url!, server.origin).searchParams.get("page[number]") ?? 1);
    answer(response, documentOf(page > 2 ? [] : cars(page * 3, 3), counts[index] ?? null));
  });
  const vehicles = await collect(clientOf(server.origin).client.vehicles({ size: 3 }));
  expect([vehicles.length, server.requests.length]).toEqual([6, requests]);
  await server.close();
});
