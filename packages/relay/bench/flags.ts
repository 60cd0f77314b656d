import { readFileSync } from "node:fs";

type Fields = Record<string, unknown>;

/** So many flags of all kinds, made from a generated set by renaming, with the segments of that set, as JSON. */
export function flagsJson(count: number): string {
  const file = new URL("../testdata/generated-a.json", import.meta.url);
  const { upstream } = JSON.parse(readFileSync(file, "utf8"));
  const [{ data }] = Object.values<{ data: { flags: Record<string, Fields>; segments: Fields } }>(
    upstream.envs,
  ) as [{ data: { flags: Record<string, Fields>; segments: Fields } }];
  const originals = Object.values(data.flags).filter(({ deleted }) => deleted !== true);
  const flags: Fields = {};
  for (let i = 0; i < count; i++) {
    const original = originals[i % originals.length] ?? {};
    const copy = Math.floor(i / originals.length);
    const named = (key: unknown) => (copy === 0 ? String(key) : `${key}-${copy}`);
    const prerequisites = Array.isArray(original.prerequisites) ? original.prerequisites : [];
    flags[named(original.key)] = {
      ...original,
      key: named(original.key),
      prerequisites: prerequisites.map((one: Fields) => ({ ...one, key: named(one.key) })),
    };
  }
  return JSON.stringify({ flags, segments: data.segments });
}

/** 256 contexts, used in turn, so that nothing is answered from a cache. */
export const contexts: readonly string[] = Array.from({ length: 256 }, (_, i) =>
  JSON.stringify({
    kind: "user",
    key: `user-${i}`,
    country: i % 2 ? "de" : "fr",
    email: `u${i}@example.org`,
    plan: i % 5,
  }),
);
