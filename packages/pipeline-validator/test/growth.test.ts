import { expect, test } from "vitest";
import { formatProblems, validatePipeline } from "../src/index.js";
import { worstInputs } from "./worst-inputs.js";

/** Seconds of processor time for a text and for showing what was found. */
function cost(text: string): number {
  const before = process.cpuUsage();
  formatProblems(validatePipeline(text), { source: text });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** As many elements as make a text of about so many characters. */
const sized = (make: (n: number) => string, characters: number): string =>
  make(Math.ceil(characters / (make(500).length / 500)));

for (const [name, make] of Object.entries(worstInputs)) {
  test(`time for ${name} grows with the text, not with its square`, { timeout: 300_000 }, () => {
    const [small, large] = [sized(make, 15_000), sized(make, 150_000)];

    // In turns: what else the machine does makes both slower.
    const rounds = Array.from({ length: 2 }, () => ({ ofSmall: cost(small), ofLarge: cost(large) }));
    const least = (costs: readonly number[]): number => Math.min(...costs);
    const ratio =
      least(rounds.map(({ ofLarge }) => ofLarge)) /
      Math.max(least(rounds.map(({ ofSmall }) => ofSmall)), 0.02);
    // Ten times the text: its square would be 100 times, and 0.02 s are what is not worth measuring.
    expect(ratio).toBeLessThan(50);
  });
}
