import { isExitTask, type Pipeline, type TaskNode } from "@wye/pipeline-spec";
import { type BoxLook, drawGraph } from "./draw-graph.js";

/**
 * The graph of a pipeline that has not run, as an SVG file that stands alone, light or dark as its reader is: of each task what it runs,
 * whether and how often. Undefined when there is nothing to draw, or too much to read.
 */
export function drawPipeline(pipeline: Pipeline): string | undefined {
  return drawGraph(pipeline, lookOf, style);
}

function lookOf(task: TaskNode): BoxLook {
  const kind = kindOf(task);
  return { attributes: { "data-kind": kind }, sign: signs[kind], note: noteOf(task) };
}

const signs = { task: "▸", importer: "↓", group: "▾", loop: "↻", exit: "■" } as const;

type Kind = keyof typeof signs;

function kindOf(task: TaskNode): Kind {
  if (isExitTask(task)) return "exit";
  if (task.spec.iterator !== undefined) return "loop";
  if (task.component?.tasks !== undefined) return "group";
  return task.component?.executor?.spec.spec?.$case === "importer" ? "importer" : "task";
}

/** What decides whether and how often the task runs, or else what runs. */
function noteOf({ spec, component }: TaskNode): string {
  const condition = spec.triggerPolicy?.condition ?? "";
  const executor = component?.executor?.spec.spec;
  const parts = [
    spec.iterator === undefined ? "" : "for each",
    condition === "" ? "" : `if ${readable(condition)}`,
  ];
  const decides = parts.filter((part) => part !== "").join(", ");
  if (decides !== "") return decides;
  if (executor?.$case === "container") return executor.value.image;
  return executor?.$case ?? "";
}

/** A condition by the names of the parameters; the prefix is the compiler's. */
function readable(condition: string): string {
  return condition.replace(/inputs\.parameter_values\['(?:pipelinechannel--)?([^']*)'\]/g, "$1");
}

// Programs that know little of CSS draw this too: plain colours, and no variables.
const style = `
text { fill: #22262a; font: 600 13px ui-monospace, monospace; }
.note { fill: #5d646b; font-weight: 400; font-size: 11.5px; }
.sign { fill: #0b5cad; }
.face { fill: #fff; stroke: #5d646b; stroke-width: 1.3; }
[data-kind=loop] > g > .face, [data-kind=group] > g > .face { fill: #fbfaf7; }
[data-kind=exit] > g > .face { stroke-dasharray: 4 3; }
.arrow { fill: none; stroke: #5d646b; stroke-width: 1.3; opacity: .75; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e6e1; }
  .note { fill: #a3abb2; }
  .sign { fill: #82b8f2; }
  .face { fill: #1c2126; stroke: #a3abb2; }
  [data-kind=loop] > g > .face, [data-kind=group] > g > .face { fill: #14171a; }
  .arrow { stroke: #a3abb2; }
}
`;
