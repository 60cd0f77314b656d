/** Refuses what the types would have refused, for callers without types. */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}

/** Refuses what has no members to read. */
export function checkObject(value: unknown, name: string): asserts value is object {
  check(typeof value === "object" && value && !Array.isArray(value), `${name} must be an object`);
}

/** Refuses members that nobody reads: a misspelt filter would otherwise let everything through. */
export function checkMembers(value: object, known: object, place: string): void {
  for (const name in value) check(Object.hasOwn(known, name), `${place} has no ${JSON.stringify(name)}`);
}

/** Takes the numbers that `defaults` names, and only those, from `given`; the default of each that is not there. */
export function readNumbers<Name extends string>(
  given: { readonly [name in Name]?: number | undefined },
  defaults: { readonly [name in Name]: number },
  place: string,
): { readonly [name in Name]: number } {
  const numbers: { [name in Name]: number } = { ...defaults };
  checkObject(given, place);
  checkMembers(given, defaults, place);
  for (const name in defaults) {
    const value = given[name] ?? defaults[name];
    check(typeof value === "number" && value >= 0, `${name} must be a number from 0`);
    numbers[name] = value;
  }
  return numbers;
}
