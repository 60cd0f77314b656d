import { BestHits, type SearchHit } from "./best-hits.js";
import { joinedWords, wordsOf } from "./fold-text.js";
import { GrowingList } from "./growing-list.js";
import { type Posting, Postings, type SearchedTexts } from "./postings.js";
import { ranking } from "./ranking.js";
import { explainScore, type SearchExplanation } from "./search-explanation.js";
import { prepareQuery, type SearchQuery } from "./search-query.js";
import { Sums } from "./sums.js";
import { type GroupField, type SpelledFields, type WholeField, WholeFields } from "./whole-fields.js";

/** Which of the indexed vehicles are searched. */
export interface SearchView {
  /** How many there are: what a piece weighs depends on it. */
  readonly length: number;
  /** Where a vehicle stands in the usual order. */
  rank(position: number): number;
  /**
   * Whether a vehicle is one of them. Left out for the vehicles that the index counts, which is quicker: those that were
   * added and not removed, or were when the counts began to be held.
   */
  has?(position: number): boolean;
  /** Whether a vehicle is none of them nevertheless; left out when nothing was removed and no counts are held. */
  isGone?(position: number): boolean;
}

/**
 * An index of three-character pieces. Every piece of the query weighs by its rarity; a vehicle scores the weight it
 * shares with the query, more for stronger fields; whole fields that the query spells out are rewarded.
 *
 * Vehicles are added and removed one by one. What the vehicles of one brand and model have in common is added up once for
 * all of them, and of those that have nothing more to show only as many are looked at as can be results.
 */
export class GrowingIndex {
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #postings = new Postings();
  readonly #whole = new WholeFields();
  readonly #groups = new Sums();
  readonly #vehicles = new Sums();

  constructor(aliases: ReadonlyMap<string, string>) {
    this.#aliases = aliases;
  }

  /** Adds a vehicle, at the next position. */
  add(texts: SearchedTexts): void {
    const { groups } = this.#postings;
    const before = groups.length;
    const words = wordsOf(texts.variant);
    this.#postings.add(texts, words);
    if (groups.length > before) this.#whole.addGroup(before, texts);
    this.#whole.addVariant(joinedWords(words));
  }

  /** Takes a vehicle out of the counts; it still is there for views that have it. */
  remove(position: number, texts: SearchedTexts): void {
    this.#postings.remove(position, wordsOf(texts.variant));
  }

  /** Lets the counts stay as they are, for those who search meanwhile. */
  holdCounts(): void {
    this.#postings.holdCounts();
  }

  /** Brings them up to date. */
  count(): void {
    this.#postings.count();
  }

  search(text: string, limit: number, view: SearchView): readonly SearchHit[] {
    const query = prepareQuery(text, this.#aliases);
    if (query === undefined || view.length === 0) return [];
    return this.#run(query, limit, view);
  }

  /** Tells how the vehicle at a position scores for a query, whether it is a result or not. */
  explain(text: string, position: number, view: SearchView): SearchExplanation | undefined {
    const query = prepareQuery(text, this.#aliases);
    if (query === undefined || position >= this.#postings.length) return undefined;
    const group = this.#postings.groupOf.items[position] ?? 0;
    const pieces = this.#weigh(query, view);
    return explainScore({
      pieces: pieces.map(({ piece, posting, weight }) => ({
        piece,
        weight,
        strength: posting === undefined ? 0 : strengthOf(posting, group, position),
      })),
      wholeFields: this.#wholeFieldsOf(query, group, position),
      pieceCount: this.#postings.pieceCounts.items[position] ?? 0,
    });
  }

  #run(query: SearchQuery, limit: number, view: SearchView): readonly SearchHit[] {
    const pieces = this.#weigh(query, view);
    const asked = pieces.reduce((sum, { weight }) => sum + weight, 0);
    const fewest = Math.min(ranking.leastPieces, pieces.length);
    const spelled = this.#whole.spelled(query.runs);
    this.#addUp(pieces);
    const [groups, vehicles] = [this.#groups, this.#vehicles];
    const rewarded: number[] = [];
    spelled.eachGroup((group, field) => {
      rewarded.push(group);
      groups.reward(group, ranking.whole[field], namingParts[field]);
    });
    let best = this.#best({ limit, view, asked, fewest, spelled, namedAtLeast: 2 });
    // A brand and a word that no vehicle has are asked by people who look for the brand.
    if (best.top === 0 && rewarded.length > 0)
      best = this.#best({ limit, view, asked, fewest, spelled, namedAtLeast: 1 });
    for (const group of rewarded) groups.bonus[group] = groups.named[group] = 0;
    groups.reset();
    vehicles.reset();
    return best.within(ranking.leastOfBest);
  }

  #best({ limit, view, asked, fewest, spelled, namedAtLeast }: Ranked): BestHits {
    const [groups, vehicles] = [this.#groups, this.#vehicles];
    const best = new BestHits(limit, view.rank);
    const { groupOf, pieceCounts } = this.#postings;
    const [groupAt, countAt] = [groupOf.items, pieceCounts.items];

    const consider = (position: number): void => {
      const group = groupAt[position] ?? 0;
      const shared = (groups.shared[group] ?? 0) + (vehicles.shared[position] ?? 0);
      const score = ((groups.weighted[group] ?? 0) + (vehicles.weighted[position] ?? 0)) / asked;
      const coverage = ((groups.covered[group] ?? 0) + (vehicles.covered[position] ?? 0)) / asked;
      const enough = score >= ranking.leastScore && coverage >= ranking.leastCoverage && shared >= fewest;
      // Brand and model by their full names are a result however much else is asked.
      if (!enough && (groups.named[group] ?? 0) < namedAtLeast) return;
      const bonus = (groups.bonus[group] ?? 0) + (spelled.variant(position) ? ranking.whole.variant : 0);
      const surplus = ranking.surplusPiece * ((countAt[position] ?? 0) - shared);
      best.offer(position, score + ranking.coverage * coverage + bonus - surplus);
    };
    for (const position of vehicles.touched) if (isSeen(view, position)) consider(position);
    for (const { group, most } of this.#promisingGroups(asked, fewest, namedAtLeast)) {
      // The groups come by what their vehicles can reach: from here on there is nothing better.
      if (most < best.least) break;
      const { items: members, length } = this.#membersOf(group);
      for (let at = 0; at < length; at++) {
        const position = members[at] ?? 0;
        if (vehicles.shared[position] === 0 && isSeen(view, position)) consider(position);
      }
    }
    return best;
  }

  #weigh(query: SearchQuery, view: SearchView): readonly WeighedPiece[] {
    return Array.from(query.pieces, ([piece, share]) => {
      const posting = this.#postings.byPiece.get(piece);
      const owners = posting === undefined ? 0 : this.#owners(posting, view);
      return { piece, posting, weight: share * Math.log(1 + view.length / (owners || ranking.unknownPiece)) };
    });
  }

  /** How many vehicles of the view have a piece. */
  #owners(posting: Posting, view: SearchView): number {
    if (view.has === undefined) return this.#postings.ownersOf(posting);
    const { models, brands, vehicles } = posting;
    let count = 0;
    for (let row = 0; row < vehicles.length; row++) if (view.has(vehicles.items[row] ?? 0)) count++;
    for (const { items, length } of [models, brands]) {
      for (let row = 0; row < length; row++) {
        const { items: members, length: size } = this.#membersOf(items[row] ?? 0);
        for (let at = 0; at < size; at++) if (view.has(members[at] ?? 0)) count++;
      }
    }
    return count;
  }

  #addUp(pieces: readonly WeighedPiece[]): void {
    this.#groups.fit(this.#postings.groups.length);
    this.#vehicles.fit(this.#postings.length);
    for (const { posting, weight } of pieces) {
      if (posting === undefined) continue;
      this.#groups.addAll(posting.models, weight, strength.model);
      this.#groups.addAll(posting.brands, weight, strength.brand);
      this.#vehicles.addAll(posting.vehicles, weight, strength.variant);
    }
  }

  /** The groups that were touched, by the score that a vehicle can have which has nothing else of the query. */
  #promisingGroups(
    asked: number,
    fewest: number,
    namedAtLeast: number,
  ): { readonly group: number; readonly most: number }[] {
    const { weighted, covered, shared, bonus, named, touched } = this.#groups;
    const promising: { readonly group: number; readonly most: number }[] = [];
    for (const group of touched) {
      const score = (weighted[group] ?? 0) / asked;
      const coverage = (covered[group] ?? 0) / asked;
      const enough =
        score >= ranking.leastScore && coverage >= ranking.leastCoverage && (shared[group] ?? 0) >= fewest;
      if (!enough && (named[group] ?? 0) < namedAtLeast) continue;
      const most = score + ranking.coverage * coverage + (bonus[group] ?? 0) + ranking.whole.variant;
      promising.push({ group, most: most + rounding });
    }
    return promising.sort((a, b) => b.most - a.most);
  }

  #membersOf(group: number): GrowingList {
    return this.#postings.groups[group]?.members ?? none;
  }

  #wholeFieldsOf(query: SearchQuery, group: number, position: number): readonly WholeField[] {
    const spelled = this.#whole.spelled(query.runs);
    const fields: WholeField[] = [];
    spelled.eachGroup((found, field) => {
      if (found === group) fields.push(field);
    });
    if (spelled.variant(position)) fields.push("variant");
    return fields;
  }
}

/** What the vehicles that were touched are ranked by. */
interface Ranked {
  readonly limit: number;
  readonly view: SearchView;
  /** What all pieces of the query weigh. */
  readonly asked: number;
  /** How many of them a result has. */
  readonly fewest: number;
  readonly spelled: SpelledFields;
  /** Brand, model: as many of these by their full names are a result whatever else is asked. */
  readonly namedAtLeast: number;
}

interface WeighedPiece {
  readonly piece: string;
  readonly posting: Posting | undefined;
  readonly weight: number;
}

const { strength } = ranking;
const none = new GrowingList();

/** More than sums of fractions can be off by. */
const rounding = 1e-9;

/** How much of "brand and model" a whole field names. */
const namingParts: Readonly<Record<GroupField, number>> = { brand: 1, model: 1, brandModel: 2 };

function isSeen(view: SearchView, position: number): boolean {
  return view.has === undefined ? view.isGone?.(position) !== true : view.has(position);
}

function strengthOf({ models, brands, vehicles }: Posting, group: number, position: number): number {
  if (models.indexOf(group) >= 0) return strength.model;
  if (brands.indexOf(group) >= 0) return strength.brand;
  return vehicles.indexOf(position) >= 0 ? strength.variant : 0;
}
