import type { Profile } from "@wye/pipeline-resolver";
import { describeValue, isObject, ownEntry, type PipelineSpec, type Severity } from "@wye/pipeline-spec";
import { defineRule, type OwnRule } from "./define-rule.js";
import type { Rule, RuleFamily, RuleSeverity } from "./rule.js";
import { findRule, readerProblems, ruleFamilies } from "./rule-table.js";
import { severities, severityNames } from "./severities.js";
import { suggest } from "./suggest.js";

/** Changes of severity: `{ "task-name-style": "off" }`. */
export type RuleSettings = Readonly<Record<string, RuleSeverity>>;

/** Changes of severity, or a list of such changes and of own rules; of two changes of one rule the later holds. */
export type RuleOptions = RuleSettings | readonly (RuleSettings | OwnRule)[];

/** A family with the rules that are not turned off. */
export interface EnabledFamily {
  readonly appliesTo: RuleFamily["appliesTo"] | undefined;
  readonly rules: readonly {
    readonly id: string;
    readonly check: NonNullable<Rule["check"]>;
    readonly severity: Severity;
  }[];
}

/** Those of books without changes, which most are, by profile and style. */
const usual = new Map<string, readonly EnabledFamily[]>();

/** What tells of the validation rather than of the file: no option and no comment changes it; and what does instead. */
const ofValidation: Readonly<Record<string, string>> = {
  "rule-failed": "turn off the rule that fails",
  "too-many-problems": "raise maxProblems",
};

/** The rules of one validation, each with its severity. */
export class RuleBook {
  private readonly ownRules: readonly OwnRule[];
  private readonly profile: Profile;
  private readonly style: boolean;
  private readonly settings = new Map<string, RuleSeverity>();
  private readonly ownIds: ReadonlySet<string>;

  constructor(profile: Profile, options: RuleOptions, style = false) {
    this.profile = profile;
    this.style = style;
    const list: readonly (RuleSettings | OwnRule)[] = isList(options) ? options : [options];
    for (const part of list) {
      if (!isObject(part)) {
        throw new TypeError(`the rules are changes of severity and own rules, not ${describeValue(part)}`);
      }
    }
    // A rule may have been written without `defineRule`, which says what is wrong with it.
    this.ownRules = list.filter(isOwnRule).map((rule) => defineRule(rule));
    this.ownIds = new Set(this.ownRules.map(({ id }) => id));
    if (this.ownIds.size < this.ownRules.length) throw new TypeError("two own rules have the same id");
    for (const part of list) if (!isOwnRule(part)) this.apply(part);
  }

  /** The built-in rules that find something by themselves and are not turned off. */
  builtIn(): readonly EnabledFamily[] {
    if (this.settings.size > 0) return this.enabled();
    const key = `${this.profile} ${this.style}`;
    const families = usual.get(key) ?? this.enabled();
    usual.set(key, families);
    return families;
  }

  private enabled(): readonly EnabledFamily[] {
    return ruleFamilies.map(({ appliesTo, rules }) => {
      const enabled = rules.flatMap(({ id, check }) => {
        const severity = check === undefined ? "off" : this.severityOf(id, "error");
        return check === undefined || severity === "off" ? [] : [{ id, check, severity }];
      });
      return { appliesTo, rules: enabled };
    });
  }

  /** True when a problem says only once more that the file is of an older schema, which is a finding of its own. */
  isAboutSchema(code: string, { schemaVersion }: PipelineSpec): boolean {
    if (this.profile !== "kfp" || schemaVersion !== "2.0.0") return false;
    return code === "deprecated-field" || findRule(code)?.currentSchemaOnly === true;
  }

  /** Own rules, which run after them. */
  *own(): Generator<{ readonly rule: OwnRule; readonly severity: Severity }> {
    for (const rule of this.ownRules) {
      const severity = this.severityOf(rule.id, "error");
      if (severity !== "off") yield { rule, severity };
    }
  }

  /** What own rules say is to hold, by their ids; undefined when there are none. */
  summaries(): Readonly<Record<string, string>> | undefined {
    if (this.ownRules.length === 0) return undefined;
    return Object.fromEntries(this.ownRules.map(({ id, summary }) => [id, summary]));
  }

  has(id: string): boolean {
    return findRule(id) !== undefined || Object.hasOwn(readerProblems, id) || this.ownIds.has(id);
  }

  /** True when a comment can disable it for a line. */
  canBeDisabled(id: string): boolean {
    return this.has(id) && !Object.hasOwn(ofValidation, id);
  }

  /** Everything that can be turned off or changed in severity. */
  ids(): readonly string[] {
    const builtIn = ruleFamilies.flatMap(({ rules }) => rules.map(({ id }) => id));
    const ids = [...builtIn, ...Object.keys(readerProblems), ...this.ownIds];
    return ids.filter((id) => !Object.hasOwn(ofValidation, id));
  }

  /** True when somebody has said what problems of this code count as, or has written the rule. */
  isChosen(id: string): boolean {
    return this.settings.has(id) || this.ownIds.has(id);
  }

  /** What a problem of this code counts as. */
  severityOf(id: string, otherwise: Severity): Severity | "off" {
    const own = this.ownIds.has(id) ? this.ownRules.find((rule) => rule.id === id) : undefined;
    const severity =
      this.settings.get(id) ?? own?.severity ?? findRule(id)?.severity[this.profile] ?? otherwise;
    if (severity !== "style") return severity;
    return this.style ? "info" : "off";
  }

  private apply(settings: RuleSettings): void {
    for (const [id, severity] of Object.entries(settings)) {
      if (!this.has(id)) {
        const hint = suggest(id, this.ids());
        throw new TypeError(`there is no rule ${JSON.stringify(id)}${hint === undefined ? "" : `: ${hint}`}`);
      }
      const instead = ownEntry(ofValidation, id);
      if (instead !== undefined) {
        throw new TypeError(`${JSON.stringify(id)} cannot be changed by an option: ${instead}`);
      }
      if (!severities.includes(severity)) {
        throw new TypeError(`rule ${id}: a severity is ${severityNames}, not ${JSON.stringify(severity)}`);
      }
      this.settings.set(id, severity);
    }
  }
}

const isList = (options: RuleOptions): options is readonly (RuleSettings | OwnRule)[] =>
  Array.isArray(options);

/** No rule is called so: what has one of these names is meant as a rule, and `defineRule` says what it lacks. */
const isOwnRule = (part: RuleSettings | OwnRule): part is OwnRule =>
  ["id", "summary", "check"].some((name) => name in part);
