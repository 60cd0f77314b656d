import { type Clause, type Flag, type Rule, type Serving, wholeWeight } from "../flag.js";

/** A rollout between two variations, as the slider shows it. */
export interface Split {
  readonly first: number;
  readonly second: number;
  /** Of the first one, in percent. */
  readonly share: number;
}

/** What everybody gets for whom no rule decides: one variation, a split, or what only the JSON can say. */
export type Everybody =
  | { readonly kind: "variation"; readonly variation: number }
  | { readonly kind: "split"; readonly split: Split }
  | { readonly kind: "other"; readonly weights: readonly number[] };

/** A rule of the form "if attribute is one of values". */
export interface SimpleRule {
  readonly attribute: string;
  readonly values: readonly string[];
  readonly variation: number;
}

export function withOn(flag: Flag, on: boolean): Flag {
  return { ...flag, on };
}

export function everybody({ fallthrough }: Flag): Everybody {
  if (fallthrough?.variation != null) return { kind: "variation", variation: fallthrough.variation };
  const parts = fallthrough?.rollout?.variations ?? [];
  const [first, second] = parts;
  if (parts.length === 2 && first !== undefined && second !== undefined) {
    const share = (first.weight / wholeWeight) * 100;
    return { kind: "split", split: { first: first.variation, second: second.variation, share } };
  }
  return { kind: "other", weights: parts.map(({ weight }) => weight) };
}

export function withEverybody(flag: Flag, variation: number): Flag {
  return { ...flag, fallthrough: { variation } };
}

export function withSplit(flag: Flag, { first, second, share }: Split): Flag {
  const weight = Math.round((share / 100) * wholeWeight);
  const { variation: _, ...rest } = flag.fallthrough ?? {};
  return {
    ...flag,
    fallthrough: {
      ...rest,
      rollout: {
        contextKind: "user",
        ...rest.rollout,
        variations: [
          { variation: first, weight },
          { variation: second, weight: wholeWeight - weight },
        ],
      },
    },
  };
}

/** The first rule of the simple form, and how many others there are. */
export function simpleRule(flag: Flag): { readonly rule: SimpleRule | undefined; readonly others: number } {
  const rules = flag.rules ?? [];
  const found = rules.map(simplified).find((rule) => rule !== undefined);
  return { rule: found, others: rules.length - (found === undefined ? 0 : 1) };
}

/** Changes the first simple rule, puts one before the others, or with `undefined` takes it away. */
export function withSimpleRule(flag: Flag, rule: SimpleRule | undefined): Flag {
  const rules = flag.rules ?? [];
  const at = rules.findIndex((one) => simplified(one) !== undefined);
  if (rule === undefined) return { ...flag, rules: rules.filter((_, index) => index !== at) };
  const { rollout: _, ...known } = rules[at] ?? { id: "of-the-board" };
  const clause: Clause = {
    contextKind: "user",
    attribute: rule.attribute,
    op: "in",
    values: rule.values,
  };
  const next: Rule = { ...known, clauses: [clause], variation: rule.variation };
  return { ...flag, rules: at < 0 ? [next, ...rules] : rules.with(at, next) };
}

function simplified({ clauses, variation, rollout }: Rule & Serving): SimpleRule | undefined {
  const [clause, ...more] = clauses ?? [];
  if (clause === undefined || more.length > 0 || variation == null || rollout != null) return undefined;
  const { contextKind = "user", attribute = "", op, values = [], negate = false } = clause;
  const texts = values.filter((value) => typeof value === "string");
  const simple = contextKind === "user" && attribute !== "" && op === "in" && !negate;
  return simple && texts.length === values.length ? { attribute, values: texts, variation } : undefined;
}
