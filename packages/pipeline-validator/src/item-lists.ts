import { inputParameter, type PipelineGraph } from "@wye/pipeline-spec";
import { type Iteration, iterations } from "./iterations.js";
import { kindOf } from "./parameter-kind.js";

/** What a loop goes over, where it stands in the file: as raw items, or as the constant of the input that holds them. */
export interface ItemList extends Iteration {
  readonly at: string;
  /** Undefined when they cannot be read. */
  readonly items: readonly unknown[] | undefined;
  /** What they are instead of a list. */
  readonly value?: unknown;
  /** Why they are no JSON. */
  readonly error?: string;
}

/** The items of all loops that are written down. */
export function itemLists(index: PipelineGraph): readonly ItemList[] {
  return index.once(iterations).flatMap((iteration) => {
    const { raw, path } = iteration;
    if (raw !== undefined) return [{ ...iteration, at: `${path}/items/raw`, ...parseItems(raw) }];
    const constant = constantItems(iteration);
    return constant === undefined ? [] : [{ ...iteration, ...constant }];
  });
}

function constantItems({ task, kind, itemsInput = "" }: Iteration) {
  const input = kind === "parameter" ? task.input("parameter", itemsInput) : undefined;
  if (input?.source?.kind !== "constant" || input.spec.parameterExpressionSelector !== "") return undefined;
  const { at, value } = input.source;
  if (Array.isArray(value)) return { at, items: value };
  // A text for a list, and other values, are told of as constants of the wrong type; one with placeholders is not known yet.
  const declared = task.component && kindOf(inputParameter(task.component, itemsInput));
  const isText = typeof value === "string" && !value.includes("{{") && declared === "STRING";
  return isText ? { at, ...parseItems(value) } : undefined;
}

function parseItems(text: string): Pick<ItemList, "items" | "value" | "error"> {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return { items: undefined, value };
    return isEndless(value)
      ? { items: undefined, error: "it has a number beyond those of 64 bits" }
      : { items: value };
  } catch (error) {
    return { items: undefined, error: error instanceof Error ? error.message : String(error) };
  }
}

/** True for JSON with a number that is too large to be one, which other readers refuse. */
function isEndless(json: unknown): boolean {
  const open = [json];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "number" && !Number.isFinite(value)) return true;
    if (typeof value === "object" && value !== null) for (const one of Object.values(value)) open.push(one);
  }
  return false;
}
