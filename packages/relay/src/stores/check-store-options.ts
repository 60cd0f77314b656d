import { invalidOptions } from "../error.js";
import { type Duration, parseDuration } from "../options/duration.js";
import { OptionReader } from "../options/option-reader.js";

/** What the options of every store of a database have. */
export interface CommonStoreOptions {
  readonly cacheTtl?: Duration;
}

/** What is checked of the options of a store. */
export interface StoreOptionRules<Options> {
  /** The function that takes them, for messages: `redisStore`. */
  readonly caller: string;
  /** The options that there are. */
  readonly known: readonly (keyof Options & string)[];
  /**
   * Reports what else contradicts the documentation. Called with an object only, whose options may be anything: the reader
   * reports those of a wrong type.
   */
  readonly look?: (options: Options, report: (problem: string) => void, reader: OptionReader) => void;
}

const shortestTtlMs = 1000;

/**
 * Checks the options of a store and gives what all stores have in common. Throws one `RelayError` with the code
 * `invalid_options` that names every mistake.
 */
export function checkStoreOptions<Options extends object>(
  options: Options & CommonStoreOptions,
  { caller, known, look }: StoreOptionRules<Options>,
): { readonly cacheTtlMs: number | undefined } {
  const problems: string[] = [];
  const report = (problem: string) => problems.push(`${caller}: ${problem}`);
  // Programs without types pass what they like.
  const given: unknown = options;
  let cacheTtlMs: number | undefined;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    report("the options must be an object");
  } else {
    const names: readonly string[] = known;
    for (const name of Object.keys(given)) {
      if (!names.includes(name)) report(`there is no option "${name}"; there are ${names.join(", ")}`);
    }
    look?.(options, report, new OptionReader(given, caller, problems));
    cacheTtlMs = options.cacheTtl === undefined ? undefined : parseDuration(options.cacheTtl);
    if (options.cacheTtl !== undefined && (cacheTtlMs ?? 0) < shortestTtlMs) {
      report('cacheTtl must be a time span of at least "1s"');
    }
  }
  if (problems.length > 0) throw invalidOptions(problems);
  return { cacheTtlMs };
}
