import { expect, test } from "vitest";
import { seldom } from "./seldom.js";
import { createManualClock } from "./testing/manual-clock.js";

test("what happens often is told at once, then once a minute with how many there were", () => {
  const clock = createManualClock();
  const told: string[] = [];
  const tell = seldom(clock, (message) => told.push(message));
  tell("a");
  tell("b");
  clock.advance(59_999);
  tell("c");
  clock.advance(1);
  tell("d");
  tell("e");
  clock.advance(60_000);
  tell("f");
  clock.advance(60_000);
  tell("g");
  expect(told).toEqual(["a", "d (2 more before)", "f (1 more before)", "g"]);
});
