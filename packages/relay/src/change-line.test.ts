import { expect, test } from "vitest";
import { ChangeLine } from "./change-line.js";

/** More than is done in one turn of the event loop. */
const long = 1024 * 1024;

/** A change that takes a turn or several, and what it says. */
function* change(said: string[], name: string, cost: number) {
  said.push(`${name} begins`);
  yield cost;
  said.push(`${name} ends`);
}

test("a small change is taken at once, a large one in turns, and those behind it wait for its end", async () => {
  const line = new ChangeLine();
  const said: string[] = [];
  const take = (name: string, cost: number, isWanted = () => true) =>
    line.take(() => change(said, name, cost), isWanted);
  expect([take("small", 1), said.splice(0)]).toEqual([undefined, ["small begins", "small ends"]]);
  const large = take("large", long);
  expect(said.splice(0)).toEqual(["large begins"]);
  const next = take("next", 1);
  expect([next, said]).toEqual([expect.any(Promise), []]);
  await large;
  await next;
  expect(said.splice(0)).toEqual(["large ends", "next begins", "next ends"]);
  await new Promise(setImmediate);
  expect([take("small", 1), said]).toEqual([undefined, ["small begins", "small ends"]]);
});

test("a change that is not wanted any more when it is its turn does not begin", async () => {
  const line = new ChangeLine();
  const said: string[] = [];
  let isWanted = true;
  const large = line.take(
    () => change(said, "large", long),
    () => true,
  );
  const next = line.take(
    () => change(said, "next", 1),
    () => isWanted,
  );
  isWanted = false;
  await Promise.all([large, next]);
  expect(said).toEqual(["large begins", "large ends"]);
  expect(
    line.take(
      () => change(said, "last", 1),
      () => false,
    ),
  ).toBeUndefined();
  expect(said).toHaveLength(2);
});

test("a change that fails fails alone, at once or later", async () => {
  const line = new ChangeLine();
  const said: string[] = [];
  const failing = (cost: number) =>
    line.take(
      function* () {
        yield cost;
        throw new Error("no change");
      },
      () => true,
    );
  expect(() => failing(1)).toThrow("no change");
  const late = failing(long);
  const next = line.take(
    () => change(said, "next", 1),
    () => true,
  );
  await expect(late).rejects.toThrow("no change");
  await next;
  expect(said).toEqual(["next begins", "next ends"]);
});

test("a large change that is not wanted any more is given up between two turns", async () => {
  const line = new ChangeLine();
  const said: string[] = [];
  let isWanted = true;
  const large = line.take(
    () => change(said, "large", long),
    () => isWanted,
  );
  isWanted = false;
  await large;
  expect(said).toEqual(["large begins"]);
});

test("a change waits for the last of those before it, also when the first has ended", async () => {
  const line = new ChangeLine();
  const said: string[] = [];
  const take = (name: string) =>
    line.take(
      () => change(said, name, long),
      () => true,
    );
  const [first, second] = [take("first"), take("second")];
  await first;
  for (let n = 0; n < 20; n++) await Promise.resolve();
  expect(said).toEqual(["first begins", "first ends", "second begins"]);
  const third = take("third");
  expect(said).toHaveLength(3);
  await Promise.all([second, third]);
  expect(said.slice(3)).toEqual(["second ends", "third begins", "third ends"]);
});
