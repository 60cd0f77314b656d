import { durationText } from "../duration-text.js";
import type { RunTask } from "../run-task.js";
import { signOf } from "../state-sign.js";
import { isFinal } from "../task-state.js";
import { asMarkup, join, type Markup, tag, text } from "./markup.js";
import { taskDetails } from "./task-details.js";
import type { TaskSpan } from "./task-spans.js";
import type { TextBudget } from "./text-budget.js";

/** What the rows of a report are made from. */
export interface RowsOf {
  readonly tasks: readonly RunTask[];
  readonly spans: ReadonlyMap<string, readonly TaskSpan[]>;
  /** The whole time that the chart shows. */
  readonly from: number;
  readonly to: number;
  readonly logTail: (task: RunTask) => string;
  readonly budget: TextBudget;
  /** The ids of the elements, by the ids of the tasks. */
  readonly anchors: ReadonlyMap<string, string>;
}

/** Up to here everything is open that has something inside. */
const few = 60;
/** From here browsers leave out what is not in sight, which helps them and confuses printers. */
const many = 500;

/** A row for each task, those of a DAG or a loop within the row of it: its state, its time, and behind a click what it took and made. */
export function taskRows(given: RowsOf): Markup {
  const inside = new Map<string, RunTask[]>();
  for (const task of given.tasks) {
    if (task.id === "") continue;
    const siblings = inside.get(task.parent);
    if (siblings === undefined) inside.set(task.parent, [task]);
    else siblings.push(task);
  }
  const rowsIn = (parent: string): Markup =>
    tag(
      "ul",
      { class: given.tasks.length > many ? "rows many" : "rows" },
      ...(inside.get(parent) ?? []).map((task) => tag("li", {}, row(task))),
    );
  const row = (task: RunTask): Markup => {
    const children = inside.get(task.id) ?? [];
    const isOpen = children.length > 0 && (given.tasks.length <= few || task.state === "FAILED");
    return tag(
      "details",
      { id: given.anchors.get(task.id), "data-state": task.state, open: isOpen || undefined },
      summaryOf(task, children, given),
      taskDetails(task, given.logTail(task), given.budget),
      children.length > 0 ? rowsIn(task.id) : undefined,
    );
  };
  return rowsIn("");
}

function summaryOf(task: RunTask, children: readonly RunTask[], { spans, from, to }: RowsOf): Markup {
  const { displayName, iteration, state, attempts, startedAt, endedAt, cached } = task;
  const name = iteration === undefined ? displayName : `${displayName} [${iteration}]`;
  const time = startedAt === undefined || endedAt === undefined ? "" : durationText(endedAt - startedAt);
  const ended = children.filter((child) => isFinal(child.state)).length;
  const notes = [
    cached ? "cached" : state.toLowerCase(),
    ...(children.length > 0 ? [`${ended}/${children.length}`] : []),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
  ];
  return tag(
    "summary",
    {},
    tag("span", { class: "sign", "aria-hidden": "true" }, text(signOf(state))),
    tag("span", { class: "name" }, text(name)),
    tag("span", { class: "state" }, text(notes.join(" · "))),
    chart(spans.get(task.id) ?? [], from, to),
    tag("span", { class: "time" }, text(time)),
  );
}

/** Thousandths of the width: without styles of its own, a chart is allowed on every page. */
function chart(spans: readonly TaskSpan[], from: number, to: number): Markup {
  const scale = 1000 / Math.max(1, to - from);
  const bars = spans.map(({ kind, from: start, to: end }) =>
    tag("rect", {
      class: kind,
      x: Math.round((start - from) * scale),
      y: kind === "waits" ? 4 : 0,
      width: Math.max(3, Math.round((end - start) * scale)),
      height: kind === "waits" ? 2 : 10,
    }),
  );
  const box = { class: "chart", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" };
  return spans.length === 0 ? asMarkup('<span class="chart"></span>') : tag("svg", box, join(bars));
}
