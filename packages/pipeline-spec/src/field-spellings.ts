type Json = { readonly [key: string]: unknown };

/** The spelling that JSON has for the name of a field. */
export const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** True when a field is there in either of its spellings. */
export function hasField(value: Json, name: string): boolean {
  return spellingOf(value, name) !== undefined;
}

/** The spelling in which a field is there. */
export function spellingOf(value: Json, name: string): string | undefined {
  return [name, camelCase(name)].find((spelling) => Object.hasOwn(value, spelling));
}

/** The fields that are there in both of their spellings, by their proto names. */
export function doubledFields(value: Json): readonly string[] {
  return Object.keys(value).filter(
    (name) => camelCase(name) !== name && Object.hasOwn(value, camelCase(name)),
  );
}
