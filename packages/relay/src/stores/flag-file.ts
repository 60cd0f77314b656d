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
    const item = itemFromLine(line);
    if (item === undefined) return `its item ${JSON.stringify(line.slice(0, 100))} cannot be read`;
    items.push(item);
  }
  return { items, complete: head.complete === true };
}

function itemFromLine(line: string): Item | undefined {
  const entry = parse(line);
  if (!Array.isArray(entry) || entry.length !== 3) return undefined;
  const [kind, key, stored]: readonly unknown[] = entry;
  if (kind !== "flags" && kind !== "segments") return undefined;
  return typeof key === "string" && typeof stored === "string"
    ? itemFromStored(kind, key, stored)
    : undefined;
}

function headFrom(line: string): Head | undefined {
  const value = parse(line);
  if (typeof value !== "object" || value === null || !("layout" in value)) return undefined;
  return { complete: undefined, sha256: undefined, ...value };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller, who knows the place, tells of it.
    return undefined;
  }
}

function digestOf(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}
