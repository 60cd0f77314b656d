import { isObject, jsonEquals } from "../json-value.js";
import { ownEntry } from "../own-entry.js";
import { alignLists } from "./align-lists.js";
import { BlockEdits } from "./block-edits.js";
import { FlowEdits } from "./flow-edits.js";
import type { PlacedText } from "./placed-text.js";
import type { Splices } from "./splices.js";
import { ValueEdits } from "./value-edits.js";
import { writtenName } from "./written-name.js";

/** A longer name could not stand where the other one does. */
const longestName = 500;

type JsonMap = { readonly [name: string]: unknown };
type Entry = readonly [name: string, value: unknown];

/** What becomes of the members of a map or list. */
export interface MemberChanges {
  /** All members, in the order of the text. */
  readonly members: readonly number[];
  readonly removed: ReadonlySet<number>;
  /** New members, each behind one that stays, or in front. */
  readonly added: readonly {
    readonly behind: number | undefined;
    readonly name?: string;
    readonly value: unknown;
  }[];
}

/** Changes values of a document inside of its text, each as deep inside as can be. */
export class DocumentEdits {
  readonly #placed: PlacedText;
  readonly #values: ValueEdits;
  readonly #blocks: BlockEdits;
  readonly #flows: FlowEdits;
  readonly #withAliases: boolean;

  /** @param withAliases  whether values take the place of aliases, or these are left alone */
  constructor(placed: PlacedText, splices: Splices, withAliases: boolean) {
    this.#withAliases = withAliases;
    this.#placed = placed;
    this.#values = new ValueEdits(placed, splices);
    this.#blocks = new BlockEdits(placed, splices);
    this.#flows = new FlowEdits(placed, splices);
  }

  /** Changes the value at a path, of which the text means `before`. */
  change(path: readonly string[], before: JsonMap, after: JsonMap): void {
    let row = 0;
    for (const name of path) {
      const next = this.#placed.places.entriesOf(row).get(name);
      // It is behind an alias, or merged: what comes out is not what was asked for, which is seen.
      if (next === undefined) return;
      row = next;
    }
    this.#edit(row, before, after);
  }

  /** @param parent  the list or map that the value is in @param previous  the item before it */
  #edit(row: number, old: unknown, after: unknown, parent?: number, previous?: number): void {
    if (Object.is(old, after)) return;
    const kind = this.#placed.kindOf(row);
    // What is empty is not among the fields of a message.
    const isEmpty = old === undefined && this.#placed.rows.childrenOf(row).length === 0;
    const before = isEmpty && kind !== undefined ? (kind === "map" ? {} : []) : old;
    if (kind === "map" && isObject(before) && isObject(after) && this.#editMap(row, before, after)) return;
    if (
      kind === "list" &&
      Array.isArray(before) &&
      Array.isArray(after) &&
      this.#editList(row, before, after)
    )
      return;
    if (this.#placed.isAlias(row) && !this.#withAliases) return;
    if (!jsonEquals(before, after)) this.#values.replace(row, after, parent, previous);
  }

  /** False when it cannot be done entry by entry. */
  #editMap(map: number, before: JsonMap, after: JsonMap): boolean {
    const entries = this.#placed.places.entriesOf(map);
    const members = this.#placed.rows.childrenOf(map);
    const removed = new Map<number, Entry | undefined>();
    const added: Entry[] = [];
    const kept: [row: number, old: unknown, now: unknown][] = [];
    const inherited: Entry[] = [];
    let losesInherited = false;
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, now] = [ownEntry(before, name), ownEntry(after, name)];
      const row = entries.get(
        writtenName((one) => entries.has(one) && (one === name || !Object.hasOwn(before, one)), name),
      );
      if (row !== undefined && now !== undefined) kept.push([row, old, now]);
      else if (row !== undefined) removed.set(row, [name, old]);
      else if (now === undefined) losesInherited = true;
      else if (jsonEquals(old, now)) inherited.push([name, now]);
      else added.push([name, now]);
    }
    if (losesInherited) {
      // What it still inherits gets entries of its own.
      const merges = members.filter((row) => this.#placed.places.isMerge(row));
      if (merges.length === 0) return false;
      for (const row of merges) removed.set(row, undefined);
      added.push(...inherited);
    }
    const renamed = takeRenamed(removed, added);
    const last = members.findLast((row) => !removed.has(row));
    const isChanged = removed.size + added.length > renamed.size;
    if (last === undefined && isChanged && !this.#keepsBrackets(map, members)) return false;
    for (const [name, row] of renamed) this.#values.rename(row, name);
    for (const [row, old, now] of kept) this.#edit(row, old, now, map);
    this.#changeMembers(map, {
      members,
      removed: new Set(removed.keys()),
      added: added
        .filter(([name]) => !renamed.has(name))
        .map(([name, value]) => ({ behind: last, name, value })),
    });
    return true;
  }

  /** False when it cannot be done item by item. */
  #editList(list: number, before: readonly unknown[], after: readonly unknown[]): boolean {
    const members = this.#placed.rows.childrenOf(list);
    const pairs = alignLists(before, after);
    const isKept = pairs.some(([old, now]) => old !== undefined && now !== undefined);
    if (members.length !== before.length) return false;
    if (!isKept && pairs.length > 0 && !this.#keepsBrackets(list, members)) return false;
    const removed = new Set<number>();
    const added: { behind: number | undefined; value: unknown }[] = [];
    let behind: number | undefined;
    for (const [old, now] of pairs) {
      const row = old === undefined ? undefined : members[old];
      if (row === undefined || old === undefined) {
        added.push({ behind, value: after[now ?? 0] });
      } else if (now === undefined) {
        removed.add(row);
      } else {
        this.#edit(row, before[old], after[now], list, members[old - 1]);
        behind = row;
      }
    }
    this.#changeMembers(list, { members, removed, added });
    return true;
  }

  /** True for brackets with comments of their own, which stay when nothing else does. */
  #keepsBrackets(parent: number, members: readonly number[]): boolean {
    return this.#placed.isFlow(parent) && this.#flows.hasComments(parent, members);
  }

  #changeMembers(parent: number, changes: MemberChanges): void {
    if (changes.removed.size + changes.added.length === 0) return;
    if (this.#placed.isFlow(parent)) this.#flows.change(parent, changes);
    else this.#blocks.change(parent, changes);
  }
}

/** Finds what has only got another name, and takes it out of what is removed. */
function takeRenamed(
  removed: Map<number, Entry | undefined>,
  added: readonly Entry[],
): ReadonlyMap<string, number> {
  const renamed = new Map<string, number>();
  const namesByValue = new Map<string, string[]>();
  for (const [name, value] of removed.size === 0 ? [] : added) {
    if (name.length <= longestName) listAt(namesByValue, JSON.stringify(value)).push(name);
  }
  const rowsByValue = new Map<string, number[]>();
  for (const [row, entry] of namesByValue.size === 0 ? [] : removed) {
    if (entry !== undefined) listAt(rowsByValue, JSON.stringify(entry[1])).push(row);
  }
  for (const [value, names] of namesByValue) {
    const rows = rowsByValue.get(value) ?? [];
    // Of several equal ones each has got the name that is most like its own.
    const olds = rows.map((row) => removed.get(row)?.[0]);
    for (const [old, now] of alignLists(olds, names)) {
      const [row, name] = [rows[old ?? rows.length], names[now ?? names.length]];
      if (row === undefined || name === undefined) continue;
      renamed.set(name, row);
      removed.delete(row);
    }
  }
  return renamed;
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
