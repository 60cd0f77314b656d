import {
  type ComponentNode,
  checkArguments,
  describeValue,
  isObject,
  type TaskNode,
  type ValueKind,
} from "@wye/pipeline-spec";
import {
  componentInputPlace,
  componentOutputPlace,
  taskInputPlace,
  taskOutputPlace,
  type ValuePlace,
  type ValueStepKind,
} from "./value-place.js";

/** One step on the way of a value, seen from its end. */
export interface ValueStep {
  /** How many steps it is away from the value that was asked for; the step before it with a smaller number is what it leads to. */
  readonly depth: number;
  readonly kind: ValueStepKind;
  /** Where it stands, as a JSON pointer from the root of the specification. */
  readonly at: string;
  /** What it is: `input "rows" of task "train"`. */
  readonly text: string;
  /** True when what lies behind it was listed before. */
  readonly repeated: boolean;
}

/** Where a value comes from. */
export interface ValueExplanation {
  /** All steps, each before those that lead to it. */
  readonly steps: readonly ValueStep[];
  /** The steps as lines, with their pointers. */
  readonly text: string;
}

/**
 * Where the value of an input comes from: through inputs of components, outputs of tasks and placeholders in constants, across
 * all levels of nesting, to constants, defaults, executors and what a run is given. A component that several tasks run
 * has a value from each of them. Takes time linear in the specification and works for wrong ones as well.
 *
 * @param of  a task or a component of `buildGraph`
 * @param kind  `parameter` unless given
 */
export function explainInput(
  of: TaskNode | ComponentNode,
  name: string,
  kind: ValueKind = "parameter",
): ValueExplanation {
  checkQuestion("explainInput", of, name, kind);
  return explain(isTask(of) ? taskInputPlace(of, kind, name) : componentInputPlace(of, kind, name));
}

/** Where the value of an output comes from; see `explainInput`. The outputs of a pipeline are those of the root. */
export function explainOutput(
  of: TaskNode | ComponentNode,
  name: string,
  kind: ValueKind = "parameter",
): ValueExplanation {
  checkQuestion("explainOutput", of, name, kind);
  return explain(isTask(of) ? taskOutputPlace(of, kind, name) : componentOutputPlace(of, kind, name));
}

/** The messages of a specification are easily taken for the nodes of its graph. */
function checkQuestion(caller: string, of: unknown, name: unknown, kind: unknown): void {
  checkArguments(caller, "text", { name });
  if (kind !== "parameter" && kind !== "artifact") {
    throw new TypeError(`the kind of ${caller} is "parameter" or "artifact", not ${describeValue(kind)}`);
  }
  const isNode = isObject(of) && (typeof of.input === "function" || typeof of.selectorsOf === "function");
  if (isNode) return;
  const remedy = "which `graph.task(…)` and `graph.root` of buildGraph give";
  throw new TypeError(
    `${caller} takes a task or a component of a graph, ${remedy}, not ${describeValue(of)}`,
  );
}

const isTask = (of: TaskNode | ComponentNode): of is TaskNode => "parent" in of;

/** Goes through all places without recursion: components may be nested as deep as there are components. */
function explain(start: ValuePlace): ValueExplanation {
  const steps: ValueStep[] = [];
  const seen = new Set<string>();
  const open: (readonly [place: ValuePlace, depth: number])[] = [[start, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [{ kind, at, text, before }, depth] = next;
    const key = `${kind} ${at} ${text}`;
    const repeated = before !== undefined && seen.has(key);
    steps.push({ depth, kind, at, text, repeated });
    if (before === undefined || repeated) continue;
    seen.add(key);
    for (const place of [...before()].reverse()) open.push([place, depth + 1]);
  }
  return { steps, text: steps.map(printStep).join("\n") };
}

/** Beyond this depth lines are not indented any further. */
const deepest = 40;

function printStep({ depth, at, text, repeated }: ValueStep): string {
  const indent = "  ".repeat(Math.min(depth, deepest));
  return `${indent}${depth === 0 ? "" : "← "}${text}${repeated ? ", as above" : ""} (${at})`;
}
