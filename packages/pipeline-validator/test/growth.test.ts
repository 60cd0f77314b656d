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

    // What else the machine does makes both slower: what is wrong stays wrong when it is asked for again.
    let [ofSmall, ofLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const ratio = (): number => ofLarge / Math.max(ofSmall, 0.02);
    for (let round = 0; round === 0 || (round < 3 && ratio() >= 50); round++) {
      ofSmall = Math.min(ofSmall, cost(small));
      ofLarge = Math.min(ofLarge, cost(large));
    }
    // Ten times the text: its square would be 100 times, and 0.02 s are what is not worth measuring.
    expect(ratio()).toBeLessThan(50);
  });
}
