import type { PreparedVehicle } from "../prepared-vehicle.js";
import type { ByteJoiner } from "./byte-joiner.js";

/** Which parts of a prepared vehicle a document shows. */
export interface FieldPlan {
  /** Neighbouring attributes that are copied in one go, as first and last place among the names. */
  readonly runs: readonly (readonly [first: number, last: number])[];
  /** Where the relationships stand among the parts, if they are shown. */
  readonly relationshipsAt: number | undefined;
  /** Nothing is left out. */
  readonly whole: boolean;
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
  const relationships = asked?.has("manufacturer") ?? true;
  const [only] = runs;
  const whole = relationships && runs.length === 1 && only?.[0] === 0 && only[1] === names.length - 1;
  return { runs, relationshipsAt: relationships ? names.length : undefined, whole };
}

const comma = new Uint8Array([0x2c]);
const brace = new Uint8Array([0x7d]);
/** Bytes between the identity of a resource and its first attribute. */
const openAttributes = ',"attributes":{'.length;

/** Copies a vehicle as far as the plan shows it. */
export function addVehicle(joiner: ByteJoiner, { bytes, offsets }: PreparedVehicle, plan: FieldPlan): void {
  if (plan.whole) {
    joiner.add(bytes);
    return;
  }
  const start = (part: number): number => offsets[2 * part] ?? 0;
  const end = (part: number): number => offsets[2 * part + 1] ?? 0;
  const [firstRun, ...otherRuns] = plan.runs;
  if (firstRun === undefined) {
    joiner.add(bytes, 0, start(0) - openAttributes);
  } else {
    const [first, last] = firstRun;
    if (first === 0) joiner.add(bytes, 0, end(last));
    else joiner.add(bytes, 0, start(0)).add(bytes, start(first), end(last));
    for (const [from, to] of otherRuns) joiner.add(comma).add(bytes, start(from), end(to));
    joiner.add(brace);
  }
  const { relationshipsAt: at } = plan;
  if (at !== undefined) joiner.add(bytes, start(at), end(at));
  joiner.add(brace);
}
