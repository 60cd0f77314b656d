import { existsSync, readFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
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

/** What changes cost, and how long they and the first question about an attribute keep the event loop. */
async function changes(
  catalogue: MemoryCatalogue,
  vehicles: readonly Vehicle[],
): Promise<Record<string, number>> {
  const changed = vehicles.map((vehicle) => ({ ...vehicle, usable_battery_size: 1 }));
  globalThis.gc?.();
  const from = cpuMs();
  const replacing = await longestTurn(() => catalogue.replace(changed));
  const replaceMs = cpuMs() - from;
  const begun = cpuMs();
  for (const vehicle of vehicles.slice(0, 200)) await catalogue.upsert([vehicle]);
  const upsertMs = (cpuMs() - begun) / 200;
  const order = [{ attribute: "variant", isDescending: true }];
  const ordering = await longestTurn(async () => catalogue.snapshot().find({ order, offset: 0, limit: 100 }));
  return {
    "replace, ms on the processor": replaceMs,
    "longest turn during replace, ms": replacing.all,
    "the same without the collection of garbage, ms": replacing.own,
    "one upsert, ms on the processor": upsertMs,
    "longest turn during the first order by variant, ms": ordering.all,
    "that without the collection of garbage, ms": ordering.own,
  };
}

/**
 * The longest time between two chances for others while something is done; and the longest time on the processor between two
 * when the collector's pauses are taken off.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<{ all: number; own: number }> {
  const pauses: { readonly startTime: number; readonly duration: number }[] = [];
  const observer = new PerformanceObserver((list) => void pauses.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const stamps = [{ at: performance.now(), cpu: mainThreadMs() }];
  let running = true;
  const ended = work().finally(() => {
    running = false;
  });
  while (running) {
    await new Promise((resolve) => setImmediate(resolve));
    stamps.push({ at: performance.now(), cpu: mainThreadMs() });
  }
  await ended;
  // Entries come after the fact.
  await new Promise((resolve) => setTimeout(resolve, 20));
  observer.disconnect();
  const turns = stamps.slice(1).map((end, at) => {
    const start = stamps[at] ?? end;
    const within = pauses.filter(({ startTime }) => startTime >= start.at && startTime < end.at);
    const paused = within.reduce((sum, { duration }) => sum + duration, 0);
    const all = end.at - start.at;
    // On a machine that others use as well, the process may have been put aside.
    return { all, own: Math.min(all, end.cpu - start.cpu) - paused };
  });
  return {
    all: Math.max(...turns.map(({ all }) => all)),
    own: Math.max(...turns.map(({ own }) => own)),
  };
}

/** Time on the processor of the thread that answers requests, where the system tells it. */
function mainThreadMs(): number {
  const file = `/proc/${process.pid}/task/${process.pid}/schedstat`;
  return existsSync(file) ? Number.parseInt(readFileSync(file, "latin1"), 10) / 1e6 : cpuMs();
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
