import type { BigSegment, CompiledSegment, SegmentShare } from "../compile/compiled-segment.js";
import { FAILED, YES } from "../compile/verdict.js";
import { clauseVerdict, evaluateSegment, inShare } from "../evaluate/evaluate-clause.js";
import type { Scope } from "../evaluate/scope.js";
import type { ClauseModel } from "../read/clause-model.js";
import { readSegment, type SegmentRuleModel } from "../read/segment-model.js";
import { type Explanation, quote, step } from "./explanation.js";

/** Explains clauses, and the segments that they ask. */
export class SegmentExplainer {
  readonly #scope: Scope;
  readonly #explained = new Set<CompiledSegment>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** The clauses of a rule, by slot and as they were written, up to the first that does not match. */
  clauses(slots: readonly number[], models: readonly ClauseModel[]): readonly Explanation[] {
    const steps: Explanation[] = [];
    for (const [index, model] of models.entries()) {
      const explained = this.#clause(slots[index] ?? 0, model);
      steps.push(explained);
      if (explained.verdict !== "yes") break;
    }
    return steps;
  }

  #clause(slot: number, model: ClauseModel): Explanation {
    const verdict = wordFor(clauseVerdict(this.#scope, slot));
    const { contextKind, attribute, op, values, negate } = model;
    const not = negate ? "not " : "";
    if (op === "segmentMatch") {
      return step(`${not}in a segment`, verdict, "", this.#segmentsUpToMatch(values));
    }
    const subject = `${contextKind || "user"} ${attribute || "(no attribute)"} ${not}${op} ${quote(values)}`;
    return step(subject, verdict, this.#found(contextKind, attribute));
  }

  #segmentsUpToMatch(keys: readonly unknown[]): readonly Explanation[] {
    const steps: Explanation[] = [];
    for (const key of keys) {
      if (typeof key === "string") steps.push(this.#segment(key));
      if ((steps.at(-1)?.verdict ?? "no") !== "no") break;
    }
    return steps;
  }

  /** What the context has for an attribute. */
  #found(contextKind: string, reference: string): string {
    const { snapshot, context } = this.#scope;
    if (reference === "kind") return `the kind is ${context?.parts.map(({ kind }) => kind).join(", ")}`;
    const attribute = snapshot.registry.attribute(contextKind, reference);
    if (attribute === undefined) return "the attribute reference is not valid";
    const kind = snapshot.registry.attributes[attribute]?.kind ?? -1;
    if (this.#scope.part(kind) === undefined) return `the context has no ${contextKind || "user"}`;
    const value = this.#scope.value(attribute);
    return value === undefined ? "the context has no such attribute" : `the context has ${quote(value)}`;
  }

  #segment(key: string): Explanation {
    const { snapshot } = this.#scope;
    const subject = `segment ${quote(key)}`;
    const segment = snapshot.segments[snapshot.registry.segments.find(key) ?? -1];
    if (segment === undefined || segment.deleted) return step(subject, "no", "there is no such segment");
    const verdict = wordFor(evaluateSegment(this.#scope, segment));
    if (this.#explained.has(segment)) return step(subject, verdict, "as explained above");
    this.#explained.add(segment);
    const [problem] = segment.problems;
    if (problem !== undefined)
      return step(subject, "error", `${problem.path} ${problem.message}`.trimStart());
    if (snapshot.tooDeep.segments.has(segment.slot))
      return step(subject, "error", "segments are nested too deeply");
    if (segment.big !== undefined) return this.#bigSegment(subject, segment, segment.big);
    const target = this.#scope.segmentTarget(segment.slot);
    if (target !== undefined)
      return step(subject, verdict, `listed as ${target.included ? "included" : "excluded"}`);
    return step(subject, verdict, "not listed", this.#rules(segment));
  }

  #bigSegment(subject: string, segment: CompiledSegment, { kind, reference }: BigSegment): Explanation {
    const verdict = wordFor(evaluateSegment(this.#scope, segment));
    if (reference === undefined) return step(subject, verdict, "a big segment without a generation");
    const part = this.#scope.part(kind);
    if (part === undefined) {
      return step(subject, verdict, `the context has no ${this.#scope.snapshot.registry.kinds.name(kind)}`);
    }
    const { status, segments } = this.#scope.membership(part.key);
    const included = segments?.get(reference);
    if (included !== undefined)
      return step(subject, verdict, `${included ? "included" : "excluded"}, ${status}`);
    return step(subject, verdict, `neither included nor excluded, ${status}`, this.#rules(segment));
  }

  #rules(segment: CompiledSegment): readonly Explanation[] {
    const { reader, fields } = segment.item.read();
    const steps: Explanation[] = [];
    for (const [index, model] of readSegment(reader, fields).rules.entries()) {
      const subject = `rule ${index}${model.id === "" ? "" : ` (id ${quote(model.id)})`}`;
      const { clauses = [], share } = segment.rules[index] ?? {};
      const tested = this.clauses(clauses, model.clauses);
      const verdict = tested.at(-1)?.verdict ?? "yes";
      const dealt = verdict === "yes" && share !== undefined ? [this.#share(share, model)] : [];
      const result = dealt.at(-1)?.verdict ?? verdict;
      steps.push(step(subject, result, "", [...tested, ...dealt]));
      if (result !== "no") break;
    }
    return steps;
  }

  #share(share: SegmentShare, { weight, rolloutContextKind, bucketBy }: SegmentRuleModel): Explanation {
    const attribute = `${rolloutContextKind || "user"} ${bucketBy || "key"}`;
    const percent = (weight ?? 0) / 1000;
    return step(`among ${percent} % by ${attribute}`, wordFor(inShare(this.#scope, share)));
  }
}

function wordFor(verdict: number): Explanation["verdict"] {
  return verdict === YES ? "yes" : verdict === FAILED ? "error" : "no";
}
