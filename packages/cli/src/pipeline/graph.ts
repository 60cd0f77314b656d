import { buildGraph, type ComponentNode, isExitTask, type Pipeline, type TaskNode } from "@wye/pipeline-spec";
import { type ExitCode, UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { printable } from "../printable.js";
import { graphData } from "./graph-data.js";
import { parsePipelineFile } from "./read-file.js";

/** DAGs inside each other are drawn down to this depth: a component may contain itself. */
const maxDepth = 20;
/** A component is drawn each time that it is used, so that a small file could ask for any number of boxes. */
const maxBoxes = 100_000;

/** Draws the tasks of a pipeline. */
export async function graphPipelineFile(
  file: string,
  { format, json }: { readonly format: "mermaid" | "dot" | "svg" | "json"; readonly json?: boolean },
  host: Host,
): Promise<ExitCode> {
  const pipeline = await parsePipelineFile(file, host);
  if (pipeline === undefined) return 1;
  if (format === "svg") return printPicture(pipeline, file, host);
  const graph = buildGraph(pipeline);
  if (json || format === "json") {
    host.out.write(`${JSON.stringify(graphData(graph), undefined, 2)}\n`);
    return 0;
  }
  const { root } = graph;
  const drawing = new Drawing(format === "dot" ? dot : mermaid);
  if (root !== undefined) drawing.add(root, "", 0);
  if (drawing.isTooLarge) {
    throw new UsageError(
      `${printable(file)} has more than ${maxBoxes} boxes to draw: a component is drawn each time that it is used`,
    );
  }
  host.out.write(`${drawing.text}\n`);
  return 0;
}

async function printPicture(pipeline: Pipeline, file: string, host: Host): Promise<ExitCode> {
  const { drawPipeline } = await import("@wye/pipeline-runner/report");
  const svg = drawPipeline(pipeline);
  if (svg === undefined)
    throw new UsageError(
      `${printable(file)} has no tasks, or more than a picture can show; --format dot or mermaid draws up to ${maxBoxes}`,
    );
  host.out.write(`${svg}\n`);
  return 0;
}

/** How a drawing is written down. */
interface Notation {
  readonly begin: readonly string[];
  readonly end: readonly string[];
  readonly task: (id: string, label: string, shape: Shape) => string;
  readonly openGroup: (id: string, label: string) => readonly string[];
  readonly closeGroup: string;
  readonly arrow: (from: string, to: string, dashed: boolean) => string;
}

type Shape = "task" | "importer" | "exit";

const quote = (text: string) =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replace(/\s+/g, " ")}"`;
const escapeMermaid = (text: string) =>
  `"${text.replace(/\s+/g, " ").replace(/[^\w .,()=[\]+*/-]/gu, (one) => `#${one.codePointAt(0)};`)}"`;

const mermaid: Notation = {
  begin: ["flowchart TD"],
  end: [],
  task: (id, label, shape) => {
    const text = escapeMermaid(label);
    return shape === "importer"
      ? `${id}[(${text})]`
      : shape === "exit"
        ? `${id}([${text}])`
        : `${id}[${text}]`;
  },
  openGroup: (id, label) => [`subgraph ${id}[${escapeMermaid(label)}]`],
  closeGroup: "end",
  arrow: (from, to, dashed) => `${from} ${dashed ? "-.->" : "-->"} ${to}`,
};

/** Arrows end at the border of a group: they go to a point inside it, and are cut off there. */
const dot: Notation = {
  begin: ["digraph pipeline {", "  compound=true;", '  node [shape=box, fontname="sans-serif"];'],
  end: ["}"],
  task: (id, label, shape) => {
    const style = shape === "importer" ? ", shape=cylinder" : shape === "exit" ? ", style=rounded" : "";
    return `${id} [label=${quote(label)}${style}];`;
  },
  openGroup: (id, label) => [
    `subgraph cluster_${id} {`,
    `  label=${quote(label)};`,
    `  ${id} [shape=point, style=invis];`,
  ],
  closeGroup: "}",
  arrow: (from, to, dashed) => `${from} -> ${to}${dashed ? " [style=dashed]" : ""};`,
};

class Drawing {
  readonly #notation: Notation;
  readonly #lines: string[];
  readonly #arrows: string[] = [];
  #count = 0;

  constructor(notation: Notation) {
    this.#notation = notation;
    this.#lines = [...notation.begin];
  }

  get isTooLarge(): boolean {
    return this.#count > maxBoxes;
  }

  get text(): string {
    const arrows = this.#arrows.map((arrow) => `  ${arrow}`);
    return [...this.#lines, ...arrows, ...this.#notation.end].join("\n");
  }

  /** Draws the tasks of a DAG. */
  add(dag: ComponentNode, indent: string, depth: number): void {
    const ids = new Map<TaskNode, string>();
    for (const task of dag.tasks?.values() ?? []) ids.set(task, `t${this.#count++}`);
    if (this.isTooLarge) return;
    for (const [task, id] of ids) this.#addTask(task, id, `${indent}  `, depth);
    for (const [task, id] of ids) {
      const before = new Map(task.dependencies.map(({ to }) => [to, to]));
      for (const from of before.keys()) {
        const source = ids.get(from);
        if (source !== undefined) this.#arrows.push(this.#notation.arrow(source, id, isExitTask(task)));
      }
    }
  }

  #addTask(task: TaskNode, id: string, indent: string, depth: number): void {
    const { component } = task;
    const write = (line: string) => this.#lines.push(`${indent}${line}`);
    if (component?.tasks === undefined || depth >= maxDepth) {
      const isImporter = component?.executor?.spec.spec?.$case === "importer";
      write(
        this.#notation.task(id, labelOf(task), isImporter ? "importer" : isExitTask(task) ? "exit" : "task"),
      );
      return;
    }
    for (const line of this.#notation.openGroup(id, labelOf(task))) write(line);
    this.add(component, indent, depth + 1);
    write(this.#notation.closeGroup);
  }
}

/** The name for people, with what decides whether and how often the task runs. */
function labelOf({ name, spec }: TaskNode): string {
  const notes = [
    spec.iterator ? "for each" : "",
    spec.triggerPolicy?.condition ? `if ${spec.triggerPolicy.condition}` : "",
  ];
  const shown = notes.filter((note) => note !== "").join(", ");
  return `${spec.taskInfo?.name || name}${shown === "" ? "" : ` (${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown})`}`;
}
