import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectCatalogue, type DirectCatalogue } from "../src/index.js";
import { type FakeState, fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

const all = { offset: 0, limit: 100 };

async function asking(initial: Partial<FakeState> = {}) {
  const { state, server } = await fakeDatabase({ vehicles: fleet(5), ...initial });
  const catalogue: DirectCatalogue = createDirectCatalogue({ connection: server.connection, timeoutMs: 300 });
  onTestFinished(() => catalogue.close());
  return { state, server, catalogue };
}

describe("a catalogue that asks a database", () => {
  test("asks for a version once, and counts an unfiltered list once per version", async () => {
    const { catalogue, server, state } = await asking();
    const snapshot = await catalogue.snapshot();
    expect(snapshot.version).toBe("one");
    const counts = (): number => server.asked.filter(({ text }) => /\(select count/.test(text)).length;
    for (let round = 0; round < 3; round++) {
      const found = await snapshot.find(all);
      expect([found.vehicles.length, found.overallCount]).toEqual([5, 5]);
      expect(found.rowVersions).toEqual(found.vehicles.map(({ id }) => `row-${id}`));
    }
    expect(counts()).toBe(1);
    await snapshot.find({ ...all, ids: ["A", "\u0000"], manufacturerIds: ["b"] });
    expect(counts()).toBe(2);
    expect(server.asked.at(-1)?.values).toEqual(["0", "100", '{"A"}', '{"b"}']);
    state.token = "two";
    await (await catalogue.snapshot()).find(all);
    expect(counts()).toBe(3);
  });

  test("searches by the words of the text, and cuts the page out of the results", async () => {
    const { catalogue, server } = await asking();
    const snapshot = await catalogue.snapshot();
    const found = await snapshot.search({ text: "Nörthwind  ID.3!", offset: 3, limit: 1 });
    expect([found.vehicles.length, found.overallCount]).toEqual([1, 5]);
    expect(server.asked.at(-1)?.values).toEqual(["northwind id.3", "25"]);
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

  test("says that a version is gone", async () => {
    const { catalogue, state } = await asking();
    const snapshot = await catalogue.snapshot();
    state.token = "two";
    for (const call of [snapshot.find(all), snapshot.search({ text: "x", ...all }), snapshot.brands()]) {
      await expect(call).rejects.toMatchObject({ code: "superseded" });
    }
  });

  test("is unavailable when the database fails or falls silent, and recovers", async () => {
    const { catalogue, state, server } = await asking();
    state.override = (text) => (text.startsWith("select token") ? new Error("on fire") : undefined);
    await expect(catalogue.snapshot()).rejects.toMatchObject({ code: "unavailable", message: /on fire/ });
    state.override = (text) => (text.startsWith("select token") ? "silence" : undefined);
    await expect(catalogue.snapshot()).rejects.toMatchObject({ code: "unavailable" });
    state.override = undefined;
    expect((await catalogue.snapshot()).version).toBe("one");
    server.cut();
    await expect
      .poll(() =>
        Promise.resolve(catalogue.snapshot()).then(
          ({ version }) => version,
          () => "",
        ),
      )
      .toBe("one");
  });
});
