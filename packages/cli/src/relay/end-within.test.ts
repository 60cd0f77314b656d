import { expect, onTestFinished, test, vi } from "vitest";
import { endWithin } from "./end-within.js";

test.each([
  { within: 10_000, stopped: 2000, took: 2000, left: 8000 },
  { within: 10_000, stopped: 2000, took: 0, left: 10_000 },
  { within: 4000, stopped: 2000, took: 1500, left: 2500 },
  { within: 3000, stopped: 1500, took: 1500, left: 1500 },
  // A busy machine takes longer than that.
  { within: 1000, stopped: 500, took: 1200, left: 0 },
  { within: 0, stopped: 0, took: 0, left: 0 },
])(
  "of $within ms whoever asks has $stopped, and the relay the $left that are left when that took $took",
  async (row) => {
    let now = 5000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const done: string[] = [];
    await endWithin(
      row.within,
      {
        async stop(ms) {
          done.push(`stop ${ms}`);
          await null;
          now += row.took;
        },
      },
      {
        async close({ within } = {}) {
          done.push(`close ${within}`);
        },
      },
    );
    expect(done).toEqual([`stop ${row.stopped}`, `close ${row.left}`]);
  },
);
