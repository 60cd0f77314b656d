import { html, svg } from "@wye-examples/page-parts/elements";
import { rowSign } from "./graph-signs.js";

/** Tells what the signs and lines of the graph mean. */
export function graphLegend(): readonly HTMLElement[] {
  const line = (kind: string): SVGElement => svg("path", { class: `arrow ${kind}`, d: "M0 7H24" });
  const entry = (sign: SVGElement, width: number, text: string): HTMLElement => {
    const drawing = svg(
      "svg",
      { viewBox: `0 0 ${width} 14`, width, height: 14, "aria-hidden": "true" },
      sign,
    );
    return html("span", {}, drawing, text);
  };
  return [
    entry(line("data"), 24, "data"),
    entry(line("order"), 24, "order only"),
    entry(line("status"), 24, "final status"),
    entry(rowSign("condition", 1, 1), 14, "condition"),
    entry(rowSign("loop", 1, 1), 14, "loop"),
    entry(rowSign("anyway", 1, 1), 14, "runs in any case"),
  ];
}
