import type { CredentialKind } from "./credentials.js";

/** A key that is accepted beside another one. */
export type FurtherClaim = string | { readonly key: string; readonly expires?: number | string | Date };

/** The keys among the options of an environment. */
export interface ClaimingOptions {
  readonly sdkKey: string;
  readonly mobileKey?: string;
  readonly envId?: string;
  readonly furtherSdkKeys?: readonly FurtherClaim[];
  readonly furtherMobileKeys?: readonly FurtherClaim[];
}

/** A key of an environment, told apart from those of other kinds. */
export function claimOf(kind: CredentialKind, key: string): string {
  return `${kind} ${key}`;
}

/** The key itself. */
export function keyOf(claim: FurtherClaim): string {
  return typeof claim === "string" ? claim : claim.key;
}

/** From when on it is no key any more, in Unix milliseconds. */
export function endOf(claim: FurtherClaim): number {
  const expires = typeof claim === "string" ? undefined : claim.expires;
  return expires === undefined ? Number.POSITIVE_INFINITY : new Date(expires).getTime();
}

/** The keys that an environment has, or wants to have, at a moment. */
export function claimsOf(options: ClaimingOptions, now: number): readonly string[] {
  const { sdkKey, mobileKey, envId, furtherSdkKeys = [], furtherMobileKeys = [] } = options;
  const further = (keys: readonly FurtherClaim[]) => keys.filter((one) => now < endOf(one)).map(keyOf);
  const keys: Readonly<Record<CredentialKind, readonly (string | undefined)[]>> = {
    sdkKey: [sdkKey, ...further(furtherSdkKeys)],
    mobileKey: [mobileKey, ...further(furtherMobileKeys)],
    envId: [envId],
  };
  return (["sdkKey", "mobileKey", "envId"] as const).flatMap((kind) =>
    keys[kind].flatMap((key) => (key === undefined ? [] : [claimOf(kind, key)])),
  );
}

/** When the next of these further keys ends, after which others may have it. */
export function nextEndOf(environments: Iterable<ClaimingOptions>, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { furtherSdkKeys = [], furtherMobileKeys = [] } of environments)
    for (const claim of [...furtherSdkKeys, ...furtherMobileKeys]) {
      const end = endOf(claim);
      if (end > now && end < next) next = end;
    }
  return next;
}
