import http from "node:http";
import { describe, expect, test, vi } from "vitest";
import {
  type Catalogue,
  type CatalogueCall,
  CatalogueError,
  type CatalogueSnapshot,
  catalogueFromVehicles,
  createVehicleRouter,
  type VehicleRouterOptions,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { ask, fullKey, keys, listening, openRouter } from "./listening.js";

const memory = catalogueFromVehicles(catalogueTestVehicles());
const page = "/v2/vehicles";

/** A catalogue over the one in memory, with something of its snapshots replaced. */
function altered(change: (snapshot: CatalogueSnapshot) => Partial<CatalogueSnapshot>): Catalogue {
  return { snapshot: () => ({ ...memory.snapshot(), ...change(memory.snapshot()) }) };
}

function asking(catalogue: Catalogue, options: Partial<VehicleRouterOptions> = {}) {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const { respond } = createVehicleRouter({
    catalogue,
    keys,
    logger: { info: log, warn: log, error: log },
    ...options,
  });
  const headers = new Headers({ "api-key": fullKey });
  const get = async (url = page, signal?: AbortSignal) => {
    const answer = await respond({ method: "GET", url, headers, signal });
    return { ...answer, document: JSON.parse(new TextDecoder().decode(answer.body) || "null") };
  };
  return { get, lines };
}

/** A promise and what settles it. */
function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

describe("one snapshot for each request", () => {
  test("is taken once, and answers everything", async () => {
    const asked: string[] = [];
    const { get } = asking({
      snapshot() {
        asked.push("snapshot");
        return memory.snapshot();
      },
    });
    await get();
    await get("/v2/vehicle_brands");
    await get(`${page}?q=borealis`);
    expect(asked).toEqual(["snapshot", "snapshot", "snapshot"]);
  });

  const gone = new CatalogueError("superseded", "too late");
  const ways: [string, () => Promise<never>][] = [
    ["rejects", () => Promise.reject(gone)],
    [
      "throws",
      () => {
        throw gone;
      },
    ],
  ];

  test.each(ways)(
    "whose version is gone is replaced by a new one, but not for ever: it %s",
    async (_, superseded) => {
      let refusals = 2;
      const catalogue = altered(({ find }) => ({
        find: (query) => (refusals-- > 0 ? superseded() : Promise.resolve(find(query))),
      }));
      const { get, lines } = asking(catalogue);
      expect((await get()).status).toBe(200);
      refusals = 1000;
      expect((await get(`${page}?page[size]=1`)).status).toBe(503);
      expect(refusals).toBe(996);
      expect(lines).toHaveLength(1);
    },
  );
});

test("a snapshot that comes with the news that another is superseded is asked in its place", async () => {
  const [now, first] = [memory.snapshot(), memory.snapshot()];
  const asked: string[] = [];
  const newer: CatalogueSnapshot = { ...now, version: "newer" };
  const get = asking({
    snapshot() {
      asked.push("snapshot");
      const gone = () => Promise.reject(new CatalogueError("superseded", "gone", { snapshot: newer }));
      return { ...first, version: "older", find: gone };
    },
  }).get;
  const answers = await Promise.all([get(), get()]);
  expect(answers.map(({ status, headers }) => [status, headers.ETag?.slice(0, 7)])).toEqual([
    [200, '"newer-'],
    [200, '"newer-'],
  ]);
  expect(asked).toHaveLength(2);
});

test.each([
  [undefined, 503, 4],
  [null, 503, 4],
  [5, 503, 4],
  ["x", 503, 4],
  [{}, 500, 1],
  [{ version: "x y" }, 500, 1],
])(
  "news with a snapshot of %j is %i: what cannot be one is none, and a broken one is a fault of the catalogue",
  async (snapshot, status, asked) => {
    const gone = Object.assign(new Error("gone"), { code: "superseded", snapshot });
    const find = vi.fn(() => Promise.reject(gone));
    const { get } = asking(altered(() => ({ find })));
    expect((await get()).status).toBe(status);
    expect(find).toHaveBeenCalledTimes(asked);
  },
);

test.each(["v", "A-z_0.9", "v".repeat(64)])("a version of %j fits in a header", async (version) => {
  const { get } = asking(altered(() => ({ version, restrictedVersion: version })));
  expect((await get()).headers.ETag).toMatch(new RegExp(`^"${version}-`));
  const restricted = asking(
    altered(() => ({ restrictedVersion: version })),
    { keys: [{ key: fullKey, groups: ["ReadVehicles"] }] },
  );
  expect((await restricted.get()).headers.ETag).toMatch(new RegExp(`^"${version}-`));
});

test("a vehicle without a version of its own is written anew when something has changed that few keys see", async () => {
  const [vehicle] = catalogueTestVehicles();
  let version = 1;
  const find = () => ({
    vehicles: [{ ...vehicle!, ac_power_per_charging_point: { 2: version } }],
    overallCount: 1,
  });
  const { get } = asking(altered(() => ({ version: `${version}`, restrictedVersion: "same", find })));
  for (; version < 3; version++) {
    const [{ attributes }] = (await get()).document.data;
    expect(attributes.ac_power_per_charging_point).toEqual({ 2: version });
  }
});

test.each(["v".repeat(65), "", "v v", "v\n", "ü", 5, null])(
  "a version of %j is a fault of the catalogue",
  async (version) => {
    for (const change of [{ version }, { restrictedVersion: version }]) {
      // What a program without types says of its data.
      const { get, lines } = asking(
        altered(() => change as Partial<CatalogueSnapshot>),
        { keys: [{ key: fullKey, groups: ["ReadVehicles"] }] },
      );
      expect((await get()).status).toBe(500);
      const problem = `the version of the catalogue must be 1 to 64 of the characters A–Z a–z 0–9 . _ -; got `;
      expect(lines).toEqual([expect.stringContaining(problem + JSON.stringify(version))]);
    }
  },
);

test.each([
  ["find", page],
  ["search", `${page}?q=borealis`],
  ["brands", "/v2/vehicle_brands"],
])("what is asked of %s is given up when its time is over", async (name, url) => {
  const given: (CatalogueCall | undefined)[] = [];
  const never = (...all: unknown[]) => {
    given.push(all[name === "brands" ? 0 : 1] as CatalogueCall | undefined);
    return new Promise<never>(() => {});
  };
  const { get } = asking(
    altered(() => ({ [name]: never })),
    { timeoutMs: 1 },
  );
  expect((await get(url)).status).toBe(503);
  await vi.waitFor(() => expect(given.map((call) => call?.signal.aborted)).toEqual([true]));
});

test.each([
  [0, 200],
  [Number.MAX_SAFE_INTEGER, 200],
  [Number.MAX_SAFE_INTEGER + 1, 500],
  [-1, 500],
  [1.5, 500],
  ["1", 500],
  [undefined, 500],
])("a count of %j is answered with %i", async (overallCount, status) => {
  const selection = { vehicles: [], overallCount: overallCount as number };
  const { get, lines } = asking(altered(() => ({ find: () => selection })));
  expect((await get()).status).toBe(status);
  expect(lines.join().includes("overallCount")).toBe(status === 500);
});

test("a version of any length is quoted up to 80 characters", async () => {
  const { get, lines } = asking(altered(() => ({ version: "v".repeat(1000) })));
  expect((await get()).status).toBe(500);
  expect(/got ("v+)/.exec(lines.join())?.[1]).toBe(`"${"v".repeat(79)}`);
});

describe("a catalogue that says when it changed", () => {
  const asked = async (updatedAt: unknown) => {
    const change = { updatedAt } as Partial<CatalogueSnapshot>;
    const catalogue: Catalogue = { ...altered(() => change), understands: ["updatedSince"] };
    const { get, lines } = asking(catalogue, { additions: { updatedSince: true } });
    const { status, headers } = await get();
    return { status, time: headers["Last-Modified"], lines };
  };

  test.each([
    [0, "Thu, 01 Jan 1970 00:00:00 GMT"],
    [999.9, "Thu, 01 Jan 1970 00:00:00 GMT"],
    [1000, "Thu, 01 Jan 1970 00:00:01 GMT"],
  ])("at %d was last modified on %s", async (updatedAt, expected) => {
    expect(await asked(updatedAt)).toEqual({ status: 200, time: expected, lines: [] });
  });

  test("at the last moment that there is was last modified now", async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const { status, time = "" } = await asked(8.64e15);
    expect([status, Date.parse(time) >= before, Date.parse(time) <= Date.now()]).toEqual([200, true, true]);
  });

  test.each([8.64e15 + 2, -1, Number.NaN, "0", undefined])("at %j is at fault", async (updatedAt) => {
    const problem = `updatedAt of the catalogue must be in milliseconds since 1970; got ${updatedAt}`;
    const lines = [expect.stringContaining(problem)];
    expect(await asked(updatedAt)).toEqual({ status: 500, time: undefined, lines });
  });
});

describe("a catalogue that is not available", () => {
  const rows = [
    { retryAfterMs: undefined, header: "5" },
    { retryAfterMs: 0, header: "1" },
    { retryAfterMs: 1, header: "1" },
    { retryAfterMs: 1000, header: "1" },
    { retryAfterMs: 1001, header: "2" },
    { retryAfterMs: -1, header: "5" },
    { retryAfterMs: 30_001, header: "31" },
    { retryAfterMs: 86_399_000, header: "86399" },
    { retryAfterMs: 86_400_001, header: "86400" },
    { retryAfterMs: Number.NaN, header: "5" },
    { retryAfterMs: 1e300, header: "86400" },
  ];
  for (const { retryAfterMs, header } of rows) {
    test(`is 503 with Retry-After: ${header} for ${retryAfterMs} ms`, async () => {
      const options = retryAfterMs === undefined ? {} : { retryAfterMs };
      const away = () => Promise.reject(new CatalogueError("unavailable", "password=x", options));
      for (const catalogue of [
        { snapshot: away },
        altered(() => ({ find: away })),
        altered(() => ({
          find: () => {
            throw new CatalogueError("unavailable", "at once", options);
          },
        })),
      ]) {
        const { get } = asking(catalogue);
        const { status, headers, document } = await get();
        expect([status, headers["Retry-After"], headers["Cache-Control"]]).toEqual([503, header, "no-store"]);
        expect(document.errors).toEqual([
          {
            status: "503",
            code: "SERVICE_UNAVAILABLE",
            title: "service unavailable",
            detail: `Try again in ${header} s.`,
          },
        ]);
      }
    });
  }

  test("that never answers is given up after timeoutMs, with a line in the log", async () => {
    const calls: CatalogueCall[] = [];
    const never = new Promise<never>(() => {});
    const note = (call: CatalogueCall | undefined): Promise<never> => {
      if (call !== undefined) calls.push(call);
      return never;
    };
    for (const catalogue of [{ snapshot: note }, altered(() => ({ find: (_query, call) => note(call) }))]) {
      const { get, lines } = asking(catalogue, { timeoutMs: 20 });
      const answers = await Promise.all([get(), get()]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503]);
      expect(lines[0]).toContain("no answer within 20 ms");
    }
    // Two snapshots that were waited for, and one shared search.
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
  });

  test.each([2 ** 31, Number.POSITIVE_INFINITY])(
    "has all the time there is with a timeoutMs of %d, which timers do not take",
    async (timeoutMs) => {
      const late = async (): Promise<CatalogueSnapshot> => {
        // A timer that fires at once does so before one that waits a little.
        await new Promise((resolve) => setTimeout(resolve, 20));
        return memory.snapshot();
      };
      expect((await asking({ snapshot: late }, { timeoutMs }).get()).status).toBe(200);
    },
  );

  test("keys that are never found out are 503 as well", async () => {
    const { get } = asking(memory, { timeoutMs: 20, keys: () => new Promise<never>(() => {}) });
    expect((await get()).status).toBe(503);
  });
});

describe("requests for the same", () => {
  test("share one call, and each version has a call of its own", async () => {
    let version = "a";
    const asked: string[] = [];
    const gate = deferred<void>();
    const { get } = asking({
      snapshot: () => {
        const { find, search, brands } = memory.snapshot();
        const own = version;
        const later = async (query: Parameters<typeof find>[0]) => {
          asked.push(own);
          await gate.promise;
          return find(query);
        };
        return { version, find: later, search, brands };
      },
    });
    const first = [get(), get(), get()];
    version = "b";
    const second = [get(), get()];
    gate.resolve();
    const answers = await Promise.all([...first, ...second]);
    expect(asked).toEqual(["a", "b"]);
    expect(answers.map(({ status, headers }) => [status, headers.ETag?.slice(0, 3)])).toEqual([
      [200, '"a-'],
      [200, '"a-'],
      [200, '"a-'],
      [200, '"b-'],
      [200, '"b-'],
    ]);
  });

  test("fail together, and the next one asks again", async () => {
    let fails = true;
    let asked = 0;
    const { get } = asking(
      altered(({ find }) => ({
        find: async (query) => {
          asked++;
          await Promise.resolve();
          if (fails) throw new Error("once");
          return find(query);
        },
      })),
    );
    expect((await Promise.all([get(), get()])).map(({ status }) => status)).toEqual([500, 500]);
    expect(asked).toBe(1);
    fails = false;
    expect((await get()).status).toBe(200);
  });

  test("go on while one of them still waits, and are given up when all have gone", async () => {
    const signals: AbortSignal[] = [];
    const gate = deferred<void>();
    const { get, lines } = asking(
      altered(({ find }) => ({
        find: async (query, call) => {
          if (call !== undefined) signals.push(call.signal);
          await gate.promise;
          return find(query);
        },
      })),
    );
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
    const gone = [get(page, one.signal), get(page, two.signal)];
    one.abort();
    await gone[0];
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    two.abort();
    await gone[1];
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    // Who comes after that gets an answer of its own.
    const late = get(page, three.signal);
    gate.resolve();
    expect((await late).status).toBe(200);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    // A client that leaves is no failure.
    expect(lines).toEqual([]);
  });
});

test("a client that closes its connection ends the call", async () => {
  const signals: AbortSignal[] = [];
  const catalogue = altered(() => ({
    find: (_query, call) => {
      if (call !== undefined) signals.push(call.signal);
      return new Promise<never>(() => {});
    },
  }));
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  const { node } = openRouter({ catalogue, logger: { info: note, warn: note, error: note } });
  const server = await listening(http.createServer(node));
  const request = http.get(`${server.origin}${page}`, { headers: { "api-key": fullKey } });
  request.on("error", () => {});
  await vi.waitFor(() => expect(signals).toHaveLength(1), { timeout: 30_000 });
  request.destroy();
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), { timeout: 30_000 });
  // What comes of it is told in turns that follow at once: another request is answered after them.
  await ask(server.origin, "/v2/openapi.json");
  expect(lines).toEqual([]);
  await server.close();
});

describe("row versions", () => {
  const [first, second] = memory.vehicles();
  const answering = (rowVersion: (at: number) => string, size: number): CatalogueSnapshot => ({
    ...memory.snapshot(),
    version: `v${size}`,
    find: () => ({
      vehicles: [first!, second!].map((vehicle) => ({ ...vehicle, usable_battery_size: size })),
      rowVersions: [rowVersion(0), rowVersion(1)],
      overallCount: 2,
    }),
  });

  test("say which vehicles still stand as they were written out", async () => {
    let snapshot = answering(() => "1", 10);
    const { get } = asking({ snapshot: () => snapshot });
    const sizes = async (): Promise<number[]> =>
      (await get()).document.data.map(
        ({ attributes }: { attributes: { usable_battery_size: number } }) => attributes.usable_battery_size,
      );
    expect(await sizes()).toEqual([10, 10]);
    // Of the second only the router is told that it changed: it takes the first as it was.
    snapshot = answering((at) => (at === 0 ? "1" : "2"), 20);
    expect(await sizes()).toEqual([10, 20]);
    const { rowVersions: _none, ...without } = await snapshot.find({ offset: 0, limit: 2 });
    snapshot = { ...snapshot, version: "other", find: () => without };
    expect(await sizes()).toEqual([20, 20]);
  });
});

test("an outage is one line without a stack, however many requests meet it; a fault is one for each", async () => {
  let failure = new CatalogueError("unavailable", `away, ${fullKey} said`);
  const levels: string[] = [];
  const lines: string[] = [];
  const at = (level: string) => (line: string) => {
    levels.push(level);
    lines.push(line);
  };
  const logger = { info: at("info"), warn: at("warn"), error: at("error") };
  const { get } = asking({ snapshot: () => Promise.reject(failure) }, { logger });
  for (let time = 0; time < 20; time++) expect((await get()).status).toBe(503);
  expect(lines).toEqual(["GET /v2/vehicles cannot be answered for the time being: away, [key] said"]);
  failure = new CatalogueError("refused", "for good");
  for (let time = 0; time < 2; time++) expect((await get()).status).toBe(500);
  expect(levels).toEqual(["warn", "error", "error"]);
});

test("the bytes of an answer belong to who asked for it", async () => {
  for (const url of [page, "/v2/vehicle_brands", "/v2/openapi.json"]) {
    const router = openRouter();
    const headers = new Headers({ "api-key": fullKey, "accept-encoding": "gzip" });
    const ask = async () => (await router.respond({ method: "GET", url, headers })).body;
    const before = Buffer.from(await ask());
    (await ask()).fill(0);
    const { buffer } = await ask();
    structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    expect(before.equals(await ask())).toBe(true);
  }
});

test.each([
  ["nothing", undefined],
  ["no URL", { method: "GET", headers: new Headers() }],
  ["no headers", { method: "GET", url: page }],
  ["headers without get", { method: "GET", url: page, headers: { "api-key": fullKey } }],
])("a request with %s is refused by name", async (_, request) => {
  const router = openRouter();
  expect(() => router.respond(request as never)).toThrow(/^respond needs \{ method, url, headers \}/);
  await expect(router.fetch(request as never)).rejects.toThrow(/^fetch of a router needs a Request/);
});
