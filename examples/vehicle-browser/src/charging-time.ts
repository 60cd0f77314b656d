/** A point of a charging curve: at this charge level (percent) the vehicle charges with this power (kW). */
export interface CurvePoint {
  readonly percentage: number;
  readonly power: number;
}

/** The power at a charge level: linear between the points, level before the first and after the last. */
export function powerAt(curve: readonly CurvePoint[], percentage: number): number {
  const after = curve.findIndex((point) => point.percentage >= percentage);
  const right = curve[after] ?? curve.at(-1);
  const left = curve[after - 1] ?? right;
  if (left === undefined || right === undefined) return 0;
  const width = right.percentage - left.percentage;
  const share = width > 0 && after > 0 ? (percentage - left.percentage) / width : 0;
  return left.power + (right.power - left.power) * share;
}

/**
 * Minutes to charge from one level to another along a curve; undefined when the power falls to nothing on the way. Exact
 * for the lines between the points: the integral of one over a line is a logarithm.
 */
export function chargingMinutes(
  batteryKwh: number,
  curve: readonly CurvePoint[],
  from: number,
  to: number,
): number | undefined {
  const inside = curve.map(({ percentage }) => percentage).filter((level) => level > from && level < to);
  const levels = [from, ...inside, to];
  let hours = 0;
  for (const [at, level] of levels.slice(1).entries()) {
    const start = levels[at] ?? from;
    const [first, last] = [powerAt(curve, start), powerAt(curve, level)];
    if (first <= 0 || last <= 0) return undefined;
    const energy = (batteryKwh * (level - start)) / 100;
    const inverse = Math.abs(last - first) < 1e-9 ? 1 / first : Math.log(last / first) / (last - first);
    hours += energy * inverse;
  }
  return hours * 60;
}

/** `28 min`, `6 h 10 min`. */
export function formatMinutes(minutes: number): string {
  const whole = Math.max(1, Math.round(minutes));
  if (whole < 90) return `${whole} min`;
  const rest = whole % 60;
  return `${Math.floor(whole / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}
