import { type Problem, pointer } from "@wye/pipeline-spec";

/**
 * What can be wrong with the values of a task: `missing` (a required input has no value), `undeclared` (a value for an input that
 * is not there), `no-source` (the specification says nothing about where the value comes from), `unknown-source` (it names an
 * input or a task that is not there, or has not run), `null` (for a required input), `type`, `literal` (not one of the values
 * allowed), `selector` (the expression failed), `placeholder` (in a constant), `cycle` (constants that need each other),
 * `items` (of a loop: no list), `one-of` (no branch gave a value, or more than one), `output` (cannot be read), `uri` (of an importer).
 */
export type ValueProblemCode =
  | "missing"
  | "undeclared"
  | "no-source"
  | "unknown-source"
  | "null"
  | "type"
  | "literal"
  | "selector"
  | "placeholder"
  | "cycle"
  | "items"
  | "one-of"
  | "output"
  | "uri";

/** Something that is wrong with values; `path` points into the message that it is about, such as the task. */
export type ValueProblem = Problem<ValueProblemCode>;

/** Collects problems; a pointer to their place goes along. */
export class ValueProblems {
  readonly list: ValueProblem[] = [];

  error(code: ValueProblemCode, path: readonly string[], message: string, hint?: string): undefined {
    this.#add(code, "error", path, message, hint);
  }

  warn(code: ValueProblemCode, path: readonly string[], message: string, hint?: string): void {
    this.#add(code, "warning", path, message, hint);
  }

  get failed(): boolean {
    return this.list.some(({ severity }) => severity === "error");
  }

  #add(
    code: ValueProblemCode,
    severity: "error" | "warning",
    path: readonly string[],
    message: string,
    hint?: string,
  ) {
    this.list.push({
      code,
      severity,
      path: pointer("", ...path),
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** A result with remarks, or the problems that prevent one. */
export type Resolved<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly ValueProblem[] }
  | { readonly ok: false; readonly problems: readonly ValueProblem[] };

/** The result, unless something went wrong. */
export function resolved<T>(value: T, { failed, list }: ValueProblems): Resolved<T> {
  return failed ? { ok: false, problems: list } : { ok: true, value, problems: list };
}
