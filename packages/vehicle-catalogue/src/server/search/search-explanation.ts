import { ranking } from "./ranking.js";
import type { WholeField } from "./whole-fields.js";

/** Why a result has its score: the parts add up to it. */
export interface SearchExplanation {
  readonly score: number;
  /** Every piece of the query: its weight, and what the strength of the vehicle's best field made of it (0: not there). */
  readonly pieces: readonly { readonly piece: string; readonly weight: number; readonly score: number }[];
  /** The share of the query that the vehicle has, without regard to fields, and what that adds. */
  readonly coverage: { readonly share: number; readonly score: number };
  /** Fields that words of the query spell entirely, and what each adds. */
  readonly wholeFields: readonly { readonly field: WholeField; readonly score: number }[];
  /** Pieces of the vehicle that the query does not have, and what they take off (negative). */
  readonly surplus: { readonly pieces: number; readonly score: number };
}

/** What a score is made of. */
export interface ScoreParts {
  /** The pieces of the query: their weights, and the strength of the field in which the vehicle has them, or 0. */
  readonly pieces: readonly { readonly piece: string; readonly weight: number; readonly strength: number }[];
  readonly wholeFields: readonly WholeField[];
  /** How many pieces the vehicle has. */
  readonly pieceCount: number;
}

/** Adds a score up in the open. */
export function explainScore({ pieces, wholeFields, pieceCount }: ScoreParts): SearchExplanation {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const asked = sum(pieces.map(({ weight }) => weight));
  const found = pieces.filter(({ strength }) => strength > 0);
  const share = sum(found.map(({ weight }) => weight)) / asked;
  const coverage = { share, score: ranking.coverage * share };
  const scored = pieces.map(({ piece, weight, strength }) => ({
    piece,
    weight: weight / asked,
    score: (weight * strength) / asked,
  }));
  const rewarded = wholeFields.map((field) => ({ field, score: ranking.whole[field] }));
  const missing = pieceCount - found.length;
  const surplus = { pieces: missing, score: missing === 0 ? 0 : -ranking.surplusPiece * missing };
  const score = sum([...scored, ...rewarded, coverage, surplus].map((part) => part.score));
  return { score, pieces: scored, coverage, wholeFields: rewarded, surplus };
}
