import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiKeyHeader } from "@wye/vehicle-catalogue";
import { createVehicleClient } from "@wye/vehicle-catalogue/client";
import { describe, expect, test, vi } from "vitest";
import { makeFolder, wye } from "./run-program.js";
import { serveVehicles } from "./serve-vehicles.js";

const data = new URL("../../vehicle-catalogue/testdata/ev-data.json", import.meta.url);

/** A folder with the data, and with some that are wrong. */
function folder(): { readonly cwd: string } {
  const cwd = makeFolder();
  copyFileSync(data, join(cwd, "ev-data.json"));
  const file = JSON.parse(readFileSync(data, "utf8"));
  file.data[0].id = "";
  file.data = file.data.slice(0, 3);
  writeFileSync(join(cwd, "wrong.json"), JSON.stringify(file));
  writeFileSync(join(cwd, "no.json"), "{");
  return { cwd };
}

describe("check", () => {
  test("tells how many vehicles there are and what is mended, and ends with 0", async () => {
    const { code, out } = await wye(["vehicles", "check", "ev-data.json"], folder());
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").at(-1)).toMatch(/^293 vehicles, 0 problems, \d+ repairs?$/);
  });

  test("tells what is wrong with which record, and ends with 1", async () => {
    const { code, out } = await wye(["vehicles", "check", "wrong.json"], folder());
    expect([code, out]).toEqual([1, expect.stringMatching(/^wrong: record 0\b.*id/m)]);
    const json = JSON.parse((await wye(["vehicles", "check", "wrong.json", "--json"], folder())).out);
    expect(json).toMatchObject({ loaded: 2, problems: [{ index: 0, field: "id" }] });
  });

  test.each(["[]", '{"vehicles": []}', '{"data": [], "brands": []}'])(
    "%s has nothing wrong and nothing at all, and ends with 1",
    async (text) => {
      const { cwd } = folder();
      writeFileSync(join(cwd, "empty\u001b.json"), text);
      const ended = await wye(["vehicles", "check", "empty\u001b.json"], { cwd });
      expect(ended).toMatchObject({
        code: 1,
        out: "0 vehicles, 0 problems, 0 repairs\n",
        err: "empty\\x1b.json has no vehicles\n",
      });
    },
  );

  test.each(["no.json", "none.json"])("%s ends with 2 and names the file", async (file) => {
    const { code, err } = await wye(["vehicles", "check", file], folder());
    expect([code, err]).toEqual([2, expect.stringContaining(file)]);
    expect(err).not.toContain("    at ");
  });
});

describe("corrections of a file", () => {
  const [first] = JSON.parse(readFileSync(data, "utf8")).data;
  const corrections = [
    { id: first.id, set: { model: "Corrected" }, was: { model: first.model } },
    { id: first.id, set: { usable_battery_size: 1 }, was: { usable_battery_size: 2 } },
    { id: "gone", set: { model: "X" } },
  ];
  const corrected = (text = JSON.stringify(corrections)): { readonly cwd: string } => {
    const { cwd } = folder();
    writeFileSync(join(cwd, "known.json"), text);
    return { cwd };
  };
  const known = ["--corrections", "known.json"];

  test("are made, and check tells those that do not apply", async () => {
    const { code, out } = await wye(["vehicles", "check", "ev-data.json", ...known], corrected());
    expect([code, out]).toEqual([0, expect.stringMatching(/, \d+ repairs, 2 stale corrections\n$/)]);
    expect(out).toContain(`stale: ${first.id} usable_battery_size is no longer 2, but `);
    expect(out).toContain("stale: gone is no vehicle of these data\n");
    const json = await wye(["vehicles", "check", "ev-data.json", "--json", ...known], corrected());
    expect(JSON.parse(json.out).staleCorrections).toHaveLength(2);
  });

  test("hold for what is searched and imported, and stale ones are told there, too", async () => {
    const host = corrected();
    const searched = await wye(["vehicles", "search", "ev-data.json", "corrected", ...known], host);
    expect([searched.code, searched.out]).toEqual([0, expect.stringContaining(first.id)]);
    expect(searched.err).toMatch(/^2 corrections do not apply/);
    const { code, err } = await wye(["vehicles", "import", "ev-data.json", "--to", "l.json", ...known], host);
    expect([code, err]).toEqual([0, expect.stringContaining("stale: gone is no vehicle")]);
    const { vehicles } = JSON.parse(readFileSync(join(host.cwd, "l.json"), "utf8"));
    expect(vehicles.find(({ id }: { readonly id: string }) => id === first.id)).toMatchObject({
      model: "Corrected",
    });
  });

  test.each([
    ["{", /known\.json: .*JSON/],
    ["{}", /known\.json: corrections must be a list of/],
    ['[{"id": "a", "set": {"modell": 1}}]', /known\.json: The correction of "a" has the field "modell"/],
  ])("that are none are refused by the name of their file: %s", async (text, message) => {
    for (const command of [["check"], ["search"], ["import"], ["serve"]]) {
      const words = command[0] === "search" ? ["x"] : [];
      const host = { ...corrected(text), env: { WYE_VEHICLE_KEYS: "k" } };
      const { code, err } = await wye(["vehicles", ...command, "ev-data.json", ...words, ...known], host);
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});

describe("search", () => {
  test("prints what matches best first", async () => {
    const { code, out } = await wye(
      ["vehicles", "search", "ev-data.json", "vw", "id3", "--size", "3"],
      folder(),
    );
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^Volkswagen ID\.3 .* kWh {2}[\da-f-]{36}$/);
    const json = JSON.parse(
      (await wye(["vehicles", "search", "ev-data.json", "vw", "id3", "--json"], folder())).out,
    );
    expect(json[0].manufacturer.name).toBe("Volkswagen");
  });

  test("takes several words as one text", async () => {
    const host = folder();
    const found = (...words: readonly string[]) =>
      wye(["vehicles", "search", "ev-data.json", ...words], host);
    const { out } = await found("model", "3", "performance");
    expect(out).toBe((await found("model 3 performance")).out);
    expect(out).not.toBe((await found("model3performance")).out);
  });

  test("prints names, sizes and ids below each other", async () => {
    const file = JSON.parse(readFileSync(data, "utf8"));
    const [first] = file.data;
    const own = [
      { ...first, id: "short", model: "Zoe", variant: "", usable_battery_size: 100 },
      { ...first, id: "a-longer-one", model: "Zoe", variant: "Sport", usable_battery_size: 5 },
    ];
    const host = folder();
    writeFileSync(join(host.cwd, "own.json"), JSON.stringify({ ...file, data: own }));
    const { out } = await wye(["vehicles", "search", "own.json", "zoe"], host);
    expect(out.split("\n").toSorted()).toEqual([
      "",
      `${first.brand} Zoe        100 kWh  short`,
      `${first.brand} Zoe Sport  5 kWh    a-longer-one`,
    ]);
  });

  test("refuses to print more than the API gives of a search", async () => {
    const ask = (size: string) => wye(["vehicles", "search", "ev-data.json", "e", "--size", size], folder());
    const { code, out, err } = await ask("26");
    expect([code, out, err]).toEqual([2, "", expect.stringContaining("It is a whole number from 1 to 25.")]);
    expect((await ask("25")).out.trimEnd().split("\n")).toHaveLength(25);
  });

  test("ends with 1 when nothing does", async () => {
    expect(await wye(["vehicles", "search", "ev-data.json", "zzzzqqqq"], folder())).toMatchObject({
      code: 1,
      out: "",
    });
  });
});

describe("import", () => {
  test("gives its report as JSON, and nothing else on the output", async () => {
    const host = folder();
    const asked = ["vehicles", "import", "ev-data.json", "--json"];
    const { code, out, err } = await wye([...asked, "--to", "list.json"], host);
    const checked = await wye(["vehicles", "check", "ev-data.json", "--json"], host);
    expect([code, err, JSON.parse(out)]).toEqual([0, "", { report: JSON.parse(checked.out) }]);
    expect(JSON.parse(readFileSync(join(host.cwd, "list.json"), "utf8")).vehicles).toHaveLength(
      JSON.parse(out).report.loaded,
    );
    expect(await wye([...asked, "--to", "-"], host)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("--json prints the report where --to - prints the list"),
    });
  });

  test("writes a plain list, which is read as the same vehicles without repairs", async () => {
    const host = folder();
    expect(await wye(["vehicles", "import", "ev-data.json", "--to", "list.json"], host)).toMatchObject({
      code: 0,
      out: "",
    });
    const { out } = await wye(["vehicles", "check", "list.json"], host);
    expect(out).toBe("293 vehicles, 0 problems, 0 repairs\n");
    const printed = await wye(["vehicles", "import", "list.json", "--to", "-"], host);
    expect(printed.out).toBe(readFileSync(join(host.cwd, "list.json"), "utf8"));
  });

  test("puts no empty list in the place of one, unless it is told to", async () => {
    const host = folder();
    writeFileSync(join(host.cwd, "empty.json"), '{"vehicles":[]}');
    const args = ["vehicles", "import", "empty.json", "--to", "ev-data.json"];
    const before = readFileSync(join(host.cwd, "ev-data.json"), "utf8");
    const refused = await wye(args, host);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("empty.json has no vehicles")]);
    expect(readFileSync(join(host.cwd, "ev-data.json"), "utf8")).toBe(before);
    expect((await wye([...args, "--least-share", "0"], host)).code).toBe(0);
    expect(JSON.parse(readFileSync(join(host.cwd, "ev-data.json"), "utf8"))).toEqual({ vehicles: [] });
  });

  test("keeps a list of which less than the share that was given would be left", async () => {
    const host = folder();
    const [one, two] = JSON.parse(
      (await wye(["vehicles", "import", "ev-data.json", "--to", "-"], host)).out,
    ).vehicles;
    writeFileSync(join(host.cwd, "two.json"), JSON.stringify([one, two]));
    writeFileSync(join(host.cwd, "one.json"), JSON.stringify([one]));
    const shareOf = async (share: string) =>
      (await wye(["vehicles", "import", "one.json", "--to", "two.json", "--least-share", share], host)).code;
    expect(await shareOf("0.9")).toBe(2);
    expect(JSON.parse(readFileSync(join(host.cwd, "two.json"), "utf8"))).toHaveLength(2);
    expect(await shareOf("0.5")).toBe(0);
    expect(JSON.parse(readFileSync(join(host.cwd, "two.json"), "utf8")).vehicles).toHaveLength(1);
    expect(await shareOf("1")).toBe(0);
  });

  test("merges nothing into a list", async () => {
    const { code, err } = await wye(
      ["vehicles", "import", "ev-data.json", "--to", "x.json", "--merge"],
      folder(),
    );
    expect([code, err]).toEqual([2, expect.stringContaining("--merge is for a database")]);
  });

  test("leaves wrong records out, and says so", async () => {
    const { code, out, err } = await wye(["vehicles", "import", "wrong.json", "--to", "-"], folder());
    expect([code, JSON.parse(out).vehicles.length]).toEqual([1, 2]);
    expect(err).toContain("2 vehicles, 1 problem");
  });

  test("writes nothing when no record is right", async () => {
    const host = folder();
    writeFileSync(join(host.cwd, "none-right.json"), '[{"id":"a"},5,null]');
    const written = await wye(["vehicles", "import", "none-right.json", "--to", "ev-data.json"], host);
    expect([written.code, written.err]).toEqual([
      2,
      expect.stringContaining("no record of none-right.json is right"),
    ]);
    expect(written.err).toContain("wrong: record 1:");
    expect(readFileSync(join(host.cwd, "ev-data.json"))).toEqual(readFileSync(data));
  });

  test.each(["-1", "2", "x", ""])("takes no share of %j", async (share) => {
    const { code, err } = await wye(["vehicles", "import", "ev-data.json", "--least-share", share], folder());
    expect([code, err]).toEqual([2, expect.stringContaining("It is a number from 0 to 1.")]);
  });

  test("needs to know where to", async () => {
    const { code, err } = await wye(["vehicles", "import", "ev-data.json"], folder());
    expect(code).toBe(2);
    expect(err).toBe("wye: set DATABASE_URL to the database, or write a list with --to\n");
  });

  test("tells when there is no database, without its password", async () => {
    const env = { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/cars" };
    for (const more of [[], ["--merge"]]) {
      const { code, err } = await wye(["vehicles", "import", "ev-data.json", ...more], { ...folder(), env });
      expect([code, err]).toEqual([2, expect.stringMatching(/^wye: the database: /m)]);
      expect(err).not.toContain("secret");
    }
  });
});

describe("serve", () => {
  const serve = (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    { cwd, file = "ev-data.json" }: { readonly cwd: string; readonly file?: string } = folder(),
  ) => serveVehicles([file, ...args], { cwd, env });

  test("answers those who have a key, and ends with 0 when it is asked to", async () => {
    const server = await serve([], { WYE_VEHICLE_KEYS: "one,two" });
    const found = await createVehicleClient({ baseUrl: server.base, apiKey: "two" }).search("VW ID3");
    expect(found.vehicles[0]?.manufacturer?.name).toBe("Volkswagen");
    const stranger = createVehicleClient({ baseUrl: server.base, apiKey: "three" });
    await expect(stranger.search("VW ID3")).rejects.toMatchObject({ code: "forbidden" });
    expect(server.printed()).toContain("293 vehicles of ev-data.json on port");
    expect(await server.end()).toBe(0);
  });

  test.each([
    [[], ""],
    [["--prefix", "/api"], "/api"],
  ])("tells where it is described, with %j", async (args, prefix) => {
    const server = await serve(args, { WYE_VEHICLE_KEYS: "one" });
    const port = new URL(server.base).port;
    expect(server.printed()).toContain(
      `293 vehicles of ev-data.json on port ${port}; the API is described at ${prefix}/v2/openapi.json\n`,
    );
    expect((await fetch(`${server.base}${prefix}/v2/openapi.json`)).status).toBe(200);
  });

  test("tells a program that has started it where it listens, and what is there, as a line of JSON", async () => {
    const env = { WYE_VEHICLE_KEYS: "one" };
    const server = await serve(["--json", "--prefix", "/api"], env, { ...folder(), file: "wrong.json" });
    const [, line = ""] = /^(\{.*\})\n$/m.exec(server.printed()) ?? [];
    const url = `${server.base}/api`;
    expect(JSON.parse(line)).toEqual({
      port: Number(new URL(server.base).port),
      url,
      description: `${url}/v2/openapi.json`,
      file: "wrong.json",
      vehicles: 2,
      problems: 1,
      repairs: expect.any(Number),
      staleCorrections: 0,
    });
    expect((await fetch(JSON.parse(line).description)).status).toBe(200);
    expect(await server.end()).toBe(0);
  });

  test("lets a key make so many requests in a minute, and five times as many after a rest", async () => {
    const server = await serve(["--rate-limit", "1"], { WYE_VEHICLE_KEYS: "one" });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) {
      const asked = fetch(`${server.base}/v2/vehicles`, { headers: { [apiKeyHeader]: "one" } });
      statuses.push((await asked).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test.each(["0", "-1", "1.5", "x", ""])("takes no limit of %j", async (limit) => {
    const args = ["vehicles", "serve", "ev-data.json", `--rate-limit=${limit}`];
    const { code, err } = await wye(args, { ...folder(), env: { WYE_VEHICLE_KEYS: "k" } });
    expect([code, err]).toEqual([2, expect.stringContaining("It is a whole number from 1.")]);
  });

  test("tells at the start how many records are wrong", async () => {
    const server = await serve([], { WYE_VEHICLE_KEYS: "one" }, { ...folder(), file: "wrong.json" });
    expect(server.printed()).toContain("1 problem");
    expect(server.printed()).toContain("2 vehicles of wrong.json on port");
    expect(await server.end()).toBe(0);
  });

  test("lays corrections over the file whenever it is read, and tells how many do not apply", async () => {
    const host = folder();
    const path = join(host.cwd, "ev-data.json");
    const file = JSON.parse(readFileSync(path, "utf8"));
    const { id, variant } = file.data[0];
    const correction = { id, set: { variant: "Corrected" }, was: { variant } };
    writeFileSync(join(host.cwd, "known.json"), JSON.stringify([correction, { id: "gone", set: {} }]));
    const server = await serve(["--corrections", "known.json"], { WYE_VEHICLE_KEYS: "one" }, host);
    expect(server.printed()).toMatch(/^1 correction does not apply/);
    const client = createVehicleClient({ baseUrl: server.base, apiKey: "one" });
    const shown = async () => {
      const vehicle = await client.byId(id);
      return vehicle?.type === "car" && [vehicle.model, vehicle.variant];
    };
    expect(await shown()).toEqual([file.data[0].model, "Corrected"]);
    file.data[0].model = "Renamed";
    writeFileSync(path, JSON.stringify(file));
    const patience = { timeout: 60_000, interval: 20 };
    await vi.waitFor(async () => expect(await shown()).toEqual(["Renamed", "Corrected"]), patience);
    const told = () => expect(server.printed().match(/1 correction does not apply/g)).toHaveLength(2);
    await vi.waitFor(told, patience);
    expect(await server.end()).toBe(0);
  });

  test("does not start with a file of which no record is right", async () => {
    const host = folder();
    writeFileSync(join(host.cwd, "none-right.json"), '[{"id":"a"},5,null]');
    const started = serve([], { WYE_VEHICLE_KEYS: "one" }, { ...host, file: "none-right.json" });
    await expect(started).rejects.toThrow("no record of none-right.json is right");
  });

  test("takes keys and their groups from a file", async () => {
    const host = folder();
    writeFileSync(join(host.cwd, "keys"), "# ours\nfull\nplain ReadVehicles # a partner\n");
    const server = await serve(["--keys", "keys", "--additions"], { WYE_VEHICLE_KEYS: " " }, host);
    const curves = async (apiKey: string) => {
      const client = createVehicleClient({ baseUrl: server.base, apiKey });
      const { vehicles } = await client.page({ size: 1, sort: ["model"] });
      return vehicles.map((one) => "dc_charging_curve" in one && one.dc_charging_curve !== undefined);
    };
    expect([await curves("full"), await curves("plain")]).toEqual([[true], [false]]);
    expect(await server.end()).toBe(0);
  });

  test("follows the file of keys, and keeps them while there is something wrong with it", async () => {
    const host = folder();
    const path = join(host.cwd, "keys");
    writeFileSync(path, "first\n");
    const server = await serve(["--keys", "keys"], {}, host);
    const codeOf = async (apiKey: string): Promise<string> => {
      const asked = createVehicleClient({ baseUrl: server.base, apiKey }).page({ size: 1 });
      return asked.then(
        () => "served",
        ({ code }) => code,
      );
    };
    const patience = { timeout: 60_000, interval: 20 };
    writeFileSync(path, "first\nsecond ReadVehicles\n");
    await vi.waitFor(async () => expect(await codeOf("second")).toBe("served"), patience);
    writeFileSync(path, "second ReadAll\n");
    const told = () => expect(server.printed()).toMatch(/^keys:1: groups are .*; keys stay as they were$/m);
    await vi.waitFor(told, patience);
    expect([await codeOf("first"), await codeOf("second")]).toEqual(["served", "served"]);
    writeFileSync(path, "second\n");
    await vi.waitFor(async () => expect(await codeOf("first")).toBe("forbidden"), patience);
    expect(await codeOf("second")).toBe("served");
    expect(server.printed()).toContain("keys were read again: 1 may use the API now");
    expect(await server.end()).toBe(0);
  });

  test("takes a key that is there twice once", async () => {
    const server = await serve([], { WYE_VEHICLE_KEYS: "k1, k2,,k1" });
    const client = createVehicleClient({ baseUrl: server.base, apiKey: "k1" });
    expect((await client.page({ size: 1 })).vehicles).toHaveLength(1);
    expect(await server.end()).toBe(0);
  });

  test.each([
    ["no key", [], {}, "nobody could use the API: set WYE_VEHICLE_KEYS"],
    ["a wrong group", ["--keys", "keys"], {}, "keys:1: groups are ReadVehicles"],
    [
      "a key with two sets of groups",
      ["--keys", "twice"],
      {},
      "twice:4: the same key as in twice:2, with other groups: give it all of its groups once",
    ],
    [
      "a key with two sets of groups in the variable",
      [],
      { WYE_VEHICLE_KEYS: "key-that-is-secret,key-that-is-secret ReadVehicles" },
      "WYE_VEHICLE_KEYS: the same key as before, with other groups",
    ],
    [
      "a file of keys beside the variable",
      ["--keys", "keys"],
      { WYE_VEHICLE_KEYS: "key-that-is-secret" },
      "keys come from keys (--keys) or from WYE_VEHICLE_KEYS, and both are given: unset WYE_VEHICLE_KEYS, or leave --keys out",
    ],
    ["no file of keys", ["--keys", "none"], {}, "cannot read none"],
    ["a key that no header has", ["--keys", "odd"], {}, "odd:2: a key is printable ASCII without blanks"],
    ["a wrong prefix", ["--prefix", "api"], { WYE_VEHICLE_KEYS: "k" }, "prefix"],
  ])("%s ends with 2", async (_, args, env, message) => {
    const host = folder();
    writeFileSync(join(host.cwd, "keys"), "key-that-is-secret ReadAll\n");
    writeFileSync(join(host.cwd, "odd"), "# ours\nkey-that-is-secret-é\n");
    writeFileSync(join(host.cwd, "twice"), "a\nkey-that-is-secret\na\nkey-that-is-secret ReadVehicles\n");
    const { code, err } = await wye(["vehicles", "serve", "ev-data.json", "--port", "0", ...args], {
      ...host,
      env,
    });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err).not.toContain("key-that-is-secret");
  });
});
