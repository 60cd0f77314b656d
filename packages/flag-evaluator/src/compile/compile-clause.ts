import type { ClauseModel } from "../read/clause-model.js";
import type { Steps } from "../steps.js";
import type { Clause } from "./clause.js";
import { forEachValue } from "./clause-index.js";
import { operatorOf } from "./operators.js";
import type { Registry } from "./registry.js";

/** Clauses with more values than this are taken for unique: comparing them would cost more than testing twice. */
const MAX_SHARED_VALUES = 32;

/** Compiles clauses that must all match; gives their slots. */
export function* compileClauses(
  registry: Registry,
  models: readonly ClauseModel[],
): Steps<readonly number[]> {
  const slots: number[] = [];
  for (const model of models) {
    const attribute = attributeOf(registry, model);
    const identity = identityOf(model, attribute);
    const make = (slot: number) => makeClause(registry, model, attribute, slot);
    slots.push(registry.sameClause(identity) ?? (yield* registry.addClause(identity, make)));
  }
  return slots;
}

/** The slot of the attribute that is asked; undefined if the reference is not valid, and for segments. */
function attributeOf(registry: Registry, { contextKind, attribute, op }: ClauseModel): number | undefined {
  if (op === "segmentMatch") return undefined;
  return attribute === "kind" ? registry.attributeOfKinds() : registry.attribute(contextKind, attribute);
}

/** The same for clauses that say the same. */
function identityOf({ op, values, negate }: ClauseModel, attribute: number | undefined): string | undefined {
  return values.length > MAX_SHARED_VALUES ? undefined : JSON.stringify([attribute, op, values, negate]);
}

function* makeClause(
  registry: Registry,
  { op, values, negate }: ClauseModel,
  attribute: number | undefined,
  slot: number,
): Steps<Clause> {
  if (op === "segmentMatch") {
    const keys = values.filter((value) => typeof value === "string");
    return { type: "segments", segments: keys.map((key) => registry.segments.of(key)), negate };
  }
  if (attribute === undefined) return { type: "malformed" };
  const operator = operatorOf(op);
  if (operator?.type === "index") {
    const { comparison, relation } = operator;
    const index = registry.index(attribute, comparison);
    yield* index.add({ slot, relation, negate }, values);
    return { type: "index", attribute, index };
  }
  const tests = new Set<number>();
  // What is not known has no test, and so matches nothing.
  if (operator !== undefined) {
    yield* forEachValue(values, (value) => {
      if (typeof value === "string") tests.add(registry.test(attribute, op, value, operator.createTest));
    });
  }
  return { type: "tests", attribute, tests: [...tests], negate };
}

/** The segments that clauses name, all by slot. */
export function namedSegments(registry: Registry, clauses: readonly number[]): readonly number[] {
  const named = new Set<number>();
  for (const slot of clauses) {
    const clause = registry.clauses[slot];
    if (clause?.type === "segments") for (const segment of clause.segments) named.add(segment);
  }
  return [...named];
}
