import { jsonApiMediaType } from "../../protocol.js";
import { type Refusal, refuse } from "./refusal.js";
import { rememberAnswers } from "./remember-answers.js";
import { parseWeightedList, type WeightedItem } from "./weighted-list.js";

const json = "application/json";

/** The label of a document: the JSON:API type, or plain JSON for a client that takes nothing else. */
export type DocumentMediaType = typeof jsonApiMediaType | typeof json;

/**
 * Chooses the label that `Accept` weighs most. Instances of the JSON:API type with parameters other than `profile` do
 * not count; if there are no other instances of it, the request is refused, whatever else it would take.
 */
export function negotiateMediaType(accept: string | null | undefined): DocumentMediaType | Refusal {
  return accept === null || accept === undefined || accept.trim() === "" ? jsonApiMediaType : choose(accept);
}

const choose = rememberAnswers((accept): DocumentMediaType | Refusal => {
  const items = parseWeightedList(accept);
  const usable = items.filter((item) => item.value !== jsonApiMediaType || !hasForeignParameter(item));
  const lost = items.length - usable.length;
  if (lost > 0 && !usable.some((item) => item.value === jsonApiMediaType)) {
    return notAcceptable(`Ask for ${jsonApiMediaType} without parameters; only "profile" is known.`);
  }
  const asJsonApi = weightOf(jsonApiMediaType, usable);
  const asJson = weightOf(json, usable);
  if (asJsonApi === 0 && asJson === 0) return notAcceptable(`There are ${jsonApiMediaType} and ${json}.`);
  return asJson > asJsonApi ? json : jsonApiMediaType;
});

/** Refuses a request whose `Content-Type` is the JSON:API type with a parameter or an extension. */
export function checkContentType(contentType: string | null | undefined): Refusal | undefined {
  if (contentType === null || contentType === undefined) return undefined;
  const [item] = parseWeightedList(contentType);
  if (item === undefined || item.value !== jsonApiMediaType) return undefined;
  if (!hasForeignParameter(item) && !item.parameters.has("q")) return undefined;
  const detail = `Send ${jsonApiMediaType} without parameters (such as charset) and extensions; only "profile" is known.`;
  return refuse("UNSUPPORTED_MEDIA_TYPE", { detail, source: { header: "Content-Type" } });
}

function notAcceptable(detail: string): Refusal {
  return refuse("NOT_ACCEPTABLE", { detail, source: { header: "Accept" } });
}

/** `q` is a weight, not a parameter of the type. `ext` is foreign unless it names nothing: no extension is supported. */
function hasForeignParameter({ parameters }: WeightedItem): boolean {
  for (const [name, value] of parameters) {
    if (name === "profile" || name === "q" || (name === "ext" && value.trim() === "")) continue;
    return true;
  }
  return false;
}

/** The weight of the most specific range that covers a type. */
function weightOf(type: string, items: readonly WeightedItem[]): number {
  for (const range of [type, `${type.split("/", 1)[0]}/*`, "*/*"]) {
    const weights = items.filter((item) => item.value === range).map((item) => item.weight);
    if (weights.length > 0) return Math.max(...weights);
  }
  return 0;
}
