import { blankFree, wordsOf } from "./fold-text.js";
import { type SearchedField, searchedFields } from "./ranking.js";
import { eachTrigram } from "./trigrams.js";

/** What is searched of a vehicle. */
export type SearchedTexts = { readonly [Field in SearchedField]: string };

/** Which vehicles have a piece, by rising position, and in which field (its place in `searchedFields`). */
export interface Posting {
  readonly vehicles: Uint32Array;
  readonly fields: Uint8Array;
}

/** The index: from pieces to vehicles. */
export interface Postings {
  readonly byPiece: ReadonlyMap<string, Posting>;
  /** How many pieces each vehicle has. */
  readonly pieceCounts: Uint32Array;
}

/** Takes every text apart and turns the table round: from piece to vehicles. */
export function buildPostings(entries: readonly SearchedTexts[]): Postings {
  const pieceIds = new Map<string, number>();
  const piecesOf = memoisedPieces(pieceIds);
  const pieceCounts = new Uint32Array(entries.length);
  const columns: { vehicles: number[]; fields: number[] }[] = [];
  /** Per piece: the last vehicle seen with it, and that vehicle's row. */
  const seenIn: number[] = [];
  for (const [vehicle, entry] of entries.entries()) {
    let count = 0;
    // The strongest field comes first, so a piece that is met again is never stronger than before.
    for (const [place, field] of searchedFields.entries()) {
      for (const piece of piecesOf(entry[field], field !== "variant")) {
        if (seenIn[piece] === vehicle) continue;
        seenIn[piece] = vehicle;
        count++;
        columns[piece] ??= { vehicles: [], fields: [] };
        columns[piece].vehicles.push(vehicle);
        columns[piece].fields.push(place);
      }
    }
    pieceCounts[vehicle] = count;
  }
  const byPiece = new Map<string, Posting>();
  for (const [piece, id] of pieceIds) {
    const { vehicles = [], fields = [] } = columns[id] ?? {};
    byPiece.set(piece, { vehicles: Uint32Array.from(vehicles), fields: Uint8Array.from(fields) });
  }
  return { byPiece, pieceCounts };
}

/** Brands and models recur, so each distinct text is taken apart once. */
function memoisedPieces(
  pieceIds: Map<string, number>,
): (text: string, alsoBlankFree: boolean) => readonly number[] {
  const known = { true: new Map<string, number[]>(), false: new Map<string, number[]>() };
  return (text, alsoBlankFree) => {
    const memo = known[`${alsoBlankFree}`];
    let ids = memo.get(text);
    if (ids === undefined) {
      const found = new Set<number>();
      const add = (piece: string): void => {
        const id = pieceIds.get(piece) ?? pieceIds.size;
        pieceIds.set(piece, id);
        found.add(id);
      };
      for (const word of wordsOf(text)) eachTrigram(word, add);
      if (alsoBlankFree) eachTrigram(blankFree(text), add);
      ids = [...found];
      memo.set(text, ids);
    }
    return ids;
  };
}
