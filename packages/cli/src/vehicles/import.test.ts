import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeFolder } from "../../test/run-program.js";
import type { Host } from "../host.js";
import { importVehicleFile } from "./import.js";

const file = new URL("../../../vehicle-catalogue/testdata/ev-data.json", import.meta.url);
const { data, brands } = JSON.parse(readFileSync(file, "utf8"));
const vehicle = { ...data[0], id: "v1" };
const wrong = { id: "v2" };

/** Imports vehicles into a database that finds these things wrong; gives how it ends, and what is printed. */
async function imported(vehicles: readonly object[], problems: readonly object[], json: boolean) {
  const given: unknown[] = [];
  vi.doMock("@wye/vehicle-postgres", () => ({
    migrate: async () => {},
    importVehicles: async (...all: unknown[]) => {
      given.push(...all);
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
  const code = await importVehicleFile("vehicles.json", { json }, host as unknown as Host);
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
