import { expect, test } from "vitest";
import { compareVehicles } from "../server/vehicle-order.js";
import type { Vehicle } from "../vehicle.js";
import { catalogueTestVehicles } from "./catalogue-test-vehicles.js";
import { orderingTestVehicles } from "./ordering-test-vehicles.js";

const labelOf = ({ manufacturer, model, release_year, variant }: Vehicle): string =>
  `${manufacturer.name}/${model}/${release_year ?? "?"}/${variant}`;

/** The vehicles in their order, those of one label once. */
const ordered = (vehicles: readonly Vehicle[]): readonly string[] => [
  ...new Set(vehicles.toSorted(compareVehicles).map(labelOf)),
];

test("the vehicles that tell orders apart are in the order that every catalogue must have", () => {
  const acme = ["Cell 7.10/2020/", "Cell 7,2/2020/", "Echo/2020/", "Éclair/2020/", "Eden/2020/"];
  const fleet = ["Fleet/2020/", "Fleet 10/2020/", "Fleet 9/2019/zz", "Fleet 9/2020/", "fleet 9/?/"];
  const trim = ["2020/", "2020/éco", "2020/Eco plus", "2020/Sport", "2021/", "?/"];
  const signs = ["🚐/2020/", "﴾R﴿/2020/"];
  expect(ordered(orderingTestVehicles())).toEqual([
    ...[...acme, ...fleet, "ＩＤ/2020/", "ID 3/2020/"].map((rest) => `Äcme Vans/${rest}`),
    ...trim.map((rest) => `Äcme Vans/Trim/${rest}`),
    ...signs.map((rest) => `Äcme Vans/${rest}`),
    ...["e-Go", "EGO", "ﬁord", "lynx"].map((brand) => `${brand}/Solo/2020/`),
    "Ōmi/Same/2020/",
    "Ōmi/Solo/2020/",
    ...["2020", "2021", "2022", "?"].map((year) => `Quartz/Twin/${year}/60 kWh`),
    "ZÉPHYR/Alpha/2021/",
    "ZÉPHYR/Mistral/2020/GT",
    "zephyr/mistral/2021/gt",
    "zephyr/Mistral/2021/GT",
    "zephyr/Zulu/2021/",
    "ZÉPHYR/Zulu 2/2021/",
    "Zephyr Vans/Aria/2020/",
    "Łódź/Solo/2020/",
  ]);
});

test("equals are more than a search answers, or have ids that only their code units tell apart", () => {
  const vehicles = orderingTestVehicles().toSorted(compareVehicles);
  expect(vehicles.filter(({ model }) => model === "Twin")).toHaveLength(27);
  const same = vehicles.filter(({ model }) => model === "Same").map(({ id }) => id);
  expect(same).toEqual(["X_b", "x-A", "x-a1", "x-b", "x10", "x9", "xB", "xa"]);
});

test("what is asked about attributes has several answers, and what may have no value sometimes has none", () => {
  const all = orderingTestVehicles();
  const valuesOf = (read: (vehicle: Vehicle) => unknown): readonly string[] =>
    [...new Set(all.map((vehicle) => JSON.stringify(read(vehicle))))].sort();
  expect(valuesOf(({ usable_battery_size: size, ac_phases: phases }) => [size, phases])).toHaveLength(12);
  expect(valuesOf(({ usable_battery_size: size }) => size)).toEqual(["100", "23.4", "57.5", "9"]);
  expect(valuesOf(({ ac_phases }) => ac_phases)).toEqual(["1", "2", "3"]);
  expect(valuesOf(({ ac_ports }) => ac_ports)).toEqual(['["type1","type2"]', '["type2"]', "[]"]);
  expect(valuesOf((one) => [one.dc_max_power, one.dc_ports.join(), one.dc_charge_ports.join()])).toEqual([
    '[120,"ccs,chademo","ccs,chademo"]',
    '[120,"chademo","chademo"]',
    '[250,"ccs,chademo","ccs,chademo"]',
    '[250,"chademo","chademo"]',
    '[50,"ccs,chademo","ccs,chademo"]',
    '[50,"chademo","chademo"]',
    '[null,"",""]',
  ]);
  expect(valuesOf(({ energy_consumption }) => energy_consumption.average_consumption)).toEqual([
    ...["14", "15", "16", "17", "18"],
  ]);
  const kinds = valuesOf(({ type, ev_type }) => `${type} ${ev_type}`);
  expect(kinds).toEqual(['"car bev"', '"car phev"', '"motorbike bev"', '"motorbike phev"']);
});

test("a curve goes from the most power to 11 kW, and there is none without direct current", () => {
  for (const { dc_max_power: power, dc_charging_curve: curve } of orderingTestVehicles())
    expect(curve.map((point) => `${point.percentage}: ${point.power}`)).toEqual(
      power === null ? [] : [`0: ${power}`, "100: 11"],
    );
});

test("the vehicles of the plain checks have an order with brands in both cases, years, variants and a fleet", () => {
  const labels = ordered(catalogueTestVehicles());
  expect(labels.filter((label) => !label.includes("Fleet"))).toEqual([
    "Northwind/borealis/2021/60 kWh",
    "Northwind/Borealis/2021/60 kWh",
    "Northwind/Borealis/2021/77 kWh",
    "Northwind/Borealis/?/60 kWh",
    "Northwind/Borealis 2/2023/",
    "zephyr/Kestrel/2020/",
    "zephyr/Mistral/2022/Sport",
  ]);
  const fleet = labels.filter((label) => label.includes("Fleet"));
  expect([fleet.length, ...fleet.slice(0, 3)]).toEqual([
    30,
    "Äcme Vans/Fleet 0/2020/",
    "Äcme Vans/Fleet 1/2021/long",
    "Äcme Vans/Fleet 10/2022/",
  ]);
});
