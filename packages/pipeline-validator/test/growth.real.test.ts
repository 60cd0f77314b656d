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

/** What this machine takes now to read 10 MB of JSON, look everything up by its name, and write it again. */
function costOfJson(): number {
  const text = JSON.stringify(
    Array.from({ length: 100_000 }, (_, at) => ({
      name: `task-${at}`,
      inputs: { a: at, b: `text ${at} `.repeat(3) },
    })),
  );
  const before = process.cpuUsage();
  const tasks: { readonly name: string }[] = JSON.parse(text);
  const names = new Map(tasks.map((task) => [task.name, task]));
  const found = tasks.filter(({ name }) => names.has(`${name}0`));
  expect(JSON.stringify([...tasks, ...found]).length).toBeGreaterThan(text.length);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

for (const [name, make] of Object.entries(worstInputs)) {
  test(`10 MB of ${name} take seconds, and ten times as long as 1 MB`, { timeout: 120_000 }, () => {
    const sized = (characters: number) => make(Math.ceil(characters / (make(2000).length / 2000)));
    const [small, large] = [sized(1_000_000), sized(10_000_000)];

    const before = Math.min(cost(small), cost(small));
    const unit = Math.min(costOfJson(), costOfJson(), costOfJson());
    const seconds = cost(large);

    // Some seconds where nothing else runs, told by what the machine does otherwise: a slow or busy one has slower processors.
    expect(seconds / unit, `${seconds} s`).toBeLessThan(80);
    // The square would be 100 times; less than 0.1 s are not worth measuring.
    expect(seconds / Math.max(before, 0.1)).toBeLessThan(30);
  });
}
