import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderWith } from "../../test/run-program.js";
import type { Host } from "../host.js";
import { searchVehicles } from "./search.js";

const file = new URL("../../../vehicle-catalogue/testdata/ev-data.json", import.meta.url);
const { data, brands } = JSON.parse(readFileSync(file, "utf8"));
const like = (id: string, changes: object) => ({ ...data[0], id, ...changes });

/** What is printed of a search in these records, and how it ends. */
async function searched(
  records: readonly object[],
  text: string,
  {
    size = 10,
    corrections,
    ...options
  }: { size?: number; json?: boolean; corrections?: readonly object[] } = {},
) {
  const host = folderWith({
    "ev.json": JSON.stringify({ data: records, brands }),
    "c.json": JSON.stringify(corrections ?? []),
  });
  let [out, err] = ["", ""];
  const outputs = {
    out: { write: (part: string) => (out += part) },
    err: { write: (part: string) => (err += part) },
  };
  const given = { size, ...options, ...(corrections === undefined ? {} : { corrections: "c.json" }) };
  const code = await searchVehicles("ev.json", text, given, { ...host, ...outputs } as unknown as Host);
  return { code, out, err };
}

const battery = (kwh: number) => ({ usable_battery_size: kwh });
const cars = [
  like("car-1", { brand: data[0].brand, model: "Zebra", variant: "", ...battery(50) }),
  like("car-2", { brand: data[0].brand, model: "Zebra", variant: "Long\tRange", ...battery(77.4) }),
];

test("vehicles are printed in columns, with nothing where nothing is known", async () => {
  const { code, out, err } = await searched(cars, "zebra");
  const name = `${data[0].brand} Zebra`;
  const [first, second] = [name.padEnd(name.length + 11), `${name} Long Range`];
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n").sort()).toEqual(
    ["", `${first}  50 kWh    car-1`, `${second}  77.4 kWh  car-2`].sort(),
  );
});

test("a vehicle without a variant has nothing in its place", async () => {
  const { out } = await searched(cars.slice(0, 1), "zebra");
  expect(out).toBe(`${data[0].brand} Zebra  50 kWh  car-1\n`);
});

test("no more are printed than are wished, and as JSON all that is known", async () => {
  expect((await searched(cars, "zebra", { size: 1 })).out.trim().split("\n")).toHaveLength(1);
  const { code, out } = await searched(cars, "zebra", { json: true });
  const found: readonly { readonly id: string; readonly model: string }[] = JSON.parse(out);
  expect([code, found.map(({ id }) => id).sort()]).toEqual([0, ["car-1", "car-2"]]);
  expect(found.every(({ model }) => model === "Zebra")).toBe(true);
});

test("a search that finds nothing says so, and ends with 1", async () => {
  expect(await searched(cars, "qqqqqq")).toEqual({ code: 1, out: "", err: "wye: nothing is like that\n" });
  expect(await searched(cars, "qqqqqq", { json: true })).toEqual({ code: 1, out: "[]\n", err: "" });
});

test("corrections are laid over the file, and those that do not apply are told", async () => {
  const corrections = [
    { id: "car-1", set: { model: "Giraffe" } },
    { id: "car-9", set: { model: "Giraffe" } },
  ];
  const { code, out, err } = await searched(cars, "giraffe", { corrections });
  expect([code, out]).toEqual([0, expect.stringMatching(/ Giraffe .* car-1\n$/)]);
  expect(err).toMatch(/^1 correction does not apply .*\n$/);
});
