import { expect, test } from "vitest";
import { Readiness } from "./readiness.js";

/** An environment of which everything can be changed, and whether anybody still waits for it. */
function setUp(hasData = false, isRefused = false) {
  const state = { hasData, isRefused };
  const readiness = new Readiness({ hasData: () => state.hasData, isRefused: () => state.isRefused });
  let isSettled = false;
  void readiness.settled.then(() => {
    isSettled = true;
  });
  const settled = async () => {
    await Promise.resolve();
    return isSettled;
  };
  return { state, readiness, settled };
}

test.each([
  { hasData: true, isRefused: true, late: "ready", inTime: "ready" },
  { hasData: true, isRefused: false, late: "ready", inTime: "ready" },
  { hasData: false, isRefused: true, late: "refused", inTime: "refused" },
  { hasData: false, isRefused: false, late: "waiting", inTime: "starting" },
] as const)("with $hasData data, and $isRefused refusal, it is $inTime, and later $late", async (one) => {
  const { readiness, settled } = setUp(one.hasData, one.isRefused);
  expect([readiness.phase, await settled()]).toEqual([one.inTime, false]);
  readiness.look();
  expect(await settled()).toBe(one.inTime !== "starting");
  readiness.timeOver();
  expect([readiness.phase, await settled()]).toEqual([one.late, true]);
});

test("what is looked at and still starts is waited for, until it is closed", async () => {
  const { readiness, settled } = setUp();
  readiness.look();
  expect(await settled()).toBe(false);
  readiness.close();
  expect([readiness.phase, await settled()]).toEqual(["starting", true]);
});

test("what is late may still become ready, or refused, and again none of both", () => {
  const { readiness, state } = setUp();
  readiness.timeOver();
  state.isRefused = true;
  expect(readiness.phase).toBe("refused");
  state.isRefused = false;
  expect(readiness.phase).toBe("waiting");
  state.hasData = true;
  expect(readiness.phase).toBe("ready");
});
