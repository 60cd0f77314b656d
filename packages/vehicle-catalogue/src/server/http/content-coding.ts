import { rememberAnswers } from "./remember-answers.js";
import { parseWeightedList } from "./weighted-list.js";

/** How a body may be compressed; `identity` is not at all. */
export type ContentCoding = "br" | "gzip" | "identity";

/** Chooses what `Accept-Encoding` weighs most; equals in the order of `available`, not compressed last. */
export function negotiateCoding(
  acceptEncoding: string | null | undefined,
  available: readonly ContentCoding[],
): ContentCoding {
  if (acceptEncoding === null || acceptEncoding === undefined || available.length === 0) return "identity";
  const weights = weightsOf(acceptEncoding);
  const others = weights.get("*");
  let chosen: ContentCoding = "identity";
  // Not compressed is acceptable unless it is ruled out, but a coding that is welcome at all is better.
  let best = weights.get("identity") ?? 0;
  for (const coding of available) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight > 0 && (weight > best || (weight === best && chosen === "identity"))) {
      chosen = coding;
      best = weight;
    }
  }
  return chosen;
}

const weightsOf = rememberAnswers((acceptEncoding): ReadonlyMap<string, number> => {
  const items = parseWeightedList(acceptEncoding);
  return new Map(items.map(({ value, weight }) => [value === "x-gzip" ? "gzip" : value, weight]));
});
