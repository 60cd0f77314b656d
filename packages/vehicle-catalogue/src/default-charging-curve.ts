import type { ChargingCurvePoint } from "./vehicle-attributes.js";

/**
 * The curve that stands in where none was measured: 95 % of the DC maximum at first, all of it at 75 % charge, down to
 * the AC maximum when full. Powers are rounded to one decimal.
 */
export function defaultChargingCurve(dcMaxPower: number, acMaxPower: number): readonly ChargingCurvePoint[] {
  if (typeof dcMaxPower !== "number" || typeof acMaxPower !== "number")
    throw new TypeError("dcMaxPower and acMaxPower must be numbers");
  return [
    { percentage: 0, power: toOneDecimal(dcMaxPower * 0.95) },
    { percentage: 75, power: toOneDecimal(dcMaxPower) },
    { percentage: 100, power: toOneDecimal(acMaxPower) },
  ];
}

function toOneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
