import { expect, test } from "vitest";
import { createVehicleRouter, type MemoryCatalogue } from "../../src/server/index.js";
import { openCatalogue } from "../server/listening.js";
import { clientOf, collect } from "./client-of.js";
import { answer, cars, documentOf, scriptedServer } from "./scripted-server.js";

/** A client of a router over the open data, by way of a `fetch` without a network. */
function overCatalogue(catalogue: MemoryCatalogue) {
  const router = createVehicleRouter({ catalogue, keys: [{ key: "secret", groups: ["ReadVehicles"] }] });
  return clientOf("http://catalogue.test", {
    apiKey: "secret",
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
    const { client } = overCatalogue(catalogue);
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
    expect(ids).toEqual(before.slice(0, -size).map(({ id }) => id));
  },
);

test("a catalogue that changes faster than it is read is not read without end", async () => {
  const server = await scriptedServer((_, response, index) =>
    answer(response, documentOf(cars(index * 10, 3), index % 2 === 0 ? 6 : 5)),
  );
  const vehicles = await collect(clientOf(server.origin).client.vehicles());
  expect([vehicles.length, server.requests.length]).toEqual([30, 10]);
  await server.close();
});
