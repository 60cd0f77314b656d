import { quote, quoteList } from "./quote.js";
import type { Finding } from "./rule.js";
import { suggest } from "./suggest.js";

/** A value out of a closed list; one that is not set is never wrong. */
export function* notOneOf(
  at: string,
  value: string | undefined,
  values: readonly string[],
): Generator<Finding> {
  if (value === undefined || value === "" || values.includes(value)) return;
  const hint = suggest(value, values) ?? `use ${quoteList(values)}`;
  yield { at, message: `${quote(value)} is not a value of ${at.slice(at.lastIndexOf("/") + 1)}`, hint };
}
