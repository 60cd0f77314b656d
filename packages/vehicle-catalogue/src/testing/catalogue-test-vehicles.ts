import type { Brand } from "../brand.js";
import { defaultChargingCurve } from "../default-charging-curve.js";
import type { Vehicle } from "../vehicle.js";

const northwind: Brand = { id: "c27e0f6d-6a53-4b8e-8b1f-0d9a7e5c3321", name: "Northwind" };
const zephyr: Brand = { id: "e8b6a1d4-93f0-4f27-8c55-3a1d7e0b9c48", name: "zephyr" };
const acme: Brand = { id: "11111111-aaaa-4bbb-8ccc-222222222222", name: "Äcme Vans" };

/**
 * Invented vehicles that tell orders and comparisons apart: brands in both cases and with an accent, one model in
 * several years and variants and without a year, two alike but for the id, a motorbike, and more than a search answers.
 */
export function catalogueTestVehicles(): readonly Vehicle[] {
  const fleet = Array.from({ length: 30 }, (_, at) => van(at));
  return [
    car("b3", zephyr, "Mistral", 2022, "Sport"),
    car("a9", northwind, "Borealis 2", 2023, ""),
    car("a1", northwind, "Borealis", null, "60 kWh"),
    car("a2", northwind, "Borealis", 2021, "77 kWh"),
    car("a3", northwind, "borealis", 2021, "60 kWh"),
    car("a5", northwind, "Borealis", 2021, "60 kWh"),
    car("a4", northwind, "Borealis", 2021, "60 kWh"),
    ...fleet,
    { ...car("b1", zephyr, "Kestrel", 2020, ""), type: "motorbike" },
  ];
}

function van(at: number): Vehicle {
  return car(`f${String(at).padStart(2, "0")}`, acme, `Fleet ${at}`, 2020 + (at % 4), at % 2 ? "long" : "");
}

function car(
  mark: string,
  manufacturer: Brand,
  model: string,
  year: number | null,
  variant: string,
): Vehicle {
  return {
    id: `00000000-0000-4000-8000-${mark.padStart(12, "0")}`,
    type: "car",
    ev_type: "bev",
    model,
    release_year: year,
    variant,
    usable_battery_size: 57.5,
    ac_phases: 3,
    ac_ports: ["type2"],
    ac_max_power: 11,
    dc_ports: ["ccs"],
    dc_max_power: 120,
    dc_default_charging_curve: true,
    energy_consumption: { average_consumption: 16.2 },
    dc_charge_ports: ["ccs"],
    ac_power_per_charging_point: { "3.7": 3.7, "11.0": 11, "22.0": 11 },
    dc_charging_curve: defaultChargingCurve(120, 11),
    manufacturer,
  };
}
