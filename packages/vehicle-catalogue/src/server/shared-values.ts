import { isSameJson } from "../records/same-json.js";

/** So many values are remembered, which bounds the memory that remembering takes. */
const mostValues = 20_000;

/** What is nested deeper than this is left as it is: no vehicle is, and whoever goes down has to come up again. */
const deepest = 4;

/**
 * Has equal values be one and the same. Vehicles of a model have their ports, powers and curves in common: kept once, these take
 * a fraction of the memory, and whoever has looked at one of them knows it when it comes by again.
 */
export class SharedValues {
  /** By a number that equal values have in common; of others that have it too, the first is remembered. */
  readonly #values = new Map<number, object>();

  /** Puts those that came before in the place of equal lists and objects within a value. Nobody else may have it yet. */
  within(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    // A list is an object as well, and `__proto__` is a member of it like others.
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (typeof member === "object" && member !== null) members[name] = this.#shared(member);
    }
  }

  #shared(value: object): object {
    const number = numberOf(value, deepest);
    if (number === undefined) return value;
    const known = this.#values.get(number);
    if (known !== undefined && isSameJson(known, value)) return known;
    if (!Array.isArray(value)) this.within(value);
    if (known === undefined && this.#values.size < mostValues) this.#values.set(number, value);
    return value;
  }
}

/** Undefined for what is nested deeper than so many levels. */
function numberOf(value: object, levels: number): number | undefined {
  let number = Array.isArray(value) ? 17 : 19;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    const added = numberOfMember(member, levels);
    if (added === undefined) return undefined;
    number = (Math.imul(number, 31) + added) | 0;
  }
  return number;
}

function numberOfMember(member: unknown, levels: number): number | undefined {
  if (typeof member === "number") return (member * 1000) | 0;
  if (typeof member === "string") return numberOfText(member);
  if (typeof member !== "object" || member === null) return member === true ? 1 : 2;
  return levels > 1 ? numberOf(member, levels - 1) : undefined;
}

function numberOfText(text: string): number {
  let number = text.length;
  for (let at = 0; at < Math.min(text.length, 20); at++) {
    number = (Math.imul(number, 31) + text.charCodeAt(at)) | 0;
  }
  return number;
}
