import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { CatalogueCall } from "../catalogue.js";
import { type AbortableCall, createCall } from "./abortable-call.js";
import { createSingleFlight } from "./single-flight.js";

/** Flights that are ended by hand, and the calls that were given to them, in the order of their starts. */
function setUp() {
  const fly = createSingleFlight<string>();
  const started: { readonly call: CatalogueCall; end(value: string): void; fail(error: Error): void }[] = [];
  const passengers: AbortableCall[] = [];
  return {
    started,
    passengers,
    board(key = "a") {
      const call = createCall();
      passengers.push(call);
      return fly(key, call, (own) => {
        return new Promise<string>((resolve, reject) => {
          started.push({ call: own, end: resolve, fail: reject });
        });
      });
    },
  };
}

const aborted = ({ started }: ReturnType<typeof setUp>) => started.map(({ call }) => call.signal.aborted);

test("who asks for the same shares the work, who asks for something else or later does not", async () => {
  const flights = setUp();
  const answers = [flights.board(), flights.board(), flights.board("b")];
  expect(flights.started).toHaveLength(2);
  flights.started[0]?.end("one");
  flights.started[1]?.end("two");
  expect(await Promise.all(answers)).toEqual(["one", "one", "two"]);
  void flights.board();
  expect(flights.started).toHaveLength(3);
});

test.each([
  ["an answer", (flight: ReturnType<typeof setUp>["started"][number]) => flight.end("x")],
  ["a failure", (flight: ReturnType<typeof setUp>["started"][number]) => flight.fail(new Error("x"))],
])("after %s nothing is left: who goes then gives nothing up, and nothing listens", async (_, end) => {
  const flights = setUp();
  const both = [flights.board(), flights.board()];
  for (const flight of flights.started) end(flight);
  await Promise.allSettled(both);
  for (const { signal } of flights.passengers) expect(getEventListeners(signal, "abort")).toEqual([]);
  for (const passenger of flights.passengers) passenger.abort(new Error("gone"));
  expect(aborted(flights)).toEqual([false]);
});

test("the work is given up when the last has gone, with its reason; who comes then starts anew", async () => {
  const flights = setUp();
  const [first, second] = [flights.board(), flights.board()];
  flights.passengers[0]?.abort(new Error("first"));
  expect(aborted(flights)).toEqual([false]);
  const reason = new Error("second");
  flights.passengers[1]?.abort(reason);
  expect(flights.started[0]?.call.signal.reason).toBe(reason);
  const third = flights.board();
  expect(aborted(flights)).toEqual([true, false]);
  // What was given up may answer all the same, and does not end what has begun since.
  flights.started[0]?.end("old");
  expect(await Promise.all([first, second])).toEqual(["old", "old"]);
  const fourth = flights.board();
  expect(flights.started).toHaveLength(2);
  flights.started[1]?.end("new");
  expect(await Promise.all([third, fourth])).toEqual(["new", "new"]);
});

test("what is there at once is given, and starts anew each time", () => {
  const fly = createSingleFlight<number>();
  let count = 0;
  const ask = () => fly("a", createCall(), () => ++count);
  expect([ask(), ask()]).toEqual([1, 2]);
});
