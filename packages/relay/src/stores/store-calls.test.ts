import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { StoreCalls, Superseded } from "./store-calls.js";

const hanging = (signals: AbortSignal[]) => (signal: AbortSignal) => {
  signals.push(signal);
  return new Promise<never>(() => {});
};

test.each([
  { timeoutMs: undefined, ms: 10_000 },
  { timeoutMs: 70, ms: 70 },
])("a call of a store with $timeoutMs gets $ms ms", async ({ timeoutMs, ms }) => {
  const clock = createManualClock();
  const calls = new StoreCalls(timeoutMs === undefined ? {} : { timeoutMs }, clock);
  const signals: AbortSignal[] = [];
  const call = calls.ask(hanging(signals));
  clock.advance(ms - 1);
  expect(signals[0]?.aborted).toBe(false);
  clock.advance(1);
  await expect(call).rejects.toThrow(`no answer within ${ms} ms`);
  expect([signals[0]?.aborted, clock.pending]).toEqual([true, 0]);
  expect(await calls.write(async () => "answer")).toBe("answer");
});

test("what is asked gives way, what is written only to the end, and neither when it is over", async () => {
  const calls = new StoreCalls({}, createManualClock());
  const signals: AbortSignal[] = [];
  const asked = calls.ask(hanging(signals));
  calls.stopAsking();
  await expect(asked).rejects.toBeInstanceOf(Superseded);
  const written = calls.write(hanging(signals));
  calls.stopAsking();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  calls.stop();
  await expect(written).rejects.toBeInstanceOf(Superseded);
  let signal: AbortSignal | undefined;
  await calls.ask(async (given) => {
    signal = given;
  });
  calls.stopAsking();
  calls.stop();
  expect(signal?.aborted).toBe(false);
});
