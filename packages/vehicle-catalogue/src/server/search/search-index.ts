import { buildPostings, type Posting, type SearchedTexts } from "./postings.js";
import { ranking, searchedFields } from "./ranking.js";
import { prepareQuery, type SearchQuery } from "./search-query.js";
import { indexWholeFields, type WholeField } from "./whole-fields.js";

/** One result: the position of the vehicle in the list that was indexed, and its score. */
export interface SearchHit {
  readonly position: number;
  readonly score: number;
}

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

export interface SearchIndex {
  /** The best `limit` hits, best first, equals in the order of the list. */
  search(text: string, limit: number): readonly SearchHit[];
  /** Tells how the vehicle at a position scores for a query, whether it is a result or not. */
  explain(text: string, position: number): SearchExplanation | undefined;
}

/**
 * An index of three-character pieces. Every piece of the query weighs by its rarity; a vehicle scores the weight it
 * shares with the query, more for stronger fields; whole fields that the query spells out are rewarded.
 */
export function createSearchIndex(
  entries: readonly SearchedTexts[],
  aliases: ReadonlyMap<string, string>,
): SearchIndex {
  const { byPiece, pieceCounts } = buildPostings(entries);
  const whole = indexWholeFields(entries);
  // Columns over all vehicles, reused by every query: searches run one after the other.
  const weighted = new Float64Array(entries.length);
  const covered = new Float64Array(entries.length);
  const shared = new Uint16Array(entries.length);

  const weigh = (query: SearchQuery): WeighedPiece[] =>
    Array.from(query.pieces, ([piece, share]) => {
      const posting = byPiece.get(piece);
      const rarity = Math.log(1 + entries.length / (posting?.vehicles.length ?? ranking.unknownPiece));
      return { piece, posting, weight: share * rarity };
    });

  return {
    search(text, limit) {
      const query = prepareQuery(text, aliases);
      if (query === undefined) return [];
      const pieces = weigh(query);
      const asked = totalWeight(pieces);
      const touched = addUp(pieces, weighted, covered, shared);
      const match = whole.match(query.runs);
      const hits: SearchHit[] = [];
      for (const position of touched) {
        const score = (weighted[position] ?? 0) / asked;
        const coverage = (covered[position] ?? 0) / asked;
        const pieceCount = shared[position] ?? 0;
        weighted[position] = covered[position] = shared[position] = 0;
        let bonus = 0;
        let named = 0;
        match(position, (field) => {
          bonus += ranking.whole[field];
          named += namingParts[field];
        });
        const enough =
          score >= ranking.leastScore &&
          coverage >= ranking.leastCoverage &&
          pieceCount >= Math.min(ranking.leastPieces, pieces.length);
        // Brand and model by their full names are a result however much else is asked.
        if (!enough && named < 2) continue;
        const surplus = ranking.surplusPiece * ((pieceCounts[position] ?? 0) - pieceCount);
        hits.push({ position, score: score + ranking.coverage * coverage + bonus - surplus });
      }
      return best(hits, limit);
    },

    explain(text, position) {
      const query = prepareQuery(text, aliases);
      if (query === undefined || position < 0 || position >= entries.length) return undefined;
      const pieces = weigh(query);
      const asked = totalWeight(pieces);
      let coverage = 0;
      let count = 0;
      const scored = pieces.map(({ piece, posting, weight }) => {
        const strength = strengthIn(posting, position);
        if (strength > 0) {
          coverage += weight;
          count++;
        }
        return { piece, weight: weight / asked, score: (weight * strength) / asked };
      });
      const wholeFields: { field: WholeField; score: number }[] = [];
      whole.match(query.runs)(position, (field) => wholeFields.push({ field, score: ranking.whole[field] }));
      const share = coverage / asked;
      const surplus = (pieceCounts[position] ?? 0) - count;
      const parts = [...scored, ...wholeFields].map((part) => part.score);
      const bonus = ranking.coverage * share;
      const off = surplus === 0 ? 0 : -ranking.surplusPiece * surplus;
      return {
        score: parts.reduce((sum, part) => sum + part, bonus + off),
        pieces: scored,
        coverage: { share, score: bonus },
        wholeFields,
        surplus: { pieces: surplus, score: off },
      };
    },
  };
}

const strengths = searchedFields.map((field) => ranking.strength[field]);

interface WeighedPiece {
  readonly piece: string;
  readonly posting: Posting | undefined;
  readonly weight: number;
}

/** How much of "brand and model" a whole field names. */
const namingParts: Readonly<Record<WholeField, number>> = { brand: 1, model: 1, brandModel: 2, variant: 0 };

function totalWeight(pieces: readonly WeighedPiece[]): number {
  return pieces.reduce((sum, { weight }) => sum + weight, 0);
}

/** Adds every piece to the columns of the vehicles that have it; returns those vehicles, each once. */
function addUp(
  pieces: readonly WeighedPiece[],
  weighted: Float64Array,
  covered: Float64Array,
  shared: Uint16Array,
): number[] {
  const touched: number[] = [];
  for (const { posting, weight } of pieces) {
    if (posting === undefined) continue;
    const { vehicles, fields } = posting;
    const gains = strengths.map((strength) => strength * weight);
    for (let row = 0; row < vehicles.length; row++) {
      const vehicle = vehicles[row] ?? 0;
      if (shared[vehicle] === 0) touched.push(vehicle);
      weighted[vehicle] = (weighted[vehicle] ?? 0) + (gains[fields[row] ?? 0] ?? 0);
      covered[vehicle] = (covered[vehicle] ?? 0) + weight;
      shared[vehicle] = (shared[vehicle] ?? 0) + 1;
    }
  }
  return touched;
}

/** The best few: those far behind the very best are left out, equals stay in the order of the list. */
function best(hits: SearchHit[], limit: number): readonly SearchHit[] {
  const top = hits.reduce((most, hit) => Math.max(most, hit.score), 0);
  const close = hits.filter((hit) => hit.score >= top * ranking.leastOfBest);
  return close.sort((a, b) => b.score - a.score || a.position - b.position).slice(0, limit);
}

/** Positions rise within a posting, so the row is found by halving. */
function strengthIn(posting: Posting | undefined, position: number): number {
  if (posting === undefined) return 0;
  let from = 0;
  let to = posting.vehicles.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((posting.vehicles[middle] ?? 0) < position) from = middle + 1;
    else to = middle;
  }
  return posting.vehicles[from] === position ? (strengths[posting.fields[from] ?? 0] ?? 0) : 0;
}
