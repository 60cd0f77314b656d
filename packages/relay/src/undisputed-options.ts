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
 * it is listed with go together, since each tells what the others open: where one is another's none comes. A key whose end has been named is not kept beyond it.
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
