import { type Fields, isAbsent, isFields, partsAt } from "../fields.js";
import type { ItemProblem } from "./item-problem.js";

/** Everybody, in the unit of weights. */
const fullWeight = 100_000;

/** Looks whether a flag with so many variations has the one that is named. */
export function* checkVariation(
  index: unknown,
  path: readonly string[],
  count: number,
): Generator<ItemProblem> {
  if (typeof index !== "number" || (Number.isInteger(index) && index >= 0 && index < count)) return;
  const which = count === 1 ? "0" : `0 to ${count - 1}`;
  yield { path, message: `there is no variation ${index}; there is ${which}` };
}

/** Looks at a variation, or a rollout over several. */
export function* checkDecision(
  given: unknown,
  path: readonly string[],
  count: number,
): Generator<ItemProblem> {
  if (!isFields(given)) return;
  const { variation, rollout } = given;
  if (isAbsent(variation) && !isFields(rollout)) yield { path, message: "it needs a variation or a rollout" };
  yield* checkVariation(variation, [...path, "variation"], count);
  if (isFields(rollout)) yield* checkRollout(rollout, [...path, "rollout"], count);
}

function* checkRollout(rollout: Fields, path: readonly string[], count: number): Generator<ItemProblem> {
  const { kind, variations } = rollout;
  if (typeof kind === "string" && kind !== "rollout" && kind !== "experiment")
    yield { path: [...path, "kind"], message: `a rollout is of the kind rollout or experiment, not ${kind}` };
  const shares = partsAt([...path, "variations"], variations);
  if (isAbsent(variations) || (Array.isArray(variations) && variations.length === 0))
    yield { path, message: "a rollout needs variations, each with its weight" };
  let sum = 0;
  for (const [{ variation, weight }, place] of shares) {
    if (isAbsent(variation)) yield { path: place, message: "a share of a rollout needs a variation" };
    yield* checkVariation(variation, [...place, "variation"], count);
    if (isAbsent(weight)) yield { path: place, message: "a share of a rollout needs a weight" };
    yield* checkWeight(weight, [...place, "weight"]);
    if (typeof weight === "number") sum += weight;
  }
  if (shares.length > 0 && sum !== fullWeight)
    yield {
      path: [...path, "variations"],
      message: `the weights add up to ${sum}; they must add up to ${fullWeight}: one percent is 1000`,
    };
}

/** Looks at a share of everybody. */
export function* checkWeight(weight: unknown, path: readonly string[]): Generator<ItemProblem> {
  if (typeof weight !== "number" || (Number.isInteger(weight) && weight >= 0 && weight <= fullWeight)) return;
  yield { path, message: `a weight is a whole number from 0 to ${fullWeight}, not ${weight}` };
}
