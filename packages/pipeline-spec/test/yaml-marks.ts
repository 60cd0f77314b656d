import { isMap, isScalar, isSeq, type Node, parseAllDocuments } from "yaml";

/** What begins or ends in a line: the path of an entry, an item or a document, and which of the two. */
export interface Marked {
  readonly at: number;
  readonly path: readonly (string | number)[];
  readonly end: boolean;
}

/** What begins and ends in the lines of a YAML text, in its order. */
export function marksOf(text: string): ReadonlyMap<number, readonly Marked[]> {
  const found: Marked[] = [];
  const walk = (node: Node | null, path: readonly (string | number)[], start: number | undefined) => {
    const from = start ?? node?.range?.[0];
    if (from !== undefined) found.push({ at: from, path, end: false });
    const isFlow = (isMap(node) || isSeq(node)) && node.flow === true;
    const isQuoted = isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE");
    if ((isFlow || isQuoted) && node?.range) found.push({ at: node.range[1] - 1, path, end: true });
    if (isMap<Node, Node | null>(node)) {
      for (const { key, value } of node.items) {
        walk(value, [...path, isScalar(key) ? String(key.value) : "?"], key.range?.[0]);
      }
    } else if (isSeq<Node>(node)) {
      for (const [index, item] of node.items.entries()) {
        const dash = node.flow ? undefined : text.lastIndexOf("-", (item.range?.[0] ?? 0) - 1);
        walk(item, [...path, index], dash);
      }
    }
  };
  for (const [index, document] of parseAllDocuments(text).entries()) {
    walk(document.contents as Node | null, [`#${index}`], undefined);
  }
  const byLine = new Map<number, Marked[]>();
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  let line = 0;
  for (const mark of found.toSorted((a, b) => a.at - b.at)) {
    while ((ends[line] ?? text.length) < mark.at) line++;
    const known = byLine.get(line);
    if (known === undefined) byLine.set(line, [mark]);
    else known.push(mark);
  }
  return byLine;
}
