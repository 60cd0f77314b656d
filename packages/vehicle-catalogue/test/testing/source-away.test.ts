import { describe, expect, test, vi } from "vitest";
import { type Catalogue, CatalogueError, type CatalogueSnapshot } from "../../src/server/index.js";
import { altered, fails, type Make, outcomeOf, passes } from "./outcomes.js";

describe("a source that is away", () => {
  const title = "says that it is unavailable while its source is away";
  interface Away {
    /** Answers while the source is away. */
    readonly away: (right: CatalogueSnapshot) => CatalogueSnapshot;
    /** How many snapshots are still as if it were away when it has come back. */
    readonly late?: number;
    readonly back?: (right: CatalogueSnapshot) => CatalogueSnapshot;
  }
  const interrupted = ({ away, late = 0, back = (right) => right }: Away): Make =>
    altered(({ snapshot }) => {
      let isAway = false;
      let left = 0;
      const catalogue: Catalogue = {
        snapshot: () => (isAway || left-- > 0 ? away(snapshot()) : back(snapshot())),
      };
      return {
        catalogue,
        interrupt() {
          isAway = true;
          return () => {
            isAway = false;
            left = late;
          };
        },
      };
    });
  const refusing = (error: unknown) => (): never => {
    throw error;
  };
  const unavailable = refusing(new CatalogueError("unavailable", "away"));
  const empty = (right: CatalogueSnapshot): CatalogueSnapshot => ({
    ...right,
    find: () => ({ vehicles: [], overallCount: 0 }),
  });

  test.each<[string, Away, unknown[]]>([
    ["is unavailable", { away: unavailable }, passes],
    ["answers all the same", { away: (right) => right }, passes],
    ["takes a while to come back", { away: unavailable, late: 2 }, passes],
    ["is superseded", { away: refusing(new CatalogueError("superseded", "away")) }, fails],
    ["has failed", { away: refusing(new Error("away")) }, fails],
    ["answers nothing while it is away", { away: empty }, fails],
    ["answers nothing when it is back", { away: unavailable, back: empty }, fails],
  ])("%s", async (_, away, outcome) => {
    expect(await outcomeOf(interrupted(away), title)).toEqual(outcome);
  });

  /** What the check does of itself, its time in the hands of the test. */
  const within = async (make: Make): Promise<{ outcome: unknown[]; ms: number }> => {
    vi.useFakeTimers();
    try {
      const start = Date.now();
      let outcome: unknown[] | undefined;
      void outcomeOf(make, title).then((all) => {
        outcome = all;
      });
      while (outcome === undefined) await vi.advanceTimersByTimeAsync(500);
      return { outcome, ms: Date.now() - start };
    } finally {
      vi.useRealTimers();
    }
  };

  test.each([
    ["half a minute, which passes", 600, passes, 30_000],
    ["for ever, which fails after a minute with what was last said", 1e9, ["away"], 60_000],
  ])("takes %s", async (_, late, expected, leastMs) => {
    const { outcome, ms } = await within(interrupted({ away: unavailable, late }));
    expect(outcome).toEqual(expected);
    expect([ms >= leastMs, ms < leastMs + 2000]).toEqual([true, true]);
  });
});
