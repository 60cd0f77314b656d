import type { CompiledFlag } from "../compile/compiled-flag.js";
import { readRules } from "../compile/flag-code.js";
import { follow, outcomeOf } from "../evaluate/evaluate-flag.js";
import { detailOf } from "../evaluate/evaluation-detail.js";
import { NOT_LISTED, type Scope } from "../evaluate/scope.js";
import {
  type FlagModel,
  type PrerequisiteModel,
  readFlag,
  type VariationOrRollout,
} from "../read/flag-model.js";
import { SegmentExplainer } from "./explain-segment.js";
import { type Explanation, type FlagExplanation, quote, step } from "./explanation.js";

/** Goes the way of an evaluation once more, and notes what it meets. */
export function explainFlag(scope: Scope, key: string, flag: CompiledFlag | undefined): FlagExplanation {
  return new FlagExplainer(scope).explain(key, flag);
}

class FlagExplainer {
  readonly #scope: Scope;
  readonly #segments: SegmentExplainer;
  /** What refers to a flag again is not explained again. */
  readonly #explained = new Set<CompiledFlag>();

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#segments = new SegmentExplainer(scope);
  }

  explain(key: string, flag: CompiledFlag | undefined): FlagExplanation {
    const subject = `flag ${quote(key)}`;
    if (flag === undefined) {
      const detail = detailOf(undefined, null);
      return { ...step(subject, "error", "there is no such flag"), detail };
    }
    const detail = detailOf(outcomeOf(this.#scope, flag), null);
    const { reason, variation, value } = detail;
    const result = variation === undefined ? "no variation" : `variation ${variation}, ${quote(value)}`;
    const verdict = reason.kind === "ERROR" ? "error" : variation === undefined ? "no" : "yes";
    const note = `${result}, ${reason.kind}${reason.errorKind === undefined ? "" : ` ${reason.errorKind}`}`;
    if (this.#explained.has(flag))
      return { ...step(subject, verdict, `${note}, as explained above`), detail };
    this.#explained.add(flag);
    return { ...step(subject, verdict, note, this.#steps(flag)), detail };
  }

  #steps(flag: CompiledFlag): readonly Explanation[] {
    if (flag.problems.length > 0) {
      return flag.problems.map(({ path, message }) =>
        step(`reading ${path || "the flag"}`, "error", message),
      );
    }
    const { reader, fields } = flag.item.read();
    const model = readFlag(reader, fields);
    if (!model.on) return [step("on", "no", `the off variation is ${model.offVariation ?? "none"}`)];
    const prerequisites: Explanation[] = [];
    for (const prerequisite of model.prerequisites) {
      const explained = this.#prerequisite(flag, prerequisite);
      prerequisites.push(explained);
      if (explained.verdict !== "yes") return prerequisites;
    }
    return [...prerequisites, ...this.#targets(flag, model)];
  }

  #prerequisite(flag: CompiledFlag, { key, variation }: PrerequisiteModel): Explanation {
    const { snapshot } = this.#scope;
    const subject = `prerequisite ${quote(key)} has variation ${variation}`;
    if (snapshot.tooDeep.flags.has(flag.slot))
      return step(subject, "error", "prerequisites are nested too deeply");
    const other = snapshot.flags[snapshot.registry.flags.find(key) ?? -1];
    if (other === undefined || other.deleted) return step(subject, "no", "there is no such flag");
    const explained = this.explain(key, other);
    if (outcomeOf(this.#scope, other).fatal) return step(subject, "error", "it is malformed", [explained]);
    if (!other.on) return step(subject, "no", "it is off", [explained]);
    return step(subject, explained.detail.variation === variation ? "yes" : "no", "", [explained]);
  }

  #targets(flag: CompiledFlag, model: FlagModel): readonly Explanation[] {
    const listed = this.#scope.flagTarget(flag.slot);
    if (listed !== NOT_LISTED) {
      const { variation } = this.#scope.program.outcome(listed);
      return [step("targets", "yes", `the context is listed for variation ${variation}`)];
    }
    const lists = [...model.targets, ...model.contextTargets].some(({ values }) => values.length > 0);
    return [
      ...(lists ? [step("targets", "no", "the context is not listed")] : []),
      ...this.#rules(flag, model),
    ];
  }

  #rules(flag: CompiledFlag, model: FlagModel): readonly Explanation[] {
    const steps: Explanation[] = [];
    for (const [index, { clauses, decision }] of readRules(this.#scope.program.code, flag.code).entries()) {
      const rule = model.rules[index];
      if (rule === undefined)
        return [...steps, this.#decision("fallthrough", decision, model.fallthrough, [])];
      const subject = `rule ${index}${rule.id === "" ? "" : ` (id ${quote(rule.id)})`}`;
      const tested = this.#segments.clauses(clauses, rule.clauses);
      const verdict = tested.at(-1)?.verdict ?? "yes";
      if (verdict === "yes") return [...steps, this.#decision(subject, decision, rule, tested)];
      steps.push(step(subject, verdict, "", tested));
      if (verdict === "error") return steps;
    }
    return steps;
  }

  #decision(
    subject: string,
    decision: number,
    { variation, rollout }: VariationOrRollout,
    tested: readonly Explanation[],
  ): Explanation {
    const outcome = this.#scope.program.outcome(follow(this.#scope, decision));
    if (outcome.variation < 0) return step(subject, "error", "it leads to no variation of the flag", tested);
    if (variation !== undefined || rollout === undefined)
      return step(subject, "yes", `variation ${variation}`, tested);
    const { experiment, contextKind, bucketBy } = rollout;
    const name = experiment ? "experiment" : "rollout";
    const attribute = `${contextKind || "user"} ${(!experiment && bucketBy) || "key"}`;
    const dealt = step(`${name} by ${attribute}`, "yes", `variation ${outcome.variation}`);
    return step(subject, "yes", "", [...tested, dealt]);
  }
}
