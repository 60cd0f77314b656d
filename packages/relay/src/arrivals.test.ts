import { expect, test } from "vitest";
import { Arrivals } from "./arrivals.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const perTurn = 256 * 1024;

/** Arrivals each of which costs a whole turn of the event loop, or nothing. */
function setUp(cost = perTurn) {
  const log: string[] = [];
  const state = { isWanted: true };
  const arrivals: Arrivals = new Arrivals({
    bring(name) {
      log.push(name);
      if (name === "first") arrivals.names.add("behind");
      return cost;
    },
    onDone: () => log.push("done"),
    isWanted: () => state.isWanted,
  });
  const add = (...names: readonly string[]) => {
    for (const name of names) arrivals.names.add(name);
    arrivals.start();
  };
  return { arrivals, log, state, add };
}

test("nothing begins where nobody is to be brought", async () => {
  const { arrivals, log } = setUp();
  arrivals.start();
  await arrivals.over();
  expect(log).toEqual([]);
});

test("what costs nothing is brought at once, in its order, and then it is over", async () => {
  const { arrivals, log, add } = setUp(0);
  add("a", "first", "b");
  expect(log).toEqual(["a", "first", "b", "behind", "done"]);
  expect(arrivals.names.size).toBe(0);
  await arrivals.over();
  add("c");
  expect(log.slice(-2)).toEqual(["c", "done"]);
});

test("one is brought in each turn, those that come meanwhile behind the others, and those that go not at all", async () => {
  const { arrivals, log, add } = setUp();
  add("first", "a", "b");
  expect([log, [...arrivals.names]]).toEqual([["first"], ["a", "b", "behind"]]);
  // To begin once more is to go on.
  add("c");
  arrivals.names.delete("b");
  let isOver = false;
  const over = arrivals.over().then(() => {
    isOver = true;
  });
  await turn();
  expect([log, isOver]).toEqual([["first", "a"], false]);
  await over;
  expect(log).toEqual(["first", "a", "behind", "c", "done"]);
});

test("after the end others may be brought", async () => {
  const { arrivals, log, add } = setUp();
  add("a", "b");
  await arrivals.over();
  add("c", "d");
  expect(log).toEqual(["a", "b", "done", "c"]);
  await arrivals.over();
  expect(log).toEqual(["a", "b", "done", "c", "d", "done"]);
});

test("when nobody wants them any more they are left, nobody hears of an end, and nobody waits", async () => {
  const { arrivals, log, state, add } = setUp();
  add("a", "b", "c");
  state.isWanted = false;
  await arrivals.over();
  expect([log, [...arrivals.names]]).toEqual([["a"], ["b", "c"]]);
});
