import { expect, test } from "vitest";
import { createReloadRequests } from "./reload-requests.js";

/** Requests whose answers end when the test says so. */
function setUp() {
  const listeners = new Set<() => void>();
  const requests = createReloadRequests({
    onReload: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void ends.push(resolve));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    requests,
    listeners,
    work,
    ask: () => {
      for (const listener of listeners) listener();
    },
    begun: () => ends.length,
    end: () => {
      ends.at(-1)?.();
      return turn();
    },
  };
}

test("what was asked for before anybody answers is answered once, and later requests one at a time", async () => {
  const { requests, work, ask, begun, end } = setUp();
  ask();
  ask();
  expect([begun(), requests.isBusy]).toEqual([0, false]);
  requests.answerWith(work);
  expect([begun(), requests.isBusy]).toEqual([1, true]);
  ask();
  ask();
  expect(begun()).toBe(1);
  await end();
  expect([begun(), requests.isBusy]).toEqual([2, true]);
  await end();
  expect([begun(), requests.isBusy]).toEqual([2, false]);
  ask();
  expect([begun(), requests.isBusy]).toEqual([3, true]);
});

test("nothing is begun once they are stopped, also of what waits", async () => {
  const { requests, listeners, work, ask, begun, end } = setUp();
  requests.answerWith(work);
  ask();
  ask();
  requests.stop();
  expect([begun(), requests.isBusy, listeners.size]).toEqual([1, true, 0]);
  await end();
  expect([begun(), requests.isBusy]).toEqual([1, false]);
});

test("nothing waits where nobody can ask", () => {
  const requests = createReloadRequests({});
  requests.answerWith(() => expect.unreachable());
  requests.stop();
  expect(requests.isBusy).toBe(false);
});
