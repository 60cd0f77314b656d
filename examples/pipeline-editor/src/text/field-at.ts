/** What kind of name belongs at a place of a text. */
export type NameKind = "component" | "executor" | "task" | "input" | "output";

/** A name that is being written: what there is of it, and which kind it is. */
export interface NameBegun {
  readonly kind: NameKind;
  /** Where the name begins. */
  readonly from: number;
}

const kinds: ReadonlyMap<string, NameKind> = new Map<string, NameKind>([
  ["componentRef", "component"],
  ["executorLabel", "executor"],
  ["producerTask", "task"],
  ["producerSubtask", "task"],
  ["dependentTasks", "task"],
  ["componentInputParameter", "input"],
  ["componentInputArtifact", "input"],
  ["outputParameterKey", "output"],
  ["outputArtifactKey", "output"],
]);

/** The name that is written at a place of YAML or JSON; `undefined` where another text belongs. */
export function nameAt(text: string, position: number): NameBegun | undefined {
  const before = text.slice(Math.max(0, position - 4096), position);
  const begun = /[\w.-]*$/.exec(before)?.[0] ?? "";
  const from = position - begun.length;
  const line = /[^\n]*$/.exec(before.slice(0, before.length - begun.length))?.[0] ?? "";
  const key = keyOf(line, before);
  const kind = key === undefined ? undefined : kinds.get(key);
  return kind && { kind, from };
}

/** The key that the value at the end of a line belongs to; for `name`, and for items of lists, the one around it. */
function keyOf(line: string, before: string): string | undefined {
  const inline = /(?:(\w+)"?\s*:\s*\{\s*)?"?(\w+)"?\s*:\s*["']?$/.exec(line);
  if (inline) {
    const [, outer, key] = inline;
    return key === "name" ? (outer ?? around(line, before)) : key;
  }
  const list = /"?(\w+)"?\s*:\s*\[[^\]]*$/.exec(line);
  if (list) return list[1];
  return /^\s*-\s+["']?$/.test(line) ? around(line, before) : undefined;
}

/** The key of the nearest line above that is indented less, or as a list may be, as much. */
function around(line: string, before: string): string | undefined {
  const isItem = /^\s*-/.test(line);
  const depth = indentOf(line);
  const above = before.split("\n").slice(0, -1).reverse();
  for (const one of above) {
    if (one.trim() === "" || (isItem && /^\s*-/.test(one))) continue;
    const indent = indentOf(one);
    if (indent < depth || (isItem && indent === depth)) return /^\s*"?(\w+)"?\s*:/.exec(one)?.[1];
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
