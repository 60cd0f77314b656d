/** Marks of an axis from nothing to at least a maximum: few, evenly spaced, at round numbers. */
export function axisMarks(maximum: number, most = 6): readonly number[] {
  const rough = Math.max(maximum, 1e-6) / (most - 1);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((size) => size >= rough) ?? rough;
  const count = Math.ceil(maximum / step - 1e-9);
  return Array.from({ length: Math.max(count, 1) + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}
