import { setEntry } from "../set-entry.js";
import type { JsonChange } from "./json-changes.js";
import { writtenName } from "./written-name.js";

/** A JSON text with some values changed, indented as before. */
export function changeJson(text: string, changes: readonly JsonChange[]): string | undefined {
  const root: unknown = JSON.parse(text);
  for (const change of changes) if (!applyChange(root, change)) return undefined;
  const indent = /^\s*[{[]\n([ \t]+)/.exec(text)?.[1];
  return `${JSON.stringify(root, undefined, indent)}${text.endsWith("\n") ? "\n" : ""}`;
}

function applyChange(root: unknown, { path, value }: JsonChange): boolean {
  let node = root;
  for (const [depth, name] of path.entries()) {
    if (typeof node !== "object" || node === null) return false;
    const isLast = depth === path.length - 1;
    const object = node;
    const key = writtenName((one) => Object.hasOwn(object, one), String(name));
    if (!isLast) node = Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined;
    else if (value === undefined) Reflect.deleteProperty(node, key);
    else if (Array.isArray(node)) node[Number(name)] = value;
    // A plain object of JSON.parse.
    else setEntry(node as { [key: string]: unknown }, key, value);
  }
  return true;
}
