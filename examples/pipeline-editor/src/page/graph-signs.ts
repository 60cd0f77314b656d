import { svg } from "@wye-examples/page-parts/elements";
import type { RowSign } from "../graph/box-rows.js";
import type { ProblemCounts } from "../graph/problem-counter.js";

/** Outlines of 12 by 12. */
const outlines: Readonly<Record<RowSign, string>> = {
  condition: "M6 .5 11.5 6 6 11.5 .5 6Z",
  loop: "M4 4V.9h7.1V8H8M.9 4H8v7.1H.9Z",
  anyway: "M.8 6H8M5.2 2.8 8.4 6 5.2 9.2M11.2 1v10",
  retry: "M10.6 6.4A4.6 4.6 0 1 1 8.9 2.6M9.4.4V3.2H6.6",
  kind: "M6 .8 11 3.4V8.6L6 11.2 1 8.6V3.4ZM1 3.4 6 6 11 3.4M6 6V11.2",
};

/** The sign before a line of a box. */
export function rowSign(sign: RowSign, x: number, y: number): SVGElement {
  return svg("path", { class: `sign ${sign}`, d: outlines[sign], transform: `translate(${x} ${y})` });
}

/** A cross or an exclamation mark, so that colour alone tells nothing, with how many problems there are. */
export function problemMark({ error, warning }: ProblemCounts, right: number, y: number): SVGElement {
  const count = error > 0 ? error : warning;
  const text = count > 99 ? "99+" : String(count);
  const x = right - text.length * 8 - 20;
  const cut = (d: string): SVGElement => svg("path", { class: "cut", d });
  const outline =
    error > 0
      ? [svg("circle", { class: "plate", cx: 7, cy: 7, r: 7 }), cut("M4.5 4.5 9.5 9.5M9.5 4.5 4.5 9.5")]
      : [svg("path", { class: "plate", d: "M7 .5 14 13.5H0Z" }), cut("M7 5V9M7 11V11.2")];
  return svg(
    "g",
    { class: "mark", transform: `translate(${x} ${y - 12})` },
    ...outline,
    svg("text", { x: 18, y: 12 }, text),
  );
}
