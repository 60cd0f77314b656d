import { expect, test } from "vitest";
import { doubtsAbout, enoughDoubts } from "./doubts.js";

test.each([
  { name: "the content", fault: "content", doubts: 0, taken: 0, now: 4 },
  { name: "the content, again", fault: "content", doubts: 8, takenBefore: 5, taken: 5, now: enoughDoubts },
  { name: "the server, the first time", fault: "server", doubts: 0, taken: 9, now: 0 },
  {
    name: "the server, which has taken others",
    fault: "server",
    doubts: 11,
    takenBefore: 8,
    taken: 9,
    now: 12,
  },
  { name: "the server, which has taken none", fault: "server", doubts: 3, takenBefore: 9, taken: 9, now: 3 },
  {
    name: "the server, which had taken none before",
    fault: "server",
    doubts: 0,
    takenBefore: 0,
    taken: 1,
    now: 1,
  },
  { name: "neither", doubts: 5, takenBefore: 0, taken: 9, now: 5 },
] as const)("a fault of $name: $doubts become $now", ({ name: _, now, taken, doubts, ...given }) => {
  const post = "takenBefore" in given ? { doubts, takenBefore: given.takenBefore } : { doubts };
  const failure = "fault" in given ? { kind: "retryable", fault: given.fault } : { kind: "retryable" };
  expect(doubtsAbout(post, failure, taken)).toBe(now);
});
