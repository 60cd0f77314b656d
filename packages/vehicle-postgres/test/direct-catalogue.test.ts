import { type CatalogueSnapshot, createVehicleRouter } from "@wye/vehicle-catalogue/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, type DirectCatalogue, type DirectCatalogueOptions } from "../src/index.js";
import { type FakeState, fakeDatabase } from "./fake-database.js";
import type { FakePostgres } from "./fake-postgres.js";
import { fleet } from "./fleet.js";

const all = { offset: 0, limit: 100 };
/** Machines may stand still for a while. */
const patient = { timeout: 60_000 };

async function asking(initial: Partial<FakeState> = {}, options: Partial<DirectCatalogueOptions> = {}) {
  const { state, server } = await fakeDatabase({ vehicles: fleet(5), ...initial });
  const catalogue: DirectCatalogue = createDirectCatalogue({
    connection: server.connection,
    timeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => catalogue.close());
  return { state, server, catalogue };
}

/** The last question, without the transaction around it. */
function lastOf({ asked }: FakePostgres): FakePostgres["asked"][number] {
  const questions = asked.filter(({ text }) => !/^(begin|commit)/.test(text));
  return questions.at(-1)!;
}

describe("a catalogue that asks a database", () => {
  test("asks for a version once, and counts an unfiltered list once per version", async () => {
    const { catalogue, server, state } = await asking();
    const snapshot = await catalogue.snapshot();
    expect(snapshot.version).toBe("one");
    const counts = (): number => state.counts;
    for (let round = 0; round < 3; round++) {
      const found = await snapshot.find(all);
      expect([found.vehicles.length, found.overallCount]).toEqual([5, 5]);
      expect(found.rowVersions).toBe(undefined);
    }
    expect(counts()).toBe(1);
    await snapshot.find({ ...all, ids: ["A", "\u0000"], manufacturerIds: ["b"] });
    expect(counts()).toBe(2);
    expect(lastOf(server).values).toEqual(["0", "100", '{"A"}', '{"b"}']);
    state.token = "two";
    await (await catalogue.snapshot()).find(all);
    expect(counts()).toBe(3);
  });

  test("takes no count of what filters select for that of all", async () => {
    const { catalogue, state } = await asking();
    const snapshot = await catalogue.snapshot();
    state.override = (text) =>
      text.includes("lower(v.id) in") ? [{ token: "one", count: "1", page: [] }] : undefined;
    const some = async () => (await snapshot.find({ ...all, ids: ["a"] })).overallCount;
    expect(await some()).toBe(1);
    for (let round = 0; round < 2; round++) expect((await snapshot.find(all)).overallCount).toBe(5);
    expect([await some(), state.counts]).toEqual([1, 1]);
  });

  test("counts once what was read instead, by the name of that version", async () => {
    const { catalogue, state } = await asking();
    const snapshot = await catalogue.snapshot();
    state.token = "two";
    const failed = await Promise.resolve(snapshot.find(all)).catch((error: unknown) => error);
    const { snapshot: newer } = failed as { snapshot: CatalogueSnapshot };
    expect((await newer.find({ ...all, offset: 1 })).overallCount).toBe(5);
    expect(state.counts).toBe(1);
  });

  test("shows what a row has in the present version, whatever has been written out of it", async () => {
    const { catalogue, state } = await asking();
    const router = createVehicleRouter({ catalogue, keys: [{ key: "k", groups: ["ReadVehicles"] }] });
    const headers = new Headers({ "api-key": "k" });
    const shown = async (): Promise<string> =>
      new TextDecoder().decode((await router.respond({ method: "GET", url: "/v2/vehicles", headers })).body);
    expect(await shown()).not.toContain("Corrected");
    state.vehicles = state.vehicles.map((vehicle) => ({ ...vehicle, model: "Corrected" }));
    state.token = "two";
    expect((await shown()).match(/Corrected/g)).toHaveLength(state.vehicles.length);
  });

  test("searches by the words of the text, and cuts the page out of the results", async () => {
    const { catalogue, server } = await asking();
    const snapshot = await catalogue.snapshot();
    const found = await snapshot.search({ text: "Nörthwind  ID.3!", offset: 3, limit: 1 });
    expect([found.vehicles.length, found.overallCount]).toEqual([1, 5]);
    expect(lastOf(server).values).toEqual(["northwind id.3", "25"]);
  });

  test("searches with the operators of the schema that has them, which is looked up once", async () => {
    const { catalogue, server } = await asking();
    const snapshot = await catalogue.snapshot();
    for (let round = 0; round < 2; round++) await snapshot.search({ text: "x", ...all });
    expect(lastOf(server).text).toContain("$1 operator(extensions.<%) v.search_text");
    expect(server.asked.filter(({ text }) => text.includes("quote_ident"))).toHaveLength(1);
  });

  test("leaves no setting on a session that others may have after it", async () => {
    const { catalogue, server } = await asking();
    await (await catalogue.snapshot()).search({ text: "x", ...all });
    const settings = server.asked.flatMap(({ text }) => text.match(/\bset \w+/g) ?? []);
    expect([settings.length > 0, new Set(settings)]).toEqual([true, new Set(["set local"])]);
  });

  test("says what is missing when there are none, and does not ask clients to come again", async () => {
    const { catalogue, state } = await asking({
      override: (text) => (text.includes("quote_ident") ? [] : undefined),
    });
    const snapshot = await catalogue.snapshot();
    const failed: unknown = await Promise.resolve(snapshot.search({ text: "x", ...all })).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({
      code: "refused",
      message: expect.stringContaining("migrate(…, { trigrams: true })"),
    });
    state.override = undefined;
    expect((await snapshot.search({ text: "x", ...all })).vehicles).toHaveLength(5);
  });

  test("answers brands by name", async () => {
    const { catalogue } = await asking({ vehicles: fleet(2) });
    const brands = await (await catalogue.snapshot()).brands();
    expect(brands.map(({ id }) => id).sort()).toEqual(
      fleet(2)
        .map(({ manufacturer }) => manufacturer.id)
        .sort(),
    );
  });

  test("answers whoever writes: what was read instead is at hand, with its own version", async () => {
    const { catalogue, server, state } = await asking();
    let writes = 0;
    // Between any two statements somebody has written.
    state.override = (text) => {
      if (/token/.test(text)) state.token = `version-${++writes}`;
      return undefined;
    };
    const { respond } = createVehicleRouter({ catalogue, keys: [{ key: "k", groups: ["ReadVehicles"] }] });
    const headers = new Headers({ "api-key": "k" });
    for (const url of [
      "/v2/vehicles",
      "/v2/vehicles?q=x",
      "/v2/vehicle_brands",
      "/v2/vehicles?page[size]=2",
    ]) {
      const before = server.asked.filter(({ text }) => /token/.test(text)).length;
      const answer = await respond({ method: "GET", url, headers });
      const asked = server.asked.filter(({ text }) => /token/.test(text)).length - before;
      expect([url, answer.status, asked]).toEqual([url, 200, 2]);
      expect(answer.headers.ETag).toContain(`version-${writes}-`);
    }
  });

  test("counts anew what was read instead, whatever was counted before", async () => {
    const { catalogue, state } = await asking();
    const snapshot = await catalogue.snapshot();
    expect((await snapshot.find(all)).overallCount).toBe(5);
    Object.assign(state, { token: "two", vehicles: fleet(9) });
    const failed = await Promise.resolve(snapshot.find(all)).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "superseded", snapshot: { version: "two" } });
    const newer = (failed as { snapshot: CatalogueSnapshot }).snapshot;
    Object.assign(state, { token: "three", vehicles: fleet(2) });
    expect((await newer.find({ ...all })).overallCount).toBe(9);
    await expect(newer.find({ ...all, limit: 1 })).rejects.toMatchObject({ code: "superseded" });
    expect((await newer.find(all)).vehicles).toHaveLength(9);
  });

  test("says that a version is gone", async () => {
    const { catalogue, state } = await asking();
    const snapshot = await catalogue.snapshot();
    state.token = "two";
    const asked = [
      () => snapshot.find(all),
      () => snapshot.search({ text: "x", ...all }),
      () => snapshot.brands(),
    ];
    for (const ask of asked) {
      await expect(ask()).rejects.toMatchObject({ code: "superseded" });
    }
  });

  test("does not put a question that nobody waits for any more, and waits in the background for one that was put", async () => {
    const { catalogue, server, state } = await asking({}, { connections: 1, timeoutMs: 20_000 });
    const snapshot = await catalogue.snapshot();
    let answer: () => void = () => {};
    state.override = (text) =>
      text.includes("json_agg(page)") ? new Promise((resolve) => (answer = () => resolve([]))) : undefined;
    const [put, waiting] = [new AbortController(), new AbortController()];
    const first = snapshot.find(all, put);
    await expect.poll(() => lastOf(server).text, patient).toContain("json_agg(page)");
    const count = server.asked.length;
    const second = snapshot.brands(waiting);
    put.abort(new Error("gone"));
    waiting.abort(new Error("gone too"));
    await expect(first).rejects.toThrow(new Error("gone"));
    await expect(second).rejects.toThrow(new Error("gone too"));
    const third = catalogue.snapshot();
    expect(server.asked.length).toBe(count);
    answer();
    expect((await third).version).toBe("one");
    const asked = server.asked.slice(count).map(({ text }) => text.split(" ", 2).join(" "));
    expect(asked.filter((text) => text.startsWith("select"))).toEqual(["select token"]);
    await expect(snapshot.find(all, put)).rejects.toThrow(new Error("gone"));
  });

  test("closes twice, and refuses a number of connections that would answer nobody", async () => {
    const { catalogue } = await asking();
    await Promise.all([catalogue.close(), catalogue.close()]);
    for (const connections of [0, -1, 1.5, Number.NaN]) {
      expect(() => createDirectCatalogue({ connection: {}, connections })).toThrow(
        /connections must be a whole/,
      );
    }
  });

  test("has the server give up what takes too long", async () => {
    const { catalogue, server } = await asking({}, { timeoutMs: 61_234.5 });
    await catalogue.snapshot();
    expect(server.asked[0]?.text).toMatch(/set local statement_timeout = 61235$/);
  });

  test("orders by the id in the end, whatever sort keys there are", async () => {
    const { catalogue, server } = await asking();
    const snapshot = await catalogue.snapshot();
    await snapshot.find(all);
    await snapshot.search({ text: "x", ...all });
    const orders = server.asked.flatMap(
      ({ text }) => /order by[^)]*?(?= (?:offset|limit))|v\.sort_key, v\.id/.exec(text)?.[0] ?? [],
    );
    expect(orders).toHaveLength(2);
    for (const order of orders) expect(order).toMatch(/v\.sort_key, v\.id$/);
  });

  test("tells of a wrong row once", async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const vehicles = fleet(5).map((one, at) => (at === 0 ? { ...one, ac_phases: 7 as 3 } : one));
    const { catalogue } = await asking({ vehicles }, { logger: { info: log, warn: log, error: log } });
    const snapshot = await catalogue.snapshot();
    for (let round = 0; round < 3; round++) expect((await snapshot.find(all)).vehicles).toHaveLength(4);
    expect(lines).toEqual([expect.stringContaining("ac_phases must be one of")]);
  });

  test("is unavailable when the version row is lost, at once or meanwhile", async () => {
    const { catalogue, state } = await asking();
    const snapshot = await catalogue.snapshot();
    state.override = (text) =>
      text.includes("json_agg") ? [{ token: null, count: "0", page: [], brands: [] }] : undefined;
    for (const ask of [() => snapshot.find(all), () => snapshot.brands()]) {
      await expect(ask()).rejects.toMatchObject({ code: "unavailable", message: /lost its row/ });
    }
    state.override = (text) => (text.startsWith("select token") ? [] : undefined);
    await expect(catalogue.snapshot()).rejects.toMatchObject({
      code: "unavailable",
      message: /lost its row/,
    });
  });

  test("is unavailable when the database fails or falls silent, and recovers", async () => {
    const { catalogue, state, server } = await asking({}, { timeoutMs: 300 });
    state.override = (text) => (text.startsWith("select token") ? new Error("on fire") : undefined);
    await expect(catalogue.snapshot()).rejects.toMatchObject({ code: "unavailable" });
    state.override = (text) => (text.startsWith("select token") ? "silence" : undefined);
    await expect(catalogue.snapshot()).rejects.toMatchObject({ code: "unavailable" });
    const version = () =>
      Promise.resolve(catalogue.snapshot()).then(
        (snapshot) => snapshot.version,
        () => "",
      );
    state.override = undefined;
    await expect.poll(version, patient).toBe("one");
    server.cut();
    await expect.poll(version, patient).toBe("one");
  });

  test("says why it is unavailable", async () => {
    const { catalogue, state } = await asking();
    state.override = (text) => (text.startsWith("select token") ? new Error("on fire") : undefined);
    await expect(catalogue.snapshot()).rejects.toMatchObject({ code: "unavailable", message: /on fire/ });
  });
});
