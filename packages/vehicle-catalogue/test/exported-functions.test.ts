import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Callable, type Place, wrongCalls } from "../../../scripts/nonsense-calls.js";
import * as client from "../src/client/index.js";
import * as root from "../src/index.js";
import * as openEvData from "../src/open-ev-data/index.js";
import * as server from "../src/server/index.js";
import * as testing from "../src/testing/index.js";

const everything =
  "nothing null true number fraction NaN empty text symbol bigint list nulls object bare function date";
const objects = "object bare date";
const vehicles = testing.catalogueTestVehicles();
const [vehicle, other] = vehicles;
const folder = mkdtempSync(join(tmpdir(), "wye-nonsense-"));
const file = join(folder, "vehicles.json");
beforeAll(() => writeFileSync(file, JSON.stringify(vehicles.slice(0, 3))));
afterAll(() => rmSync(folder, { recursive: true }));

/** What errors of JavaScript do not take for a message. */
const unprintable = "symbol bare";
const anything: Place = { named: /never/, takes: everything };
const flag = { takes: "nothing true" };
const extension: Place = {
  named: /extension/,
  takes: `nothing ${objects}`,
  right: {},
  members: {
    openValues: flag,
    attributes: { takes: `nothing ${objects}`, named: /attributes of an extension/ },
  },
};
const loading = {
  strict: flag,
  brandAliases: { takes: `nothing ${objects}` },
  extension: { takes: `nothing ${objects}` },
  corrections: { takes: "nothing list" },
  now: { takes: "nothing" },
};
const memoryOptions: Place = { named: /options/, takes: `nothing ${objects}`, right: {}, members: loading };
const data: Place = { named: /not a catalogue/, takes: "list nulls", right: vehicles };
const path: Place = { named: /path|cannot be read/, takes: "", right: file };
const problem = { index: 0, field: "id", message: "is wrong" };
const socket = { writable: true, end() {}, destroy() {} };
const limit = server.createTokenBucket();
const call = (given: (...values: never[]) => unknown, ...places: readonly Place[]): Callable => ({
  call: given,
  places,
});

const catalogueError = call(
  (...given: ConstructorParameters<typeof server.CatalogueError>) => new server.CatalogueError(...given),
  { ...anything, right: "unavailable" },
  { ...anything, right: "message", untried: unprintable },
  anything,
);

/** Every function that a subpath exports. */
const functions: Readonly<Record<string, Readonly<Record<string, Callable>>>> = {
  ".": {
    defaultChargingCurve: call(
      root.defaultChargingCurve,
      { named: /dcMaxPower/, takes: "number fraction NaN", right: 120 },
      { named: /acMaxPower/, takes: "number fraction NaN", right: 11 },
    ),
  },
  "./client": {
    createVehicleClient: call(client.createVehicleClient, {
      named: /options|baseUrl|apiKey/,
      takes: "",
      right: { baseUrl: "https://a.example", apiKey: "k" },
      members: {
        baseUrl: { takes: "" },
        apiKey: { takes: "text" },
        fetch: { takes: "nothing null NaN empty function" },
      },
    }),
    isVehicleClientError: call(client.isVehicleClientError, anything),
    VehicleClientError: call(
      (...given: ConstructorParameters<typeof client.VehicleClientError>) =>
        new client.VehicleClientError(...given),
      { ...anything, right: "message", untried: unprintable },
      anything,
      anything,
    ),
  },
  "./server": {
    CatalogueError: catalogueError,
    formatRecordProblem: call(server.formatRecordProblem, {
      named: /needs a problem/,
      takes: "",
      right: problem,
    }),
    readCatalogueFile: call(server.readCatalogueFile, path, memoryOptions),
    answerMalformedRequest: call(
      server.answerMalformedRequest,
      { ...anything, right: Object.assign(new Error(), { code: "ECONNRESET" }) },
      { named: /socket/, takes: "", right: socket },
    ),
    webPlatform: call(server.webPlatform),
    createTokenBucket: call(server.createTokenBucket, {
      named: /options/,
      takes: `nothing ${objects}`,
      right: {},
      members: {
        perMinute: { takes: "nothing number" },
        burst: { takes: "nothing number" },
        maxHolders: { takes: "nothing number" },
        announce: flag,
        now: { takes: "nothing function" },
      },
    }),
    catalogueFromJson: call(server.catalogueFromJson, data, memoryOptions),
    catalogueFromOpenEvData: call(
      server.catalogueFromOpenEvData,
      { named: /not an Open EV Data file/, takes: "", right: { data: [], brands: [] } },
      memoryOptions,
    ),
    catalogueFromVehicles: call(
      server.catalogueFromVehicles,
      { named: /needs a list of records/, takes: "list nulls", right: vehicles },
      memoryOptions,
    ),
    readCatalogueData: call(server.readCatalogueData, data, extension),
    readCatalogueDataInSlices: call(server.readCatalogueDataInSlices, data, extension),
    openApiDescription: call(
      server.openApiDescription,
      { named: /server/, takes: "empty text", right: "/api" },
      {
        named: /sources/,
        takes: `nothing ${objects}`,
        right: {},
        members: {
          extension: { takes: `nothing ${objects}` },
          additions: { takes: `nothing ${objects}` },
          announcesLimit: flag,
          maxAgeSeconds: { takes: "nothing number" },
        },
      },
    ),
    wordsOf: call(server.wordsOf, { named: /needs a text/, takes: "empty text", right: "id.3" }),
    searchAliases: call(server.searchAliases, {
      named: /short names/,
      takes: `nothing ${objects}`,
      right: {},
    }),
    createSearchIndex: call(
      server.createSearchIndex,
      { named: /needs a list|entries\[0\]/, takes: "list", right: [{ brand: "a", model: "b", variant: "" }] },
      { named: /map of short names/, takes: "", right: new Map() },
    ),
    compareBrands: call(
      server.compareBrands,
      { named: /compareBrands/, takes: "", right: vehicle?.manufacturer },
      { named: /compareBrands/, takes: "", right: other?.manufacturer },
    ),
    compareVehicles: call(
      server.compareVehicles,
      { named: /compareVehicles/, takes: "", right: vehicle },
      { named: /compareVehicles/, takes: "", right: other },
    ),
    orderKey: call(server.orderKey, { named: /orderKey/, takes: "", right: vehicle }),
    createVehicleRouter: call(server.createVehicleRouter, {
      named: /needs a catalogue/,
      takes: "",
      right: { catalogue: server.catalogueFromVehicles(vehicles), keys: [] },
      members: {
        catalogue: { takes: "" },
        keys: { takes: "list function" },
        prefix: { takes: "nothing empty" },
        links: flag,
        rateLimit: { takes: "nothing" },
        failedKeys: { takes: "nothing" },
        additions: { takes: `nothing ${objects}` },
        maxAgeSeconds: { takes: "nothing number" },
        cors: { takes: `nothing ${objects}` },
        cacheBytes: { takes: "nothing number" },
        preparedBytes: { takes: "nothing number" },
        timeoutMs: { takes: "nothing number" },
        maxQueryLength: { takes: "nothing number" },
        logger: { takes: `nothing ${objects}` },
        platform: { takes: "nothing" },
      },
    }),
    watchCatalogueFile: call(server.watchCatalogueFile, path, {
      ...memoryOptions,
      members: {
        ...loading,
        logger: { takes: `nothing ${objects}` },
        onReload: { takes: "nothing function" },
        onError: { takes: "nothing function" },
        intervalMs: { takes: "nothing number" },
        settleMs: { takes: "nothing number" },
        leastShare: { takes: "nothing" },
      },
    }),
  },
  "./open-ev-data": {
    CatalogueError: catalogueError,
    formatRecordProblem: call(openEvData.formatRecordProblem, {
      named: /needs a problem/,
      takes: "",
      right: problem,
    }),
    isOpenEvData: call(openEvData.isOpenEvData, anything),
    vehiclesFromOpenEvData: call(openEvData.vehiclesFromOpenEvData, {
      named: /not an Open EV Data file/,
      takes: "",
      right: { data: [], brands: [] },
    }),
  },
  "./testing": {
    catalogueTestVehicles: call(testing.catalogueTestVehicles),
    describeCatalogue: call(
      testing.describeCatalogue,
      { named: /name/, takes: "empty text", right: "mine" },
      { named: /make/, takes: "function", right: () => {} },
      { named: /test runner/, takes: "", right: { describe() {}, test() {} } },
    ),
  },
};

/** Functions that come with what others make, and are called by hands. */
const made: Readonly<Record<string, Callable>> = (() => {
  const snapshot = server.catalogueFromVehicles(vehicles).snapshot();
  const fetched = client.createVehicleClient({
    baseUrl: "https://a.example",
    apiKey: "k",
    fetch: async () => Response.json({ data: [], meta: { overall_count: 0 } }),
  });
  const index = server.createSearchIndex([], new Map());
  const page = { offset: 0, limit: 1 };
  const search: Place = { named: /offset and limit/, takes: "", right: { text: "a", ...page } };
  const request: Place = { named: /request/, takes: `nothing ${objects}`, right: {} };
  return {
    "snapshot.find": call(snapshot.find, {
      named: /offset and limit/,
      takes: "",
      right: page,
      members: {
        offset: { takes: "number" },
        limit: { takes: "number" },
        ids: { takes: "nothing list" },
        manufacturerIds: { takes: "nothing list" },
      },
    }),
    "snapshot.search": call(snapshot.search, {
      ...search,
      members: { text: { takes: "empty text" }, limit: { takes: "number" } },
    }),
    "snapshot.explain": call(snapshot.explain, {
      ...search,
      members: { text: { takes: "empty text" }, offset: { takes: "number" } },
    }),
    "index.search": call(
      index.search,
      { named: /text/, takes: "empty text", right: "a" },
      { named: /limit/, takes: "number", right: 1 },
    ),
    "client.page": call(fetched.page, request),
    "client.pages": call(fetched.pages, request),
    "client.vehicles": call(fetched.vehicles, request),
    "client.brands": call(fetched.brands, request),
    "client.search": call(fetched.search, { named: /text/, takes: "empty text", right: "a" }, request),
    "client.byId": call(fetched.byId, { named: /byId/, takes: "empty text", right: "a" }, request),
    "limit.take": call(limit.take, { ...anything, right: "holder" }),
  };
})();

describe.each<[string, object]>([
  [".", root],
  ["./client", client],
  ["./server", server],
  ["./open-ev-data", openEvData],
  ["./testing", testing],
])("the functions of the subpath %s", (subpath, exported) => {
  const names = Object.entries(exported).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : [],
  );

  test("are all in the table", () => {
    expect(Object.keys(functions[subpath] ?? {}).sort()).toEqual(names.sort());
  });

  test.each(names)("%s refuses nonsense by name, and takes what is none", async (name) => {
    expect(await wrongCalls(functions[subpath]?.[name] as Callable)).toEqual([]);
  });
});

test.each(Object.keys(made))("%s refuses nonsense by name, and takes what is none", async (name) => {
  expect(await wrongCalls(made[name] as Callable)).toEqual([]);
});
