import type { SchemaValue } from "./schema.js";

/**
 * Every attribute of a vehicle, as JSON Schema. This table is the source of the types, of what the server accepts when
 * it loads records, of the names that `fields[car]` may list, and of the OpenAPI description.
 */
export const vehicleAttributes = {
  ev_type: {
    type: "string",
    description: "`bev`: full electric; `phev`: plug-in hybrid.",
    enum: ["bev", "phev"],
  },
  model: { type: "string", description: "Model name.", minLength: 1, maxLength: 200 },
  release_year: {
    type: ["integer", "null"],
    description: "Tells models of the same name apart; null where it is not known.",
    minimum: 1880,
    maximum: 2200,
  },
  variant: {
    type: "string",
    description: "Tells variants of one model apart (battery, charger, …); empty where there is only one.",
    maxLength: 200,
  },
  usable_battery_size: {
    type: "number",
    description: "Net capacity of the battery in kWh.",
    minimum: 0,
    maximum: 10_000,
  },
  ac_phases: { type: "integer", description: "Usable AC phases.", enum: [1, 2, 3] },
  ac_ports: {
    type: "array",
    description: "AC ports of the vehicle; may be empty.",
    items: { type: "string", enum: ["type1", "type2"] },
    uniqueItems: true,
    maxItems: 20,
  },
  ac_max_power: {
    type: "number",
    description: "Power at the fastest AC station in kW.",
    minimum: 0,
    maximum: 10_000,
  },
  dc_ports: {
    type: "array",
    description: "DC ports of the vehicle; empty without DC charging.",
    items: { type: "string", enum: ["ccs", "chademo", "tesla_suc", "tesla_ccs"] },
    uniqueItems: true,
    maxItems: 20,
  },
  dc_max_power: {
    type: ["number", "null"],
    description: "Power at the fastest DC station in kW; null without DC charging.",
    minimum: 0,
    maximum: 10_000,
  },
  dc_default_charging_curve: {
    type: "boolean",
    description: "True when the charging curve is the assumed default, not measured.",
  },
  energy_consumption: {
    type: "object",
    description: "Energy consumption, usually by WLTP.",
    properties: {
      average_consumption: { type: "number", description: "kWh per 100 km.", minimum: 0, maximum: 1000 },
    },
    required: ["average_consumption"],
  },
  dc_charge_ports: {
    type: "array",
    description: "Every standard DC port that the vehicle can charge with.",
    items: { type: "string", enum: ["ccs", "chademo"] },
    uniqueItems: true,
    maxItems: 20,
  },
  ac_power_per_charging_point: {
    type: "object",
    description:
      "Power of an AC station in kW, as a decimal text, to the power that the vehicle draws there in kW.",
    propertyNames: { description: 'decimal texts such as "11.0"', pattern: "^[0-9]{1,4}\\.[0-9]{1,3}$" },
    additionalProperties: { type: "number", minimum: 0, maximum: 10_000 },
    maxProperties: 1001,
  },
  dc_charging_curve: {
    type: "array",
    description: "Charging power over the charge level, by rising level; empty without DC charging.",
    maxItems: 1001,
    items: {
      type: "object",
      properties: {
        percentage: { type: "number", description: "Charge level in percent.", minimum: 0, maximum: 100 },
        power: { type: "number", description: "Charging power in kW.", minimum: 0, maximum: 10_000 },
      },
      required: ["percentage", "power"],
    },
  },
} as const;

/** The attributes of a vehicle as they stand on the wire; all of them are always there unless `fields` leaves some out. */
export type VehicleAttributes = {
  readonly [Name in keyof typeof vehicleAttributes]: SchemaValue<(typeof vehicleAttributes)[Name]>;
};

/** The name of an attribute of a vehicle. */
export type VehicleAttributeName = keyof VehicleAttributes;

/** How a vehicle is driven. */
export type EvType = VehicleAttributes["ev_type"];
/** A port for alternating current. */
export type AcPort = VehicleAttributes["ac_ports"][number];
/** A port for direct current, of standards and of makers. */
export type DcPort = VehicleAttributes["dc_ports"][number];
/** A standard port for direct current. */
export type DcChargePort = VehicleAttributes["dc_charge_ports"][number];
/** One point of a charging curve. */
export type ChargingCurvePoint = VehicleAttributes["dc_charging_curve"][number];

/** The attributes that only a key of the group `ReadVehiclesFull` sees; for others they are left out, not null. */
export const withheldAttributes: readonly VehicleAttributeName[] = [
  "ac_power_per_charging_point",
  "dc_charging_curve",
];

/** The names of all attributes, in the order of the documents. */
export const vehicleAttributeNames: readonly VehicleAttributeName[] = Object.keys(
  vehicleAttributes,
  // The keys of a literal are exactly the keys of its type.
) as VehicleAttributeName[];
