import {
  buildGraph,
  type ParseOptions,
  type Pipeline,
  type PlatformSpec,
  type Position,
  parsePipeline,
  type Range,
} from "@wye/pipeline-spec";
import type { Finding, Place, Profile } from "./rule.js";
import { type RuleSettings, ruleFamilies, severities } from "./rule-table.js";
import { runtimeConfigProblems } from "./runtime-config-problems.js";
import { spanInScalar } from "./scalar-offsets.js";
import { hideFollowUps } from "./structural-errors.js";
import { applySuppressions } from "./suppressions.js";
import {
  type RelatedPlace,
  reportOf,
  type ValidationProblem,
  type ValidationReport,
} from "./validation-report.js";

/** How a pipeline is judged. */
export interface ValidateOptions {
  /** Whose rules hold: `kfp`, the default, is what the open-source back end does; `spec` the document to the letter. */
  readonly profile?: Profile;
  /** Rules to turn off or to change in severity, by id. */
  readonly rules?: RuleSettings;
  /** The platform specification, when it is not in the same file. */
  readonly platform?: PlatformSpec;
  /** The text that a parsed pipeline came from: for places inside of texts, and for comments that disable rules. */
  readonly source?: string;
  /** After how many problems to stop looking: 1,000 by default. */
  readonly maxProblems?: number;
  /** How strictly and how far the text is read. */
  readonly parse?: ParseOptions;
}

const defaultMaxProblems = 1_000;

/**
 * Finds everything that is wrong with a pipeline, given as a text or parsed. Never throws for what the pipeline says.
 * With a text, its form is checked as well, comments can disable rules, and every problem has its line and column.
 */
export function validatePipeline(
  input: string | Uint8Array | Pipeline,
  options: ValidateOptions = {},
): ValidationReport {
  const { profile = "kfp", rules: settings = {}, maxProblems = defaultMaxProblems } = options;
  if (profile !== "kfp" && profile !== "spec") throw new TypeError('a profile is "kfp" or "spec"');
  const severityOf = severities(profile, settings);
  const isText = typeof input === "string" || input instanceof Uint8Array;
  if (!isText && !isPipeline(input)) {
    throw new TypeError(
      "validatePipeline takes a text, its bytes, or the `pipeline` of what parsePipeline gives",
    );
  }
  const parsed = isText
    ? parsePipeline(input, options.parse)
    : { ok: true as const, pipeline: input, problems: [] };
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  const text = isText ? textOf(input) : (options.source ?? "");
  const found: ValidationProblem[] = parsed.problems.map(asRule);
  if (pipeline !== undefined) {
    const judged = options.platform === undefined ? pipeline : { ...pipeline, platform: options.platform };
    found.push(
      ...hideFollowUps(parsed.problems, judged, findProblems(judged, text, profile, severityOf, maxProblems)),
    );
  }
  const problems: ValidationProblem[] = [];
  for (const problem of found) {
    const severity = severityOf(problem.code, problem.severity);
    if (severity !== "off") problems.push(severity === problem.severity ? problem : { ...problem, severity });
  }
  const isOff = (id: string): boolean => severityOf(id, "error") === "off";
  const kept = applySuppressions(text, problems, isOff).flatMap((problem) => {
    const severity = problem.code.startsWith("disable-")
      ? severityOf(problem.code, problem.severity)
      : problem.severity;
    return severity === "off" ? [] : [{ ...problem, severity }];
  });
  return reportOf(kept.sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0)));
}

/** Unknown fields of executors that look like known ones are a matter of the profile. */
function asRule(problem: ValidationProblem): ValidationProblem {
  if (problem.code !== "unknown-field" || problem.severity !== "warning") return problem;
  const isMisspelt = problem.hint?.startsWith("did you mean") === true;
  return isMisspelt ? { ...problem, code: "executor-field-misspelt", severity: "error" } : problem;
}

/** Callers without types may hand over anything, such as the result of parsing instead of its pipeline. */
function isPipeline(input: unknown): boolean {
  return typeof input === "object" && input !== null && "spec" in input && "locate" in input;
}

function textOf(input: string | Uint8Array): string {
  return typeof input === "string" ? input : new TextDecoder().decode(input);
}

function* findProblems(
  pipeline: Pipeline,
  text: string,
  profile: Profile,
  severityOf: ReturnType<typeof severities>,
  most: number,
): Generator<ValidationProblem> {
  const index = buildGraph(pipeline);
  const placed = new Places(pipeline, text);
  let count = 0;
  for (const { id, check } of ruleFamilies.flatMap(({ rules }) => rules)) {
    const severity = severityOf(id, "error");
    if (check === undefined || severity === "off") continue;
    for (const finding of check(index, profile)) {
      if (++count > most) {
        const message = `stopped after ${most} problems; there may be more`;
        yield { code: "too-many-problems", severity: "info", path: "", message };
        return;
      }
      yield { code: id, severity, ...placed.problem(finding) };
    }
  }
  for (const problem of runtimeConfigProblems(pipeline)) {
    yield {
      ...problem,
      range: pipeline.locate(problem.path, problem.code.endsWith("unknown") ? "key" : "value"),
    };
  }
}

/** Turns the places of findings into pointers and ranges of the file. */
class Places {
  private readonly pipeline: Pipeline;
  private readonly text: string;

  constructor(pipeline: Pipeline, text: string) {
    this.pipeline = pipeline;
    this.text = text;
  }

  problem({ message, hint, related, ...place }: Finding): Omit<ValidationProblem, "code" | "severity"> {
    const places = related?.map((one): RelatedPlace => ({ message: one.message, ...this.place(one) }));
    return {
      ...this.place(place),
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(places === undefined || places.length === 0 ? {} : { related: places }),
    };
  }

  private place({ at, part = "value", span }: Place): { readonly path: string; readonly range: Range } {
    const { locate, specPath, platformPath } = this.pipeline;
    const path = `${at.startsWith("/platforms") ? platformPath : specPath}${at}`;
    const range = locate(path, part);
    // What is said of the whole specification is said at its beginning.
    if (at === "") return { path, range: { start: range.start, end: range.start } };
    return { path, range: span === undefined ? range : this.inside(range, at, span) };
  }

  private inside(range: Range, at: string, span: NonNullable<Place["span"]>): Range {
    const source = this.text.slice(range.start.offset, range.end.offset);
    const decoded = textAt(this.pipeline, at);
    const found = decoded === undefined ? undefined : spanInScalar(source, decoded, span);
    if (found === undefined) return range;
    return { start: advance(range.start, source, found.start), end: advance(range.start, source, found.end) };
  }
}

/** The place so many code units further on. */
function advance({ offset, line, column }: Position, source: string, units: number): Position {
  const before = source.slice(0, units);
  const breaks = before.split("\n").length - 1;
  const last = before.lastIndexOf("\n");
  return {
    offset: offset + units,
    line: line + breaks,
    column: breaks === 0 ? column + units : units - last,
  };
}

/** The text that a finding is about. */
function textAt({ spec, deployment }: Pipeline, at: string): string | undefined {
  const path = at
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const isDeployment = path[0] === "deploymentSpec";
  let value: unknown = isDeployment ? deployment : spec;
  for (const name of isDeployment ? path.slice(1) : path) value = member(value, name);
  return typeof value === "string" ? value : undefined;
}

/** A field by its JSON name; those of a oneof are one level deeper in a message. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as { readonly [name: string]: unknown })[name];
  for (const part of Object.values(value)) {
    const isChoice = typeof part === "object" && part !== null && "$case" in part && part.$case === name;
    if (isChoice) return (part as { readonly value?: unknown }).value;
  }
  return undefined;
}
