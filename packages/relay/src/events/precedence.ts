import { hash } from "node:crypto";
import type { Clock } from "../clock.js";

/** Events that wait. Those under one name belong together; those under two are never one post. */
interface Waiting {
  readonly metadata: { readonly schema: number; readonly tags: string; readonly origin: string };
  readonly name: string;
  readonly count: number;
}

/** Who goes first when more posts wait than can be sent in a while. */
export interface Precedence {
  /** Whether a name is one of those that go first. */
  readonly isKnown: (waiting: Pick<Waiting, "metadata" | "name">) => boolean;
  /** Puts known names first, and what brings the most events before what brings fewer. Under one name nothing changes places. */
  inOrder<Some extends Waiting>(waiting: readonly Some[]): readonly Some[];
  /** Notes that events which were collected under a name are being sent. */
  sent(name: string): void;
}

const mostKnown = 50;
const forgetAfterMs = 3_600_000;
/** So many other new names may come before the second time of a name. */
const mostMet = 10_000;

/**
 * Names come from clients: anyone can invent thousands. Known are the first fifty that came a second time, each until it was not
 * used for an hour and another one needs its place: whoever invents names takes the place of none that is in use.
 */
export function createPrecedence(clock: Pick<Clock, "monotonic">): Precedence {
  // Digests of names, which are as long as a client likes.
  /** When known names were sent last, the one that was not for the longest time first. */
  const known = new Map<string, number>();
  /** What came once. */
  const met = new Set<string>();
  const isKnown: Precedence["isKnown"] = ({ metadata, name }) =>
    isPlain(metadata) || known.has(digestOf(name));
  const hasPlace = (usedAt: number | undefined) =>
    known.size < mostKnown || usedAt === undefined || clock.monotonic() - usedAt >= forgetAfterMs;
  return {
    isKnown,
    inOrder(waiting) {
      const ranks = new Map<string, { readonly isKnown: boolean; readonly count: number }>();
      for (const one of waiting) {
        const rank = ranks.get(one.name) ?? { isKnown: isKnown(one), count: 0 };
        ranks.set(one.name, { ...rank, count: rank.count + one.count });
      }
      const unknown = { isKnown: false, count: 0 };
      return waiting.toSorted((one, other) => {
        const [a, b] = [ranks.get(one.name) ?? unknown, ranks.get(other.name) ?? unknown];
        return Number(b.isKnown) - Number(a.isKnown) || b.count - a.count;
      });
    },
    sent(name) {
      const digest = digestOf(name);
      const isNew = !known.delete(digest);
      const [longestUnused] = known;
      if (isNew && (!met.has(digest) || !hasPlace(longestUnused?.[1]))) {
        met.add(digest);
        const [oldest] = met;
        if (met.size > mostMet && oldest !== undefined) met.delete(oldest);
        return;
      }
      met.delete(digest);
      known.set(digest, clock.monotonic());
      if (known.size > mostKnown && longestUnused !== undefined) known.delete(longestUnused[0]);
    },
  };
}

/** Whether events are what most SDKs send. Nobody can invent such names. */
function isPlain({ schema, tags, origin }: Waiting["metadata"]): boolean {
  return schema <= 4 && tags === "" && origin === "verbatim";
}

function digestOf(name: string): string {
  return hash("sha1", name, "base64");
}
