import type { Steps } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { ChangeLine } from "./change-line.js";
import { givenUp, inTurns } from "./steps.js";

const kibibyte = 1024;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work of so many steps, which writes down that it was done. */
function* work(name: string, steps: number, log: string[], size = 64 * kibibyte): Steps<string> {
  for (let step = 0; step < steps; step++) {
    log.push(`${name}${step}`);
    yield size;
  }
  return name;
}

test("what is small is done at once, and what it throws is thrown", () => {
  const log: string[] = [];
  expect(inTurns(work("a", 3, log), () => true)).toBe("a");
  expect(log).toEqual(["a0", "a1", "a2"]);
  expect(() =>
    inTurns(
      (function* (): Steps<void> {
        yield 1;
        throw new Error("broken");
      })(),
      () => true,
    ),
  ).toThrow("broken");
});

test("what is large takes turns, each of 256 KiB at most and a step more", async () => {
  const log: string[] = [];
  const result = inTurns(work("a", 10, log), () => true);
  expect(log).toHaveLength(4);
  await turn();
  expect(log).toHaveLength(8);
  expect(await result).toBe("a");
  expect(log).toHaveLength(10);
});

test("what is not wanted any more is given up between two turns", async () => {
  const log: string[] = [];
  let wanted = true;
  const result = inTurns(work("a", 10, log), () => wanted);
  wanted = false;
  expect(await result).toBe(givenUp);
  expect(log).toHaveLength(4);
});

test("a later throw rejects", async () => {
  function* broken(): Steps<void> {
    yield kibibyte ** 2;
    throw new Error("broken");
  }
  await expect(inTurns(broken(), () => true)).rejects.toThrow("broken");
});

test("changes are taken one after the other, those that are not wanted when it is their turn not at all", async () => {
  const log: string[] = [];
  function* change(name: string, steps: number): Steps<void> {
    yield* work(name, steps, log);
  }
  const line = new ChangeLine();
  expect(
    line.take(
      () => change("a", 1),
      () => true,
    ),
  ).toBeUndefined();
  const large = line.take(
    () => change("b", 6),
    () => true,
  );
  let wanted = true;
  const unwanted = line.take(
    () => change("c", 1),
    () => wanted,
  );
  const last = line.take(
    () => change("d", 1),
    () => true,
  );
  expect(log).toEqual(["a0", "b0", "b1", "b2", "b3"]);
  wanted = false;
  await Promise.all([large, unwanted, last]);
  expect(log).toEqual(["a0", "b0", "b1", "b2", "b3", "b4", "b5", "d0"]);
  // Nothing is under way any more: the next one does not wait.
  await turn();
  expect(
    line.take(
      () => change("e", 1),
      () => true,
    ),
  ).toBeUndefined();
  expect(log.at(-1)).toBe("e0");
});

test("a change waits for the one before it, also when it comes after the end of another", async () => {
  const log: string[] = [];
  const line = new ChangeLine();
  function* change(name: string, steps: number): Steps<void> {
    yield* work(name, steps, log);
  }
  const take = (name: string, steps: number) =>
    line.take(
      () => change(name, steps),
      () => true,
    );
  const first = take("a", 5);
  const second = take("b", 12);
  await first;
  await turn();
  expect(log.at(-1)).toMatch(/^b/);
  const third = take("c", 1);
  expect(third).toBeInstanceOf(Promise);
  await Promise.all([second, third]);
  expect(log.slice(-2)).toEqual(["b11", "c0"]);
});

test("a change that fails does not hold up the next one", async () => {
  const log: string[] = [];
  const line = new ChangeLine();
  function* broken(): Steps<void> {
    yield kibibyte ** 2;
    throw new Error("broken");
  }
  const failed = line.take(broken, () => true);
  const next = line.take(
    function* () {
      yield* work("next", 1, log);
    },
    () => true,
  );
  await expect(failed).rejects.toThrow("broken");
  await next;
  expect(log).toEqual(["next0"]);
});
