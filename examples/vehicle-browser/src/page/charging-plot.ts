import { html, svg } from "@wye-examples/page-parts/elements";
import { type CurvePoint, powerAt } from "../charging-time.js";
import { axisMarks } from "../plot-scale.js";
import { labelledPoints } from "../point-labels.js";

export interface ChargingPlotOptions {
  readonly curve: readonly CurvePoint[];
  /** The curve was assumed, not measured. */
  readonly isDefault: boolean;
  /** The span whose charging time is told, in percent. */
  readonly span: readonly [from: number, to: number];
  /** The power that the scale has to have room for, beside that of the curve. */
  readonly top: number;
}

const size = { width: 640, height: 340, left: 92, right: 26, top: 34, bottom: 60 };

/** Draws power over charge level, with axes, units, and the span that is being timed. */
export function chargingPlot({ curve, isDefault, span, ...options }: ChargingPlotOptions): HTMLElement {
  const peak = Math.max(...curve.map(({ power }) => power));
  const marks = axisMarks(Math.max(peak, options.top));
  const top = marks.at(-1) ?? peak;
  const x = (percentage: number): number =>
    size.left + ((size.width - size.left - size.right) * percentage) / 100;
  const y = (power: number): number =>
    size.height - size.bottom - ((size.height - size.top - size.bottom) * power) / top;
  const at = (percentage: number, power: number): string =>
    `${x(percentage).toFixed(1)},${y(power).toFixed(1)}`;
  const line = curve.map(({ percentage, power }) => at(percentage, power));
  const [from, to] = span;
  const within = curve.filter(({ percentage }) => percentage > from && percentage < to);
  const area = [
    at(from, 0),
    at(from, powerAt(curve, from)),
    ...within.map(({ percentage, power }) => at(percentage, power)),
    at(to, powerAt(curve, to)),
    at(to, 0),
  ];
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: "img",
      "aria-label": titleOf(curve, isDefault, peak),
      class: isDefault ? "plot assumed" : "plot",
    },
    ...marks.map((mark) => horizontal(mark, x, y)),
    ...[0, 20, 40, 60, 80, 100].map((mark) => vertical(mark, x)),
    svg("polygon", { class: "span", points: area.join(" ") }),
    svg("polyline", { class: "curve", points: line.join(" ") }),
    ...curve.map(({ percentage, power }) =>
      svg(
        "circle",
        { class: "point", cx: x(percentage), cy: y(power), r: 4 },
        svg("title", {}, `${percentage} %: ${power} kW`),
      ),
    ),
    ...valueLabels(curve, x, y),
    svg(
      "text",
      {
        class: "unit",
        transform: `translate(20 ${(size.top + size.height - size.bottom) / 2}) rotate(-90)`,
        "text-anchor": "middle",
      },
      "Power in kW",
    ),
    svg(
      "text",
      {
        class: "unit",
        x: (size.left + size.width - size.right) / 2,
        y: size.height - 10,
        "text-anchor": "middle",
      },
      "Charge level in %",
    ),
  );
  const kind = isDefault ? "Default curve: assumed from the maxima, not measured" : "Measured curve";
  return html("figure", {}, drawing, html("figcaption", { class: isDefault ? "assumed" : "measured" }, kind));
}

/** The values of as many points as there is room for, above them. */
function valueLabels(
  curve: readonly CurvePoint[],
  x: (percentage: number) => number,
  y: (power: number) => number,
): readonly SVGElement[] {
  const points = curve.map(({ percentage, power }) => ({ percentage, power, x: x(percentage), y: y(power) }));
  const labelled = labelledPoints(points);
  return points
    .filter((_, place) => labelled.has(place))
    .map(({ percentage, power, ...at }) => {
      // Beside the axes, so that no value stands on a mark of theirs.
      const [anchor, shift] = percentage < 6 ? ["start", 8] : percentage > 94 ? ["end", 8] : ["middle", 0];
      return svg(
        "text",
        { class: "value", x: at.x + shift, y: at.y - 12, "text-anchor": anchor },
        String(power),
      );
    });
}

function titleOf(curve: readonly CurvePoint[], isDefault: boolean, peak: number): string {
  const last = curve.at(-1);
  return `${isDefault ? "Default" : "Measured"} charging curve: up to ${peak} kW, ${last?.power ?? 0} kW at ${last?.percentage ?? 100} %`;
}

function horizontal(mark: number, x: (value: number) => number, y: (value: number) => number): SVGElement {
  return svg(
    "g",
    { class: mark === 0 ? "axis" : "grid" },
    svg("line", { x1: x(0), x2: x(100), y1: y(mark), y2: y(mark) }),
    svg("text", { x: x(0) - 8, y: y(mark) + 5, "text-anchor": "end" }, String(mark)),
  );
}

function vertical(mark: number, x: (value: number) => number): SVGElement {
  const bottom = size.height - size.bottom;
  return svg(
    "g",
    { class: mark === 0 ? "axis" : "grid" },
    svg("line", { x1: x(mark), x2: x(mark), y1: size.top, y2: bottom }),
    svg("text", { x: x(mark), y: bottom + 22, "text-anchor": "middle" }, String(mark)),
  );
}
