import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { createPrecedence, type Precedence } from "./precedence.js";

const events = (
  name: string,
  count = 1,
  other: { tags?: string; schema?: number; origin?: string } = {},
) => ({
  metadata: { schema: 4, tags: name, origin: "verbatim", ...other },
  name,
  count,
});
const many = (count: number) => Array.from({ length: count }, (_, n) => `odd ${n}`);
const inOrder = (precedence: Precedence, ...waiting: ReturnType<typeof events>[]) =>
  precedence.inOrder(waiting).map(({ name }) => name);
function sendTwice(precedence: Precedence, ...names: readonly string[]) {
  for (const name of [...names, ...names]) precedence.sent(name);
}

test("what brings the most comes first, all of a name together counted, and nothing else changes places", () => {
  const precedence = createPrecedence(createManualClock());
  const waiting = [events("a"), events("b"), events("c", 3), events("b", 4), events("b"), events("d")];
  expect(precedence.inOrder(waiting)).toEqual([1, 3, 4, 2, 0, 5].map((index) => waiting[index]));
});

test("what was sent twice before comes before what brings more", () => {
  const precedence = createPrecedence(createManualClock());
  sendTwice(precedence, "a");
  precedence.sent("b");
  expect(inOrder(precedence, events("b", 5), events("c", 6), events("a"))).toEqual(["a", "c", "b"]);
});

test("a name is said to be known as soon as it goes first", () => {
  const precedence = createPrecedence(createManualClock());
  const isKnown = () => ["a", "b"].map((name) => precedence.isKnown(events(name)));
  precedence.sent("a");
  expect(isKnown()).toEqual([false, false]);
  precedence.sent("a");
  expect(isKnown()).toEqual([true, false]);
  expect(precedence.isKnown(events("plain", 1, { tags: "" }))).toBe(true);
});

test("what has no tags and a schema of today is known from the beginning", () => {
  const precedence = createPrecedence(createManualClock());
  const waiting = [
    events("new schema", 2, { tags: "", schema: 5 }),
    events("summarised", 2, { tags: "", origin: "a" }),
    events("plain", 1, { tags: "" }),
    events("plain 3", 1, { tags: "", schema: 3 }),
  ];
  expect(inOrder(precedence, ...waiting)).toEqual(["plain", "plain 3", "new schema", "summarised"]);
});

test("a name is known the second time when fewer than ten thousand others came in between", () => {
  for (const { others, first } of [
    { others: 9_999, first: "a" },
    { others: 10_000, first: "b" },
  ]) {
    const precedence = createPrecedence(createManualClock());
    precedence.sent("a");
    for (const name of many(others)) precedence.sent(name);
    precedence.sent("a");
    expect(inOrder(precedence, events("b", 2), events("a"))[0]).toBe(first);
  }
});

test("the first fifty are known, and none that comes later takes their place while it is in use", () => {
  const clock = createManualClock();
  const precedence = createPrecedence(clock);
  const waiting = [events("late", 9), events("odd 48"), events("odd 49"), events("a")];
  sendTwice(precedence, "a", ...many(50));
  sendTwice(precedence, "late");
  expect(inOrder(precedence, ...waiting)).toEqual(["odd 48", "a", "late", "odd 49"]);
  clock.advance(3_599_999);
  sendTwice(precedence, "late", "a");
  expect(inOrder(precedence, ...waiting)).toEqual(["odd 48", "a", "late", "odd 49"]);
  clock.advance(1);
  // The place of the one that was not used for the longest time.
  precedence.sent("late");
  const order = inOrder(precedence, ...waiting, events("odd 0", 2));
  expect(order).toEqual(["late", "odd 48", "a", "odd 0", "odd 49"]);
});

test("who has lost a place has to come twice again", () => {
  const clock = createManualClock();
  const precedence = createPrecedence(clock);
  sendTwice(precedence, "a", ...many(49));
  clock.advance(3_600_000);
  sendTwice(precedence, ...many(49), "new");
  clock.advance(3_600_000);
  const isKnown = () => precedence.isKnown(events("a"));
  expect(isKnown()).toBe(false);
  precedence.sent("a");
  expect(isKnown()).toBe(false);
  precedence.sent("a");
  expect(isKnown()).toBe(true);
});
