import type { Brand } from "../brand.js";
import type { Vehicle } from "../vehicle.js";
import { catalogueTestVehicles } from "./catalogue-test-vehicles.js";

/** Brands whose order depends on how names are compared, two of them alike but for case and accents. */
const brands = {
  acme: { id: "71", name: "Äcme Vans" },
  eDash: { id: "72", name: "e-Go" },
  ePlain: { id: "73", name: "EGO" },
  fiord: { id: "74", name: "ﬁord" },
  lodz: { id: "75", name: "Łódź" },
  lynx: { id: "76", name: "lynx" },
  omi: { id: "77", name: "Ōmi" },
  twins: { id: "78", name: "Quartz" },
  zephyr: { id: "zephyr-b", name: "zephyr" },
  zephyrToo: { id: "zephyr-C", name: "ZÉPHYR" },
  zephyrVans: { id: "79", name: "Zephyr Vans" },
} satisfies Record<string, Brand>;

/** Brand, model, year and variant, in no order. */
const rows: readonly (readonly [Brand, string, number | null, string])[] = [
  [brands.zephyrVans, "Aria", 2020, ""],
  [brands.zephyr, "Mistral", 2021, "GT"],
  [brands.zephyrToo, "Mistral", 2020, "GT"],
  [brands.zephyr, "mistral", 2021, "gt"],
  [brands.zephyrToo, "Alpha", 2021, ""],
  [brands.zephyrToo, "Zulu 2", 2021, ""],
  [brands.zephyr, "Zulu", 2021, ""],
  [brands.lynx, "Solo", 2020, ""],
  [brands.lodz, "Solo", 2020, ""],
  [brands.omi, "Solo", 2020, ""],
  [brands.fiord, "Solo", 2020, ""],
  [brands.ePlain, "Solo", 2020, ""],
  [brands.eDash, "Solo", 2020, ""],
  [brands.acme, "Fleet 10", 2020, ""],
  [brands.acme, "Fleet 9", 2020, ""],
  [brands.acme, "Fleet", 2020, ""],
  [brands.acme, "fleet 9", null, ""],
  [brands.acme, "Fleet 9", 2019, "zz"],
  [brands.acme, "Cell 7,2", 2020, ""],
  [brands.acme, "Cell 7.10", 2020, ""],
  [brands.acme, "Éclair", 2020, ""],
  [brands.acme, "Echo", 2020, ""],
  [brands.acme, "Eden", 2020, ""],
  [brands.acme, "🚐", 2020, ""],
  [brands.acme, "﴾R﴿", 2020, ""],
  [brands.acme, "ＩＤ", 2020, ""],
  [brands.acme, "ID 3", 2020, ""],
  [brands.acme, "Trim", 2020, "Sport"],
  [brands.acme, "Trim", 2020, "éco"],
  [brands.acme, "Trim", 2020, "Eco plus"],
  [brands.acme, "Trim", 2020, ""],
  [brands.acme, "Trim", null, ""],
  [brands.acme, "Trim", 2021, ""],
];

/** Vehicles alike but for the id, which is compared as it is written. */
const alike = ["x-b", "x-A", "xB", "X_b", "x10", "x9", "xa", "x-a1"];

/** More than a search answers, alike in all that is searched. */
const twins = 27;

/** Invented vehicles in an order that is none, which tell apart by what and how a catalogue orders, selects and finds. */
export function orderingTestVehicles(): readonly Vehicle[] {
  return [
    ...Array.from({ length: twins }, (_, at) =>
      // Neither the years nor the ids follow the list.
      varied((at * 11) % twins, brands.twins, "Twin", at % 4 ? 2020 + (at % 3) : null, "60 kWh"),
    ),
    ...rows.map((row, at) => varied(100 + ((at * 13) % rows.length), ...row)),
    ...alike.map((id, at): Vehicle => ({ ...varied(at, brands.omi, "Same", 2020, ""), id })),
  ];
}

/** What is asked about attributes depends on them: each has several values, and those that may have none sometimes have none. */
function varied(
  at: number,
  manufacturer: Brand,
  model: string,
  year: number | null,
  variant: string,
): Vehicle {
  const [some] = catalogueTestVehicles() as readonly [Vehicle, ...Vehicle[]];
  const power = [120, null, 50, 250, 120][at % 5] ?? null;
  return {
    ...some,
    id: `vehicle-${at}`,
    type: at % 6 === 1 ? "motorbike" : "car",
    ev_type: at % 7 === 2 ? "phev" : "bev",
    manufacturer,
    model,
    release_year: year,
    variant,
    usable_battery_size: [57.5, 9, 100, 23.4][at % 4] ?? 0,
    ac_phases: ([1, 2, 3] as const)[at % 3] ?? 3,
    ac_ports: [["type2"], [], ["type1", "type2"]][at % 3] ?? [],
    dc_ports: power === null ? [] : at % 2 ? ["ccs", "chademo"] : ["chademo"],
    dc_charge_ports: power === null ? [] : at % 2 ? ["ccs", "chademo"] : ["chademo"],
    dc_max_power: power,
    dc_default_charging_curve: false,
    dc_charging_curve:
      power === null
        ? []
        : [
            { percentage: 0, power },
            { percentage: 100, power: 11 },
          ],
    energy_consumption: { average_consumption: 14 + (at % 5) },
  };
}
