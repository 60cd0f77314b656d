import type { Item } from "@wye/flag-evaluator";

/** How many items are written side by side. */
const concurrency = 16;

/** Writes items one by one, some side by side; gives what is kept in place of those that were not newer. */
export async function upsertEach(
  items: readonly Item[],
  upsertOne: (item: Item) => Promise<Item | undefined>,
): Promise<readonly Item[]> {
  const kept: Item[] = [];
  for (let start = 0; start < items.length; start += concurrency) {
    const some = items.slice(start, start + concurrency).map(upsertOne);
    kept.push(...(await Promise.all(some)).filter((newer) => newer !== undefined));
  }
  return kept;
}
