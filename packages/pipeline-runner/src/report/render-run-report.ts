import type { TaskInputs, TaskOutputs } from "@wye/pipeline-resolver";
import { buildGraph, type Pipeline } from "@wye/pipeline-spec";
import { countStates } from "../count-states.js";
import { durationText } from "../duration-text.js";
import type { RunEvent } from "../run-event.js";
import type { RunTask, TaskError } from "../run-task.js";
import { signOf } from "../state-sign.js";
import type { RunState } from "../task-state.js";
import { drawRun } from "./draw-run.js";
import { asMarkup, join, type Markup, tag, text } from "./markup.js";
import { reportStyle } from "./report-style.js";
import { logOf, valuesOf } from "./task-details.js";
import { taskRows } from "./task-rows.js";
import { taskSpans } from "./task-spans.js";
import { TextBudget } from "./text-budget.js";

/** What a report tells: the result of `runPipeline` is one of these, and so is a `PipelineRun` with its pipeline. */
export interface ReportedRun {
  readonly pipeline: Pipeline;
  readonly state: RunState;
  readonly tasks: readonly RunTask[];
  readonly events: readonly RunEvent[];
  readonly inputs: TaskInputs;
  readonly outputs: TaskOutputs | undefined;
  readonly error: TaskError | undefined;
  readonly warnings?: readonly string[];
}

/** Settings of a report. */
export interface RunReportOptions {
  /** The end of what a task has printed. */
  readonly logTail?: (task: RunTask) => string;
}

/** So many characters of values and logs are in a report. */
const mostText = 8_000_000;

/**
 * A run as one HTML file: its graph with the states, what ran when, what each task took, made and printed. It needs no network and has no
 * scripts, and forbids both; it can be opened for runs of ten thousand tasks.
 */
export function renderRunReport(run: ReportedRun, { logTail = () => "" }: RunReportOptions = {}): string {
  const name = run.pipeline.spec.pipelineInfo?.name || "pipeline";
  const budget = new TextBudget(mostText);
  const anchors = new Map(run.tasks.map(({ id }, index) => [id, `task-${index + 1}`]));
  const head = [
    asMarkup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
    asMarkup(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    ),
    // Or browsers ask the server for one.
    asMarkup('<link rel="icon" href="data:,">'),
    tag("title", {}, text(`${name}: ${run.state.toLowerCase()}`)),
    tag("style", {}, asMarkup(reportStyle)),
  ];
  const body = [
    header(run, name),
    tag(
      "main",
      {},
      failure(run, anchors, logTail, budget),
      ...section("Graph", graph(run, anchors)),
      ...section("Inputs", valuesOf(run.inputs, budget), "plain"),
      ...section("Outputs", valuesOf(run.outputs, budget), "plain"),
      ...section("Tasks", rows(run, anchors, logTail, budget)),
      ...section("Warnings", warningsOf(run.warnings ?? []), "plain"),
    ),
    tag("footer", {}),
  ];
  const page = tag("html", { lang: "en" }, tag("head", {}, ...head), tag("body", {}, ...body));
  return `<!doctype html>\n${page}\n`;
}

function header({ state, tasks, events }: ReportedRun, name: string): Markup {
  const [start, end] = timesOf(events);
  const counts = countStates(tasks);
  const when =
    start === 0 ? "" : `, started ${new Date(start).toISOString().replace("T", " ").slice(0, 19)} UTC`;
  return tag(
    "header",
    {},
    tag("h1", {}, text(name)),
    tag(
      "p",
      { "data-state": state },
      tag("span", { class: "outcome" }, text(`${signOf(state)} ${state.toLowerCase()}`)),
      text(` after ${durationText(end - start)}${when}`),
    ),
    tag("p", {}, text(counts.length === 0 ? "no tasks" : counts.join(" · "))),
  );
}

function timesOf(events: readonly RunEvent[]): readonly [start: number, end: number] {
  const times = events.flatMap(({ at }) => at ?? []);
  return [times[0] ?? 0, times.at(-1) ?? 0];
}

function section(title: string, content: Markup | undefined, className?: string): readonly Markup[] {
  if (content === undefined) return [];
  return [tag("section", {}, tag("h2", {}, text(title)), tag("div", { class: className }, content))];
}

function failure(
  { error, state, tasks }: ReportedRun,
  anchors: ReadonlyMap<string, string>,
  logTail: (task: RunTask) => string,
  budget: TextBudget,
): Markup | undefined {
  if (error === undefined) return undefined;
  const task = tasks.find(({ id }) => id === error.task);
  const anchor = task && anchors.get(task.id);
  const who = anchor === undefined ? text("The run") : tag("a", { href: `#${anchor}` }, text(task?.id ?? ""));
  const what = tag("p", {}, who, text(` failed: ${budget.head(error.message, 4000)}`));
  return tag("div", { class: "failure", "data-state": state }, what, task && logOf(logTail(task), budget));
}

function graph({ pipeline, tasks }: ReportedRun, anchors: ReadonlyMap<string, string>): Markup | undefined {
  const drawn = drawRun(pipeline, tasks, {
    linkTo: (task) => {
      const anchor = anchors.get(task);
      return anchor === undefined ? undefined : `#${anchor}`;
    },
  });
  if (drawn === undefined) {
    // A pipeline without tasks has no graph.
    if (!buildGraph(pipeline).root?.tasks?.size) return undefined;
    return tag("p", { class: "plain" }, text("There are too many tasks for a graph that can be read."));
  }
  const room = { class: "scroll", tabindex: 0, role: "region", "aria-label": "Graph" };
  return tag("div", room, asMarkup(drawn));
}

function rows(
  { tasks, events }: ReportedRun,
  anchors: ReadonlyMap<string, string>,
  logTail: (task: RunTask) => string,
  budget: TextBudget,
): Markup {
  const [from, to] = timesOf(events);
  const legend =
    "Thick: an attempt, red when it failed. Thin: ready, but not started. A row opens to what the task took, made and printed.";
  return join([
    tag("p", { class: "legend" }, text(legend)),
    taskRows({ tasks, spans: taskSpans(events), from, to, logTail, budget, anchors }),
  ]);
}

function warningsOf(warnings: readonly string[]): Markup | undefined {
  if (warnings.length === 0) return undefined;
  return tag("ul", {}, ...warnings.map((warning) => tag("li", {}, text(warning))));
}
