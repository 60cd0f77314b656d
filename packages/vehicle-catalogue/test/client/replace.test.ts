import http from "node:http";
import { expect, test } from "vitest";
import { createVehicleClient } from "../../src/client/index.js";
import { catalogueFromVehicles, createVehicleRouter, type VehicleInput } from "../../src/server/index.js";
import { fullKey, keys, listening, openCatalogue } from "../server/listening.js";

test("while the catalogue is replaced, 8 paging clients see no mixed page and lose no vehicle", async () => {
  const originals = openCatalogue().vehicles();
  const versionOf = (version: number): VehicleInput[] =>
    originals.map((vehicle) => ({ ...vehicle, variant: `${version}` }));
  const catalogue = catalogueFromVehicles(versionOf(0));
  const server = await listening(http.createServer(createVehicleRouter({ catalogue, keys }).node));
  const known = new Set(originals.map(({ id }) => id));
  const rounds = 6;
  let reading = 8;
  let versions = 0;

  const readRounds = async (cache: boolean): Promise<number> => {
    const client = createVehicleClient({ baseUrl: server.origin, apiKey: fullKey, cache });
    let pages = 0;
    for (let round = 0; round < rounds; round++) {
      const ids = new Set<string>();
      for await (const page of client.pages({ size: 50 })) {
        pages++;
        expect(new Set(page.vehicles.map(({ variant }) => variant)).size).toBe(1);
        for (const { id } of page.vehicles) ids.add(id);
      }
      expect(ids).toEqual(known);
    }
    return pages;
  };
  const replacing = async (): Promise<void> => {
    while (reading > 0) {
      await catalogue.replace(versionOf(++versions));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const readers = Array.from({ length: 8 }, (_, index) =>
    readRounds(index % 2 === 0).finally(() => {
      reading--;
    }),
  );
  const [pages] = await Promise.all([Promise.all(readers), replacing()]).finally(() => server.close());
  expect(pages).toEqual(Array(8).fill(rounds * 6));
  expect(versions).toBeGreaterThan(5);
});
