import { createHash } from "node:crypto";
import type { Item } from "@wye/flag-evaluator";
import { itemFromStored } from "./stored-item.js";

/** What is kept of an environment in a file. */
export interface FlagFile {
  readonly items: readonly Item[];
  /** Whether they are a full set. */
  readonly complete: boolean;
  /** Whose they are, if that is known. */
  readonly envId: string | undefined;
  /** The digests of the SDK keys that open them, if they are known. */
  readonly keys: readonly string[] | undefined;
}

/** The layout below; another one is not read. */
const layout = 1;

interface Head {
  readonly layout: unknown;
  readonly complete: unknown;
  readonly envId: unknown;
  readonly keys: unknown;
  readonly sha256: unknown;
}

/** What has to be there. */
interface WholeHead extends Pick<FlagFile, "complete" | "envId" | "keys"> {
  readonly sha256: string;
}

/** A file in pieces: a line about the others, then an item on each. */
export interface PrintedFile {
  readonly pieces: readonly Buffer[];
  /** What it is known by, and whose it is: others may have the same items. */
  readonly digest: string;
}

/** How much is printed, or read, in one turn of the event loop. */
const charactersPerTurn = 256 * 1024;

/** Prints a file, in as many turns as it needs. */
export async function printFlagFile({ items, complete, envId, keys }: FlagFile): Promise<PrintedFile> {
  const hash = createHash("sha256");
  const pieces: Buffer[] = [];
  let lines = "";
  const add = () => {
    const piece = Buffer.from(lines);
    hash.update(piece);
    pieces.push(piece);
    lines = "";
  };
  for (const item of items) {
    lines += printItem(item);
    if (lines.length < charactersPerTurn) continue;
    add();
    await nextTurn();
  }
  add();
  const head = JSON.stringify({ layout, complete, envId, keys, sha256: hash.digest("hex") });
  return { pieces: [Buffer.from(`${head}\n`), ...pieces], digest: digestOf(head) };
}

/** The line of an item. */
export function printItem({ kind, key, version, deleted, json }: Item): string {
  return `${JSON.stringify([kind, key, deleted ? JSON.stringify({ version, deleted }) : json])}\n`;
}

/** Reads a file, in as many turns as it needs, or says why it cannot be used. */
export async function readFlagFile(text: string): Promise<(FlagFile & { readonly digest: string }) | string> {
  const headEnds = text.indexOf("\n");
  const body = text.slice(headEnds + 1);
  const headLine = text.slice(0, Math.max(headEnds, 0));
  const head = headFrom(headLine);
  if (head === undefined) return "it does not begin as a file of flags does";
  if (head.layout !== layout) return `its layout is ${JSON.stringify(head.layout)}, not ${layout}`;
  if (!isWhole(head)) return "it is damaged: its first line is not what it should be";
  if (head.sha256 !== digestOf(body))
    return "it is damaged: its contents do not have the digest that they should have";
  const items: Item[] = [];
  let turnEnds = charactersPerTurn;
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf("\n", at);
    const line = body.slice(at, end < 0 ? body.length : end);
    const item = end < 0 ? undefined : itemFromLine(line);
    if (item === undefined) return `its item ${JSON.stringify(line.slice(0, 100))} cannot be read`;
    items.push(item);
    at = end + 1;
    if (at < turnEnds) continue;
    await nextTurn();
    turnEnds = at + charactersPerTurn;
  }
  const { complete, envId, keys } = head;
  return { items, complete, envId, keys, digest: digestOf(headLine) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Reads the line of an item, without its end. */
export function itemFromLine(line: string): Item | undefined {
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
  return { complete: undefined, envId: undefined, keys: undefined, sha256: undefined, ...value };
}

/** A member that is none of these was one of them until it was damaged: what it said would be missed, such as whose the flags are. */
function isWhole(head: Head): head is Head & WholeHead {
  const { layout: _, complete, envId = "", keys = [], sha256, ...others } = head;
  return (
    Object.keys(others).length === 0 &&
    typeof complete === "boolean" &&
    typeof envId === "string" &&
    Array.isArray(keys) &&
    keys.every((key) => typeof key === "string") &&
    typeof sha256 === "string"
  );
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller, who knows the place, tells of it.
    return undefined;
  }
}

/** What a text is known by. */
export function digestOf(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}
