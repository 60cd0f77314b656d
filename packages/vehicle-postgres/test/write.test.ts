import { describe, expect, onTestFinished, test, vi } from "vitest";
import { exportVehicles, importVehicles, migrate } from "../src/index.js";
import { fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";

describe("migrate", () => {
  test("applies what is missing, each in a transaction, under a lock", async () => {
    const { server } = await fakeDatabase({ migration: 0 });
    expect(await migrate(server.connection, { schema: "s", trigrams: true })).toEqual([1, 2, 3, 4, 5, 6]);
    const texts = server.asked.map(({ text }) => text.split(/\s+/).slice(0, 2).join(" "));
    expect(texts).toContain("create schema");
    // Each of those that write begins with the lock, and it ends with them.
    const begun = server.asked.flatMap(({ text }, at) =>
      text.startsWith("begin isolation level read committed") ? [texts[at + 1]] : [],
    );
    expect(begun).toEqual(
      Array.from({ length: 7 }, () => "select pg_advisory_xact_lock(hashtextextended($1,"),
    );
    expect(texts.filter((text) => text === "commit")).toHaveLength(9);
    expect(
      server.asked
        .filter(({ text }) => text.startsWith("insert into migrations"))
        .map(({ values }) => values[0]),
    ).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("rolls a migration back that fails, names it, and applies none after it", async () => {
    const { server } = await fakeDatabase({
      override: (text) => {
        if (text.startsWith("select number from")) return [{ number: 1 }];
        return text.includes("create table catalogue_version") ? new Error("no room") : undefined;
      },
    });
    await expect(migrate(server.connection)).rejects.toMatchObject({
      message: expect.stringContaining("0002-versions.sql"),
      cause: expect.objectContaining({ message: "no room" }),
    });
    expect(server.asked.filter(({ text }) => text === "rollback")).toHaveLength(1);
    expect(server.asked.filter(({ text }) => text.startsWith("insert into migrations"))).toEqual([]);
  });

  test.each([
    [2900, [1, 2]],
    [3000, "held"],
  ])("tries again what others hold, as long as its time is not over: %d ms later", async (later, outcome) => {
    let [tries, now] = [0, 0];
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const { state, server } = await fakeDatabase({ migration: 0 });
    state.override = (text) => {
      if (!text.includes("create table catalogue_version") || tries++ > 0) return undefined;
      now += later;
      return Object.assign(new Error("held"), { code: "55P03" });
    };
    const migrated = migrate(server.connection, { timeoutMs: 3000, upTo: 2 });
    const told = await migrated.catch((error: Error) => error.message);
    expect(told).toEqual(Array.isArray(outcome) ? outcome : expect.stringContaining(outcome));
  });
});

describe("importVehicles", () => {
  test("sends rows in pieces and counts what was written", async () => {
    const { server } = await fakeDatabase({
      override: (text) =>
        text.includes("returning xmax")
          ? [
              { added: true, count: "2000" },
              { added: false, count: "300" },
            ]
          : undefined,
    });
    const report = await importVehicles(server.connection, fleet(2500));
    expect(report).toEqual({
      added: 2000,
      changed: 300,
      removed: 0,
      unchanged: 200,
      problems: [],
      repairs: [],
      omitted: { problems: 0, repairs: 0 },
    });
    const sent = server.asked.filter(({ text }) => text.startsWith("insert into incoming_vehicles"));
    expect(sent.map(({ values }) => JSON.parse(values[0] ?? "").length)).toEqual(
      Array.from({ length: 10 }, () => 250),
    );
    expect(server.asked.some(({ text }) => text.startsWith("delete from vehicles"))).toBe(true);
  });

  test("reports at most a thousand problems of all kinds, each at its place in the data", async () => {
    const { server } = await fakeDatabase();
    const data = fleet(2100).map((one, at) => {
      if (at === 1) return { ...one, variant: "a\u0000b" };
      return at % 2 === 0 ? { ...one, ac_phases: 9 } : at < 2000 ? one : { ...one, model: "\ud800" };
    });
    const { problems, omitted, unchanged } = await importVehicles(server.connection, data);
    expect([problems.length, omitted.problems, unchanged]).toEqual([1000, 101, 999]);
    expect(problems.slice(0, 3).map(({ index, field }) => [index, field])).toEqual([
      [0, "ac_phases"],
      [1, "variant"],
      [2, "ac_phases"],
    ]);
    const strict = importVehicles(server.connection, data, { strict: true });
    await expect(strict).rejects.toMatchObject({ code: "invalid_data", message: /^1101 things are wrong/ });
  });

  test("checks and sends in slices: others get their turns", async () => {
    const { server } = await fakeDatabase();
    let running = true;
    const written = importVehicles(server.connection, fleet(20_000)).finally(() => {
      running = false;
    });
    let turns = 0;
    for (; running; turns++) await new Promise((resolve) => setImmediate(resolve));
    await written;
    // Checking alone takes some fifty slices; there are eighty pieces to send.
    expect(turns).toBeGreaterThan(100);
  });

  test("leaves out what the database cannot hold, wherever it is in a record", async () => {
    const { server } = await fakeDatabase();
    const extension = { openValues: true, attributes: { note: {} } } as const;
    const bad = [
      { note: "a\u0000" },
      { note: { deep: [{ er: "\ud800" }] } },
      { note: { "a\u0000": 1 } },
      { ac_ports: ["a\u0000"] },
      { dc_ports: ["a\ud800"] },
      { ev_type: "a\u0000" },
    ];
    const good = [{ note: "\\u0000 \ud83d\ude97" }, { note: { "\\ud800": null } }];
    const data = fleet(8).map((one, at) => ({ ...one, ...[...bad, ...good][at] }));
    const { problems } = await importVehicles(server.connection, data, { extension });
    expect(problems.map(({ index, field }) => [index, field])).toEqual(
      bad.map((one, index) => [index, Object.keys(one)[0]]),
    );
    const sent = server.asked.find(({ text }) => text.startsWith("insert into incoming_vehicles"));
    expect(JSON.parse(sent?.values[0] ?? "")).toHaveLength(2);
  });

  test("leaves out whose ids are others' as the database compares them, and refuses them when strict", async () => {
    const [a, b, c] = fleet(3);
    const { server } = await fakeDatabase({
      override: (text) => (text.startsWith("delete from incoming_vehicles") ? [{ id: c!.id }] : undefined),
    });
    const data = [a, { ...b, ac_phases: 9 }, c];
    const { problems, unchanged } = await importVehicles(server.connection, data);
    expect([unchanged, problems.map(({ index, field }) => [index, field])]).toEqual([
      1,
      [
        [1, "ac_phases"],
        [2, "id"],
      ],
    ]);
    const strict = importVehicles(server.connection, [a, c], { strict: true });
    await expect(strict).rejects.toMatchObject({ code: "invalid_data", message: /^1 things/ });
    expect(server.asked.at(-1)?.text).toBe("rollback");
  });

  const slips: readonly { name: string; call: () => Promise<unknown>; message: RegExp }[] = [
    {
      name: "a mode that there is not",
      call: () => importVehicles({}, [], { mode: "Replace" as "replace" }),
      message: /mode must be "replace" or "merge"; got "Replace"/,
    },
    {
      name: "a share that is no number",
      call: () => importVehicles({}, [], { leastShare: Number.NaN }),
      message: /leastShare/,
    },
    {
      name: "a share that is a text",
      call: () => importVehicles({}, [], { leastShare: "half" as never }),
      message: /leastShare/,
    },
    {
      name: "a time that is no number",
      call: () => importVehicles({}, [], { timeoutMs: Number.NaN }),
      message: /timeoutMs/,
    },
    {
      name: "a URL as text",
      call: () => importVehicles("postgres://a/b" as never, []),
      message: /connectionString/,
    },
    { name: "a URL as text", call: () => migrate("postgres://a/b" as never), message: /connectionString/ },
    {
      name: "a URL as text",
      call: () => exportVehicles("postgres://a/b" as never).next(),
      message: /connectionString/,
    },
    {
      name: "no connection",
      call: () => migrate(undefined as never),
      message: /connection must be an object/,
    },
    {
      name: "a URL that is not there",
      call: () => migrate({ connectionString: undefined as never }),
      message: /connectionString must be a text/,
    },
    {
      name: "a misspelt member",
      call: () => migrate({ connectionstring: "postgres://a/b" } as never),
      message: /connection has no "connectionstring"/,
    },
    { name: "a migration that is no number", call: () => migrate({}, { upTo: Number.NaN }), message: /upTo/ },
    { name: "a migration that is a text", call: () => migrate({}, { upTo: "2" as never }), message: /upTo/ },
    {
      name: "a reserved word",
      call: () => migrate({}, { schema: "select" }),
      message: /PostgreSQL has the name/,
    },
    {
      name: "a name of the system",
      call: () => migrate({}, { schema: "pg_catalogue" }),
      message: /PostgreSQL has the name/,
    },
    {
      name: "no schema",
      call: () => migrate({}, { schema: null as never }),
      message: /schema must be .*got null/,
    },
  ];
  for (const { name, call, message } of slips) {
    test(`refuses ${name} before anything is asked: ${message}`, async () => {
      await expect(call()).rejects.toThrow(TypeError);
      await expect(call()).rejects.toThrow(message);
    });
  }

  test("merges without taking anything out", async () => {
    const { server } = await fakeDatabase();
    const { removed } = await importVehicles(server.connection, fleet(3), { mode: "merge" });
    expect(removed).toBe(0);
    expect(server.asked.some(({ text }) => /^delete from (vehicles|brands)/.test(text))).toBe(false);
  });

  const refused = [
    { name: "much less than there is", data: fleet(1), options: {}, code: "shrunk" },
    { name: "wrong records when strict", data: [{}], options: { strict: true }, code: "invalid_data" },
    { name: "no catalogue", data: "x", options: {}, code: "invalid_data" },
  ];
  for (const { name, data, options, code } of refused) {
    test(`refuses ${name}, and writes nothing`, async () => {
      const { server } = await fakeDatabase({ vehicles: fleet(10) });
      await expect(importVehicles(server.connection, data, options)).rejects.toMatchObject({ code });
      expect(server.asked.filter(({ text }) => text.startsWith("insert"))).toEqual([]);
      expect(server.asked.filter(({ text }) => text === "commit")).toEqual([]);
    });
  }

  test("a server that is not there is an error at once", async () => {
    await expect(importVehicles({ host: "127.0.0.1", port: 1 }, [])).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe("exportVehicles", () => {
  test("gives all vehicles, and closes its connection when it is left early", async () => {
    const { server } = await fakeDatabase({ vehicles: fleet(1200) });
    let count = 0;
    for await (const _ of exportVehicles(server.connection)) count++;
    expect(count).toBe(1200);
    for await (const vehicle of exportVehicles(server.connection)) {
      expect(vehicle.id).toBe(fleet(1)[0]?.id);
      break;
    }
  });

  test("names a row that is no vehicle", async () => {
    const [one] = fleet(1);
    const { server } = await fakeDatabase({ vehicles: [{ ...one!, ac_max_power: -1 }] });
    await expect(exportVehicles(server.connection).next()).rejects.toThrow(/the vehicle 0.* ac_max_power/);
  });
});
