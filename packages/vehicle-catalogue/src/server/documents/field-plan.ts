import type { BinaryText } from "../binary-text.js";
import type { PreparedVehicle } from "../prepared-vehicle.js";

/** Which parts of a prepared vehicle a document shows. */
export interface FieldPlan {
  /** Neighbouring attributes that are copied in one go, as first and last place among the names. */
  readonly runs: readonly (readonly [first: number, last: number])[];
  readonly showsRelationships: boolean;
  /** Whether it shows all there is. */
  readonly isWhole: boolean;
  /** How many attributes there are. */
  readonly attributes: number;
}

/** Works out what to copy, from the fields that were asked for (undefined: all) and those the key may not see. */
export function planFields(
  names: readonly string[],
  asked: ReadonlySet<string> | undefined,
  hidden: ReadonlySet<string>,
): FieldPlan {
  const runs: [first: number, last: number][] = [];
  for (const [place, name] of names.entries()) {
    if (hidden.has(name) || asked?.has(name) === false) continue;
    const run = runs.at(-1);
    if (run?.[1] === place - 1) run[1] = place;
    else runs.push([place, place]);
  }
  const showsRelationships = asked?.has("manufacturer") ?? true;
  const isWhole = showsRelationships && runs[0]?.[0] === 0 && runs[0][1] === names.length - 1;
  return { runs, showsRelationships, isWhole, attributes: names.length };
}

/** What is between the identity of a resource and its first attribute. */
const openAttributes = ',"attributes":{'.length;

/**
 * Adds a vehicle to a document, as far as the plan shows it, behind its comma or, as the first one, without. What lies side by
 * side is cut out as one piece.
 */
export function withVehicle(
  document: BinaryText,
  { text, offsets }: PreparedVehicle,
  { runs, showsRelationships, isWhole, attributes }: FieldPlan,
  isFirst: boolean,
): BinaryText {
  if (isWhole) return document + (isFirst ? text.slice(1) : text);
  const startOf = (part: number): number => offsets[2 * part] ?? 0;
  const endOf = (part: number): number => offsets[2 * part + 1] ?? 0;
  let shown = document;
  let from = isFirst ? 1 : 0;
  let to = runs.length === 0 ? startOf(0) - openAttributes : startOf(0);
  for (let run = 0; run < runs.length; run++) {
    const [first, last] = runs[run] ?? [0, 0];
    if (first > 0) {
      shown += text.slice(from, to);
      // A comma stands in front of all attributes that are shown but the first.
      from = startOf(first) - (run > 0 ? 1 : 0);
    }
    to = endOf(last);
  }
  if (!showsRelationships) return `${shown}${text.slice(from, to)}${runs.length === 0 ? "}" : "}}"}`;
  const rest = endOf(attributes - 1) + (runs.length === 0 ? 1 : 0);
  return to === rest ? shown + text.slice(from) : shown + text.slice(from, to) + text.slice(rest);
}
