import { afterEach, expect, test, vi } from "vitest";
import {
  type CatalogueSnapshot,
  catalogueFromVehicles,
  createVehicleRouter,
  type VehicleRouterOptions,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { fullKey, keys } from "./listening.js";

const headers = new Headers({ "api-key": fullKey });
const memory = catalogueFromVehicles(catalogueTestVehicles());

function get(options: Partial<VehicleRouterOptions>, search = "") {
  const { respond } = createVehicleRouter({ catalogue: memory, keys, ...options });
  return respond({ method: "GET", url: `/v2/vehicles${search}`, headers });
}

afterEach(() => void vi.useRealTimers());

test.each([
  [undefined, 65_536],
  [50, 50],
])("with a maxQueryLength of %s a query has at most %d characters", async (maxQueryLength, most) => {
  const options = maxQueryLength === undefined ? {} : { maxQueryLength };
  const ofLength = (length: number) =>
    get(options, `?fields[car]=${"x".repeat(length - "fields[car]=".length)}`);
  expect((await ofLength(most)).status).toBe(400);
  const { status, body } = await ofLength(most + 1);
  expect(status).toBe(414);
  expect(new TextDecoder().decode(body)).toContain(`at most ${most} characters`);
});

test.each([
  [undefined, 10_000],
  [5000, 5000],
])("with a timeoutMs of %s an answer is waited for for %d milliseconds", async (timeoutMs, most) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const never = { snapshot: () => new Promise<never>(() => {}) };
  const statuses: number[] = [];
  const answered = Promise.resolve(get({ catalogue: never, ...(timeoutMs && { timeoutMs }) })).then(
    ({ status }) => void statuses.push(status),
  );
  await vi.advanceTimersByTimeAsync(most - 1);
  expect(statuses).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await answered;
  expect(statuses).toEqual([503]);
});

test.each([
  [{}, 1],
  [{ cacheBytes: 0 }, 3],
])("with the options %j the catalogue is asked for the same %d times of 3", async (options, times) => {
  let asked = 0;
  const catalogue = {
    snapshot() {
      const snapshot: CatalogueSnapshot = memory.snapshot();
      const find: CatalogueSnapshot["find"] = (query, call) => {
        asked++;
        return snapshot.find(query, call);
      };
      return { ...snapshot, find };
    },
  };
  const { respond } = createVehicleRouter({ catalogue, keys, ...options });
  for (let time = 0; time < 3; time++) {
    expect((await respond({ method: "GET", url: "/v2/vehicles", headers })).status).toBe(200);
  }
  expect(asked).toBe(times);
});

test.each([
  [{}, 1],
  [{ preparedBytes: 0 }, 3],
])("with the options %j a vehicle is written out %d times for 3 documents", async (options, times) => {
  let read = 0;
  const catalogue = {
    snapshot() {
      const snapshot: CatalogueSnapshot = memory.snapshot();
      const find: CatalogueSnapshot["find"] = async (query, call) => {
        const { vehicles, ...others } = await snapshot.find(query, call);
        const counted = vehicles.map((vehicle) => ({
          ...vehicle,
          get model() {
            read++;
            return vehicle.model;
          },
        }));
        return { ...others, vehicles: counted };
      };
      return { ...snapshot, find };
    },
  };
  const { respond } = createVehicleRouter({ catalogue, keys, cacheBytes: 0, ...options });
  const readThen: number[] = [];
  for (let time = 0; time < 3; time++) {
    await respond({ method: "GET", url: "/v2/vehicles?page[size]=1", headers });
    readThen.push(read);
  }
  expect(readThen[0]).toBeGreaterThan(0);
  expect(read).toBe(times * (readThen[0] ?? 0));
});
