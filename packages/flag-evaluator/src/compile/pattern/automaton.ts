import type { CharSet } from "./char-set.js";
import { type Assertion, type Node, PatternSyntaxError, type Repeat } from "./syntax-tree.js";

/** One step. The places to go on at are those of other steps. */
export type Step =
  | { readonly type: "char"; readonly set: CharSet; readonly next: number }
  | { readonly type: "assertion"; readonly assertion: Assertion; readonly next: number }
  | { readonly type: "fork"; readonly next: readonly number[] }
  | { readonly type: "match" };

/** Steps that find out whether a text matches, at several places at once. */
export interface Automaton {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** More than any reasonable pattern needs, and few enough to take them all for every character. */
const MAX_STEPS = 10_000;

/** Builds the automaton of a pattern (Thompson's construction, from the end to the beginning). */
export function buildAutomaton(pattern: Node): Automaton {
  const steps: Step[] = [{ type: "match" }];
  const add = (step: Step): number => {
    if (steps.length >= MAX_STEPS) throw new PatternSyntaxError("is too large");
    return steps.push(step) - 1;
  };
  const build = (node: Node, next: number): number => {
    switch (node.type) {
      case "char":
        return add({ type: "char", set: node.set, next });
      case "assertion":
        return add({ type: "assertion", assertion: node.assertion, next });
      case "sequence":
        return node.nodes.reduceRight((after, inner) => build(inner, after), next);
      case "choice":
        return fork(node.nodes.map((inner) => build(inner, next)));
      case "repeat":
        return buildRepeat(node, next);
    }
  };
  const fork = (next: readonly number[]): number =>
    next.length === 1 ? (next[0] ?? 0) : add({ type: "fork", next });
  const buildRepeat = ({ node, min, max }: Repeat, next: number): number => {
    let after = next;
    if (max === Number.POSITIVE_INFINITY) {
      const ways = [next];
      after = add({ type: "fork", next: ways });
      ways.unshift(build(node, after));
    } else for (let i = min; i < max; i++) after = fork([build(node, after), next]);
    for (let i = 0; i < min; i++) after = build(node, after);
    return after;
  };
  return { start: build(pattern, 0), steps };
}
