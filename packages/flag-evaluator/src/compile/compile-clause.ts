import type { ClauseModel } from "../read/clause-model.js";
import type { Steps } from "../steps.js";
import type { Clause } from "./clause.js";
import { prepareOperator } from "./operators.js";
import type { Registry } from "./registry.js";

/** Clauses with more values than this are taken for unique: comparing them would cost more than testing twice. */
const MAX_SHARED_VALUES = 32;

/** Compiles clauses that must all match; gives their slots. */
export function* compileClauses(
  registry: Registry,
  models: readonly ClauseModel[],
): Steps<readonly number[]> {
  const slots: number[] = [];
  for (const model of models) slots.push(yield* compileClause(registry, model));
  return slots;
}

/** Compiles a clause and gives its slot. */
function compileClause(registry: Registry, model: ClauseModel): Steps<number> {
  const { contextKind, attribute, op, values, negate } = model;
  const identity =
    values.length > MAX_SHARED_VALUES
      ? undefined
      : JSON.stringify([contextKind, attribute, op, values, negate]);
  return registry.clause(identity, (slot) => makeClause(registry, model, slot));
}

function* makeClause(
  registry: Registry,
  { contextKind, attribute, op, values, negate }: ClauseModel,
  clause: number,
): Steps<Clause> {
  if (op === "segmentMatch") {
    const keys = values.filter((value) => typeof value === "string");
    return { type: "segments", segments: keys.map((key) => registry.segments.of(key)), negate };
  }
  const slot = registry.attribute(contextKind, attribute);
  if (slot === undefined) return { type: "malformed" };
  if (op === "in" && attribute !== "kind") {
    const index = registry.equalityIndex(slot, negate);
    yield* index.add(clause, values);
    return { type: "equality", attribute: slot, index };
  }
  const operator = prepareOperator(op, values);
  return attribute === "kind"
    ? { type: "kind", ...operator, negate }
    : { type: "attribute", attribute: slot, ...operator, negate };
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
