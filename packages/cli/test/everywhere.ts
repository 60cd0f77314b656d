import { syncBuiltinESMExports } from "node:module";
import { type MockInstance, onTestFinished } from "vitest";

/** Has whoever imports the function of Node by its name meet the spy on it as well, until the test is over. */
export function everywhere<Spy extends Pick<MockInstance, "mockRestore">>(spy: Spy): Spy {
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}
