import { checkArguments, checkOptions, isObject, printYaml } from "@wye/pipeline-spec";
import type { ArgoWorkflow } from "./argo-workflow.js";
import { sortedEntries } from "./text/byte-order.js";
import { indentJson } from "./text/indent-json.js";

/** How a workflow is printed. */
export interface ArgoPrintOptions {
  /** `yaml`, the default, or `json`, indented by two blanks. */
  readonly format?: "yaml" | "json";
  /**
   * How the texts of JSON are printed that carry the specification. `exact`, the default, keeps them as they are, each on one
   * line. `indented` gives each of their members a line, so that a review shows what has changed; drivers read them alike, but
   * they are no longer those of the back end.
   */
  readonly texts?: "exact" | "indented";
}

/** Prints a workflow so that versions of it can be compared: all names in order, nothing folded. */
export function printArgoWorkflow(workflow: ArgoWorkflow, options: ArgoPrintOptions = {}): string {
  checkArguments("printArgoWorkflow", "object", { workflow });
  checkOptions("printArgoWorkflow", options, { format: ["yaml", "json"], texts: ["exact", "indented"] });
  const { format = "yaml", texts = "exact" } = options;
  const sorted = inOrder(workflow, texts === "indented" ? indentedText : (text) => text);
  return format === "json" ? `${JSON.stringify(sorted, undefined, 2)}\n` : printYaml(sorted, "fewest");
}

/** A copy with its names in order, and with its texts changed. */
function inOrder(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => inOrder(item, change));
  if (!isObject(value)) return value;
  const entries = sortedEntries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, inOrder(member, change)]));
}

/** The texts that carry a specification are objects in JSON; nothing else in a workflow begins like one. */
function indentedText(text: string): string {
  return /^\{(?:"|\}$)/.test(text) ? indentJson(text) : text;
}
