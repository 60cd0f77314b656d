import { inputParameter, type PipelineGraph, pointer, type TaskNode } from "@wye/pipeline-spec";
import { type Iteration, iterations } from "./iterations.js";
import { kindOf } from "./parameter-kind.js";

/** What a loop goes over, where it stands in the file: as raw items, as a constant, as an item of a loop around it, or as a default. */
export interface ItemList extends Iteration {
  readonly at: string;
  /** Undefined when they cannot be read. */
  readonly items: readonly unknown[] | undefined;
  /** What they are instead of a list. */
  readonly value?: unknown;
  /** Why they are no JSON. */
  readonly error?: string;
  /** The item of the loop around it that they are, as a person says it; "" when they are what stands there. */
  readonly within: string;
  /** The list is the default of an input of the pipeline: a run may be given another. */
  readonly isDefault: boolean;
}

/** The items of all loops that are written down. */
export function itemLists(index: PipelineGraph): readonly ItemList[] {
  const lists = new ItemLists(index);
  return index.once(iterations).flatMap((iteration) => lists.of(iteration));
}

/** So many lists inside of lists are looked at: several loops may go over each item of another one. */
const mostInner = 10_000;

class ItemLists {
  private readonly root: PipelineGraph["root"];
  private readonly byTask: ReadonlyMap<TaskNode, Iteration>;
  private readonly known = new Map<TaskNode, readonly ItemList[]>();
  private inner = 0;

  constructor(index: PipelineGraph) {
    this.root = index.root;
    this.byTask = new Map(index.once(iterations).map((iteration) => [iteration.task, iteration]));
  }

  of(iteration: Iteration): readonly ItemList[] {
    const { task } = iteration;
    const known = this.known.get(task);
    if (known !== undefined) return known;
    // Components that contain themselves have no items to begin with.
    this.known.set(task, []);
    const found = this.find(iteration);
    this.known.set(task, found);
    return found;
  }

  private find(iteration: Iteration): readonly ItemList[] {
    const { task, raw, path, kind, itemsInput = "" } = iteration;
    const own = { ...iteration, within: "", isDefault: false };
    if (raw !== undefined) return [{ ...own, at: `${path}/items/raw`, ...parseItems(raw) }];
    const input = kind === "parameter" ? task.input("parameter", itemsInput) : undefined;
    if (input?.source === undefined || input.spec.parameterExpressionSelector !== "") return [];
    const { source } = input;
    if (source.kind === "constant") {
      const list = listOf(iteration, source.value);
      return list === undefined ? [] : [{ ...own, at: source.at, ...list }];
    }
    if (source.kind !== "input") return [];
    if (task.parent === this.root) {
      const declared = inputParameter(task.parent, source.name)?.defaultValue;
      const list = listOf(iteration, declared);
      const at = `${pointer("/root/inputDefinitions/parameters", source.name)}/defaultValue`;
      return list === undefined ? [] : [{ ...own, at, ...list, isDefault: true }];
    }
    // A condition may leave out the items that the loop is not made for.
    return (task.spec.triggerPolicy?.condition ?? "") === "" ? this.itemsAround(iteration, source.name) : [];
  }

  /** The items of loops around this one, which it goes over one after the other. */
  private itemsAround(iteration: Iteration, name: string): readonly ItemList[] {
    const found: ItemList[] = [];
    for (const use of iteration.task.parent.uses) {
      const outer = this.byTask.get(use);
      if (outer?.kind !== "parameter" || outer.itemInput !== name) continue;
      for (const { at, items = [], within, isDefault } of this.of(outer)) {
        for (const [position, item] of items.entries()) {
          const list = listOf(iteration, item);
          if (list === undefined) continue;
          if (++this.inner > mostInner) return found;
          found.push({ ...iteration, at, ...list, within: ` of item ${position}${within}`, isDefault });
        }
      }
    }
    return found;
  }
}

/** A value as items; undefined for what is told of as a value of the wrong type, and for a text whose placeholders are not known yet. */
function listOf({ task, itemsInput = "" }: Iteration, value: unknown): Pick<ItemList, "items"> | undefined {
  if (Array.isArray(value)) return { items: value };
  const declared = task.component && kindOf(inputParameter(task.component, itemsInput));
  const isText = typeof value === "string" && !value.includes("{{") && declared === "STRING";
  return isText ? parseItems(value) : undefined;
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
