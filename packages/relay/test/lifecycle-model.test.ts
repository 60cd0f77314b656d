import { expect, test } from "vitest";
import { LifecycleRun } from "./lifecycle/run-lifecycle.js";

const runs = Number(process.env.WYE_LIFECYCLE_RUNS ?? 300);

test(`${runs} random lives of a relay are those of the model`, async () => {
  for (let seed = 1; seed <= runs; seed++) {
    expect(await new LifecycleRun(seed).run(40), `seed ${seed}`).toBeUndefined();
  }
});
