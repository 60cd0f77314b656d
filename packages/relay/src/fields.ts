/** Members of an object, whatever they are. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tells whether a value is an object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
