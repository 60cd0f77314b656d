import { type FlagModel, readFlag, type TargetModel, type VariationOrRollout } from "../read/flag-model.js";
import type { Item } from "../read/item.js";
import type { Steps } from "../steps.js";
import { compileClauses, namedSegments } from "./compile-clause.js";
import type { CompiledFlag } from "./compiled-flag.js";
import { FlagOutcomes } from "./flag-outcomes.js";
import type { EvaluationReason, Outcome } from "./outcome.js";
import type { Registry } from "./registry.js";
import { compileRollout } from "./rollout.js";

/** Compiles a flag. One that cannot be read is malformed for every context. */
export function* compileFlag(registry: Registry, item: Item): Steps<CompiledFlag> {
  const { key, json } = item;
  const { fields, reader } = item.read();
  const model = readFlag(reader, fields);
  const { problems } = reader;
  const slot = registry.flags.of(key);
  const outcomes = new FlagOutcomes(key, model);
  const targets = effectiveTargets(model);
  const constant = problems.length > 0 ? outcomes.fatal(0) : constantOutcome(model, outcomes, targets);
  if (constant === undefined) yield* addTargets(registry, slot, outcomes, targets);
  const rules = yield* compileRules(registry, model);
  return {
    item,
    deleted: false,
    slot,
    problems,
    weight: weigh(model, json),
    head: outcomes.head,
    ...(constant === undefined
      ? { constant, code: yield* writeCode(registry, slot, model, outcomes, rules) }
      : constantCode(registry, slot, constant)),
    on: model.on,
    usingMobileKey: model.usingMobileKey,
    usingEnvironmentId: model.usingEnvironmentId,
    prerequisites: model.prerequisites.map((prerequisite) => registry.flags.of(prerequisite.key)),
    segments: namedSegments(registry, rules.flat()),
  };
}

/** Work is interrupted after so many rules at the earliest. */
const rulesAtOnce = 64;
/** As much as a rule and what it takes to compile it. */
const perRule = 256;

/** The clauses of each rule, by slot. */
function* compileRules(registry: Registry, { rules }: FlagModel): Steps<readonly (readonly number[])[]> {
  const compiled: (readonly number[])[] = [];
  for (const { clauses } of rules) {
    compiled.push(yield* compileClauses(registry, clauses));
    if (compiled.length % rulesAtOnce === 0) yield rulesAtOnce * perRule;
  }
  return compiled;
}

/** The outcome of a flag that is off, or on without any condition. */
function constantOutcome(
  { on, prerequisites, rules, fallthrough, trackEventsFallthrough }: FlagModel,
  outcomes: FlagOutcomes,
  targets: readonly TargetModel[],
): Outcome | undefined {
  if (!on) return outcomes.off({ kind: "OFF" }, 0);
  const conditions = prerequisites.length + targets.length + rules.length;
  if (conditions > 0 || fallthrough.variation === undefined) return undefined;
  return outcomes.met(fallthrough.variation, { kind: "FALLTHROUGH" }, trackEventsFallthrough);
}

/** The code of a flag that leads to the same outcome for all contexts. */
function constantCode(
  { program }: Registry,
  slot: number,
  outcome: Outcome,
): Pick<CompiledFlag, "constant" | "code"> {
  const constant = program.addOutcome(outcome);
  return { constant, code: program.append([slot, 0, 0, constant, constant]) };
}

/** Writes the code of a flag in the form that `flag-code.ts` describes. */
function* writeCode(
  registry: Registry,
  slot: number,
  model: FlagModel,
  outcomes: FlagOutcomes,
  rules: readonly (readonly number[])[],
): Steps<number> {
  const { program } = registry;
  const decide = (then: VariationOrRollout, reason: EvaluationReason, tracked: boolean): number =>
    compileDecision(registry, outcomes, model.salt, then, (variation, inExperiment) =>
      program.addOutcome(
        outcomes.met(variation, inExperiment ? { ...reason, inExperiment } : reason, inExperiment || tracked),
      ),
    );
  const code: number[] = [];
  for (const [index, { key, variation }] of model.prerequisites.entries()) {
    const reason: EvaluationReason = { kind: "PREREQUISITE_FAILED", prerequisiteKey: key };
    const missing = program.addOutcome(outcomes.off(reason, index));
    program.addOutcome(outcomes.off(reason, index + 1));
    program.addOutcome(outcomes.fatal(index));
    code.push(registry.flags.of(key), variation, missing);
  }
  for (const [ruleIndex, { id, trackEvents, ...then }] of model.rules.entries()) {
    const reason: EvaluationReason = { kind: "RULE_MATCH", ruleIndex, ...(id === "" ? {} : { ruleId: id }) };
    const clauses = rules[ruleIndex] ?? [];
    code.push(clauses.length);
    for (const clause of clauses) code.push(clause);
    code.push(decide(then, reason, trackEvents));
    if (ruleIndex % rulesAtOnce === rulesAtOnce - 1) yield rulesAtOnce * perRule;
  }
  const fallthrough = decide(model.fallthrough, { kind: "FALLTHROUGH" }, model.trackEventsFallthrough);
  const malformed = program.addOutcome(outcomes.fatal());
  return program.append([slot, model.prerequisites.length, code.length, malformed, ...code, fallthrough]);
}

function compileDecision(
  registry: Registry,
  outcomes: FlagOutcomes,
  salt: string,
  { variation, rollout }: VariationOrRollout,
  outcomeFor: (variation: number, inExperiment: boolean) => number,
): number {
  if (variation !== undefined) return outcomeFor(variation, false);
  const compiled =
    rollout === undefined || rollout.variations.length === 0
      ? undefined
      : compileRollout(registry, { key: outcomes.head.key, salt }, rollout, outcomeFor);
  return compiled ?? registry.program.addOutcome(outcomes.malformed());
}

/**
 * The targets in the order in which they count. Where context targets are given, one for users without keys stands for
 * the plain target of the same variation.
 */
function effectiveTargets({ targets, contextTargets }: FlagModel): readonly TargetModel[] {
  const ordered =
    contextTargets.length === 0
      ? targets
      : contextTargets.map((target) =>
          target.contextKind === "user" && target.values.length === 0
            ? (targets.find(({ variation }) => variation === target.variation) ?? target)
            : target,
        );
  return ordered.filter(({ values }) => values.length > 0);
}

function* addTargets(
  registry: Registry,
  slot: number,
  outcomes: FlagOutcomes,
  targets: readonly TargetModel[],
): Steps<void> {
  for (const [rank, { contextKind, values, variation }] of targets.entries()) {
    const outcome = registry.program.addOutcome(outcomes.met(variation, { kind: "TARGET_MATCH" }));
    const target = { type: "flag", slot, owner: outcomes.head, rank, outcome } as const;
    yield* registry.listings.add(registry.kinds.of(contextKind), values, target);
  }
}

/** Keys, clauses, and the texts that its values will be part of. */
function weigh({ prerequisites, targets, contextTargets, rules }: FlagModel, json: string): number {
  let weight = 1 + prerequisites.length + Math.floor(json.length / 64);
  for (const { values } of [...targets, ...contextTargets]) weight += values.length;
  for (const { clauses } of rules) weight += 1 + clauses.length;
  return weight;
}
