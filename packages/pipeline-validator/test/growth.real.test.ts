import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { worstInputs } from "./worst-inputs.js";

for (const [name, make] of Object.entries(worstInputs)) {
  test(`10 MB of ${name} take seconds`, { timeout: 120_000 }, () => {
    const text = make(Math.ceil(10_000_000 / (make(2000).length / 2000)));
    const before = process.cpuUsage();
    validatePipeline(text);
    const { user, system } = process.cpuUsage(before);
    // About 3 s on a machine that is doing nothing else, with what the collector of garbage does beside.
    expect((user + system) / 1e6).toBeLessThan(12);
  });
}
