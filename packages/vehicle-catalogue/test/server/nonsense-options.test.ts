import { expect, test } from "vitest";
import {
  catalogueFromVehicles,
  createSearchIndex,
  createTokenBucket,
  createVehicleRouter,
  openApiDescription,
  readCatalogueFile,
  searchAliases,
  type VehicleRouterOptions,
  watchCatalogueFile,
  wordsOf,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/catalogue-test-vehicles.js";
import { describeCatalogue } from "../../src/testing/index.js";

/** What a router needs; `change` is what a program without types adds. */
function routerWith(change: unknown): void {
  const needed = { catalogue: catalogueFromVehicles([]), keys: [] };
  createVehicleRouter({ ...needed, ...(change as Partial<VehicleRouterOptions>) });
}

const limit = { take: () => ({ waitMs: 0 }) };
const platform = { digest: () => "", codings: [], compress: () => new Uint8Array() };

test.each<[unknown, RegExp]>([
  [{ cors: { origins: "https://a.org" } }, /^cors\.origins must be "\*" or a list .*got "https:\/\/a\.org"/],
  [{ cors: { origins: 5 } }, /^cors\.origins must be "\*" or a list .*got 5/],
  [{ cors: { origins: ["*"] } }, /^cors\.origins .*got "\*" in the list/],
  [{ cors: { origins: [5] } }, /^cors\.origins .*got 5 in the list/],
  [{ cors: { origins: ["a.org"] } }, /^cors\.origins .*got "a\.org" in the list/],
  [{ cors: { origins: ["https://a.org/"] } }, /^cors\.origins .*browsers send "https:\/\/a\.org"/],
  [{ cors: { origins: ["https://a.org:443"] } }, /^cors\.origins .*browsers send "https:\/\/a\.org"/],
  [{ cors: { origins: ["https://A.org/page?x"] } }, /^cors\.origins .*browsers send "https:\/\/a\.org"/],
  [{ cors: { maxAgeSeconds: "x" } }, /^cors\.maxAgeSeconds must be a whole number from 0; got "x"/],
  [{ cors: { maxAgeSeconds: -1 } }, /^cors\.maxAgeSeconds must be .*got -1/],
  [{ cors: null }, /^cors must be an object or false; got null/],
  [{ cors: true }, /^cors must be an object or false; got true/],
  [
    { cors: { origin: "*" } },
    /^cors has no "origin"; did you mean "origins"\? It has origins, allowed.*Seconds\.$/,
  ],
  [
    { cors: { credentials: true } },
    /^cors has no "credentials"; it has origins, allowedHeaders, maxAgeSeconds\.$/,
  ],
  [
    { additions: { sorts: true } },
    /^additions has no "sorts"; did you mean "sort"\? It has attributeFilters, /,
  ],
  [{ cacheByte: 0 }, /^A router has no "cacheByte"; did you mean "cacheBytes"\? It has catalogue, keys, /],
  [{ CORS: false }, /^A router has no "CORS"; did you mean "cors"\?/],
  [{ basePath: "/api" }, /^A router has no "basePath"; it has catalogue, keys, prefix, /],
  [{ or: 1 }, /^A router has no "or"; it has catalogue, /],
  [{ constructor: 1 }, /^A router has no "constructor"/],
  [
    { failedKeys: { limit, adressOf: () => "" } },
    /^failedKeys has no "adressOf"; did you mean "addressOf"\?/,
  ],
  [{ additions: { sort: "yes" } }, /^additions\.sort must be true or false; got "yes"/],
  [{ additions: null }, /^additions must be an object; got null/],
  [{ links: "no" }, /^links must be true or false; got "no"/],
  [{ prefix: "/a?b" }, /prefix must begin with a slash.*without \? or #; got "\/a\?b"/],
  [{ prefix: "/a#b" }, /prefix must begin with a slash/],
  [{ prefix: null }, /prefix must begin with a slash.*got null/],
  [{ prefix: "/a b" }, /^No request has the prefix "\/a b": clients make "\/a%20b" of it\.$/],
  [{ prefix: "/ü" }, /clients make "\/%C3%BC" of it/],
  [{ prefix: "/a/../b" }, /clients make "\/b" of it/],
  [{ prefix: "/a\\b" }, /clients make "\/a\/b" of it/],
  [{ failedKeys: null }, /^failedKeys must be an object; got null/],
  [{ failedKeys: { limit, addressOf: 5 } }, /^failedKeys\.addressOf must be a function; got 5/],
  [{ failedKeys: { limit, now: 5 } }, /^failedKeys\.now must be a function; got 5/],
  [{ rateLimit: null }, /^rateLimit must have a function take\(\)/],
  [{ rateLimit: limit, failedKeys: { limit: {} } }, /^failedKeys\.limit must have a function take\(\)/],
  [{ maxAgeSeconds: "60" }, /^maxAgeSeconds must be a whole number from 0; got "60"/],
  [{ maxAgeSeconds: -1 }, /^maxAgeSeconds must be a whole number from 0; got -1/],
  [{ maxAgeSeconds: 0.5 }, /^maxAgeSeconds must be a whole number from 0; got 0\.5/],
  [{ platform: {} }, /^platform\.digest must be a function; got nothing/],
  [{ platform: null }, /^platform must be an object; got null/],
  [{ platform: { ...platform, compress: 5 } }, /^platform\.compress must be a function; got 5/],
  [{ platform: { ...platform, codings: "gzip" } }, /^platform\.codings must be a list; got "gzip"/],
  [{ logger: 5 }, /^logger must be an object; got 5/],
])("a router refuses %j by name", (change, problem) => {
  expect(() => routerWith(change)).toThrow(TypeError);
  expect(() => routerWith(change)).toThrow(problem);
});

test.each([
  { cors: false },
  { cacheBytes: 0, preparedBytes: 0, timeoutMs: 0, maxQueryLength: 0, maxAgeSeconds: 0 },
  { cors: { origins: "*", maxAgeSeconds: 0 } },
  { cors: { origins: ["https://a.org", "http://localhost:8080", "http://[::1]:1", "null"] } },
  { cors: { origins: ["capacitor://localhost", "chrome-extension://abc"], allowedHeaders: ["traceparent"] } },
  { links: false, prefix: "/a%20b/~c.d", additions: {} },
  { links: false, prefix: "/a/b", additions: { sort: true, updatedSince: false } },
  { failedKeys: { limit, addressOf: () => undefined, now: () => 0 }, platform, logger: console },
  { links: undefined, prefix: undefined, additions: undefined, failedKeys: undefined, platform: undefined },
])("a router takes %j", (change) => {
  expect(() => routerWith(change)).not.toThrow();
});

test.each<[unknown, RegExp]>([
  [null, /^options must be an object; got null/],
  ["strict", /^options must be an object; got "strict"/],
  [{ strict: "yes" }, /^strict must be true or false; got "yes"/],
  [{ extension: 5 }, /^extension must be an object; got 5/],
  [{ extension: [] }, /^extension must be an object; got a list/],
  [{ extension: { openValues: "yes" } }, /^extension\.openValues must be true or false; got "yes"/],
  [{ brandAliases: 5 }, /^brandAliases must be an object; got 5/],
  [{ brandAliases: { vw: 5 } }, /^brandAliases\.vw must be a text; got 5/],
  [{ now: 5 }, /^now must be a function; got 5/],
  [{ Strict: true }, /^A catalogue has no "Strict"; did you mean "strict"\? It has strict, brandAliases, /],
  [{ corrections: [{ id: "v", set: {}, where: {} }] }, /^corrections must be a list of \{ id, set/],
])("a catalogue refuses %j by name", (options, problem) => {
  expect(() => catalogueFromVehicles([], options as never)).toThrow(TypeError);
  expect(() => catalogueFromVehicles([], options as never)).toThrow(problem);
});

test.each<[unknown, RegExp]>([
  [null, /^options must be an object; got null/],
  [{ onReload: 5 }, /^onReload must be a function; got 5/],
  [{ onError: {} }, /^onError must be a function; got an object/],
  [{ logger: "console" }, /^logger must be an object; got "console"/],
  [{ leastShare: "0.5" }, /^leastShare must be a number from 0 to 1/],
  [{ strict: "yes" }, /^strict must be true or false; got "yes"/],
  [{ now: 5 }, /^now must be a function; got 5/],
  [{ onRelaod: () => {} }, /^A watched file has no "onRelaod"; did you mean "onReload"\? It has strict, /],
])("a watched file refuses %j by name, before the file is looked for", async (options, problem) => {
  await expect(watchCatalogueFile("nowhere.json", options as never)).rejects.toThrow(problem);
});

test("a file that is to be read with wrong options is not looked for either", async () => {
  const wrong = { strict: "yes" } as never;
  await expect(readCatalogueFile("nowhere.json", wrong)).rejects.toThrow(/^strict must be true or false/);
});

test.each([
  ["attributeFilters", "conditions"],
  ["sort", "order"],
  ["updatedSince", "updatedSince"],
] as const)("for %s a catalogue has to understand %s, and nothing else", (addition, query) => {
  const all = ["conditions", "order", "updatedSince"] as const;
  const catalogue = (understands: readonly (typeof all)[number][], isWanted = true) => ({
    catalogue: { ...catalogueFromVehicles([]), understands },
    additions: { attributeFilters: false, sort: false, updatedSince: false, [addition]: isWanted },
  });
  expect(() => routerWith(catalogue([query]))).not.toThrow();
  expect(() => routerWith(catalogue([], false))).not.toThrow();
  expect(() => routerWith(catalogue(all.filter((one) => one !== query)))).toThrow(
    new TypeError(
      `The catalogue cannot answer additions.${addition}: it does not say that it understands "${query}".`,
    ),
  );
});

test("without any options a router says what it needs", () => {
  for (const options of [undefined, null, 5])
    expect(() => createVehicleRouter(options as never)).toThrow(/^A router needs a catalogue/);
});

test.each<[unknown, RegExp]>([
  [null, /^options of replace must be an object; got null/],
  [{ least: 5 }, /^replace has no "least"; it has leastVehicles/],
  [{ leastVehicle: 5 }, /^replace has no "leastVehicle"; did you mean "leastVehicles"\?/],
  [{ leastVehicles: "5" }, /^leastVehicles must be a number from 0; got "5"/],
  [{ leastVehicles: Number.NaN }, /^leastVehicles must be a number from 0; got NaN/],
])("a replacement refuses %j by name and changes nothing", async (options, problem) => {
  const catalogue = catalogueFromVehicles([]);
  const { version } = catalogue.snapshot();
  await expect(catalogue.replace(catalogueTestVehicles(), options as never)).rejects.toThrow(problem);
  expect(catalogue.snapshot().version).toBe(version);
});

test.each<[unknown, RegExp]>([
  [null, /^options of upsert must be an object; got null/],
  [{ removed: ["a"] }, /^upsert has no "removed"; did you mean "remove"\?/],
])("an upsert refuses %j by name and changes nothing", async (options, problem) => {
  const catalogue = catalogueFromVehicles([]);
  await expect(catalogue.upsert(catalogueTestVehicles(), options as never)).rejects.toThrow(problem);
  expect(catalogue.vehicles()).toEqual([]);
});

test.each<[unknown, RegExp]>([
  [null, /^options must be an object; got null/],
  [{ perMinutes: 10 }, /^A token bucket has no "perMinutes"; did you mean "perMinute"\?/],
])("a token bucket refuses %j by name", (options, problem) => {
  expect(() => createTokenBucket(options as never)).toThrow(problem);
});

test.each<[unknown, RegExp]>([
  [null, /^sources must be an object; got null/],
  [{ addition: {} }, /^The description has no "addition"; did you mean "additions"\?/],
  [{ additions: 5 }, /^sources\.additions must be an object; got 5/],
  [{ announcesLimit: "yes" }, /^sources\.announcesLimit must be true or false; got "yes"/],
  [{ maxAgeSeconds: "60" }, /^sources\.maxAgeSeconds must be a whole number from 0; got "60"/],
])("a description of the API refuses %j by name", (sources, problem) => {
  expect(() => openApiDescription("", sources as never)).toThrow(TypeError);
  expect(() => openApiDescription("", sources as never)).toThrow(problem);
});

test.each<[string, () => unknown, RegExp]>([
  [
    "catalogueFromVehicles({})",
    () => catalogueFromVehicles({} as never),
    /needs a list of records; got an object/,
  ],
  ["catalogueFromVehicles()", () => catalogueFromVehicles(undefined as never), /got nothing/],
  ["catalogueFromVehicles(text)", () => catalogueFromVehicles("abc" as never), /list of records; got "abc"/],
  ["createSearchIndex(null)", () => createSearchIndex(null as never, new Map()), /needs a list; got null/],
  ["createSearchIndex([], {})", () => createSearchIndex([], {} as never), /needs a map of short names/],
  [
    "searchAliases({ vw: 5 })",
    () => searchAliases({ vw: 5 } as never),
    /short name vw must be a text; got 5/,
  ],
  ["wordsOf(null)", () => wordsOf(null as never), /wordsOf needs a text; got null/],
  ["openApiDescription(5)", () => openApiDescription(5 as never), /server must be a text; got 5/],
  [
    "openApiDescription()",
    () => openApiDescription(undefined as never),
    /server must be a text; got nothing/,
  ],
  [
    "describeCatalogue without runner",
    () => describeCatalogue("mine", (() => {}) as never, undefined as never),
    /needs a test runner/,
  ],
])("%s is refused by name", (_, call, message) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message);
});
