import { bench, figures } from "../../../scripts/bench-harness.js";
import { catalogueFromVehicles, createVehicleRouter, type MemoryCatalogue } from "../src/server/index.js";
import { fleet, openDataSize } from "./fleet.js";

const sizes = [openDataSize, 100_000];

for (const count of sizes) {
  const vehicles = fleet(count);
  const before = memory();
  const from = performance.now();
  const catalogue = catalogueFromVehicles(vehicles);
  const loadMs = performance.now() - from;
  const mebibytes = (memory() - before) / 1_048_576;
  figures(`a catalogue of ${count} vehicles`, {
    "load, ms": loadMs,
    "memory beside the objects, MiB": mebibytes,
  });
  await bench(
    `answering without HTTP, ${count} vehicles`,
    {
      "page of 100, kept": pages(catalogue, 32 * 1024 * 1024, () => "/v2/vehicles"),
      "page of 100, made anew": pages(catalogue, 0, () => "/v2/vehicles"),
      "page of 100, two fields": pages(
        catalogue,
        0,
        () => "/v2/vehicles?fields[car]=model,variant&fields[motorbike]=model",
      ),
      "50 ids": pages(
        catalogue,
        0,
        () => `/v2/vehicles?filter[id]=${vehicles.slice(40, 90).map(({ id }) => id)}`,
      ),
      search: pages(catalogue, 0, () => "/v2/vehicles?q=tesla+model+3"),
    },
    { baseline: "page of 100, kept", rounds: 9 },
  );
}

function pages(catalogue: MemoryCatalogue, cacheBytes: number, url: () => string): () => unknown {
  const keys = () => ({ groups: ["ReadVehicles" as const, "ReadVehiclesFull" as const] });
  const { respond } = createVehicleRouter({ catalogue, keys, cacheBytes });
  const headers = new Map([["api-key", "bench"]]);
  const request = { method: "GET", url: url(), headers };
  return () => respond(request);
}

/** Bytes in use, inside and outside the heap. Needs `node --expose-gc`; otherwise it counts what was not collected. */
function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
