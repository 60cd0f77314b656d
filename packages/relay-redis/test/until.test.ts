import { expect, onTestFinished, test, vi } from "vitest";
import { patienceMs, until } from "../../../scripts/databases/until.js";

test("what tests wait for is asked for again until it is so, and what was there last is told when it never is", async () => {
  const answers = [1, 2, 3];
  expect(
    await until(
      async () => answers.shift(),
      (answer) => answer === 3,
    ),
  ).toBe(3);
  let now = 0;
  vi.spyOn(Date, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const wait = async () => {
    now += patienceMs;
  };
  const never = until(
    async () => `asked at ${now / patienceMs}`,
    () => false,
    wait,
  );
  await expect(never).rejects.toThrow("it is still not so: 'asked at 2'");
});
