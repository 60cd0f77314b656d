import { joinedWords, wordsOf } from "./fold-text.js";
import { ranking } from "./ranking.js";
import { eachTrigram } from "./trigrams.js";
import { fillerWords } from "./vocabulary.js";

/** A query, prepared: its pieces, and the runs of words that may spell a whole field. */
export interface SearchQuery {
  /** Every piece with its share of a full weight: 1, or less when only filler words have it. */
  readonly pieces: ReadonlyMap<string, number>;
  /** Blank-free runs of neighbouring words. */
  readonly runs: ReadonlySet<string>;
}

/** Prepares a query; undefined when it holds no letter and no digit. */
export function prepareQuery(text: string, aliases: ReadonlyMap<string, string>): SearchQuery | undefined {
  const typed = wordsOf(text);
  if (typed.length === 0) return undefined;
  const isShort = typed.some((word) => aliases.has(word));
  const meant = isShort ? typed.flatMap((word) => aliases.get(word)?.split(" ") ?? [word]) : typed;
  const pieces = new Map<string, number>();
  const hasOthers = meant.some((word) => !fillerWords.has(word));
  for (const word of meant) {
    const weight = hasOthers && fillerWords.has(word) ? ranking.filler : 1;
    eachTrigram(word, (piece) => {
      const known = pieces.get(piece);
      if (known === undefined || known < weight) pieces.set(piece, weight);
    });
  }
  const joined = joinedWords(typed);
  // A single word has them already.
  if (joined !== meant[0]) {
    eachTrigram(joined, (piece) => {
      if (!pieces.has(piece)) pieces.set(piece, 1);
    });
  }
  const runs = new Set<string>();
  addRuns(typed, runs);
  if (isShort) addRuns(meant, runs);
  return { pieces, runs };
}

function addRuns(words: readonly string[], runs: Set<string>): void {
  const forms = words.map((word) => joinedWords([word]));
  for (let from = 0; from < forms.length; from++) {
    let run = "";
    const end = Math.min(from + ranking.longestRun, forms.length);
    for (let at = from; at < end; at++) {
      run += forms[at];
      runs.add(run);
    }
  }
}
