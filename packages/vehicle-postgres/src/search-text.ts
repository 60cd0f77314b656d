import type { Vehicle } from "@wye/vehicle-catalogue";
import { wordsOf } from "@wye/vehicle-catalogue/server";

/** What the search without memory compares: the words of brand, model and variant. */
export function searchTextOf({ manufacturer, model, variant }: Vehicle): string {
  return wordsOf(`${manufacturer.name} ${model} ${variant}`).join(" ");
}
