import { expect, test } from "vitest";
import { LifecycleRun } from "./lifecycle/run-lifecycle.js";

test("2,000 random lives of a relay are those of the model", async () => {
  for (let seed = 1; seed <= 2000; seed++) {
    expect(await new LifecycleRun(seed).run(40), `seed ${seed}`).toBeUndefined();
  }
});
