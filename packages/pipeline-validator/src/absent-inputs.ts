import { type ExpressionNode, type ExpressionReference, operandsOf } from "@wye/pipeline-resolver";
import type { ReadExpression } from "./expression-uses.js";

/** What becomes of an expression when one of these names is absent. */
interface Absence {
  /** It may fail. */
  readonly fails: ReadonlySet<string>;
  /** It is false for certain. */
  readonly isFalse: ReadonlySet<string>;
  /** It is true for certain. */
  readonly isTrue: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
const nothing: Absence = { fails: none, isFalse: none, isTrue: none };

/** Where a condition first reads each parameter that may be absent, and fails then as nothing in it asks for that. */
export function unguardedParameters(
  { root, references }: ReadExpression,
  mayBeAbsent: (name: string) => boolean,
): readonly ExpressionReference[] {
  if (root === undefined) return [];
  const reads = new Map<string, ExpressionReference>();
  const asked = new Map<string, string>();
  for (const reference of references) {
    const { name, path, span, presence, within } = reference;
    if (presence && path.length === 0 && isParameter(reference) && name !== undefined)
      asked.set(placeOf(span), name);
    const read = presence ? within : reference;
    if (read?.name !== undefined && isParameter(read) && mayBeAbsent(read.name))
      reads.set(placeOf(span), read);
  }
  if (reads.size === 0) return [];
  const { fails } = absenceOf(root, reads, asked);
  const found = new Map<string, ExpressionReference>();
  for (const read of reads.values()) {
    const { name = "" } = read;
    if (fails.has(name) && !found.has(name)) found.set(name, read);
  }
  return [...found.values()];
}

const isParameter = ({ source }: ExpressionReference): boolean => source === "inputs.parameter_values";
const placeOf = ({ start, end }: ExpressionReference["span"]): string => `${start}-${end}`;

function absenceOf(
  node: ExpressionNode,
  reads: ReadonlyMap<string, ExpressionReference>,
  asked: ReadonlyMap<string, string>,
): Absence {
  const place = placeOf(node.span);
  const [read, question] = [reads.get(place)?.name, asked.get(place)];
  if (question !== undefined) return { ...nothing, isFalse: new Set([question]) };
  if (read !== undefined) return { ...nothing, fails: new Set([read]) };
  const parts = operandsOf(node).map((part) => absenceOf(part, reads, asked));
  const [first = nothing, second = nothing, third = nothing] = parts;
  if (node.kind === "unary" && node.operator === "!") {
    return { fails: first.fails, isFalse: first.isTrue, isTrue: first.isFalse };
  }
  if (node.kind === "call" && node.name === "has") return first;
  if (node.kind === "binary" && node.operator === "&&") {
    const isFalse = union(first.isFalse, second.isFalse);
    return {
      fails: without(union(first.fails, second.fails), isFalse),
      isFalse,
      isTrue: common(first.isTrue, second.isTrue),
    };
  }
  if (node.kind === "binary" && node.operator === "||") {
    const isTrue = union(first.isTrue, second.isTrue);
    return {
      fails: without(union(first.fails, second.fails), isTrue),
      isFalse: common(first.isFalse, second.isFalse),
      isTrue,
    };
  }
  if (node.kind === "conditional") {
    const [yes, no] = [without(second.fails, first.isFalse), without(third.fails, first.isTrue)];
    return { ...nothing, fails: union(first.fails, union(yes, no)) };
  }
  return { ...nothing, fails: parts.reduce((all, { fails }) => union(all, fails), none) };
}

function union(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  if (some.size === 0 || others.size === 0) return some.size === 0 ? others : some;
  return new Set([...some, ...others]);
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  if (some.size === 0 || others.size === 0) return some;
  return new Set([...some].filter((one) => !others.has(one)));
}

const common = (some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  some.size === 0 ? none : new Set([...some].filter((one) => others.has(one)));
