import type { Profile, TextSpan } from "@wye/pipeline-resolver";
import type { PipelineGraph, Severity } from "@wye/pipeline-spec";
import type { NameHint } from "./name-hint.js";

/** A place in a specification. */
export interface Place {
  /** JSON pointer from the root of the specification, or of the platform specification when it begins with `/platforms`. */
  readonly at: string;
  /** Whether the name or what stands under it is meant; `value` unless given. */
  readonly part?: "key" | "value";
  /** The part of the text that stands there. */
  readonly span?: TextSpan;
}

/** Another place that helps to understand a problem. */
export interface RelatedFinding extends Place {
  /** What is to be seen there, such as `declared here`. */
  readonly message: string;
}

/** What a rule has found. */
export interface Finding extends Place {
  /** What is wrong and what was expected: a sentence without a full stop. */
  readonly message: string;
  /** What to do about it: a text, or which names may have been meant. */
  readonly hint?: string | NameHint | undefined;
  readonly related?: readonly RelatedFinding[];
  /**
   * For a finding that something is missing: pointers of where it was looked for, `*` being any name. When a part of
   * the file there cannot be read, the finding is left out, and the part is counted among what was not checked.
   */
  readonly sought?: readonly string[];
}

/** Two examples, in the form of their family: the wrong one breaks this rule only, the right one none. */
export interface RuleExamples {
  readonly wrong: string;
  readonly right: string;
  /** Rules that the wrong example cannot help breaking as well. */
  readonly besides?: readonly string[];
}

/**
 * How bad a broken rule is. `style` is for what works and could be clearer: such rules are off unless the option `style` is set,
 * and what they find is a remark.
 */
export type RuleSeverity = Severity | "style" | "off";

/** One thing that a specification must or should satisfy. */
export interface Rule {
  /** Stable name, which is the `code` of its problems. */
  readonly id: string;
  /** What is to hold, in one sentence. */
  readonly summary: string;
  /** What happens otherwise. */
  readonly reason: string;
  /** How bad it is under each profile. */
  readonly severity: Readonly<Record<Profile, RuleSeverity>>;
  readonly examples: RuleExamples;
  /**
   * True for a rule about what schema 2.1.0 writes in another way: that a file is older is one finding, and not one for
   * each place where that shows.
   */
  readonly currentSchemaOnly?: boolean;
  /** Finds the places that break the rule. Absent when the reader of the file or the validator itself finds them. */
  readonly check?: (index: PipelineGraph, profile: Profile) => Iterable<Finding>;
}

/**
 * What the examples of a family are: patches (RFC 7396, in YAML) of the example pipeline, with the platform specification
 * as a second document; text put at its end; or runtime configurations for it.
 */
export type ExampleForm = "patch" | "appended" | "runtime-config";

/** Rules of one theme, in the order in which they are documented. */
export interface RuleFamily {
  readonly title: string;
  /** What the examples are; `patch` unless given. */
  readonly examples?: ExampleForm;
  /** False for a pipeline that has nothing of what the rules are about, so that none of them would find anything. */
  readonly appliesTo?: (index: PipelineGraph) => boolean;
  readonly rules: readonly Rule[];
}

/** The same severity under both profiles. */
export const always = (severity: RuleSeverity): Rule["severity"] => ({ kfp: severity, spec: severity });

/** A rule of the back end and its tools, of which the document says nothing. */
export const underKfp = (severity: RuleSeverity): Rule["severity"] => ({ kfp: severity, spec: "off" });

/** A rule of the document that real tools do not have. */
export const underSpec = (severity: RuleSeverity): Rule["severity"] => ({ kfp: "off", spec: severity });
