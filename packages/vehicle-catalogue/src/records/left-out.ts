import { defaultChargingCurve } from "../default-charging-curve.js";
import { type VehicleAttributeName, vehicleAttributes } from "../vehicle-attributes.js";

/** What a record has under a name of its own. */
export type Given = (name: string) => unknown;

/** The rules for what a record may leave out. */
export const leftOut: Readonly<Partial<Record<string, (given: Given) => unknown>>> = {
  release_year: (given) => given("release_year") ?? null,
  variant: (given) => given("variant") ?? "",
  dc_ports: (given) => given("dc_ports") ?? [],
  dc_max_power: (given) => given("dc_max_power") ?? null,
  dc_charging_curve: (given) => standIn(given) ?? given("dc_charging_curve") ?? [],
  dc_default_charging_curve: (given) =>
    standIn(given) !== undefined || (given("dc_default_charging_curve") ?? false),
  dc_charge_ports: (given) => given("dc_charge_ports") ?? standardPorts(given("dc_ports")),
} satisfies Partial<Record<VehicleAttributeName, (given: Given) => unknown>>;

/** The curve of a vehicle that has none, but charges with direct current. */
function standIn(given: Given): ReturnType<typeof defaultChargingCurve> | undefined {
  const curve = given("dc_charging_curve") ?? [];
  if (!Array.isArray(curve) || curve.length > 0) return undefined;
  const [dcMaxPower, acMaxPower] = [given("dc_max_power"), given("ac_max_power")];
  if (typeof dcMaxPower !== "number" || typeof acMaxPower !== "number") return undefined;
  return defaultChargingCurve(dcMaxPower, acMaxPower);
}

function standardPorts(dcPorts: unknown): unknown {
  const standard: readonly unknown[] = vehicleAttributes.dc_charge_ports.items.enum;
  return Array.isArray(dcPorts) ? dcPorts.filter((port) => standard.includes(port)) : [];
}
