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
    const identity = identityOf(model);
    const make = (slot: number) => makeClause(registry, model, slot);
    slots.push(registry.sameClause(identity) ?? (yield* registry.addClause(identity, make)));
  }
  return slots;
}

/** The same for clauses that say the same. */
function identityOf({ contextKind, attribute, op, values, negate }: ClauseModel): string | undefined {
  return values.length > MAX_SHARED_VALUES
    ? undefined
    : JSON.stringify([contextKind, attribute, op, values, negate]);
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
  const slot =
    attribute === "kind" ? registry.attributeOfKinds() : registry.attribute(contextKind, attribute);
  if (slot === undefined) return { type: "malformed" };
  const operator = operatorOf(op);
  if (operator?.type === "index") {
    const index = registry.index(slot, op, negate, operator.createIndex);
    yield* index.add(clause, values);
    return { type: "index", attribute: slot, index };
  }
  const tests = new Set<number>();
  // What is not known has no test, and so matches nothing.
  if (operator !== undefined) {
    yield* forEachValue(values, (value) => {
      if (typeof value === "string") tests.add(registry.test(slot, op, value, operator.createTest));
    });
  }
  return { type: "tests", attribute: slot, tests: [...tests], negate };
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
