import { expect, test } from "vitest";
import { vehicleAttributeNames, vehicleAttributes, withheldAttributes } from "./vehicle-attributes.js";

test("each attribute has the words that tell it from the others", () => {
  const told = Object.entries(vehicleAttributes).map(([name, { description }]) => `${name}: ${description}`);
  expect(told).toEqual([
    "ev_type: `bev`: full electric; `phev`: plug-in hybrid.",
    "model: Model name.",
    "release_year: Tells models of the same name apart; null where it is not known.",
    "variant: Tells variants of one model apart (battery, charger, …); empty where there is only one.",
    "usable_battery_size: Net capacity of the battery in kWh.",
    "ac_phases: Usable AC phases.",
    "ac_ports: AC ports of the vehicle; may be empty.",
    "ac_max_power: Power at the fastest AC station in kW.",
    "dc_ports: DC ports of the vehicle; empty without DC charging.",
    "dc_max_power: Power at the fastest DC station in kW; null without DC charging.",
    "dc_default_charging_curve: True when the charging curve is the assumed default, not measured.",
    "energy_consumption: Energy consumption, usually by WLTP.",
    "dc_charge_ports: Every standard DC port that the vehicle can charge with.",
    "ac_power_per_charging_point: Power of an AC station in kW, as a decimal text, to the power that the vehicle draws there in kW.",
    "dc_charging_curve: Charging power over the charge level, by rising level; empty without DC charging.",
  ]);
});

const power = { type: "number", minimum: 0, maximum: 10_000 };
const ports = (...known: readonly string[]) => ({
  type: "array",
  items: { type: "string", enum: known },
  uniqueItems: true,
  maxItems: 20,
});

test("each attribute has its type, choices and bounds", () => {
  const schemas = Object.entries(vehicleAttributes).map(([name, { description, ...schema }]) => [
    name,
    schema,
  ]);
  expect(Object.fromEntries(schemas)).toEqual({
    ev_type: { type: "string", enum: ["bev", "phev"] },
    model: { type: "string", minLength: 1, maxLength: 200 },
    release_year: { type: ["integer", "null"], minimum: 1880, maximum: 2200 },
    variant: { type: "string", maxLength: 200 },
    usable_battery_size: power,
    ac_phases: { type: "integer", enum: [1, 2, 3] },
    ac_ports: ports("type1", "type2"),
    ac_max_power: power,
    dc_ports: ports("ccs", "chademo", "tesla_suc", "tesla_ccs"),
    dc_max_power: { ...power, type: ["number", "null"] },
    dc_default_charging_curve: { type: "boolean" },
    energy_consumption: {
      type: "object",
      properties: {
        average_consumption: { ...power, description: "kWh per 100 km.", maximum: 1000 },
      },
      required: ["average_consumption"],
    },
    dc_charge_ports: ports("ccs", "chademo"),
    ac_power_per_charging_point: {
      type: "object",
      propertyNames: {
        description: 'decimal texts such as "11.0"',
        pattern: String.raw`^[0-9]{1,4}\.[0-9]{1,3}$`,
      },
      additionalProperties: power,
      maxProperties: 1001,
    },
    dc_charging_curve: {
      type: "array",
      maxItems: 1001,
      items: {
        type: "object",
        properties: {
          percentage: { ...power, description: "Charge level in percent.", maximum: 100 },
          power: { ...power, description: "Charging power in kW." },
        },
        required: ["percentage", "power"],
      },
    },
  });
});

test("the attributes stand in the order of the documents, and two of them are withheld", () => {
  expect(vehicleAttributeNames.join(" ")).toBe(
    "ev_type model release_year variant usable_battery_size ac_phases ac_ports ac_max_power dc_ports dc_max_power " +
      "dc_default_charging_curve energy_consumption dc_charge_ports ac_power_per_charging_point dc_charging_curve",
  );
  expect(withheldAttributes).toEqual(["ac_power_per_charging_point", "dc_charging_curve"]);
});
