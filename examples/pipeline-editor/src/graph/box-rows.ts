import type { GraphTask } from "./pipeline-graph.js";
import { clip, columns, shortExpression } from "./short-text.js";

/** What the sign before a line of a box means. */
export type RowSign = "condition" | "anyway" | "loop" | "retry" | "kind";

/** A line of a box, below its name. */
export interface Row {
  readonly sign: RowSign;
  readonly text: string;
}

/** Lines of text and the room that they take. */
export interface BoxText {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly width: number;
  readonly height: number;
}

const mostColumns = 38;
/** Of a font in which all letters are as wide, so that the layout knows the room of a text without drawing it. */
const titleColumn = 8.1;
const rowColumn = 7.2;
/** Distances in a box: the drawing uses them too. */
export const boxSpace = { left: 12, firstLine: 22, line: 18, below: 12, sign: 18, count: 44 } as const;

/** What is written in the box of a task. */
export function boxText(task: GraphTask): BoxText {
  const title = clip(task.name, mostColumns);
  const rows = rowsOf(task).map(({ sign, text }) => ({ sign, text: clip(text, mostColumns) }));
  const widest = Math.max(
    columns(title) * titleColumn + (hasMark(task) ? boxSpace.count : 0),
    ...rows.map(({ text }) => columns(text) * rowColumn + boxSpace.sign),
  );
  return {
    title,
    rows,
    width: Math.ceil(Math.max(100, widest + 2 * boxSpace.left)),
    height: boxSpace.firstLine + rows.length * boxSpace.line + boxSpace.below,
  };
}

/** Whether the box carries a mark with the number of problems. */
export function hasMark({ problems }: GraphTask): boolean {
  return problems.error > 0 || problems.warning > 0;
}

function* rowTexts(task: GraphTask): Generator<Row> {
  if (task.condition !== undefined)
    yield { sign: "condition", text: `if ${shortExpression(task.condition)}` };
  if (task.loop !== undefined) {
    const limit = task.loop.atOnce === 0 ? "" : `, ${task.loop.atOnce} at once`;
    yield { sign: "loop", text: `for each of ${task.loop.items}${limit}` };
  }
  if (task.runsAnyway) yield { sign: "anyway", text: "however the others end" };
  if (task.retries !== 0) yield { sign: "retry", text: `up to ${task.retries} retries` };
  const kind = kindText(task);
  if (kind !== "") yield { sign: "kind", text: kind };
}

function rowsOf(task: GraphTask): readonly Row[] {
  return [...rowTexts(task)];
}

/** What runs it, when the name of the task does not say so already. */
function kindText({ kind, component, name, inside }: GraphTask): string {
  const plain = component.replace(/^comp-/, "");
  const other = plain === name ? "" : plain;
  if (component === "") return "no component";
  if (kind === "unknown") return `${plain}: not found`;
  if (kind === "dag") return inside === undefined ? `${plain}: contains itself` : other;
  return [...(kind === "container" ? [] : [kind]), ...(other === "" ? [] : [other])].join(" · ");
}

/** What a screen reader says of a task that comes after others. */
export function spokenName(task: GraphTask, before: readonly string[]): string {
  const { error, warning } = task.problems;
  const parts = [`task ${task.name}`];
  if (task.component !== "") parts.push(`component ${task.component}`);
  if (task.inside !== undefined) parts.push(`with ${count(task.inside.tasks.length, "task")}`);
  else if (task.kind !== "container") parts.push(spokenKinds[task.kind]);
  for (const { sign, text } of rowTexts(task)) if (sign !== "kind" && sign !== "condition") parts.push(text);
  if (task.condition !== undefined) parts.push(`if ${shortExpression(task.condition)}`);
  if (before.length > 0) parts.push(`after ${before.join(", ")}`);
  if (task.inside?.outputs !== undefined) parts.push(`gives ${task.inside.outputs.names.join(", ")}`);
  if (error > 0) parts.push(count(error, "error"));
  if (warning > 0) parts.push(count(warning, "warning"));
  return parts.join(", ");
}

const spokenKinds = {
  ...{ importer: "importer", resolver: "resolver", "custom job": "custom job" },
  ...{ dag: "contains itself", unknown: "not found" },
} as const;

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
