/**
 * The name of an enum's value, as JSON and YAML write it: `enumName(ParameterType, 3)` is `"STRING"`. Undefined for a number
 * that the enum does not have, which files of a newer schema may hold.
 */
export function enumName<E extends Readonly<Record<string, number>>>(
  values: E,
  value: number,
): Extract<keyof E, string> | undefined {
  for (const name in values) {
    // Of several names for one number the first is written.
    if (values[name] === value) return name;
  }
  return undefined;
}
