import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPostgresCatalogue, type PostgresCatalogueOptions } from "../src/index.js";
import { type FakeState, fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

async function following(initial: Partial<FakeState> = {}, options: Partial<PostgresCatalogueOptions> = {}) {
  const { state, server } = await fakeDatabase({ vehicles: fleet(10), ...initial });
  const lines: string[] = [];
  const note = (kind: string) => (line: string) => void lines.push(`${kind} ${line}`);
  const logger = { info: note("info"), warn: note("warn"), error: note("error") };
  const catalogue = createPostgresCatalogue({
    ...{ connection: server.connection, schema: "cars", logger },
    ...options,
  });
  onTestFinished(() => catalogue.close());
  const write = (token: string, vehicles: FakeState["vehicles"]): void => {
    Object.assign(state, { number: state.number + 1, token, vehicles });
  };
  /** From which versions on rows were read. */
  const sinces = () => server.asked.flatMap(({ text }) => /v\.changed_in > (-?\d+)/.exec(text)?.[1] ?? []);
  const asked = (start: string): number => server.asked.filter(({ text }) => text.startsWith(start)).length;
  return { state, server, catalogue, lines, write, sinces, asked };
}

const until = (condition: () => void): Promise<void> =>
  vi.waitFor(condition, { timeout: 60_000, interval: 5 });

const wrong = (one: FakeState["vehicles"][number], changedIn = 0) => ({
  ...one,
  changedIn,
  ac_phases: 7 as 3,
});

describe("what a catalogue that follows says", () => {
  test("is each version, and what is wrong with it", async () => {
    const [first, ...others] = fleet(10);
    const { catalogue, lines } = await following({ vehicles: [wrong(first!), ...others] });
    await catalogue.ready();
    expect(lines).toEqual([
      "info cars: version 1, 9 vehicles, 1 problems",
      expect.stringMatching(/^warn cars: .*ac_phases must be/),
    ]);
  });

  test("has all problems in its count, however few are listed", async () => {
    const vehicles = fleet(1101).map((one, at) => (at === 0 ? one : wrong(one)));
    const { catalogue, lines } = await following({ vehicles });
    await catalogue.ready();
    expect(lines[0]).toBe("info cars: version 1, 1 vehicles, 1100 problems");
    expect(lines).toHaveLength(11);
  });

  test("is a failure once, and again when it comes again", async () => {
    const { catalogue, state, lines } = await following();
    await catalogue.ready();
    const fail = async (): Promise<void> => {
      state.override = (text) =>
        text.startsWith("select number, token")
          ? Object.assign(new Error("on fire"), { code: "42501" })
          : undefined;
      await expect(catalogue.refresh()).rejects.toMatchObject({ code: "refused", message: "on fire" });
      await until(() => expect(catalogue.health().failures).toBeGreaterThan(1));
      expect(catalogue.health().problem).toBe("on fire");
      state.override = undefined;
      await until(() => expect(catalogue.health().state).toBe("live"));
    };
    await fail();
    await fail();
    expect(lines.filter((line) => line.startsWith("error"))).toEqual([
      "error cars: on fire",
      "error cars: on fire",
    ]);
  });

  test("is nothing when it is closed, whatever fails then", async () => {
    const { catalogue, lines } = await following();
    const silent = await following({ override: () => "silence" });
    await catalogue.ready();
    await Promise.all([catalogue.close(), silent.catalogue.close()]);
    expect([lines.length, silent.lines]).toEqual([1, []]);
    expect(catalogue.health()).toMatchObject({ state: "closed", failures: 0, problem: undefined });
    expect(silent.catalogue.health()).toMatchObject({ state: "closed", failures: 0, problem: undefined });
  });

  test("is that there is nothing to serve yet, or any more to wait for", async () => {
    const { catalogue } = await following({ override: () => "silence" });
    expect(() => catalogue.snapshot()).toThrow(
      expect.objectContaining({
        code: "unavailable",
        message: "the vehicles are not loaded yet",
        retryAfterMs: 1000,
      }),
    );
    await catalogue.close();
    for (const ended of [catalogue.ready(), catalogue.refresh()])
      await expect(ended).rejects.toMatchObject({ code: "unavailable", message: "the catalogue is closed" });
  });
});

describe("data are refused", () => {
  test("of which too few are right, with what to do", async () => {
    const { catalogue, write, lines, sinces } = await following({}, { leastShare: 0.45 });
    await catalogue.ready();
    write(
      "two",
      fleet(5).map((one, at) => (at < 4 ? one : wrong(one, 2))),
    );
    const problems = [{ id: fleet(5)[4]?.id, field: "ac_phases" }];
    const message =
      "only 4 vehicles are right, and at least 5 must be (leastShare: 0.45; refresh({ leastShare: 0 }) takes them nevertheless)";
    for (let round = 0; round < 2; round++)
      await expect(catalogue.refresh()).rejects.toMatchObject({ code: "shrunk", message, problems });
    expect([lines.at(-1), sinces()]).toEqual([`error cars: ${message}`, ["-1", "1"]]);
    await expect(catalogue.refresh({ leastShare: 0.5 })).rejects.toMatchObject({
      message: message.replace("0.45", "0.5"),
    });
    expect(sinces()).toEqual(["-1", "1", "1"]);
  });

  test("of which nothing is right, with the first that is wrong, whatever share is asked for", async () => {
    const { catalogue, write, lines, sinces } = await following({}, { leastShare: 0 });
    await catalogue.ready();
    write(
      "two",
      fleet(10).map((one) => wrong(one, 2)),
    );
    for (const leastShare of [undefined, 0]) {
      const refreshed = catalogue.refresh(leastShare === undefined ? {} : { leastShare });
      await expect(refreshed).rejects.toMatchObject({
        code: "invalid_data",
        message: expect.stringMatching(/ac_phases must be [^(]*$/),
        problems: expect.objectContaining({ length: 10 }),
      });
    }
    expect([lines.length, catalogue.health().vehicles, sinces()]).toEqual([2, 10, ["-1", "1"]]);
  });

  test("of which all is wrong that is left, although none of that has changed", async () => {
    const [first, second, ...others] = fleet(10);
    const { catalogue, write, sinces } = await following(
      { vehicles: [wrong(first!), second!, ...others] },
      { leastShare: 0 },
    );
    await catalogue.ready();
    write("two", [wrong(first!)]);
    await expect(catalogue.refresh()).rejects.toMatchObject({
      code: "invalid_data",
      message: expect.stringMatching(/ac_phases must be/),
    });
    expect([catalogue.health().vehicles, sinces()]).toEqual([9, ["-1", "1", "-1"]]);
  });

  test("but not for wrong ones that came, and of which none was there before", async () => {
    const { catalogue, write, sinces } = await following();
    await catalogue.ready();
    write(
      "two",
      fleet(18).map((one, at) => (at < 10 ? one : wrong(one, 2))),
    );
    await catalogue.refresh();
    expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 10 });
    expect(sinces()).toEqual(["-1", "1"]);
  });

  test("but not where there are none, if that may be", async () => {
    const { catalogue, write, sinces } = await following({}, { leastShare: 0 });
    await catalogue.ready();
    write("two", []);
    await catalogue.refresh();
    expect([catalogue.health().vehicles, sinces()]).toEqual([0, ["-1", "1"]]);
  });
});

test("thousands of changes and thousands that are gone are counted in pieces, and nothing else is read", async () => {
  const { catalogue, write, sinces, asked } = await following({ vehicles: fleet(2500) }, { leastShare: 0 });
  await catalogue.ready();
  write(
    "two",
    fleet(2600).map((one) => ({ ...one, changedIn: 2 })),
  );
  await catalogue.refresh();
  expect([catalogue.health().vehicles, sinces()]).toEqual([2600, ["-1", "1"]]);
  expect(asked("declare piecewise no scroll cursor for select id")).toBe(0);
  write("three", fleet(100));
  await catalogue.refresh();
  expect([catalogue.health().vehicles, sinces()]).toEqual([100, ["-1", "1", "2"]]);
});

test("a failure of the driver's or the host's own is no refusal of data", async () => {
  const { catalogue, state, write } = await following();
  await catalogue.ready();
  state.override = (text) => (text.startsWith("declare") ? new Error("on fire") : undefined);
  write("two", fleet(9));
  await expect(catalogue.refresh()).rejects.toMatchObject({ code: "refused", message: "on fire" });
  state.override = undefined;
  await until(() => expect(catalogue.health()).toMatchObject({ state: "live", vehicles: 9 }));
});

describe("a sign of life", () => {
  test.each([5, 50])("is not asked for where polls every %d ms are no rarer", async (pollMs) => {
    const { catalogue, server, asked } = await following({}, { pollMs, timeoutMs: 50 });
    await catalogue.ready();
    await until(() => expect(asked("select number, token from")).toBeGreaterThan(4));
    expect(server.asked.filter(({ text }) => text === "")).toEqual([]);
  });

  test("is asked for between polls that are rarer, and is no look", async () => {
    const { catalogue, server, asked } = await following({}, { pollMs: 2 ** 30, timeoutMs: 50 });
    await catalogue.ready();
    const looks = asked("select number, token from");
    await until(() => expect(server.asked.filter(({ text }) => text === "").length).toBeGreaterThan(2));
    expect([asked("select number, token from"), catalogue.health().state]).toEqual([looks, "live"]);
  });
});

describe("a server that does not tell of changes", () => {
  const refusing = (code: string) => ({
    override: (text: string) =>
      text.startsWith("listen") ? Object.assign(new Error("no"), { code }) : undefined,
  });

  test.each([
    [{}, 5000],
    [{ pollMs: 20_000 }, 10_000],
    [{ pollMs: Number.POSITIVE_INFINITY, timeoutMs: 7000 }, 7000],
    [{ pollMs: 7000, timeoutMs: 7001 }, 7000],
  ])("is asked as often as %j says", async (options, ms) => {
    const { catalogue, lines } = await following(refusing("0A000"), options);
    await catalogue.ready();
    expect(lines[0]).toBe(`info cars: the server tells nobody of changes, and is asked every ${ms} ms`);
  });

  test("because it refuses for another reason is no server to follow", async () => {
    const { catalogue, lines, asked } = await following(refusing("42501"));
    await until(() => expect(asked("listen cars_changed")).toBeGreaterThan(1));
    expect(catalogue.health()).toMatchObject({ state: "loading", problem: "no" });
    expect(lines).toEqual(["error cars: no"]);
  });
});

test("an alias of a brand finds it", async () => {
  const { catalogue } = await following(
    { vehicles: fleet(40) },
    { brandAliases: { qqqq: "Kestrel Motors" } },
  );
  await catalogue.ready();
  const { vehicles } = await (await catalogue.snapshot()).search({ text: "qqqq", offset: 0, limit: 5 });
  expect(new Set(vehicles.map(({ manufacturer }) => manufacturer.name))).toEqual(new Set(["Kestrel Motors"]));
});
