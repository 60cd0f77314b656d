import { defaultExpressionLimits, type ExpressionLimits } from "./expression-problem.js";
import { compilePattern, type LinearPattern } from "./linear-pattern.js";

/** Instructions times characters that the patterns of one evaluation may cost: well below a second. */
const maxPatternWork = 50_000_000;

/** As many elements of lists are looked at for the price of one pass through a small loop. */
const elementsPerStep = 16;

/** As many nodes are evaluated for the price of one pass through a small loop. */
const nodesPerStep = 16;

/** What one evaluation has used up. Evaluation is synchronous, so one meter serves one after the other. */
export class EvaluationMeter {
  /** What `parseJson` has returned in this evaluation. */
  parsed: unknown[] = [];
  /** Set once a bound was hit: what comes out afterwards has no meaning. */
  exhausted = false;
  #limits: ExpressionLimits = defaultExpressionLimits;
  #steps = 0;
  #patternWork = 0;
  #pattern: { readonly text: string; readonly compiled: LinearPattern | string } | undefined;

  /** Begins an evaluation. */
  start(limits: ExpressionLimits): void {
    this.parsed = [];
    this.exhausted = false;
    this.#limits = limits;
    this.#steps = 0;
    this.#patternWork = 0;
  }

  /** Counts one pass through a loop whose body has so many nodes; false when there were too many. */
  step(nodes: number): boolean {
    this.#steps += 1 + Math.floor(nodes / nodesPerStep);
    if (this.#steps > this.#limits.maxSteps) this.exhausted = true;
    return !this.exhausted;
  }

  /** Counts elements of a list that are made or searched; false when there were too many. */
  look(elements: number): boolean {
    this.#steps += Math.floor(elements / elementsPerStep);
    if (this.#steps > this.#limits.maxSteps) this.exhausted = true;
    return !this.exhausted;
  }

  /** Does the pattern match anywhere in the text? A text as answer says why it cannot be told. */
  matches(text: string, pattern: string): boolean | string {
    const compiled = this.#compile(pattern);
    if (typeof compiled === "string") return `invalid pattern of matches(): ${compiled}`;
    this.#patternWork += compiled.size * (text.length + 1);
    if (this.#patternWork > maxPatternWork) this.exhausted = true;
    return this.exhausted ? "matching took too many steps" : compiled.test(text);
  }

  /** Loops nearly always use one pattern, so the last one is kept. */
  #compile(text: string): LinearPattern | string {
    if (this.#pattern?.text !== text) {
      this.#pattern = { text, compiled: compilePattern(text, this.#limits.maxPatternLength) };
      this.#patternWork += text.length * 1_000;
    }
    return this.#pattern.compiled;
  }
}
