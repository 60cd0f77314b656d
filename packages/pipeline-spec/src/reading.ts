import type { KnownOptions } from "./check-options.js";
import { shownPointer } from "./json-pointer.js";
import type { Problem, Severity } from "./problem.js";
import { type ProblemCounts, ProblemList } from "./problem-list.js";
import type { SpecProblemCode } from "./spec-problem-code.js";
import { highestMaxDepth } from "./yaml-limits.js";

/** How strictly and how far JSON is read. */
export interface ReadOptions {
  /** True to leave out fields and enum values that are not known; by default they are errors. */
  readonly ignoreUnknownFields?: boolean;
  /** False to say nothing of deprecated fields; by default each gives a problem of severity `info`. */
  readonly deprecations?: boolean;
  /** How deep objects and lists may nest: 100 by default, 1,000 at most. */
  readonly maxDepth?: number;
  /** How many problems to list at most, errors before all others: 1,000 by default. The others are counted. */
  readonly maxProblems?: number;
}

export const readOptions: KnownOptions<ReadOptions> = {
  ignoreUnknownFields: [true, false],
  deprecations: [true, false],
  maxDepth: "limit",
  maxProblems: "limit",
};

/** The limits that options set, or leave at their defaults. */
export function readLimits({ maxDepth = 100, maxProblems = 1000 }: ReadOptions): {
  readonly maxDepth: number;
  readonly maxProblems: number;
} {
  return { maxDepth: Math.min(maxDepth, highestMaxDepth), maxProblems };
}

/**
 * Finds what to write in the place of a value of another form, where a message of this name was expected, a `list` or a `map`; or
 * of a field, `key`, that the message does not have.
 */
export type FormHint = (expected: string, json: unknown, key?: string | number) => string | undefined;

/** One reading of one value: where it is, and what it has found. */
export class Reading {
  readonly path: (string | number)[] = [];
  /** Fields that were read although their names are misspelt, by the place that their right name would have. */
  readonly misspelt: Map<string, string> = new Map();
  readonly maxDepth: number;
  private readonly deprecations: boolean;
  /** How bad an unknown field is; `undefined` when it is to be left out without a word. */
  unknownFields: Severity | undefined;
  /** Finds all digits of an integer that is too large to be exact as a number, where there is a text. */
  exactInteger: ((path: readonly (string | number)[]) => bigint | undefined) | undefined;
  /** What to write where something of another form was expected, when the reader of a pipeline is there to tell. */
  formHint: FormHint | undefined;
  private readonly found: ProblemList;

  constructor(options: ReadOptions = {}) {
    const { maxDepth, maxProblems } = readLimits(options);
    this.maxDepth = maxDepth;
    this.found = new ProblemList(maxProblems);
    this.deprecations = options.deprecations ?? true;
    this.unknownFields = options.ignoreUnknownFields ? undefined : "error";
  }

  /** How many problems there are, listed or not. */
  get counts(): ProblemCounts {
    return this.found.counts;
  }

  /** True when an error was found. */
  get failed(): boolean {
    return this.found.counts.error > 0;
  }

  /** Notes an error about the value at the current path. */
  error(code: SpecProblemCode, message: string, hint?: string): undefined {
    return this.note("error", code, message, hint);
  }

  /** Notes a problem about the value at the current path. */
  note(severity: Severity, code: SpecProblemCode, message: string, hint?: string): undefined {
    this.found.add(severity, () => {
      const path = shownPointer(this.path);
      return { code, severity, path, message, ...(hint === undefined ? {} : { hint }) };
    });
  }

  /** True when another problem of this severity would only be counted, so that it needs no hint. */
  isFull(severity: Severity): boolean {
    return this.found.isFull(severity);
  }

  /** The problems that are listed, errors first. */
  listed(): readonly Problem[] {
    return this.found.listed();
  }

  /** How many more there are. */
  unlisted(): ProblemCounts {
    return this.found.unlisted();
  }

  /** The problems that are listed, and a remark on those that are not. */
  list(): readonly Problem[] {
    const remark = this.found.remark();
    return remark === undefined ? this.found.listed() : [...this.found.listed(), remark];
  }

  /** Remarks that a field is deprecated. */
  deprecated(name: string, replacedBy: readonly string[]): void {
    if (!this.deprecations) return;
    const names = replacedBy.map((other) => `"${other}"`).join(" or ");
    const hint = names === "" ? undefined : `use ${names} instead`;
    this.note("info", "deprecated-field", `"${name}" is deprecated`, hint);
  }
}
