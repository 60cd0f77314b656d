import type { Profile } from "@wye/pipeline-resolver";
import {
  checkOptions,
  checkParseOptions,
  isObject,
  type KnownOptions,
  locate,
  type ParseOptions,
  type Pipeline,
  type PipelineSpec,
  type PlatformSpec,
  type Problem,
  type ProblemCounts,
  parsePipeline,
  pathFromPointer,
} from "@wye/pipeline-spec";
import { boundedProblem } from "./bounded-problem.js";
import { findProblems, type Search } from "./find-problems.js";
import { missedExecutors } from "./missed-executors.js";
import type { PlacedPipeline } from "./places.js";
import { leastProblems, mostOfForm, type ProblemsOfForm, problemsOfForm } from "./problems-of-form.js";
import { RuleBook, type RuleOptions } from "./rule-book.js";
import { Suppressions } from "./suppressions.js";
import { isUnfilled, templateRule } from "./template-values.js";
import { type ReportedProblem, UncheckedParts } from "./unchecked-parts.js";
import { problemList, reportOf, type ValidationProblem, type ValidationReport } from "./validation-report.js";

/** How a pipeline is judged. */
export interface ValidateOptions {
  /** Whose rules hold: `kfp`, the default, is what the open-source back end does; `spec` the document to the letter. */
  readonly profile?: Profile;
  /** Rules to turn off or to change in severity, by id; or a list of such changes and of own rules. */
  readonly rules?: RuleOptions;
  /** True for remarks on what works and could be clearer: the rules of severity `style`, which are off otherwise. */
  readonly style?: boolean;
  /** The platform specification, when it is not in the same file. */
  readonly platform?: PlatformSpec;
  /** The text that a parsed pipeline came from: for places inside of texts, and for comments that disable rules. */
  readonly source?: string;
  /** How many problems to list: 1,000 by default, errors before all others. All are counted. */
  readonly maxProblems?: number;
  /** How strictly and how far the text is read. */
  readonly parse?: Omit<ParseOptions, "maxProblems">;
}

const knownOptions: KnownOptions<ValidateOptions> = {
  profile: ["kfp", "spec"],
  rules: "any",
  style: [true, false],
  platform: "any",
  source: "text",
  maxProblems: "limit",
  parse: "any",
};

/** What can be validated: a text or its bytes, what `parsePipeline` made of one, or a specification made by a program. */
export type ValidationInput = string | Uint8Array | Pipeline | ProgrammedPipeline;

/** A specification that no text stands behind; its deployment is read from it, unless it is given. */
export interface ProgrammedPipeline extends Partial<Pipeline> {
  readonly spec: PipelineSpec;
}

/**
 * Finds everything that is wrong with a pipeline, given as a text or parsed. Never throws for what the pipeline says.
 * With a text, its form is checked as well, comments can disable rules, and every problem has its line and column.
 */
export function validatePipeline(input: ValidationInput, options: ValidateOptions = {}): ValidationReport {
  checkOptions("validatePipeline", options, knownOptions);
  checkParseOptions("validatePipeline.parse", options.parse ?? {});
  const { profile = "kfp", rules = {}, style, maxProblems, platform } = options;
  if (options.parse !== undefined && "maxProblems" in options.parse) {
    throw new TypeError("maxProblems is an option of validatePipeline itself, not of its `parse`");
  }
  if (platform !== undefined && !(isObject(platform) && isObject(platform.platforms))) {
    throw new TypeError(
      'the option "platform" of validatePipeline is a platform specification, with `platforms`',
    );
  }
  const book = new RuleBook(profile, rules, style);
  const found = problemList(maxProblems);
  const { pipeline, text, problems, unlisted } = open(input, options);
  const suppressions = new Suppressions(text, book);
  const reported: ReportedProblem[] = [];
  const unfilled: Problem[] = [];
  const asRule = formRules(pipeline);
  const tellsOfTemplates = book.severityOf(templateRule, "error") !== "off";
  for (const problem of problems) {
    const { code, severity, range } = asRule(problem);
    // Of a file that cannot be read nothing else is known, so that no comment and no option can make it a good one.
    const isFinal = pipeline === undefined && severity === "error";
    const asked = book.severityOf(code, severity);
    const level = isFinal ? severity : asked;
    const isHidden = suppressions.hides(code, () => range?.start.line) && !isFinal;
    if (level === "off" || isHidden) continue;
    reported.push({ problem, severity: level });
    if (pipeline !== undefined && tellsOfTemplates && isAboutUnfilled(problem)) {
      unfilled.push(problem);
      continue;
    }
    if (pipeline !== undefined && book.isAboutSchema(code, pipeline.spec)) continue;
    const told = isFinal && asked !== severity ? withFinalHint(problem) : problem;
    found.add(level, () => boundedProblem({ ...told, code, severity: level }));
  }
  // What nobody is told of is read as if it were not there, and hides nothing.
  const unchecked = new UncheckedParts(reported, pipeline);
  found.addUnlisted(unlisted);
  let uncounted: readonly string[] = [];
  if (pipeline !== undefined && !unchecked.isEverything) {
    uncounted = findProblems({ pipeline, text, profile, book, unchecked, suppressions, found, unfilled });
  }
  for (const { code, make } of suppressions.complaints(book)) {
    const severity = book.severityOf(code, "warning");
    if (severity !== "off") found.add(severity, () => boundedProblem({ ...make(), severity }));
  }
  const report = reportOf(found, unchecked.list().slice(0, maxProblems), uncounted);
  const ownRules = book.summaries();
  return ownRules === undefined ? report : { ...report, ownRules };
}

/** True when a value is of another type because a template was not filled in. */
const isAboutUnfilled = ({ code, message }: Problem): boolean =>
  (code === "wrong-type" || code === "invalid-duration" || code === "unknown-enum-value") &&
  isUnfilled(message);

/** Says why what was turned off is there all the same. */
function withFinalHint(problem: Problem): Problem {
  const hint = "nothing can be read of such a file, so that this stays an error";
  return { ...problem, hint: problem.hint === undefined ? hint : `${problem.hint}; ${hint}` };
}

/**
 * Unknown fields of executors that look like known ones are a matter of the profile; and one beside the executors that is one itself is
 * an error when a run looks for it below them.
 */
function formRules(pipeline: Search["pipeline"] | undefined): (problem: Problem) => ValidationProblem {
  let missed: ReadonlySet<string> | undefined;
  return (problem) => {
    if (problem.code !== "unknown-field" || problem.severity !== "warning") return problem;
    if (problem.hint === "put it below executors") {
      missed ??= pipeline === undefined ? new Set<string>() : missedExecutors(pipeline);
      return missed.has(pathFromPointer(problem.path).at(-1) ?? "")
        ? { ...problem, severity: "error" }
        : problem;
    }
    const isMisspelt = problem.hint?.startsWith("did you mean") === true;
    return isMisspelt ? { ...problem, code: "executor-field-misspelt", severity: "error" } : problem;
  };
}

/** What there is to judge, and what reading it has found. */
interface Opened extends ProblemsOfForm {
  readonly pipeline: Search["pipeline"] | undefined;
  readonly text: string;
}

const none: ProblemCounts = { error: 0, warning: 0, info: 0 };

function open(input: ValidationInput, options: ValidateOptions): Opened {
  if (typeof input === "string" || input instanceof Uint8Array) {
    // A carriage return alone ends a line, and is as long as another end of one.
    const source = typeof input === "string" ? input : new TextDecoder().decode(input);
    const text = source.includes("\r") ? source.replace(/\r(?!\n)/g, "\n") : source;
    const parsed = parsePipeline(input, { ...options.parse, maxProblems: mostOfForm(options.maxProblems) });
    const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
    return { pipeline: pipeline && withPlatform(placed(pipeline), options), text, ...problemsOfForm(parsed) };
  }
  if (!isPipeline(input)) {
    throw new TypeError(
      "validatePipeline takes a text, its bytes, the `pipeline` of what parsePipeline gives, or { spec }",
    );
  }
  const { spec, platform, job, run, specPath = "", platformPath = "" } = input;
  const read = input.deployment === undefined ? readDeployment(spec) : undefined;
  const deployment = input.deployment ?? read?.deployment ?? { executors: {} };
  const around = { job, ...(run === undefined ? {} : { run }) };
  const pipeline = placed({ spec, deployment, platform, ...around, specPath, platformPath }, input);
  const problems = read?.problems ?? [];
  return { pipeline: withPlatform(pipeline, options), text: options.source ?? "", problems, unlisted: none };
}

/** With the places of what was parsed, if it was. */
function placed(pipeline: Pipeline, parsed: Pick<Pipeline, "spec"> = pipeline) {
  const find: PlacedPipeline["locate"] = (path, part) => locate(parsed, path, part);
  return { ...pipeline, locate: find };
}

function withPlatform<P extends Pick<Pipeline, "platform">>(pipeline: P, { platform }: ValidateOptions): P {
  return platform === undefined ? pipeline : { ...pipeline, platform };
}

/** The executors of a specification that no text stands behind, and what is wrong with their form. */
function readDeployment({ deploymentSpec }: PipelineSpec) {
  const read = parsePipeline(JSON.stringify({ root: {}, deploymentSpec }), { maxProblems: leastProblems });
  const problems = read.problems.map(({ range: _, ...problem }): Problem => problem);
  return { deployment: (read.ok ? read.pipeline : read.partial)?.deployment, problems };
}

/** Callers without types may hand over anything, such as the result of parsing instead of its pipeline. */
function isPipeline(input: unknown): input is ProgrammedPipeline {
  return isObject(input) && isObject(input.spec) && "components" in input.spec;
}
