import { createVehicleRouter } from "@wye/vehicle-catalogue/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createDirectCatalogue,
  createPostgresCatalogue,
  type PostgresCatalogue,
  type PostgresCatalogueOptions,
} from "../src/index.js";
import { newestMigration } from "../src/migration-list.js";
import { type FakeState, fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

async function following(initial: Partial<FakeState> = {}, options: Partial<PostgresCatalogueOptions> = {}) {
  const { state, server } = await fakeDatabase({ vehicles: fleet(10), ...initial });
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const catalogue = createPostgresCatalogue({
    connection: server.connection,
    logger: { info: log, warn: log, error: log },
    ...options,
  });
  onTestFinished(() => catalogue.close());
  return { state, server, catalogue, lines };
}

const until = (condition: () => void): Promise<void> =>
  vi.waitFor(condition, { timeout: 60_000, interval: 5 });

function boom(): never {
  throw new Error("the host's own");
}

async function idsOf(catalogue: PostgresCatalogue): Promise<readonly string[]> {
  const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 2000 });
  return vehicles.map(({ id }) => id).sort();
}

describe("a server that tells nobody of changes", () => {
  for (const code of ["25006", "0A000"]) {
    test(`is asked for them: ${code}`, async () => {
      const refusal = Object.assign(new Error("cannot execute LISTEN during recovery"), { code });
      const { catalogue, state, lines } = await following(
        { override: (text) => (text.startsWith("listen") ? refusal : undefined) },
        { pollMs: 5 },
      );
      await catalogue.ready();
      expect(lines[0]).toContain("tells nobody of changes, and is asked every 5 ms");
      state.vehicles = fleet(11).map((vehicle) => ({ ...vehicle, changedIn: 2 }));
      Object.assign(state, { number: 2, token: "two" });
      await until(() => expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 11 }));
      expect(catalogue.health().failures).toBe(0);
    });
  }

  test("is looked at every timeoutMs where polls are rarer", async () => {
    const refusal = Object.assign(new Error("cannot execute LISTEN during recovery"), { code: "25006" });
    const { catalogue, state } = await following(
      { override: (text) => (text.startsWith("listen") ? refusal : undefined) },
      { pollMs: Number.POSITIVE_INFINITY, timeoutMs: 1000 },
    );
    await catalogue.ready();
    const vehicles = fleet(12).map((vehicle) => ({ ...vehicle, changedIn: 2 }));
    Object.assign(state, { number: 2, token: "two", vehicles });
    await until(() => expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 12 }));
  });

  test.each([
    { code: "25006", orders: 2, what: "is to tell as soon as it is no standby any more" },
    { code: "0A000", orders: 1, what: "cannot do so later either" },
  ])("$what, and is not given orders that it has to refuse: $code", async ({ code, orders }) => {
    const refusal = Object.assign(new Error("cannot execute LISTEN"), { code });
    let isStandby = true;
    const { catalogue, server } = await following(
      {
        override: (text) => {
          if (text.includes("pg_is_in_recovery")) return [{ is_standby: isStandby }];
          return isStandby && text.startsWith("listen") ? refusal : undefined;
        },
      },
      { pollMs: 5 },
    );
    await catalogue.ready();
    const asked = (start: string): number => server.asked.filter(({ text }) => text.startsWith(start)).length;
    const looks = async (): Promise<void> => {
      for (let left = 5; left > 0; left--) await catalogue.refresh();
    };
    await looks();
    expect(asked("listen")).toBe(1);
    isStandby = false;
    await looks();
    expect(asked("listen")).toBe(orders);
  });
});

describe("a catalogue that follows a database", () => {
  test.each([
    ["throws", (): void => boom()],
    ["fails later", async (): Promise<void> => boom()],
  ])("goes on with a logger that %s", async (_, log) => {
    const { catalogue, state } = await following({}, { logger: { info: log, warn: log, error: log } });
    await catalogue.ready();
    const vehicles = fleet(11).map((one) => ({ ...one, changedIn: 2 }));
    Object.assign(state, { number: 2, token: "two", vehicles });
    await catalogue.refresh();
    expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 11 });
  });

  test("is unavailable until it has loaded, and then live", async () => {
    const { catalogue, lines } = await following();
    expect(() => catalogue.snapshot()).toThrow(
      expect.objectContaining({ code: "unavailable", retryAfterMs: expect.any(Number) }),
    );
    expect(catalogue.health()).toMatchObject({ state: "loading", vehicles: 0, confirmedAt: undefined });
    await catalogue.ready();
    expect(await idsOf(catalogue)).toHaveLength(10);
    expect(catalogue.health()).toMatchObject({
      state: "live",
      vehicles: 10,
      failures: 0,
      problem: undefined,
    });
    expect(lines).toEqual([expect.stringMatching(/version 1, 10 vehicles, 0 problems/)]);
  });

  test("offers a router what an operator adds, and the questions that the memory understands", async () => {
    const extension = { attributes: { volts: { type: "integer" } } } as const;
    const vehicles = fleet(3).map((vehicle, at) => ({ ...vehicle, volts: 10 * at }));
    const { catalogue, server } = await following({ vehicles }, { extension });
    await catalogue.ready();
    const additions = { attributeFilters: true, sort: true, updatedSince: true };
    const direct = createDirectCatalogue({ connection: server.connection, extension });
    onTestFinished(() => direct.close());
    const keys = [{ key: "a", groups: ["ReadVehicles" as const] }];
    const headers = new Headers({ "api-key": "a" });
    for (const [router, query] of [
      [createVehicleRouter({ catalogue, keys, additions }), "?filter[volts][gte]=0&sort=-volts"],
      [createVehicleRouter({ catalogue: direct, keys }), "?fields[car]=volts"],
    ] as const) {
      const { status, body } = await router.respond({ method: "GET", url: `/v2/vehicles${query}`, headers });
      const { data } = JSON.parse(new TextDecoder().decode(body));
      const volts = data.map(({ attributes }: { attributes: { volts: number } }) => attributes.volts);
      expect([status, volts.toSorted((a: number, b: number) => b - a)]).toEqual([200, [20, 10, 0]]);
    }
    expect(() => createVehicleRouter({ catalogue: direct, keys, additions })).toThrow(/understands/);
  });

  test("loads in pieces", async () => {
    const { catalogue, server } = await following({ vehicles: fleet(1201) });
    await catalogue.ready();
    expect(await idsOf(catalogue)).toHaveLength(1201);
    expect(server.asked.filter(({ text }) => text.startsWith("fetch"))).toHaveLength(3);
  });

  test("reads what was written since, when it is told, and nothing when nothing changed", async () => {
    const { catalogue, state, server } = await following({}, { pollMs: 2 ** 30 });
    await catalogue.ready();
    await catalogue.refresh();
    const loads = (): readonly string[] =>
      server.asked.map(({ text }) => text).filter((text) => text.includes("changed_in >"));
    expect(loads()).toHaveLength(1);
    const [first, ...others] = fleet(10);
    Object.assign(state, {
      number: 2,
      token: "two",
      vehicles: [{ ...first, variant: "changed", changedIn: 2 }, ...others],
    });
    server.notify("vehicle_catalogue_changed");
    await until(() => expect(catalogue.health().loadedAt).toBeDefined());
    await until(() => expect(loads()).toHaveLength(2));
    expect(loads()[1]).toContain("v.changed_in > 1 or");
    await catalogue.refresh();
    const { vehicles } = await (await catalogue.snapshot()).find({ ids: [first!.id], offset: 0, limit: 1 });
    expect(vehicles[0]?.variant).toBe("changed");
    expect(await idsOf(catalogue)).toHaveLength(10);
  });

  test("asks for the ids only when some vehicles are gone, and takes out no others however they are spelled", async () => {
    const spelled = (count: number) =>
      fleet(count).map((one, at) => ({ ...one, id: `${at % 2 === 0 ? "v" : "V"}${10 + at}` }));
    const idsIn = (count: number) =>
      spelled(count)
        .map(({ id }) => id)
        .sort();
    const { catalogue, state, server } = await following({ vehicles: spelled(10) });
    await catalogue.ready();
    const idQueries = (): number => server.asked.filter(({ text }) => text.includes("for select id")).length;
    Object.assign(state, {
      number: 2,
      token: "two",
      vehicles: spelled(12).map((one) => ({ ...one, changedIn: 2 })),
    });
    await catalogue.refresh();
    expect([await idsOf(catalogue), idQueries()]).toEqual([idsIn(12), 0]);
    Object.assign(state, { number: 3, token: "three", vehicles: spelled(7) });
    await catalogue.refresh();
    expect([await idsOf(catalogue), idQueries()]).toEqual([idsIn(7), 1]);
  });

  test("loads everything when the version has not come from the one that it has, although the number rises", async () => {
    const { catalogue, state, server } = await following({ number: 9 });
    await catalogue.ready();
    Object.assign(state, { number: 14, token: "of another history", follows: false });
    state.vehicles = fleet(10).map((one, at) => ({ ...one, model: "As in the backup", changedIn: at }));
    await catalogue.refresh();
    const { vehicles } = await (await catalogue.snapshot()).find({ offset: 0, limit: 100 });
    expect(new Set(vehicles.map(({ model }) => model))).toEqual(new Set(["As in the backup"]));
    const sinces = server.asked.flatMap(({ text }) => /v\.changed_in > (-?\d+)/.exec(text)?.[1] ?? []);
    expect(sinces).toEqual(["-1", "-1"]);
  });

  test("finds out that a connection has fallen silent although it never polls", async () => {
    let isSilent = false;
    const { catalogue, state } = await following(
      { override: () => (isSilent ? "silence" : undefined) },
      { pollMs: Number.POSITIVE_INFINITY, timeoutMs: 500 },
    );
    await catalogue.ready();
    isSilent = true;
    await until(() =>
      expect(catalogue.health()).toMatchObject({
        state: "stale",
        problem: expect.stringMatching(/no answer within/),
      }),
    );
    isSilent = false;
    Object.assign(state, { number: 2, token: "two", vehicles: fleet(7) });
    await until(() => expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 7 }));
  });

  test("has the server give up what takes too long", async () => {
    const { catalogue, server } = await following({}, { timeoutMs: 61_234.5 });
    await catalogue.ready();
    const begun = server.asked.filter(({ text }) => text.startsWith("begin"));
    expect(begun.length).toBeGreaterThan(2);
    expect(begun.filter(({ text }) => !text.endsWith("; set local statement_timeout = 61235"))).toEqual([]);
  });

  test("loads everything when the number did not rise, and after every lost connection", async () => {
    const { catalogue, state, server } = await following({ number: 9 }, { leastShare: 0 });
    await catalogue.ready();
    Object.assign(state, { number: 4, token: "restored", vehicles: fleet(3, 2) });
    await catalogue.refresh();
    expect(await idsOf(catalogue)).toEqual(
      fleet(3, 2)
        .map(({ id }) => id)
        .sort(),
    );
    Object.assign(state, { token: "restored with the same number", vehicles: fleet(2, 5) });
    await catalogue.refresh();
    expect(await idsOf(catalogue)).toHaveLength(2);
    Object.assign(state, { number: 20, token: "other", vehicles: fleet(4, 3) });
    server.cut();
    await until(() => expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 4 }));
    const sinces = server.asked.flatMap(({ text }) => /v\.changed_in > (-?\d+)/.exec(text)?.[1] ?? []);
    expect(sinces).toEqual(["-1", "-1", "-1", "-1"]);
  });

  test("tells of wrong records, ten at most one by one, and serves the others", async () => {
    const broken = fleet(30).map((one, at) => (at < 20 ? { ...one, ac_phases: 7 } : one));
    const { catalogue, lines } = await following({ vehicles: broken as FakeState["vehicles"] });
    await catalogue.ready();
    expect(await idsOf(catalogue)).toHaveLength(10);
    expect(lines.filter((line) => line.includes("ac_phases must be"))).toHaveLength(10);
    expect(lines[0]).toContain("10 vehicles, 20 problems");
  });

  test("keeps what it has while all is wrong, without loading the same again, and says so", async () => {
    const { catalogue, state, server } = await following({}, { pollMs: 5 });
    await catalogue.ready();
    const wrong = fleet(10).map((one) => ({ ...one, ac_phases: 7, changedIn: 2 }));
    Object.assign(state, { number: 2, token: "two", vehicles: wrong });
    await expect(catalogue.refresh()).rejects.toMatchObject({ code: "invalid_data" });
    await expect(catalogue.refresh()).rejects.toMatchObject({ code: "invalid_data" });
    expect(catalogue.health()).toMatchObject({ state: "stale", vehicles: 10 });
    expect(server.asked.filter(({ text }) => text.includes("v.changed_in > "))).toHaveLength(2);
    Object.assign(state, {
      number: 3,
      token: "three",
      vehicles: fleet(10).map((one) => ({ ...one, changedIn: 3 })),
    });
    await catalogue.refresh();
    expect(catalogue.health()).toMatchObject({ state: "live", problem: undefined });
  });

  for (const { name, others } of [
    { name: "a part of them gone", others: () => fleet(4) },
    { name: "most of them wrong", others: () => wrongFrom(4) },
    { name: "all of them gone", others: () => [] },
  ]) {
    for (const isNew of [true, false]) {
      test(`with ${name}${isNew ? "" : ", seen on another connection,"} keeps what it has, until it is told otherwise`, async () => {
        const { catalogue, state, server, lines } = await following({}, { pollMs: 5 });
        await catalogue.ready();
        Object.assign(state, { number: 2, token: "two", vehicles: others() });
        if (!isNew) server.cut();
        await until(() =>
          expect(catalogue.health()).toMatchObject({
            state: "stale",
            vehicles: 10,
            problem: expect.stringMatching(/at least 5 must be \(leastShare: 0.5; refresh/),
          }),
        );
        expect(await idsOf(catalogue)).toHaveLength(10);
        const refusals = lines.filter((line) => line.includes("leastShare"));
        expect(refusals).toHaveLength(1);
        await expect(catalogue.refresh({ leastShare: 0.45 })).rejects.toMatchObject({ code: "shrunk" });
        await catalogue.refresh({ leastShare: 0 });
        expect(await idsOf(catalogue)).toHaveLength(others().length > 0 ? 4 : 0);
        expect(catalogue.health()).toMatchObject({ state: "live", problem: undefined });
        await catalogue.refresh();
      });
    }
  }
  test("holds a share that a refresh is given for that one time", async () => {
    const { catalogue, state } = await following({});
    await catalogue.ready();
    Object.assign(state, { number: 2, token: "two", vehicles: fleet(4) });
    await catalogue.refresh({ leastShare: 0 });
    Object.assign(state, { number: 3, token: "three", vehicles: fleet(1) });
    await expect(catalogue.refresh()).rejects.toMatchObject({ code: "shrunk" });
    expect(await idsOf(catalogue)).toHaveLength(4);
  });

  function wrongFrom(first: number): FakeState["vehicles"] {
    // A text in place of a number, as a program in another language may write it.
    return fleet(10).map((one, at) => ({
      ...one,
      changedIn: 2,
      ...(at < first ? {} : { ac_phases: 7 as 3 }),
    }));
  }

  test("notices deletions also while rows are wrong, from the start or later", async () => {
    const [wrong, ...right] = fleet(10);
    const broken = { ...wrong!, ac_phases: 7 as 3 };
    for (const first of [[broken, ...right], fleet(10)]) {
      const { catalogue, state } = await following({ vehicles: first });
      await catalogue.ready();
      Object.assign(state, { number: 2, token: "two", vehicles: [{ ...broken, changedIn: 2 }, ...right] });
      await catalogue.refresh();
      for (const left of [8, 7]) {
        const vehicles = [broken, ...right.slice(0, left)];
        Object.assign(state, { number: state.number + 1, token: `left ${left}`, vehicles });
        await catalogue.refresh();
        expect(await idsOf(catalogue)).toEqual(
          right
            .slice(0, left)
            .map(({ id }) => id)
            .sort(),
        );
      }
      Object.assign(state, { number: 9, token: "mended", vehicles: [{ ...wrong!, changedIn: 9 }, ...right] });
      await catalogue.refresh();
    }
  });

  test("takes a time without end for the longest that there is", async () => {
    for (const ms of [Number.POSITIVE_INFINITY, 50 * 86_400_000]) {
      const { catalogue, server } = await following({}, { pollMs: ms, timeoutMs: ms });
      await catalogue.ready();
      await catalogue.refresh();
      const asked = server.asked.length;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
      expect(server.asked.length).toBe(asked);
    }
    for (const wrong of [
      { pollMs: 0 },
      { pollMs: Number.NaN },
      { pollMs: -1 },
      { timeoutMs: 0 },
      { timeoutMs: "1" as never },
    ]) {
      expect(() => createPostgresCatalogue({ connection: {}, ...wrong })).toThrow(/Ms must be a number/);
    }
  });

  test("accepts just the half, or any share that it is given", async () => {
    const { catalogue, state } = await following();
    await catalogue.ready();
    Object.assign(state, { number: 2, token: "two", vehicles: fleet(5) });
    await catalogue.refresh();
    expect(await idsOf(catalogue)).toHaveLength(5);
    const any = await following({}, { leastShare: 0 });
    await any.catalogue.ready();
    Object.assign(any.state, { number: 2, token: "two", vehicles: [] });
    await any.catalogue.refresh();
    expect(await idsOf(any.catalogue)).toHaveLength(0);
    for (const leastShare of [-0.1, 1.1, Number.NaN]) {
      expect(() => createPostgresCatalogue({ connection: {}, leastShare })).toThrow(/leastShare/);
      await expect(catalogue.refresh({ leastShare })).rejects.toThrow(TypeError);
    }
  });

  test("shows changes in one step: what went, what is wrong now and what came", async () => {
    const { catalogue, state } = await following();
    await catalogue.ready();
    const versions = new Set<string>();
    const before = (await catalogue.snapshot()).version;
    const vehicles = fleet(12)
      .slice(2)
      .map((one, at) => ({ ...one, changedIn: 2, ...(at === 0 ? { ac_phases: 7 as 3 } : {}) }));
    Object.assign(state, { number: 2, token: "two", vehicles });
    let running = true;
    const done = catalogue.refresh().finally(() => {
      running = false;
    });
    while (running) {
      versions.add((await catalogue.snapshot()).version);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    expect(await idsOf(catalogue)).toEqual(
      fleet(12)
        .slice(3)
        .map(({ id }) => id)
        .sort(),
    );
    versions.add((await catalogue.snapshot()).version);
    expect([versions.size, versions.has(before)]).toEqual([2, true]);
  });

  const waits = [
    { name: "no tables", state: { migration: 0 }, problem: /no catalogue in the schema vehicle_catalogue/ },
    { name: "old tables", state: { migration: 1 }, problem: /at migration 1 of \d+: run migrate/ },
    { name: "tables of a newer package", state: { migration: 9 }, problem: /at migration 9.*update it/ },
    { name: "no version row", state: { override: noVersion }, problem: /has lost its row/ },
  ];
  function noVersion(text: string): [] | undefined {
    return text.startsWith("select number, token") ? [] : undefined;
  }
  for (const { name, state: initial, problem } of waits) {
    test(`with ${name} says what to do, once, and goes on when it is done`, async () => {
      const { catalogue, state, lines } = await following(initial);
      await until(() => expect(catalogue.health().failures).toBeGreaterThan(1));
      expect(catalogue.health()).toMatchObject({ state: "loading", problem: expect.stringMatching(problem) });
      expect(lines).toHaveLength(1);
      Object.assign(state, { migration: newestMigration, override: undefined });
      await catalogue.ready();
      expect(catalogue.health().state).toBe("live");
    });
  }

  test("gives up a connection that does not answer", async () => {
    const { catalogue, state } = await following({}, { timeoutMs: 100, pollMs: 5 });
    await catalogue.ready();
    state.override = () => "silence";
    await until(() =>
      expect(catalogue.health()).toMatchObject({ state: "stale", problem: expect.any(String) }),
    );
    expect(await idsOf(catalogue)).toHaveLength(10);
    state.override = undefined;
    await until(() => expect(catalogue.health().state).toBe("live"));
  });

  test("fails a refresh when the database fails, and the next one is asked anew", async () => {
    const { catalogue, state } = await following();
    await catalogue.ready();
    state.override = (text) => (text.startsWith("select number, token") ? new Error("on fire") : undefined);
    await expect(catalogue.refresh()).rejects.toThrow("on fire");
    state.override = undefined;
    await until(() => catalogue.refresh());
    expect(catalogue.health().state).toBe("live");
  });

  test("has no extension unless it is given one", async () => {
    const { catalogue } = await following();
    expect("extension" in catalogue).toBe(false);
  });

  test("closes while it connects, while it waits and twice", async () => {
    const { catalogue, state, lines } = await following({ override: () => "silence" });
    const ready = catalogue.ready();
    await Promise.all([catalogue.close(), catalogue.close()]);
    await expect(ready).rejects.toMatchObject({ code: "unavailable", message: /closed/ });
    // That the connection is gone then is no failure.
    expect(catalogue.health()).toMatchObject({ state: "closed", failures: 0, problem: undefined });
    expect(lines).toEqual([]);
    expect(state.number).toBe(1);
  });

  test("refuses a password beside a URL, which the driver would leave out", () => {
    const connection = { connectionString: "postgres://a@localhost/b", password: () => "secret" };
    expect(() => createPostgresCatalogue({ connection })).toThrow(/connectionString/);
    expect(() => createDirectCatalogue({ connection })).toThrow(/connectionString/);
  });

  test("refuses a schema that would have to be quoted", () => {
    expect(() => createPostgresCatalogue({ connection: {}, schema: "a-b" })).toThrow(TypeError);
  });
});
