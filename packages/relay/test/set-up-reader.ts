import { createHash } from "node:crypto";
import type { Memberships } from "../src/big-segments/big-segment-store.js";
import { MembershipReader } from "../src/big-segments/membership-reader.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import { silentLogger } from "../src/logger.js";
import type { StoreDescription } from "../src/stores/flag-store.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { createStoreContext } from "../src/testing/store-context.js";

export const start = 1_700_000_000_000;
export const hashOf = (key: string): string => createHash("sha256").update(key).digest("base64");

/** What the test says of a store, and what its reader has told. */
export interface ReaderState {
  syncedOn: number | undefined;
  readonly segments: Set<string>;
  recovered: number;
  isBehind: boolean;
}

/** A reader, and what it does. */
export interface ReaderUnderTest {
  readonly clock: ManualClock;
  readonly told: string[];
  /** The contexts that the store was asked about. */
  readonly asked: string[];
  readonly state: ReaderState;
  readonly reader: MembershipReader;
  answerWith(next: (key: string) => Promise<Memberships>): void;
  timeIs(next: () => Promise<number | undefined>): void;
  /** Asks about a context. */
  status(key: string): Promise<string>;
}

/** Sets up a reader before a store of which the test says what it answers. */
export function setUpReader(about?: StoreDescription): ReaderUnderTest {
  const clock = createManualClock(start);
  const told: string[] = [];
  const asked: string[] = [];
  const state: ReaderState = {
    syncedOn: start,
    segments: new Set(["beta.g1"]),
    recovered: 0,
    isBehind: false,
  };
  let answer = async (_key: string): Promise<Memberships> => ({ included: ["beta.g1"], excluded: [] });
  let time = async () => state.syncedOn;
  const keys = new Map<string, string>();
  const memory = memoryBigSegmentStore(createStoreContext());
  const reader = new MembershipReader({
    store: {
      ...memory,
      ...(about === undefined ? {} : { about }),
      synchronizedOn: () => time(),
      memberships(hash) {
        const key = keys.get(hash) ?? "unknown";
        asked.push(key);
        return answer(key);
      },
    },
    clock,
    logger: { ...silentLogger, error: (message) => told.push(message) },
    isKnown: (segmentId) => state.segments.has(segmentId),
    isBehind: () => state.isBehind,
    recovered: () => state.recovered++,
  });
  return {
    clock,
    told,
    asked,
    state,
    reader,
    answerWith(next: typeof answer) {
      answer = next;
    },
    timeIs(next: typeof time) {
      time = next;
    },
    async status(key: string): Promise<string> {
      keys.set(hashOf(key), key);
      return (await reader.read([key])).get(key)?.status ?? "none";
    },
  };
}
