import { expect, test } from "vitest";
import { Gate } from "./gate.js";

test("a gate is passed when it is opened, and never when it fails", async () => {
  const [open, failed] = [new Gate(), new Gate()];
  open.open();
  open.fail(new Error("too late"));
  expect(await open.passed).toBeUndefined();
  const reason = new Error("closed");
  failed.fail(reason);
  failed.open();
  await expect(failed.passed).rejects.toBe(reason);
});
