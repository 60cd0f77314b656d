import { type ClaimingOptions, claimOf, endOf, type FurtherClaim, keyOf } from "./claims.js";

/** Options of an environment that others may stand against. */
interface DisputedOptions extends ClaimingOptions {
  readonly filters?: readonly string[];
}

/** What of them an environment that runs can have, and for how long. */
export interface UndisputedOptions {
  readonly options: Omit<DisputedOptions, "envId">;
  /** The moment from which the SDK key that it keeps is not to work any more, in Unix milliseconds. */
  readonly until: number;
}

/**
 * What can be had of the options that an environment should get, although others have some of its keys, or new payload filters
 * cannot be started: its first keys stay as they are where others have the new ones, and filters only go. Further SDK keys go with the SDK key that
 * they are listed with: beside the former one none comes. A key whose end has been named is not kept beyond it.
 */
export function undisputedOptions(
  wanted: DisputedOptions,
  running: DisputedOptions,
  isOthers: (claim: string) => boolean,
): UndisputedOptions {
  const { filters = [], furtherSdkKeys = [], furtherMobileKeys = [] } = wanted;
  const isFree = (kind: "sdkKey" | "mobileKey", key: string | undefined) =>
    key === undefined || !isOthers(claimOf(kind, key));
  const keepsSdkKey = !isFree("sdkKey", wanted.sdkKey);
  const first = {
    sdkKey: keepsSdkKey ? running.sdkKey : wanted.sdkKey,
    mobileKey: isFree("mobileKey", wanted.mobileKey) ? wanted.mobileKey : running.mobileKey,
  };
  const listed = new Set((running.furtherSdkKeys ?? []).map(keyOf));
  const wantedSdkKeys = keepsSdkKey ? furtherSdkKeys.filter((one) => listed.has(keyOf(one))) : furtherSdkKeys;
  const further = (kind: "sdkKey" | "mobileKey", keys: readonly FurtherClaim[]) =>
    keys.filter((one) => keyOf(one) !== first[kind] && isFree(kind, keyOf(one)));
  const ended = furtherSdkKeys.find((one) => keyOf(one) === first.sdkKey);
  return {
    options: {
      sdkKey: first.sdkKey,
      ...(first.mobileKey === undefined ? {} : { mobileKey: first.mobileKey }),
      furtherSdkKeys: further("sdkKey", wantedSdkKeys),
      furtherMobileKeys: further("mobileKey", furtherMobileKeys),
      filters: (running.filters ?? []).filter((filter) => filters.includes(filter)),
    },
    until: keepsSdkKey && ended !== undefined ? endOf(ended) : Number.POSITIVE_INFINITY,
  };
}
