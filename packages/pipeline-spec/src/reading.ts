import { pointerFromPath } from "./json-pointer.js";
import type { Problem, Severity } from "./problem.js";
import type { SpecProblemCode } from "./spec-problem-code.js";

/** How strictly and how far JSON is read. */
export interface ReadOptions {
  /** True to leave out fields and enum values that are not known; by default they are errors. */
  readonly ignoreUnknownFields?: boolean;
  /** False to say nothing of deprecated fields; by default each gives a problem of severity `info`. */
  readonly deprecations?: boolean;
  /** How deep objects and lists may nest: 100 by default, 1,000 at most. */
  readonly maxDepth?: number;
  /** After how many errors to stop, and how many lesser problems to list at most: 100 of each by default. */
  readonly maxProblems?: number;
}

/** What any stack can take. */
const highestMaxDepth = 1000;

/** The limits that options set, or leave at their defaults. */
export function readLimits({ maxDepth = 100, maxProblems = 100 }: ReadOptions): {
  readonly maxDepth: number;
  readonly maxProblems: number;
} {
  return { maxDepth: Math.min(maxDepth, highestMaxDepth), maxProblems };
}

/** Thrown to leave a reader that has found enough errors; never leaves this package. */
class EnoughProblems extends Error {}

/** One reading of one value: where it is, and what it has found. */
export class Reading {
  readonly path: (string | number)[] = [];
  readonly problems: Problem[] = [];
  readonly maxDepth: number;
  private readonly deprecations: boolean;
  /** How bad an unknown field is; `undefined` when it is to be left out without a word. */
  unknownFields: Severity | undefined;
  /** Finds all digits of an integer that is too large to be exact as a number, where there is a text. */
  exactInteger: ((path: readonly (string | number)[]) => bigint | undefined) | undefined;
  private readonly maxProblems: number;
  private errors = 0;
  private unlisted = 0;

  constructor(options: ReadOptions = {}) {
    const { maxDepth, maxProblems } = readLimits(options);
    this.maxDepth = maxDepth;
    this.maxProblems = maxProblems;
    this.deprecations = options.deprecations ?? true;
    this.unknownFields = options.ignoreUnknownFields ? undefined : "error";
  }

  /** True when an error was found. */
  get failed(): boolean {
    return this.errors > 0;
  }

  /** Notes an error about the value at the current path. */
  error(code: SpecProblemCode, message: string, hint?: string): undefined {
    return this.note("error", code, message, hint);
  }

  /** Notes a problem about the value at the current path. */
  note(severity: Severity, code: SpecProblemCode, message: string, hint?: string): undefined {
    if (severity !== "error" && this.problems.length - this.errors >= this.maxProblems) {
      this.unlisted++;
      return undefined;
    }
    const path = pointerFromPath(this.path);
    this.problems.push({ code, severity, path, message, ...(hint === undefined ? {} : { hint }) });
    if (severity === "error" && ++this.errors >= this.maxProblems) throw new EnoughProblems();
    return undefined;
  }

  /** Remarks that a field is deprecated. */
  deprecated(name: string, replacedBy: readonly string[]): void {
    if (!this.deprecations) return;
    const names = replacedBy.map((other) => `"${other}"`).join(" or ");
    const hint = names === "" ? undefined : `use ${names} instead`;
    this.note("info", "deprecated-field", `"${name}" is deprecated`, hint);
  }

  /** Runs `read` until it is done or has found enough errors, and adds a last problem when there may be more. */
  run<T>(read: () => T): T | undefined {
    const depth = this.path.length;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof EnoughProblems)) throw error;
      this.path.length = depth;
      const message = `stopped after ${this.errors} errors; there may be more`;
      this.problems.push({
        code: "too-many-problems",
        severity: "info",
        path: pointerFromPath(this.path),
        message,
      });
      return undefined;
    } finally {
      this.mentionUnlisted();
    }
  }

  private mentionUnlisted(): void {
    if (this.unlisted === 0) return;
    const message = `${this.unlisted} more warnings and remarks are not listed`;
    this.problems.push({ code: "too-many-problems", severity: "info", path: "", message });
    this.unlisted = 0;
  }
}
