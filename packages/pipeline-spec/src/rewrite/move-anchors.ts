import type { PlacedText } from "./placed-text.js";
import type { Splices } from "./splices.js";
import { ValueEdits } from "./value-edits.js";

/** Where anchors are taken out, puts their values in the place of the first aliases that stay: others find them there. */
export function moveAnchors(placed: PlacedText, splices: Splices): void {
  const { aliases } = placed.places;
  if (aliases.size === 0 || splices.isEmpty) return;
  const { layout, rows } = placed;
  const { isTaken } = splices;
  const values = new ValueEdits(placed, splices);
  const left = new Map<number, number[]>();
  for (const [alias, target] of aliases) {
    if (isTaken(rows.valueOf(alias)[0])) continue;
    const known = left.get(target);
    if (known === undefined) left.set(target, [alias]);
    else known.push(alias);
  }
  for (const [target, [first = target, ...others]] of left) {
    const anchor = layout.text.slice(...rows.valueOf(first)).replace("*", "&");
    if (!isTaken(layout.text.lastIndexOf(anchor, rows.valueOf(target)[0]))) continue;
    const { parent, previous } = placed.surroundingsOf(first);
    const value = placed.places.sharedValue(target);
    values.replace(first, value, parent, previous, others.length > 0 ? anchor : undefined);
  }
}
