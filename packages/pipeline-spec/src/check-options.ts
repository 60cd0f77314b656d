import { didYouMean } from "./did-you-mean.js";
import { describeValue, isObject } from "./json-value.js";

/** The options that a function takes, each with `"any"` or with the only values that it may have. */
export type KnownOptions<T> = { readonly [K in keyof Required<T>]: "any" | readonly T[K][] };

/**
 * Refuses options that a function does not have, which would otherwise be passed over in silence.
 *
 * @throws TypeError that names the function, the option and what may have been meant
 */
export function checkOptions<T extends object>(caller: string, options: T, known: KnownOptions<T>): void {
  if (!isObject(options)) {
    throw new TypeError(`the options of ${caller} are an object, not ${describeValue(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(unknownOption(caller, name, Object.keys(known)));
    // The names of `known` are those of the options.
    const values = known[name as keyof T];
    if (value === undefined || values === "any" || (values as readonly unknown[]).includes(value)) continue;
    const list = values.map((one) => JSON.stringify(one)).join(" or ");
    throw new TypeError(`the option "${name}" of ${caller} is ${list}, not ${describeValue(value)}`);
  }
}

function unknownOption(caller: string, name: string, names: readonly string[]): string {
  const meant = didYouMean(name, names);
  const help = meant === undefined ? `it has ${names.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`;
  return `${caller} has no option ${JSON.stringify(name)}: ${help}`;
}
