import { blankFree, wordsOf } from "./fold-text.js";
import { GrowingList } from "./growing-list.js";
import { eachTrigram } from "./trigrams.js";

/** What is searched of a vehicle. */
export interface SearchedTexts {
  readonly brand: string;
  readonly model: string;
  readonly variant: string;
}

/** Who has a piece. Vehicles of one brand and model have their pieces in common, and are one group. */
export interface Posting {
  /** The groups that have it in their model, … */
  readonly models: GrowingList;
  /** … and those that have it in their brand only. */
  readonly brands: GrowingList;
  /** The vehicles that have it in their variant, unless their group has it; by rising position. */
  readonly vehicles: GrowingList;
  /** How many of these vehicles have not been removed. */
  present: number;
  /** How many vehicles have it, groups included, and by which counting. */
  owners: number;
  ownersBy: number;
  /** The last round of marking that came by. */
  mark: number;
}

/** The vehicles of one brand and model. */
export interface Group {
  readonly members: GrowingList;
  /** How many of them have not been removed. */
  present: number;
}

type Counted = Posting | Group;

/** Words recur; so many are remembered with their pieces. */
const mostWords = 10_000;

/** The index from pieces to vehicles. Vehicles are added, each at the next position; removed ones keep their positions. */
export class Postings {
  readonly byPiece: Map<string, Posting> = new Map();
  readonly groups: Group[] = [];
  /** Per vehicle: its group, and how many pieces it has. */
  readonly groupOf: GrowingList = new GrowingList();
  readonly pieceCounts: GrowingList = new GrowingList();
  /** By brand and model. */
  readonly #groupIds = new Map<string, Map<string, number>>();
  readonly #groupPieces: (readonly Posting[])[] = [];
  readonly #piecesOfText = new Map<string, readonly Posting[]>();
  readonly #piecesOfWord = new Map<string, readonly Posting[]>();
  #marks = 0;
  /** How often `count` was called. */
  #counting = 0;

  /** What has been added and removed, but does not count yet; undefined while everything counts at once. */
  #uncounted: { readonly item: Counted; readonly by: 1 | -1 }[] | undefined;

  /** From now on, counts stay as they are until `count` is called. */
  holdCounts(): void {
    this.#uncounted ??= [];
  }

  /** Counts what has come and gone since `holdCounts`. Has to be called after all changes that follow a search. */
  count(): void {
    for (const { item, by } of this.#uncounted ?? []) item.present += by;
    this.#uncounted = undefined;
    this.#counting++;
  }

  #counts(item: Counted, by: 1 | -1): void {
    if (this.#uncounted === undefined) item.present += by;
    else this.#uncounted.push({ item, by });
  }

  /** How many of the vehicles that count have a piece. Worked out once until `count` is called: queries have pieces in common. */
  ownersOf(posting: Posting): number {
    if (posting.ownersBy === this.#counting) return posting.owners;
    const { models, brands, present } = posting;
    let owners = present;
    for (const { items, length } of [models, brands]) {
      for (let row = 0; row < length; row++) owners += this.groups[items[row] ?? 0]?.present ?? 0;
    }
    posting.owners = owners;
    posting.ownersBy = this.#counting;
    return owners;
  }

  get length(): number {
    return this.groupOf.length;
  }

  /** Adds a vehicle, whose variant has these words. */
  add(texts: SearchedTexts, words: readonly string[]): void {
    const position = this.length;
    const group = this.#groupFor(texts);
    this.#group(group).members.push(position);
    this.#counts(this.#group(group), 1);
    this.groupOf.push(group);
    let count = this.#groupPieces[group]?.length ?? 0;
    for (const posting of this.#variantOnly(words, group)) {
      posting.vehicles.push(position);
      this.#counts(posting, 1);
      count++;
    }
    this.pieceCounts.push(count);
  }

  /** Takes a vehicle out of the counts. */
  remove(position: number, words: readonly string[]): void {
    const group = this.groupOf.items[position] ?? 0;
    this.#counts(this.#group(group), -1);
    for (const posting of this.#variantOnly(words, group)) this.#counts(posting, -1);
  }

  #group(id: number): Group {
    const group = this.groups[id];
    if (group === undefined) throw new RangeError(`There is no group ${id}.`);
    return group;
  }

  #groupFor({ brand, model }: SearchedTexts): number {
    const models = this.#groupIds.get(brand) ?? new Map<string, number>();
    const known = models.get(model);
    if (known !== undefined) return known;
    const id = this.groups.length;
    this.#groupIds.set(brand, models.set(model, id));
    this.groups.push({ members: new GrowingList(), present: 0 });
    // The model comes first: what it shares with the brand counts as the model's.
    const pieces = new Set(this.#piecesOf(model));
    for (const posting of pieces) posting.models.push(id);
    for (const posting of this.#piecesOf(brand)) {
      if (pieces.has(posting)) continue;
      pieces.add(posting);
      posting.brands.push(id);
    }
    this.#groupPieces.push([...pieces]);
    return id;
  }

  /** The pieces of a variant that its group does not have. */
  #variantOnly(words: readonly string[], group: number): readonly Posting[] {
    const mark = ++this.#marks;
    for (const posting of this.#groupPieces[group] ?? []) posting.mark = mark;
    const found: Posting[] = [];
    for (const word of words) {
      for (const posting of this.#piecesOfOne(word)) {
        if (posting.mark === mark) continue;
        posting.mark = mark;
        found.push(posting);
      }
    }
    return found;
  }

  #piecesOfOne(word: string): readonly Posting[] {
    const known = this.#piecesOfWord.get(word);
    if (known !== undefined) return known;
    const pieces: Posting[] = [];
    eachTrigram(word, (piece) => pieces.push(this.#posting(piece)));
    if (this.#piecesOfWord.size < mostWords) this.#piecesOfWord.set(word, pieces);
    return pieces;
  }

  /** Brands and models recur, so each is taken apart once. */
  #piecesOf(text: string): readonly Posting[] {
    const known = this.#piecesOfText.get(text);
    if (known !== undefined) return known;
    const found = new Set<Posting>();
    const add = (piece: string): void => void found.add(this.#posting(piece));
    for (const word of wordsOf(text)) eachTrigram(word, add);
    eachTrigram(blankFree(text), add);
    const pieces = [...found];
    this.#piecesOfText.set(text, pieces);
    return pieces;
  }

  #posting(piece: string): Posting {
    const known = this.byPiece.get(piece);
    if (known !== undefined) return known;
    const posting: Posting = {
      models: new GrowingList(),
      brands: new GrowingList(),
      vehicles: new GrowingList(),
      present: 0,
      owners: 0,
      ownersBy: -1,
      mark: 0,
    };
    this.byPiece.set(piece, posting);
    return posting;
  }
}
