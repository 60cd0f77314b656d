import { type Candidates, suggest, suggestMeant } from "./suggest.js";

/** Things with names: an object or map by its keys, or a list of names. */
export type Named =
  | Readonly<Record<string, unknown>>
  | ReadonlyMap<string, unknown>
  | readonly string[]
  | undefined;

/** The hint that some other name was meant. It is looked for when the problem is listed, which takes time. */
export interface NameHint {
  /** The name that nothing has. */
  readonly name: string;
  /** What has the names that may have been meant. */
  readonly among: Named;
  /** Something else that has such names as well. */
  readonly also?: Named;
  /** A name of these that was not meant. */
  readonly except?: string;
  /** What to do when no name is near, in place of a list of the names. */
  readonly elsewhere?: string | undefined;
  /** The hint when no name is near, and there is no list. */
  readonly otherwise?: string;
}

/** A hint that `name` may be a misspelling of one of these names. */
export function near(
  name: string,
  among: Named,
  rest: Pick<NameHint, "also" | "elsewhere" | "except" | "otherwise"> = {},
): NameHint {
  return { name, among, ...rest };
}

/** Finds the hints of one validation, in which the names of a thing are listed once. */
export class NameHints {
  private readonly names = new WeakMap<object, readonly string[]>();

  textOf({ name, among, also, elsewhere, except, otherwise }: NameHint): string | undefined {
    const names = this.namesOf(among);
    const all = also === undefined ? names : together(names, this.namesOf(also));
    if (elsewhere === undefined) return suggest(name, all, except) ?? otherwise;
    return suggestMeant(name, all, except) ?? elsewhere;
  }

  private namesOf(named: Named): readonly string[] {
    if (named === undefined) return [];
    if (isList(named)) return named;
    const known = this.names.get(named);
    if (known !== undefined) return known;
    const names = named instanceof Map ? [...named.keys()] : Object.keys(named);
    this.names.set(named, names);
    return names;
  }
}

/** What is longer is not listed in a hint, whatever is there twice. */
const shortLength = 20;

/** Two lists as one. Of long ones there is no copy: every finding may have others, and few of their names are looked at. */
function together(names: readonly string[], others: readonly string[]): Candidates {
  const length = names.length + others.length;
  if (length <= shortLength) return [...new Set([...names, ...others])];
  return {
    length,
    *[Symbol.iterator]() {
      yield* names;
      yield* others;
    },
  };
}

const isList = (named: Named): named is readonly string[] => Array.isArray(named);
