import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { createRecentKeys } from "./recent-keys.js";
import { createSummarizer } from "./summarizer.js";

test("a context for which there was no room is told with the next event", () => {
  const clock = createManualClock();
  const published: string[] = [];
  const dropped: number[] = [];
  let isFull = true;
  const summarizer = createSummarizer({
    schema: 2,
    clock,
    serverTime: () => 0,
    findFlag: () => undefined,
    seen: createRecentKeys(clock),
    publish: (event) => published.push(JSON.parse(event).kind),
    full: () => isFull,
    dropped: (count) => dropped.push(count),
    memory: { take: () => true, giveBack() {} },
  });
  const event = { kind: "custom", key: "k", creationDate: 1, user: { key: "u" } };
  const add = () => summarizer.add(event, JSON.stringify(event));
  expect(add()).toBe(true);
  expect([published, dropped]).toEqual([[], [1]]);
  isFull = false;
  for (let again = 0; again < 2; again++) add();
  expect([published, dropped]).toEqual([["index", "custom", "custom"], [1]]);
});
