import { nearest } from "./did-you-mean.js";
import { isObject } from "./json-value.js";

/** A field around a specification that has another name than it should have, or a name that should be another. */
export interface MisspeltField {
  readonly path: readonly string[];
  readonly meant: string;
  /** What is wrong with it, as a sentence. */
  readonly message: string;
  /** What stands there is misspelt, and not the name of it. */
  readonly isValue?: boolean;
}

/** As many keys as any message has fields; a document with more of them is none of ours. */
export const mostKeys = 50;

/** The key of a field that holds an object; a misspelt one, unless it is the name of another field, where there is none. */
export function fieldOf(
  value: { readonly [key: string]: unknown },
  name: string,
  known: readonly string[],
): string | undefined {
  if (Object.hasOwn(value, name)) return name;
  return Object.keys(value)
    .slice(0, mostKeys)
    .find((key) => isObject(value[key]) && !known.includes(key) && nearest(key, known) === name);
}

/** One that holds an object, if it has another name than it should have. */
export function misspeltField(
  path: readonly string[],
  meant: string,
  owner: string,
): readonly MisspeltField[] {
  const name = path.at(-1);
  if (name === meant) return [];
  return [{ path, meant, message: `${owner} has no field ${JSON.stringify(name)}` }];
}
