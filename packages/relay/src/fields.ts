/** Members of an object, whatever they are. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tells whether a value is an object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list, with the way to each. What is none is told of elsewhere. */
export function partsAt(
  path: readonly string[],
  list: unknown,
): readonly (readonly [part: Fields, path: readonly string[]])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown, at) => (isFields(one) ? [[one, [...path, `${at}`]] as const] : []));
}

/** Whether a member is left out; a name with nothing behind it is null in YAML. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
