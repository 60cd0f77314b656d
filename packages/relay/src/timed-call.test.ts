import { getEventListeners } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "./testing/manual-clock.js";
import { timedCall } from "./timed-call.js";

const never = () => new Promise<never>(() => {});
const gone = new Error("gone");

test.each([
  { name: "is answered", call: async () => 5, act: () => {}, outcome: 5 },
  { name: "is refused", call: () => Promise.reject(gone), act: () => {}, outcome: "gone" },
  {
    name: "throws at once",
    call: () => {
      throw gone;
    },
    act: () => {},
    outcome: "gone",
  },
  { name: "takes too long", call: never, act: "time", outcome: "no answer within 1000 ms" },
  { name: "is cancelled", call: never, act: "cancel", outcome: "gone" },
  { name: "is given up by others", call: never, act: "abort", outcome: "gone" },
])("of a call that $name nothing is left", async ({ call, act, outcome }) => {
  const clock = createManualClock();
  const others = new AbortController();
  let own: AbortSignal | undefined;
  const { result, cancel } = timedCall<unknown>(
    clock,
    1000,
    (signal) => {
      own = signal;
      return call();
    },
    others.signal,
  );
  if (act === "time") clock.advance(1000);
  if (act === "cancel") cancel(gone);
  if (act === "abort") others.abort(gone);
  expect(await result.catch((error: Error) => error.message)).toBe(outcome);
  expect(clock.pending).toBe(0);
  expect(getEventListeners(others.signal, "abort")).toEqual([]);
  expect(own?.aborted).toBe(typeof act === "string");
});

test("a call that was given up before is not made", async () => {
  const clock = createManualClock();
  let made = false;
  const call = async () => {
    made = true;
  };
  await expect(timedCall(clock, 1000, call, AbortSignal.abort(gone)).result).rejects.toBe(gone);
  expect(made).toBe(false);
  expect(clock.pending).toBe(0);
});

test("whatever is called may listen to its signal in many places without a warning", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const { result } = timedCall(createManualClock(), 1000, async (signal) => {
    for (let count = 0; count < 20; count++) signal.addEventListener("abort", () => {});
  });
  await result;
  await new Promise(setImmediate);
  expect(warnings.filter(({ name }) => name === "MaxListenersExceededWarning")).toEqual([]);
});
