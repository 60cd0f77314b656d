import { type ClaimingOptions, claimsOf } from "./claims.js";

type Environments = ReadonlyMap<string, ClaimingOptions>;

/** Who has which key. */
export function ownersOf(running: Environments, now: number): ReadonlyMap<string, string> {
  return new Map(
    [...running].flatMap(([name, options]) => claimsOf(options, now).map((claim) => [claim, name] as const)),
  );
}

/** Those of these environments which want nothing but what others of them have, each of it once. `now` is in Unix milliseconds. */
export function changingPlaces(
  names: readonly string[],
  wanted: Environments,
  running: Environments,
  now: number,
): ReadonlySet<string> {
  const changing = new Set(names);
  if (changing.size === 0) return changing;
  const owners = ownersOf(running, now);
  for (let before = -1; before !== changing.size; ) {
    before = changing.size;
    const claimed = new Set<string>();
    for (const name of changing) {
      const options = wanted.get(name);
      const keys = options === undefined ? [] : claimsOf(options, now);
      const foreign = keys.flatMap((key) => owners.get(key) ?? []).filter((owner) => owner !== name);
      const canBe = foreign.length > 0 && foreign.every((owner) => changing.has(owner));
      if (!canBe || keys.some((key) => claimed.has(key))) changing.delete(name);
      else for (const key of keys) claimed.add(key);
    }
  }
  return changing;
}
