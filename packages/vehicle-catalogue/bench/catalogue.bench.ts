import { monitorEventLoopDelay } from "node:perf_hooks";
import { bench, figures } from "../../../scripts/bench-harness.js";
import { catalogueFromVehicles, createVehicleRouter, type MemoryCatalogue } from "../src/server/index.js";
import type { Vehicle } from "../src/vehicle.js";
import { fleet, openDataSize } from "./fleet.js";

const sizes = [openDataSize, 100_000];

for (const count of sizes) {
  const vehicles = fleet(count);
  const before = memory();
  const from = cpuMs();
  const catalogue = catalogueFromVehicles(vehicles);
  const loadMs = cpuMs() - from;
  const mebibytes = (memory() - before) / 1_048_576;
  figures(`a catalogue of ${count} vehicles`, {
    "load, ms on the processor": loadMs,
    "memory beside the objects, MiB": mebibytes,
    "peak of the process, MiB": process.resourceUsage().maxRSS / 1024,
    ...(await changes(catalogue, vehicles)),
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

/** What changes cost, and how long they keep the event loop waiting beyond its usual turn. */
async function changes(
  catalogue: MemoryCatalogue,
  vehicles: readonly Vehicle[],
): Promise<Record<string, number>> {
  const changed = vehicles.map((vehicle) => ({ ...vehicle, usable_battery_size: 1 }));
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const from = cpuMs();
  await catalogue.replace(changed);
  const replaceMs = cpuMs() - from;
  delay.disable();
  const begun = cpuMs();
  for (const vehicle of vehicles.slice(0, 200)) await catalogue.upsert([vehicle]);
  return {
    "replace, ms on the processor": replaceMs,
    "turn during replace, 99.9 %, ms": delay.percentile(99.9) / 1e6,
    "longest turn during replace, ms": delay.max / 1e6,
    "one upsert, ms on the processor": (cpuMs() - begun) / 200,
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
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
