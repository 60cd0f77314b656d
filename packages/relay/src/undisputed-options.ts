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
 * cannot be started: its first keys stay as they are where others have the new ones, and filters only go. An SDK key and the further ones that
 * it is listed with go together, since each tells what the others open: where one is another's none comes, nor a mobile key with them. A key whose end has been named is not kept beyond it.
 */
export function undisputedOptions(
  wanted: DisputedOptions,
  running: DisputedOptions,
  isOthers: (claim: string) => boolean,
): UndisputedOptions {
  const { filters = [], furtherSdkKeys = [], furtherMobileKeys = [] } = wanted;
  const isFree = (kind: "sdkKey" | "mobileKey", key: string | undefined) =>
    key === undefined || !isOthers(claimOf(kind, key));
  const isDisputed = [wanted.sdkKey, ...furtherSdkKeys.map(keyOf)].some((key) => !isFree("sdkKey", key));
  const keepsSdkKey = wanted.sdkKey !== running.sdkKey && isDisputed;
  // Where the former SDK key is listed as well it is the same environment, and the mobile keys are its own.
  const keepsMobileKeys = keepsSdkKey && !furtherSdkKeys.some((one) => keyOf(one) === running.sdkKey);
  const first = {
    sdkKey: keepsSdkKey ? running.sdkKey : wanted.sdkKey,
    mobileKey:
      keepsMobileKeys || !isFree("mobileKey", wanted.mobileKey) ? running.mobileKey : wanted.mobileKey,
  };
  const among = (keys: readonly FurtherClaim[], listed: readonly FurtherClaim[] = []) => {
    const former = new Set(listed.map(keyOf));
    return keys.filter((one) => former.has(keyOf(one)));
  };
  const wantedSdkKeys = keepsSdkKey ? among(furtherSdkKeys, running.furtherSdkKeys) : furtherSdkKeys;
  const wantedMobileKeys = keepsMobileKeys
    ? among(furtherMobileKeys, running.furtherMobileKeys)
    : furtherMobileKeys;
  const further = (kind: "sdkKey" | "mobileKey", keys: readonly FurtherClaim[]) =>
    keys.filter((one) => keyOf(one) !== first[kind] && isFree(kind, keyOf(one)));
  const ended = furtherSdkKeys.find((one) => keyOf(one) === first.sdkKey);
  return {
    options: {
      sdkKey: first.sdkKey,
      ...(first.mobileKey === undefined ? {} : { mobileKey: first.mobileKey }),
      furtherSdkKeys: further("sdkKey", wantedSdkKeys),
      furtherMobileKeys: further("mobileKey", wantedMobileKeys),
      filters: (running.filters ?? []).filter((filter) => filters.includes(filter)),
    },
    until: keepsSdkKey && ended !== undefined ? endOf(ended) : Number.POSITIVE_INFINITY,
  };
}
