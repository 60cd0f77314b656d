import { isRecord, type Report } from "./check-value.js";

/** Whether the charge levels of a curve rise from each point to the next. */
export function rises(curve: unknown): boolean {
  let isRising = true;
  reportFalls("", curve, () => {
    isRising = false;
  });
  return isRising;
}

/** Reports every point of a curve whose charge level is not above that of the one before. */
export function reportFalls(name: string, curve: unknown, report: Report): void {
  if (!Array.isArray(curve)) return;
  const points: readonly unknown[] = curve;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < points.length; at++) {
    const point = points[at];
    const level = isRecord(point) ? point.percentage : undefined;
    if (typeof level !== "number") continue;
    if (level <= last) report(`${name}[${at}].percentage`, `must rise; got ${level} after ${last}`);
    last = level;
  }
}
