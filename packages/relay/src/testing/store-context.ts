import { silentLogger } from "../logger.js";
import type { FlagStoreContext } from "../stores/flag-store.js";
import { createManualClock } from "./manual-clock.js";

/** What a test has otherwise than usual. */
export interface StoreContextOptions extends Partial<FlagStoreContext> {
  /** Where errors go that the store logs. */
  readonly told?: string[];
}

/**
 * What a store is created with when there is no relay: `myStore(options)(createStoreContext())`. An environment without a client-side ID,
 * a clock that stands still, a logger that says nothing.
 */
export function createStoreContext({ told, ...rest }: StoreContextOptions = {}): FlagStoreContext {
  const logger = { ...silentLogger, error: (message: string) => void told?.push(message) };
  return {
    environment: "test",
    envId: undefined,
    filter: undefined,
    logger,
    clock: createManualClock(0),
    ...rest,
  };
}
