import { show } from "./records/check-value.js";
import type { ChargingCurvePoint } from "./vehicle-attributes.js";

/**
 * The curve that stands in where none was measured: 95 % of the DC maximum at first, all of it at 75 % charge, down to
 * the AC maximum when full. Powers are rounded to one decimal.
 */
export function defaultChargingCurve(dcMaxPower: number, acMaxPower: number): readonly ChargingCurvePoint[] {
  for (const [name, power] of Object.entries({ dcMaxPower, acMaxPower })) {
    if (typeof power === "number") continue;
    throw new TypeError(`defaultChargingCurve: ${name} must be a number of kilowatts; got ${show(power)}.`);
  }
  return [
    { percentage: 0, power: toOneDecimal(dcMaxPower * 0.95) },
    { percentage: 75, power: toOneDecimal(dcMaxPower) },
    { percentage: 100, power: toOneDecimal(acMaxPower) },
  ];
}

function toOneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
