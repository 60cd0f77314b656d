import type { BigSegmentStore, BigSegmentStoreFactory } from "../big-segments/big-segment-store.js";
import { callHost, demandMade } from "../call-host.js";
import type { FlagStore, FlagStoreContext, FlagStoreFactory } from "./flag-store.js";
import type { Keeper } from "./kept-places.js";
import type { StoreHolder, StoreHolders, TakenPlaces } from "./store-holders.js";

/** How the stores of an environment are made. */
interface StoreFactories {
  readonly store?: FlagStoreFactory | undefined;
  readonly bigSegments?: BigSegmentStoreFactory | undefined;
}

/** The stores of an environment, and its right to them. */
export interface OpenStores {
  readonly flags: FlagStore | undefined;
  readonly members: BigSegmentStore | undefined;
  readonly holder: StoreHolder;
  /** Where the flags are, and where the members of big segments. */
  readonly places: { readonly flags: TakenPlaces; readonly members: TakenPlaces };
}

const flagMethods = ["read", "replace", "upsert", "close"] as const;
const memberMethods = [
  "memberships",
  "synchronizedOn",
  "apply",
  "cursor",
  "setSynchronizedOn",
  "close",
] as const;

/** Makes the stores of an environment. Throws what a factory of the host throws; then nothing is left open. */
export function openStores(
  factories: StoreFactories,
  told: Omit<FlagStoreContext, "places">,
  holders: StoreHolders,
  keeper: Keeper,
): OpenStores {
  const holder = holders.enter(told.environment, keeper);
  const context = { ...told, places: holder.places };
  const { store, bigSegments } = factories;
  let taken: FlagStore | undefined;
  try {
    const flags = store && demandMade(`[${told.environment}] a store`, store(context), flagMethods);
    if (flags !== undefined) holder.take(flags);
    taken = flags;
    const ofFlags = holder.takenSince();
    const name = `[${told.environment}] a store of big segments`;
    const members = bigSegments && demandMade(name, bigSegments(context), memberMethods);
    if (members !== undefined) holder.take(members);
    const places = { flags: ofFlags, members: holder.takenSince() };
    for (const one of Object.values(places)) one.settle();
    return { flags, members, holder, places };
  } catch (error) {
    callHost(
      () => taken?.close(),
      () => {},
    );
    holder.done();
    throw error;
  }
}
