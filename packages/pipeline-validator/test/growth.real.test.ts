import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { worstInputs } from "./worst-inputs.js";

/** Seconds of processor time, with what the collector of garbage does beside. */
function cost(text: string): number {
  const before = process.cpuUsage();
  validatePipeline(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

for (const [name, make] of Object.entries(worstInputs)) {
  test(`10 MB of ${name} take seconds, and ten times as long as 1 MB`, { timeout: 120_000 }, () => {
    const sized = (characters: number) => make(Math.ceil(characters / (make(2000).length / 2000)));
    const [small, large] = [sized(1_000_000), sized(10_000_000)];

    const before = Math.min(cost(small), cost(small));
    const seconds = cost(large);

    // At most 3 s where nothing else runs; a busy machine makes processors slower as well.
    expect(seconds).toBeLessThan(6);
    // The square would be 100 times; less than 0.1 s are not worth measuring.
    expect(seconds / Math.max(before, 0.1)).toBeLessThan(30);
  });
}
