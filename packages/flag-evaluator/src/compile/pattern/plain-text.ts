import type { Node } from "./syntax-tree.js";

/** With more alternatives the automaton is quicker than one search after the other. */
const MAX_ALTERNATIVES = 4;

/** A test for patterns that are plain text, or one of a few, with or without anchors; undefined for others. */
export function plainTextTest(pattern: Node): ((text: string) => boolean) | undefined {
  const tests: ((text: string) => boolean)[] = [];
  for (const way of waysOf(pattern)) {
    const test = testOf(way);
    if (test === undefined || tests.push(test) > MAX_ALTERNATIVES) return undefined;
  }
  const [first, ...others] = tests;
  if (first === undefined || others.length === 0) return first;
  return (text) => tests.some((test) => test(text));
}

/**
 * A text without which a pattern matches nothing; empty when there is none, or when looking for it is not worth while: a pattern that
 * begins where the text does fails soon.
 */
export function requiredText(pattern: Node): string {
  const [way, ...others] = waysOf(pattern);
  if (way === undefined || others.length > 0) return "";
  const parts = partsOf(way);
  if (isAssertion(parts[0], "beginText")) return "";
  let [run, longest] = ["", ""];
  for (const part of parts) {
    run = part.type === "char" && part.code !== undefined ? run + String.fromCharCode(part.code) : "";
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/** What a pattern has the choice of, as a whole. */
function waysOf(node: Node): readonly Node[] {
  if (node.type === "choice") return node.nodes.flatMap(waysOf);
  const [only, ...others] = node.type === "sequence" ? node.nodes : [];
  return only !== undefined && others.length === 0 ? waysOf(only) : [node];
}

/** What comes one after the other, groups without a choice undone. */
function partsOf(node: Node): readonly Node[] {
  if (node.type === "sequence") return node.nodes.flatMap(partsOf);
  const [only, ...others] = node.type === "choice" ? node.nodes : [];
  return only !== undefined && others.length === 0 ? partsOf(only) : [node];
}

function testOf(way: Node): ((text: string) => boolean) | undefined {
  const parts = partsOf(way);
  const begins = isAssertion(parts[0], "beginText");
  const rest = begins ? parts.slice(1) : parts;
  const ends = isAssertion(rest.at(-1), "endText");
  let plain = "";
  for (const part of ends ? rest.slice(0, -1) : rest) {
    if (part.type !== "char" || part.code === undefined) return undefined;
    plain += String.fromCharCode(part.code);
  }
  if (begins) return ends ? (text) => text === plain : (text) => text.startsWith(plain);
  return ends ? (text) => text.endsWith(plain) : (text) => text.includes(plain);
}

function isAssertion(node: Node | undefined, assertion: "beginText" | "endText"): boolean {
  return node?.type === "assertion" && node.assertion === assertion;
}
