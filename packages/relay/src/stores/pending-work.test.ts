import { expect, test } from "vitest";
import { PendingWork } from "./pending-work.js";

test("keys that could not be written are written once the store is there again", () => {
  const pending = new PendingWork();
  pending.addKeys();
  expect(pending.take()).toEqual({ kind: "keys" });
  expect(pending.isEmpty).toBe(true);
  pending.addFailed({ kind: "keys" });
  expect(pending.take()).toEqual({ kind: "probe", isDoubted: true });
  expect(pending.take({ onlyWrites: true })).toEqual({ kind: "keys" });
  expect(pending.take()).toBeUndefined();
});
