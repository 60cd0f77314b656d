import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import {
  type BigSegmentUpstream,
  startBigSegmentUpstream,
  type UpstreamPatch,
} from "../../../scripts/databases/big-segment-upstream.js";
import type { BigSegmentStore } from "../src/big-segments/big-segment-store.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import { BigSegmentSynchronizer } from "../src/big-segments/synchronizer.js";
import { silentLogger } from "../src/logger.js";
import type { ResolvedUpstream } from "../src/options/resolved-sections.js";
import type { FlagStoreContext } from "../src/stores/flag-store.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { createStoreContext } from "../src/testing/store-context.js";
import { UpstreamConnections } from "../src/upstream/upstream-connections.js";

/** What a store is told. */
export const context: FlagStoreContext = createStoreContext();

/** Numbers that are the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const people = ["alice", "bob", "carol", "dave"].map((key) =>
  createHash("sha256").update(key).digest("base64"),
);
const segments = ["beta.g1", "staff.g4"];

/** A step that changes some lists at random. */
function patchAfter(
  previousVersion: string,
  version: string,
  random: (below: number) => number,
): UpstreamPatch {
  const some = () => people.filter(() => random(3) === 0);
  return {
    environmentId: "any",
    segmentId: segments[random(segments.length)] ?? "",
    previousVersion,
    version,
    changes: { included: { add: some(), remove: some() }, excluded: { add: some(), remove: some() } },
  };
}

/** Who is in what after a history, worked out list by list. */
export function modelOf(history: readonly UpstreamPatch[]): readonly string[] {
  const members = new Set<string>();
  for (const { segmentId, changes } of history) {
    for (const list of ["included", "excluded"] as const) {
      for (const hash of changes[list]?.add ?? []) members.add(`${hash} ${list} ${segmentId}`);
      for (const hash of changes[list]?.remove ?? []) members.delete(`${hash} ${list} ${segmentId}`);
    }
  }
  return [...members].sort();
}

/** Who is in what, list by list. */
export async function contentsOf(store: BigSegmentStore): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const lists = await Promise.all(
    people.map(async (hash) => {
      const { included, excluded } = await store.memberships(hash, signal);
      return [
        ...included.map((id) => `${hash} included ${id}`),
        ...excluded.map((id) => `${hash} excluded ${id}`),
      ];
    }),
  );
  return lists.flat().sort();
}

/** A synchroniser between an upstream and a store. */
export interface Running {
  readonly upstream: BigSegmentUpstream;
  readonly clock: ManualClock;
  readonly store: BigSegmentStore;
  readonly told: string[];
  changes(): number;
  /** When it was last found to be in step. */
  synchronizedOn(): number | undefined;
  /** Whether it was not found elsewhere since. */
  isInStep(): boolean;
  /** Whether the store is known to lack what it had. */
  isBehind(): boolean;
  /** The store answers again. */
  wake(): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Lets time pass until it is so. */
  until(enough: () => boolean | Promise<boolean>): Promise<void>;
}

/** What a test has otherwise than usual. */
export interface SynchronizerSettings {
  readonly store?: BigSegmentStore;
  readonly pageSize?: number;
  readonly history?: readonly UpstreamPatch[];
  readonly staleThresholdMs?: number;
  /** What stands for random numbers. */
  readonly random?: number;
  /** How upstream is asked. */
  readonly asked?: Partial<ResolvedUpstream>;
}

/** Starts it; both end with the test. */
export async function startSynchronizer({
  store = memoryBigSegmentStore(context),
  pageSize = 3,
  history = [],
  staleThresholdMs = 300_000,
  random = 0,
  asked = {},
}: SynchronizerSettings = {}): Promise<Running> {
  const upstream = await startBigSegmentUpstream(pageSize);
  upstream.history.push(...history);
  const clock = createManualClock();
  const told: string[] = [];
  let changes = 0;
  let synchronizedOn: number | undefined;
  let isInStep = false;
  const create = () => {
    const created = new BigSegmentSynchronizer({
      store,
      clock,
      random: () => random,
      logger: { ...silentLogger, warn: (message) => told.push(message) },
      sdkKey: () => "sdk-key",
      staleThresholdMs,
      upstream: {
        stream: upstream.url,
        app: upstream.url,
        polling: upstream.url,
        events: upstream.url,
        dispatcher: new UpstreamConnections(10_000),
        readTimeoutMs: 300_000,
        requestTimeoutMs: 10_000,
        maxEventBytes: 1 << 20,
        ...asked,
      },
      changed: () => changes++,
      synchronized: (timeMs) => {
        synchronizedOn = timeMs ?? synchronizedOn;
        isInStep = timeMs !== undefined;
      },
    });
    created.start();
    // Whoever starts it again starts nothing.
    created.start();
    return created;
  };
  let synchronizer = create();
  onTestFinished(async () => {
    await synchronizer.close();
    await upstream.close();
  });
  return {
    upstream,
    clock,
    store,
    told,
    changes: () => changes,
    synchronizedOn: () => synchronizedOn,
    isInStep: () => isInStep,
    isBehind: () => synchronizer.isBehind,
    wake: () => synchronizer.wake(),
    async restart() {
      await synchronizer.close();
      synchronizer = create();
    },
    stop: () => synchronizer.close(),
    async until(enough) {
      while (!(await enough())) {
        clock.advance(500);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** So many steps, one after the other. */
export const historyOf = (
  count: number,
  random: (below: number) => number = randomFrom(1),
): UpstreamPatch[] =>
  Array.from({ length: count }, (_, index) =>
    patchAfter(index === 0 ? "" : `v${index}`, `v${index + 1}`, random),
  );
