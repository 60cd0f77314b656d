import { createHash } from "node:crypto";
import type { Item } from "@wye/flag-evaluator";
import { itemFromStored } from "./stored-item.js";

/** What is kept of an environment in a file. */
export interface FlagFile {
  readonly items: readonly Item[];
  /** Whether they are a full set. */
  readonly complete: boolean;
}

/** The layout below; another one is not read. */
const layout = 1;

interface Head {
  readonly layout: unknown;
  readonly complete: unknown;
  readonly sha256: unknown;
}

/** The text of a file: a line about the others, then an item on each. */
export function printFlagFile({ items, complete }: FlagFile): string {
  const lines = items.map(({ kind, key, version, deleted, json }) =>
    JSON.stringify([kind, key, deleted ? JSON.stringify({ version, deleted }) : json]),
  );
  const body = lines.map((line) => `${line}\n`).join("");
  return `${JSON.stringify({ layout, complete, sha256: digestOf(body) })}\n${body}`;
}

/** Reads a file, or says why it cannot be used. */
export function readFlagFile(text: string): FlagFile | string {
  const headEnds = text.indexOf("\n");
  const body = text.slice(headEnds + 1);
  const head = headFrom(text.slice(0, Math.max(headEnds, 0)));
  if (head === undefined) return "it does not begin as a file of flags does";
  if (head.layout !== layout) return `its layout is ${JSON.stringify(head.layout)}, not ${layout}`;
  if (head.sha256 !== digestOf(body))
    return "it is damaged: its contents do not have the digest that they should have";
  const items: Item[] = [];
  for (const line of body.split("\n").slice(0, -1)) {
    // The digest says that these are the lines that were written.
    const [kind, key, stored]: [Item["kind"], string, string] = JSON.parse(line);
    const item = itemFromStored(kind, key, stored);
    if (item === undefined) return `its item ${JSON.stringify(key)} cannot be read`;
    items.push(item);
  }
  return { items, complete: head.complete === true };
}

function headFrom(line: string): Head | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("layout" in value)) return undefined;
    return { complete: undefined, sha256: undefined, ...value };
  } catch {
    // The caller, who knows the place, tells of it.
    return undefined;
  }
}

function digestOf(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}
