import { expect, test } from "vitest";
import { LifecycleRun } from "./lifecycle/run-lifecycle.js";

const runs = 150;

test(`${runs} random lives of a relay are those of the model`, async () => {
  // The first of them, and one that has found something.
  for (const seed of [425, ...Array.from({ length: runs }, (_, n) => n + 1)]) {
    expect(await new LifecycleRun(seed).run(40), `seed ${seed}`).toBeUndefined();
  }
});
