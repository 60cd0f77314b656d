import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createCall, DeadlineError, untilDeadline } from "./abortable-call.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});
const waiting = (signal: AbortSignal) => [vi.getTimerCount(), getEventListeners(signal, "abort").length];

describe("an answer that is waited for", () => {
  test.each([
    ["comes", () => Promise.resolve("there"), "there"],
    ["fails", () => Promise.reject(new Error("away")), new Error("away")],
  ])("%s, and nothing is left of the wait", async (_, answer, outcome) => {
    const { signal } = new AbortController();
    const call = createCall();
    const got = untilDeadline<unknown>(answer(), call, 1000, signal);
    expect(waiting(signal)).toEqual([1, 1]);
    expect(await got.catch((error: unknown) => error)).toEqual(outcome);
    expect(waiting(signal)).toEqual([0, 0]);
    expect(call.signal.aborted).toBe(false);
  });

  test("is given up at the deadline, and not before", async () => {
    const { signal } = new AbortController();
    const call = createCall();
    const got = untilDeadline(never, call, 1000, signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(999);
    expect(call.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const error = await got;
    expect(error).toEqual(new DeadlineError("no answer within 1000 ms"));
    expect([call.signal.aborted, call.signal.reason]).toEqual([true, error]);
    expect(waiting(signal)).toEqual([0, 0]);
  });

  test("is given up when nobody wants it any more, for the reason of that", async () => {
    const unwanted = new AbortController();
    const call = createCall();
    const got = untilDeadline(never, call, 1000, unwanted.signal).catch((error: unknown) => error);
    unwanted.abort("gone");
    expect(await got).toBe("gone");
    expect([call.signal.aborted, call.signal.reason]).toEqual([true, "gone"]);
    expect(waiting(unwanted.signal)).toEqual([0, 0]);
  });

  test("is given up at once where nobody wanted it before", async () => {
    const signal = AbortSignal.abort("gone");
    const call = createCall();
    expect(await untilDeadline(never, call, 1000, signal).catch((error: unknown) => error)).toBe("gone");
    expect(call.signal.reason).toBe("gone");
    expect(waiting(signal)).toEqual([0, 0]);
  });

  test.each([2 ** 31, Number.POSITIVE_INFINITY])(
    "is not given up at once with a deadline of %d",
    async (ms) => {
      const call = createCall();
      const got = untilDeadline(never, call, ms, undefined).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
      expect(call.signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await got).toBeInstanceOf(DeadlineError);
    },
  );
});

test("a call that was aborted before anybody looked at its signal is so afterwards", () => {
  const call = createCall();
  call.abort("reason");
  expect([call.signal.aborted, call.signal.reason]).toEqual([true, "reason"]);
  expect(call.signal).toBe(call.signal);
});
