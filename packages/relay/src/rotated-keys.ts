import type { AcceptedKey, EnvironmentKeys } from "./credentials.js";
import { demandMembers } from "./options/call-arguments.js";

/** New keys of an environment; what is left out stays. */
export interface NewKeys {
  readonly sdkKey?: string;
  readonly mobileKey?: string;
}

const keysExample = '{ sdkKey: "…" } or { mobileKey: "…" }';

/** The keys of a rotation. Throws when there is none. */
export function newKeys(keys: NewKeys): NewKeys {
  demandMembers("environments.rotateKey", keys, ["sdkKey", "mobileKey"], keysExample);
  const given: unknown[] = [keys.sdkKey, keys.mobileKey].filter((key) => key !== undefined);
  if (given.length > 0 && !given.includes(null)) return keys;
  throw new TypeError(`environments.rotateKey needs a new key, as in ${keysExample}`);
}

/** What is accepted beside new keys: what was accepted already, and for a while those whose place they take. */
export function rotated(
  before: EnvironmentKeys,
  after: EnvironmentKeys,
  { now, expires }: { readonly now: number; readonly expires: number },
): readonly AcceptedKey[] {
  const replaced = (["sdkKey", "mobileKey"] as const).flatMap((kind): readonly AcceptedKey[] => {
    const { [kind]: value } = before;
    return value === undefined || value === after[kind] ? [] : [{ kind, value, expires, replaced: true }];
  });
  return [...after.further, ...replaced].filter(
    ({ expires: until = Number.POSITIVE_INFINITY }) => now < until,
  );
}
