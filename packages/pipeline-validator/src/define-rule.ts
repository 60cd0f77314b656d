import type { Profile } from "@wye/pipeline-resolver";
import {
  checkOptions,
  describeValue,
  isObject,
  type KnownOptions,
  type PipelineGraph,
} from "@wye/pipeline-spec";
import { isPlainObject } from "./is-plain-object.js";
import type { Finding, RuleSeverity } from "./rule.js";
import { findRule, readerProblems } from "./rule-table.js";
import { severities, severityNames } from "./severities.js";

/** A rule of one's own, for the policies of an organisation. */
export interface OwnRule {
  /** The `code` of its problems: lower-case words joined by `-`, and perhaps by `/` after a prefix: `acme/pinned-image`. */
  readonly id: string;
  /** What is to hold, in one sentence. */
  readonly summary: string;
  /** How bad it is when it does not; options can change it. */
  readonly severity: RuleSeverity;
  /** Finds the places that break the rule. It is called once per validation and must not keep the graph. */
  readonly check: (graph: PipelineGraph, profile: Profile) => Iterable<Finding>;
}

const known: KnownOptions<OwnRule> = { id: "any", summary: "any", severity: "any", check: "any" };

/** Checks and returns a rule, so that what is wrong with it is found where it is written. It may be an object of a class. */
export function defineRule(rule: OwnRule): OwnRule {
  if (!isObject(rule)) throw new TypeError(`defineRule takes a rule, not ${describeValue(rule)}`);
  const { id, summary, severity, check } = rule;
  if (typeof id !== "string" || !/^[a-z0-9]+(?:[-/][a-z0-9]+)*$/.test(id)) {
    throw new TypeError(
      `defineRule: the id of a rule is lower-case words joined by "-" or "/", not ${JSON.stringify(id)}`,
    );
  }
  if (findRule(id) !== undefined || Object.hasOwn(readerProblems, id)) {
    throw new TypeError(
      `there is already a rule ${JSON.stringify(id)}: give yours a prefix, such as acme/${id}`,
    );
  }
  if (typeof summary !== "string" || summary === "")
    throw new TypeError(`rule ${id}: a summary is a sentence`);
  if (!severities.includes(severity)) throw new TypeError(`rule ${id}: a severity is ${severityNames}`);
  if (typeof check !== "function")
    throw new TypeError(`rule ${id}: check is a function that yields findings`);
  // What a class keeps for itself beside them is its own affair.
  if (isPlainObject(rule)) checkOptions(`the rule ${id}`, rule, known);
  return Object.freeze({ id, summary, severity, check: check.bind(rule) });
}
