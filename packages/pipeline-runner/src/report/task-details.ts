import type { TaskOutputs } from "@wye/pipeline-resolver";
import type { RunTask } from "../run-task.js";
import { type Markup, tag, text } from "./markup.js";
import type { TextBudget } from "./text-budget.js";

const mostOfValue = 2000;
const mostOfLog = 8000;

/** Why a task is as it is, what it took and made, and what it printed last. */
export function taskDetails(task: RunTask, log: string, budget: TextBudget): Markup {
  return tag(
    "div",
    { class: "details" },
    tag("p", {}, text(budget.head(task.reason, mostOfValue))),
    labelled("Inputs", valuesOf(task.inputs, budget)),
    labelled("Outputs", valuesOf(task.outputs, budget)),
    logOf(log, budget),
  );
}

/** The end of what a task has printed. */
export function logOf(log: string, budget: TextBudget): Markup | undefined {
  if (log === "") return undefined;
  return tag("pre", { class: "log" }, text(budget.tail(log.replace(colorCodes, ""), mostOfLog)));
}

/** Parameters and artifacts by name; undefined when there are none. */
export function valuesOf(
  values: Pick<TaskOutputs, "parameters" | "artifacts"> | undefined,
  budget: TextBudget,
): Markup | undefined {
  const rows = [
    ...Object.entries(values?.parameters ?? {}).map(
      ([name, value]) => [name, JSON.stringify(value) ?? ""] as const,
    ),
    ...Object.entries(values?.artifacts ?? {}).map(([name, { artifacts = [] }]) => {
      return [name, artifacts.map(({ uri = "" }) => uri).join("\n")] as const;
    }),
  ];
  if (rows.length === 0) return undefined;
  const list = rows.flatMap(([name, value]) => [
    tag("dt", {}, text(budget.head(name, mostOfValue))),
    tag("dd", {}, text(budget.head(value, mostOfValue))),
  ]);
  return tag("dl", {}, ...list);
}

function labelled(title: string, content: Markup | undefined): Markup | undefined {
  return content && tag("div", {}, tag("p", { class: "label" }, text(title)), content);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: programs colour what they print with these
const colorCodes = /\x1b\[[\d;]*m/g;
