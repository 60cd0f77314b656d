import { isObject } from "../json-value.js";

/** One difference between two JSON values; undefined stands for what is not there. */
export interface JsonChange {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** What turns one JSON value into another: the smallest parts that differ. Lists of other lengths are changed as a whole. */
export function* jsonChanges(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[] = [],
): Generator<JsonChange> {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, now] = [own(before, key), own(after, key)];
      yield* jsonChanges(old, now, [...path, key]);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, old] of before.entries()) yield* jsonChanges(old, after[index], [...path, index]);
  } else if (!Object.is(before, after)) {
    yield { path, value: after };
  }
}

const own = (map: { readonly [key: string]: unknown }, key: string): unknown =>
  Object.hasOwn(map, key) ? map[key] : undefined;
