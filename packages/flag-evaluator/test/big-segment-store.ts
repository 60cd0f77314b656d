import { createHash } from "node:crypto";
import type { BigSegments, Evaluator } from "../src/index.js";
import type { Context } from "../src/read/context.js";

/** Invented memberships in big segments, found as stores find them: by the hash of a context key. */
export interface BigSegmentStore {
  readonly status: "HEALTHY" | "STALE";
  membershipOf(hash: string): ReadonlyMap<string, boolean>;
}

/** A store in which about a third of all contexts is in each segment, and a third expressly not. */
export function createBigSegmentStore(
  status: BigSegmentStore["status"],
  segmentKeys: readonly string[],
): BigSegmentStore {
  const references = segmentKeys.flatMap((key) => [1, 2, 3].map((generation) => `${key}.g${generation}`));
  return {
    status,
    membershipOf(hash) {
      const members = new Map<string, boolean>();
      for (const reference of references) {
        const choice = (digest(`${hash} ${reference}`)[0] ?? 0) % 3;
        if (choice > 0) members.set(reference, choice === 1);
      }
      return members;
    },
  };
}

/** Fetches what an evaluator needs to know of a context. */
export function fetchBigSegments(
  evaluator: Evaluator,
  context: Context,
  store: BigSegmentStore,
): BigSegments {
  const keys = evaluator.bigSegmentsFor(context).map(({ contextKey }) => contextKey);
  return new Map(
    keys.map((key) => {
      const segments = store.membershipOf(digest(key).toString("base64"));
      return [key, { status: store.status, segments }];
    }),
  );
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
