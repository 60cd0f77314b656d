import { type Fields, isFields, partsAt } from "../fields.js";
import { nearestName } from "../nearest-name.js";
import type { ItemProblem } from "./item-problem.js";
import type { PartShape } from "./part-shapes.js";

/** The members, however deep, whose names are nearly those of members that there are. Others may come with later protocols. */
export function* misspeltNames(
  fields: Fields,
  { names, parts }: PartShape,
  path: readonly string[] = [],
): Generator<ItemProblem> {
  for (const [name, value] of Object.entries(fields)) {
    const place = [...path, name];
    const meant = names.includes(name) ? undefined : nearestName(name, names);
    if (meant !== undefined) yield { path: place, message: `there is no ${name}; is it ${meant}?` };
    const inner = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (inner === undefined) continue;
    if (isFields(value)) yield* misspeltNames(value, inner, place);
    for (const [part, at] of partsAt(place, value)) yield* misspeltNames(part, inner, at);
  }
}
