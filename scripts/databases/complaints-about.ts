import { createFixedSource, createRelay, type FlagStoreFactory } from "@wye/relay";

/** What a relay says of a store. */
export interface Complaints {
  /** The lines of the log so far, without debugging. */
  readonly told: readonly string[];
  stop(): Promise<void>;
}

/** Starts a relay that has two flags, and goes on trying to keep them. */
export function complaintsAbout(store: FlagStoreFactory): Complaints {
  const told: string[] = [];
  const note = (message: string) => void told.push(message);
  const flags = { a: { key: "a", version: 1 }, b: { key: "b", version: 1 } };
  const { source } = createFixedSource(JSON.stringify({ flags, segments: {} }));
  const relay = createRelay({
    environments: { test: { sdkKey: "sdk", source, store } },
    logger: { debug() {}, info: note, warn: note, error: note },
  });
  return { told, stop: () => relay.close({ within: 0 }) };
}
