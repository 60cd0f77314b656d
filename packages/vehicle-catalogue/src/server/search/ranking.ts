/**
 * The figures of the ranking, tuned on the open data: on its own labels with generated slips, joins and extra words,
 * not on a list of queries.
 */
export const ranking = {
  /** What a shared piece counts, by the strongest field of the vehicle that has it. */
  strength: { model: 2, brand: 1.2, variant: 1 },
  /** What is added when words of the query spell a whole field; `brandModel`: brand and model in one. */
  whole: { model: 0.5, brand: 0.5, variant: 0.2, brandModel: 0.3 },
  /** What a query adds that is found entirely; less found, less added. */
  coverage: 0.5,
  /** Taken off for every piece that the vehicle has beyond the query. */
  surplusPiece: 0.002,
  /** How much filler words weigh beside others. */
  filler: 0.25,
  /** A piece that no vehicle has weighs as if this many had it. */
  unknownPiece: 0.5,
  /** Least strength-weighted share of the query that a result has, … */
  leastScore: 0.3,
  /** … least share without regard to fields, … */
  leastCoverage: 0.2,
  /** … and least number of shared pieces, unless the query has fewer. */
  leastPieces: 2,
  /** A result below this share of the best one is left out. */
  leastOfBest: 0.45,
  /** Words that may be written apart in one field, as far as whole fields are concerned. */
  longestRun: 6,
} as const;
