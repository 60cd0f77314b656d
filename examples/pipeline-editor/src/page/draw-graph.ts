import { svg } from "@wye-examples/page-parts/elements";
import { boxSpace, hasMark, spokenName } from "../graph/box-rows.js";
import type { ArrowLine, DagDrawing, OutputsBox, TaskBox } from "../graph/lay-out.js";
import type { Point } from "../graph/lay-out-dag.js";
import { problemMark, rowSign } from "./graph-signs.js";

/** Room around the whole graph. */
export const graphMargin = 16;

/** Draws a graph as a tree for screen readers: nested graphs are groups, arrows are told with the tasks they lead to. */
export function drawGraph(drawing: DagDrawing, name: string): SVGElement {
  const width = drawing.width + 2 * graphMargin;
  const height = drawing.height + 2 * graphMargin;
  const content = svg(
    "g",
    { transform: `translate(${graphMargin} ${graphMargin})` },
    ...dagContent(drawing, 1),
  );
  return svg(
    "svg",
    {
      ...{ viewBox: `0 0 ${width} ${height}`, role: "tree" },
      "aria-label": `Graph of ${name === "" ? "the pipeline" : `pipeline ${name}`}`,
    },
    svg("defs", {}, arrowHead("data"), arrowHead("order"), arrowHead("status")),
    content,
  );
}

function arrowHead(kind: string): SVGElement {
  const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7 };
  const head = svg("path", { class: `head ${kind}`, d: "M0 0 8 4 0 8Z" });
  return svg("marker", { id: `head-${kind}`, ...size, orient: "auto-start-reverse" }, head);
}

function dagContent({ boxes, arrows, outputs }: DagDrawing, level: number): readonly SVGElement[] {
  const names = new Map(boxes.map(({ task }) => [task.id, task.name]));
  const before = new Map<string, string[]>();
  for (const { arrow } of arrows) {
    const known = before.get(arrow.to) ?? [];
    before.set(arrow.to, [...known, names.get(arrow.from) ?? ""]);
  }
  const lines = svg("g", { "aria-hidden": "true" }, ...arrows.map((line) => arrowLine(line, names)));
  return [
    lines,
    ...boxes.map((box) => taskBox(box, before.get(box.task.id) ?? [], level)),
    ...(outputs === undefined ? [] : [outputsBox(outputs)]),
  ];
}

function arrowLine({ arrow, points }: ArrowLine, names: ReadonlyMap<string, string>): SVGElement {
  const { from, to, kind, labels } = arrow;
  const what = kind === "data" ? labels.join(", ") : kind === "status" ? "final status" : "order only";
  return svg(
    "path",
    { class: `arrow ${kind}`, d: smoothLine(points), "marker-end": `url(#head-${kind})` },
    svg("title", {}, `${names.get(from) ?? ""} → ${names.get(to) ?? "outputs"}: ${what}`),
  );
}

/** Rounds the corners of a line: it touches the middle of each stretch. */
function smoothLine(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return "";
  const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
  let path = `M${at(first)}`;
  for (const [place, point] of rest.entries()) {
    const next = rest[place + 1];
    const end = next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    path += `Q${at(point)} ${at(end)}`;
  }
  return rest.length === 0 ? `${path}L${at(last)}` : path;
}

const round = (value: number): number => Math.round(value * 10) / 10;

function taskBox(box: TaskBox, before: readonly string[], level: number): SVGElement {
  const { task, x, y, width, height, sheets, inside } = box;
  const { error, warning } = task.problems;
  const state = error > 0 ? "error" : warning > 0 ? "warning" : "fine";
  const size = { width: width - sheets, height: height - sheets, rx: 8 };
  const sheet = (distance: number): SVGElement =>
    svg("rect", { class: "sheet", x: distance, y: sheets - distance, ...size });
  return svg(
    "g",
    {
      ...{ class: `task ${state} ${task.kind === "dag" ? "dag" : ""}`, transform: `translate(${x} ${y})` },
      ...{
        role: "treeitem",
        tabindex: -1,
        "data-id": task.id,
        "aria-level": level,
        "aria-selected": "false",
      },
      "aria-label": spokenName(task, before),
    },
    svg("title", {}, tooltip(box)),
    ...(sheets > 0 ? [sheet(sheets), sheet(sheets / 2)] : []),
    svg("rect", { class: "main", x: 0, y: sheets, ...size }),
    // The name says all of it already, and what the shortened lines leave out.
    svg("g", { "aria-hidden": "true", transform: `translate(0 ${sheets})` }, ...lettering(box)),
    ...(inside === undefined ? [] : [insideOf(inside, level, sheets)]),
  );
}

function insideOf(inside: NonNullable<TaskBox["inside"]>, level: number, sheets: number): SVGElement {
  const place = `translate(${inside.x} ${inside.y + sheets})`;
  return svg("g", { role: "group", transform: place }, ...dagContent(inside, level + 1));
}

function lettering({ task, text, width, sheets }: TaskBox): readonly SVGElement[] {
  const { left, firstLine, line, sign } = boxSpace;
  const rows = text.rows.flatMap((row, place) => {
    const y = firstLine + (place + 1) * line;
    return [rowSign(row.sign, left, y - 10.5), svg("text", { class: "row", x: left + sign, y }, row.text)];
  });
  const mark = hasMark(task) ? [problemMark(task.problems, width - sheets - left, firstLine)] : [];
  return [svg("text", { class: "name", x: left, y: firstLine }, text.title), ...rows, ...mark];
}

/** What was shortened in the box, in full. */
function tooltip({ task }: TaskBox): string {
  const lines = [task.name];
  if (task.component !== "") lines.push(`component ${task.component}`);
  if (task.condition !== undefined) lines.push(`if ${task.condition}`);
  if (task.loop !== undefined) lines.push(`for each of ${task.loop.items}`);
  return lines.join("\n");
}

function outputsBox({ x, y, width, height, label, outputs }: OutputsBox): SVGElement {
  return svg(
    "g",
    { class: "outputs", "aria-hidden": "true", transform: `translate(${x} ${y})` },
    svg("title", {}, `outputs: ${outputs.names.join(", ")}`),
    svg("rect", { width, height, rx: height / 2 }),
    svg("path", {
      class: "sign",
      d: "M6 .8V8M2.8 5.2 6 8.4 9.2 5.2M1 11.2H11",
      transform: "translate(12 8)",
    }),
    svg("text", { class: "row", x: boxSpace.left + boxSpace.sign, y: height / 2 + 4 }, label),
  );
}
