import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar } from "yaml";
import type { Span } from "./line-table.js";
import { readPlainInteger } from "./plain-scalar.js";
import { isSameField, type SourceDocument } from "./source-document.js";

/** A document that is YAML. */
export class YamlDocument implements SourceDocument {
  readonly value: unknown;
  private readonly root: Node;
  private readonly targets: ReadonlyMap<Alias, Node>;

  /** @param targets  what each alias of the document refers to */
  constructor(value: unknown, root: Node, targets: ReadonlyMap<Alias, Node>) {
    this.value = value;
    this.root = root;
    this.targets = targets;
  }

  spanOf(path: readonly string[], part: "key" | "value"): Span {
    const { key, value } = this.find(path).place;
    return part === "key" && key !== undefined ? key : value;
  }

  has(path: readonly string[]): boolean {
    return this.find(path).place.found;
  }

  exactInteger(path: readonly string[]): bigint | undefined {
    const { place, node } = this.find(path);
    return place.found && isScalar(node) ? readPlainInteger(String(node.value)) : undefined;
  }

  private find(path: readonly string[]): { place: Place; node: Node | null } {
    let node: Node | null = this.root;
    let place: Place = { found: true, key: undefined, value: spanOfNode(this.root) };
    for (const segment of path) {
      const entry: Entry | undefined = this.entry(node, segment);
      if (entry === undefined) return { place: { ...place, found: false }, node };
      const key = entry.key === undefined ? undefined : spanOfNode(entry.key);
      const value = entry.value === null ? undefined : spanOfNode(entry.value);
      // Nothing after a colon is found at its key.
      const isEmpty = value === undefined || value[0] === value[1];
      place = { found: true, key, value: isEmpty ? (key ?? place.value) : value };
      node = entry.value;
    }
    return { place, node: this.resolve(node) };
  }

  private resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.targets.get(node) ?? null) : node;
  }

  private entry(from: Node | null, segment: string): Entry | undefined {
    const node = this.resolve(from);
    if (isSeq<Node>(node)) {
      const value = /^\d+$/.test(segment) ? node.items[Number(segment)] : undefined;
      return value === undefined ? undefined : { key: undefined, value };
    }
    return (
      this.pair(node, (name) => name === segment) ?? this.pair(node, (name) => isSameField(name, segment))
    );
  }

  private pair(node: Node | null, isWanted: (name: string) => boolean): Entry | undefined {
    if (!isMap<Node, Node | null>(node)) return undefined;
    // Merged keys are overridden by those of the map itself.
    const merged: Pair<Node, Node | null>[] = [];
    for (const pair of node.items) {
      if (isMergeKey(pair.key)) merged.push(pair);
      else if (isWanted(this.nameOf(pair.key))) return { key: pair.key, value: pair.value };
    }
    for (const { value } of merged) {
      const source = this.resolve(value);
      for (const from of isSeq<Node>(source) ? source.items : [source]) {
        const entry = this.pair(this.resolve(from), isWanted);
        if (entry !== undefined) return entry;
      }
    }
    return undefined;
  }

  private nameOf(key: Node): string {
    const node = this.resolve(key);
    return isScalar(node) ? String(node.value) : "";
  }
}

/** What was found on the way along a path. */
interface Place {
  /** True when the whole path exists. */
  readonly found: boolean;
  readonly key: Span | undefined;
  readonly value: Span;
}

interface Entry {
  readonly key: Node | undefined;
  readonly value: Node | null;
}

/** Where a node stands, without what follows it. */
export function spanOfNode(node: Node): Span {
  const [start, end] = node.range ?? [0, 0];
  return [start, end];
}

/** True for the key `<<`, whose value is merged into the map. */
export function isMergeKey(key: Node): boolean {
  return isScalar(key) && key.value === "<<" && key.type === Scalar.PLAIN && key.tag === undefined;
}
