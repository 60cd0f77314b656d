import { checkOptions, type KnownOptions } from "./check-options.js";
import { type ReadOptions, readOptions } from "./reading.js";

/** How strictly and how far a pipeline file is read. */
export interface ParseOptions extends ReadOptions {
  /** How many bytes of UTF-8 a text may have: 32 MiB by default, as the API server allows. */
  readonly maxBytes?: number;
  /**
   * How many values a YAML text may have, or how many tokens when it has more in it than compilers and most people write,
   * such as anchors or mistakes: 3,000,000 by default.
   */
  readonly maxTokens?: number;
  /**
   * How many bytes of UTF-8 a YAML text may have that has more in it than compilers and most people write, such as anchors or mistakes,
   * and is read by a slower reader: 1 MiB by default.
   */
  readonly maxSlowBytes?: number;
  /** How many values the aliases of a YAML document may stand for: 1,000,000 by default. */
  readonly maxAliasedValues?: number;
}

const parseOptions: KnownOptions<ParseOptions> = {
  ...readOptions,
  maxBytes: "limit",
  maxTokens: "limit",
  maxSlowBytes: "limit",
  maxAliasedValues: "limit",
};

/** Refuses options that reading a file does not have, in the name of the function that was given them. */
export function checkParseOptions(caller: string, options: ParseOptions): void {
  checkOptions(caller, options, parseOptions);
}
