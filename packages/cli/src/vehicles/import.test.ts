import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CatalogueError } from "@wye/vehicle-catalogue/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { folderWith, makeFolder } from "../../test/run-program.js";
import type { Host } from "../host.js";
import { type ImportOptions, importVehicleFile } from "./import.js";

const file = new URL("../../../vehicle-catalogue/testdata/ev-data.json", import.meta.url);
const { data, brands } = JSON.parse(readFileSync(file, "utf8"));
const vehicle = { ...data[0], id: "v1" };
const wrong = { id: "v2" };

/** Imports vehicles into a database that finds these things wrong; gives how it ends, and what is printed. */
async function imported(
  vehicles: readonly object[],
  problems: readonly object[],
  json: boolean,
  { error, ...options }: Pick<ImportOptions, "merge" | "leastShare"> & { readonly error?: Error } = {},
) {
  const given: unknown[] = [];
  let isMigrated = false;
  vi.doMock("@wye/vehicle-postgres", () => ({
    migrate: async () => {
      isMigrated = true;
    },
    importVehicles: async (...all: unknown[]) => {
      expect(isMigrated).toBe(true);
      given.push(...all);
      if (error !== undefined) throw error;
      return { added: 1, changed: 2, removed: 3, problems };
    },
  }));
  onTestFinished(() => void vi.doUnmock("@wye/vehicle-postgres"));
  const cwd = makeFolder();
  writeFileSync(join(cwd, "vehicles.json"), JSON.stringify({ data: vehicles, brands }));
  const printed = { out: "", err: "" };
  const write = (to: keyof typeof printed) => ({
    write: (text: string) => {
      printed[to] += text;
    },
  });
  const host = { cwd, env: { DATABASE_URL: "postgres://x" }, out: write("out"), err: write("err") };
  const code = await importVehicleFile("vehicles.json", { ...options, json }, host as unknown as Host);
  return { code, given, ...printed };
}

const problem = { id: "v1", field: "model", message: "is too long" };

test.each([
  ["nothing is wrong", [vehicle], [], 0],
  ["the file has records that are wrong", [vehicle, wrong], [], 1],
  ["the database leaves records out", [vehicle], [problem], 1],
  ["both is so", [vehicle, wrong], [problem], 1],
] as const)("ends with 1 when records were left out: %s", async (_, vehicles, problems, wanted) => {
  const text = await imported(vehicles, problems, false);
  expect(text.code).toBe(wanted);
  expect(text.err.includes("wrong: v1: model is too long\n")).toBe(problems.length > 0);
  expect(text.err.endsWith("1 added, 2 changed, 3 removed\n")).toBe(true);
  expect(text.given).toMatchObject([
    { connectionString: "postgres://x" },
    [{ id: "v1" }],
    { mode: "replace" },
  ]);
  const json = await imported(vehicles, problems, true);
  expect([json.code, json.err]).toEqual([wanted, ""]);
  expect(JSON.parse(json.out)).toMatchObject({ report: { loaded: 1 }, imported: { added: 1, problems } });
});

test("a database is told whether anything is taken out of it, and how much may be", async () => {
  expect((await imported([vehicle], [], true, { merge: true })).given[2]).toEqual({ mode: "merge" });
  const { given } = await imported([vehicle], [], true, { leastShare: 0 });
  expect(given[2]).toEqual({ mode: "replace", leastShare: 0 });
});

test.each([
  [new CatalogueError("shrunk", "too few"), "the database: too few; --least-share 0 takes them nevertheless"],
  [new CatalogueError("unavailable", "it is away"), "the database: it is away"],
  [new Error("no such role"), "the database: no such role"],
])("what a database refuses is told, with what helps: %s", async (error, message) => {
  const refused = imported([vehicle], [], false, { error });
  await expect(refused).rejects.toMatchObject({ name: "UsageError", message });
});

/** Writes a plain list of these records over one of so many vehicles; gives how it ends, and what is there then. */
async function written(
  records: readonly object[],
  present: number | undefined,
  options: Omit<ImportOptions, "to"> = {},
  to = "list.json",
) {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "vehicles.json"), JSON.stringify({ data: records, brands }));
  const before = Array.from({ length: present ?? 0 }, (_, index) => ({ ...vehicle, id: `old-${index}` }));
  if (present !== undefined) writeFileSync(join(cwd, to), JSON.stringify({ data: before, brands }));
  let [out, err] = ["", ""];
  const outputs = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
  };
  const host = { cwd, env: {}, ...outputs } as unknown as Host;
  const code = await importVehicleFile("vehicles.json", { ...options, to }, host);
  const list = to === "-" ? out : readFileSync(join(cwd, to), "utf8");
  const ids = JSON.parse(list).vehicles?.map(({ id }: { readonly id: string }) => id);
  return { code, err, ids, out };
}

const vehicles = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...vehicle, id: `v${index}` }));

test.each([
  [undefined, {}, "list.json"],
  [9, {}, "list.json"],
  [4, { leastShare: 0.5 }, "list.json"],
  [9, { leastShare: 0 }, "list.json"],
  [undefined, { leastShare: 1 }, "list.json"],
  [undefined, { leastShare: 1 }, "-"],
  [9, { leastShare: 1 }, "-"],
] as const)("a list takes the place of one with %s vehicles, with %j in %s", async (present, options, to) => {
  const { code, ids, err } = await written(vehicles(2), present, options, to);
  expect([code, ids, err]).toEqual([0, ["v0", "v1"], expect.stringMatching(/^(mended: .*\n)*2 vehicles, /)]);
});

test("fewer vehicles than the least share do not take the place of a list", async () => {
  const message =
    /^2 vehicles would replace the 5 of .*\/l\\x1b\.json; --least-share 0 takes them nevertheless$/;
  await expect(written(vehicles(2), 5, { leastShare: 0.5 }, "l\u001b.json")).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringMatching(message),
  });
});

test("a list may be written over what is none where no share is asked for", async () => {
  const { cwd } = folderWith({
    "vehicles.json": JSON.stringify({ data: [vehicle], brands }),
    "l.json": "no list",
  });
  const host = { cwd, env: {}, out: { write() {} }, err: { write() {} } } as unknown as Host;
  await expect(importVehicleFile("vehicles.json", { to: "l.json", leastShare: 1 }, host)).rejects.toThrow(
    "l.json",
  );
  expect(await importVehicleFile("vehicles.json", { to: "l.json" }, host)).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, "l.json"), "utf8")).vehicles).toHaveLength(1);
});

test("a file without vehicles becomes a list only where that is asked for", async () => {
  await expect(written([], undefined)).rejects.toThrow(
    "vehicles.json has no vehicles; --least-share 0 writes an empty list nevertheless",
  );
  expect(await written([], undefined, { leastShare: 0 })).toMatchObject({ code: 0, ids: [] });
});

test("records that are wrong are left out of a list, which ends with 1, unless none is right", async () => {
  const { code, ids, out } = await written([...vehicles(1), wrong], undefined, { json: true });
  expect([code, ids]).toEqual([1, ["v0"]]);
  expect(JSON.parse(out)).toMatchObject({ report: { loaded: 1 } });
  await expect(written([wrong], undefined)).rejects.toThrow(/^no record of vehicles\.json is right: /);
});

test("what a database says is printed with nothing in it that moves the cursor", async () => {
  const { err } = await imported([vehicle], [{ ...problem, message: "is \u001b[2K" }], false);
  expect(err).toContain("wrong: v1: model is \\x1b[2K\n");
});
