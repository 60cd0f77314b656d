import { createHash } from "node:crypto";

/**
 * What Stryker tells of a mistake that it makes.
 * @typedef {{ id: string, fileName: string, location: { start: object, end: object }, mutatorName: string, replacement: string }} Mutant
 */

/** Lets one mistake in so many be tried: which, is told by the mistake and the seed alone. */
class SampleChecker {
  static inject = /** @type {const} */ (["options"]);
  #sample;

  /** @param {{ sample: { oneIn: number, seed: string } }} options */
  constructor({ sample }) {
    this.#sample = sample;
  }

  async init() {}

  /** @param {readonly { id: string }[]} mutants */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  /** @param {readonly Mutant[]} mutants */
  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        this.#takes(mutant) ? { status: "passed" } : { status: "compileError", reason: "not in the sample" },
      ]),
    );
  }

  /** @param {Mutant} mutant */
  #takes({ fileName, location: { start, end }, mutatorName, replacement }) {
    const { oneIn, seed } = this.#sample;
    const path = fileName.replace(/^.*[\\/](?=src[\\/])/, "");
    const text = JSON.stringify([seed, path, start, end, mutatorName, replacement]);
    return createHash("sha256").update(text).digest().readUInt32BE() % oneIn === 0;
  }
}

/** What Stryker asks a module of plugins for. */
export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: SampleChecker }];
export const strykerValidationSchema = {
  properties: {
    sample: {
      type: "object",
      properties: { oneIn: { type: "integer", minimum: 1 }, seed: { type: "string" } },
    },
  },
};
