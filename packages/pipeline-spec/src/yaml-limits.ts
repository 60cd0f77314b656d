/** The deepest nesting that may be asked for, which any stack can take. */
export const highestMaxDepth = 1000;

/** How far YAML is followed. */
export interface YamlLimits {
  readonly maxDepth: number;
  /** How many values our own reader may read, and how many tokens the YAML library: they cost more memory than their text. */
  readonly maxTokens: number;
  /** How many bytes the YAML library may be given: it takes many times as long for each. */
  readonly maxSlowBytes: number;
  /** How many values aliases may add in all. */
  readonly maxAliasedValues: number;
}

/** More documents than any use of them; a file of separators alone would make millions. */
export const maxDocuments = 16;
