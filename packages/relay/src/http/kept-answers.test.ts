import fc from "fast-check";
import { expect, test } from "vitest";
import { KeptAnswers } from "./kept-answers.js";

const body = (text: string) => Buffer.from(text);
const textOf = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

/** Answers by state and text. */
function keeping(maxBytes: number) {
  const answers = new KeptAnswers(maxBytes);
  return {
    bytes: () => answers.bytes,
    get(state: object, text: string) {
      const question = answers.questionOf(state, text);
      return question === undefined ? undefined : answers.get(question);
    },
    offer(state: object, text: string, made: Uint8Array) {
      const question = answers.questionOf(state, text);
      if (question !== undefined) answers.offer(question, made);
    },
  };
}

test("what is asked for the second time is kept, as it was then", () => {
  const answers = keeping(10_000);
  const state = {};
  const lent = body("one");
  answers.offer(state, "a", lent);
  expect(answers.get(state, "a")).toBeUndefined();
  answers.offer(state, "a", lent);
  lent.fill(0);
  expect(textOf(answers.get(state, "a"))).toBe("one");
});

test("in another state it is another question", () => {
  const answers = keeping(10_000);
  const [before, after] = [{}, {}];
  for (const text of ["one", "one"]) answers.offer(before, "a", body(text));
  expect(answers.get(after, "a")).toBeUndefined();
  for (const text of ["two", "two"]) answers.offer(after, "a", body(text));
  expect(textOf(answers.get(after, "a"))).toBe("two");
  expect(textOf(answers.get(before, "a"))).toBe("one");
});

test("with no room for the smallest nothing is kept", () => {
  const answers = keeping(0);
  const state = {};
  for (let n = 0; n < 3; n++) answers.offer(state, "a", body("x"));
  expect(answers.get(state, "a")).toBeUndefined();
  expect(answers.bytes()).toBe(0);
});

test("without room there are no questions", () => {
  expect(new KeptAnswers(0).questionOf({}, "a")).toBeUndefined();
  expect(new KeptAnswers(1).questionOf({}, "a")).toBeDefined();
});

test("one answer may take an eighth of all, with its question and what an entry takes", () => {
  const answers = new KeptAnswers(8 * 210);
  for (const [question, size, kept] of [
    ["fits", 6, true],
    ["large", 6, false],
  ] as const) {
    for (let n = 0; n < 2; n++) answers.offer(question, new Uint8Array(size));
    expect(answers.get(question) !== undefined).toBe(kept);
  }
});

test("all room is used; when there is no more, what was asked for lately stays, and what was not goes", () => {
  const each = 200 + "a".length + 10;
  const answers = new KeptAnswers(8 * each);
  const offer = (question: string) => answers.offer(question, new Uint8Array(10));
  const kept = () => [..."abcdefghi"].filter((question) => answers.get(question) !== undefined).join("");
  for (const question of "abcdefgh") for (let n = 0; n < 2; n++) offer(question);
  expect(answers.bytes).toBe(8 * each);
  answers.get("a");
  // The oldest was asked for, so nothing new is kept.
  offer("i");
  expect(answers.bytes).toBe(8 * each);
  // The next one was not.
  offer("i");
  expect(answers.bytes).toBe(8 * each - 10);
  offer("i");
  expect([kept(), answers.bytes]).toEqual(["acdefghi", 8 * each]);
});

test("many that are asked for in turn do not drive each other out", () => {
  const answers = keeping(100_000);
  const state = {};
  let found = 0;
  for (let n = 0; n < 20 * 200; n++) {
    const question = `q${n % 200}`;
    if (answers.get(state, question) !== undefined) found++;
    else answers.offer(state, question, new Uint8Array(1000));
  }
  // There is room for some eighty of them.
  expect(found).toBeGreaterThan(20 * 50);
});

test("what is not asked for any more makes room for what is", () => {
  const answers = keeping(100_000);
  const [before, after] = [{}, {}];
  const ask = (state: object) => {
    let found = 0;
    for (let n = 0; n < 60; n++) {
      if (answers.get(state, `${n}`) === undefined) answers.offer(state, `${n}`, new Uint8Array(1000));
      else found++;
    }
    return found;
  };
  while (ask(before) < 60);
  let rounds = 0;
  while (ask(after) < 60 && rounds < 10) rounds++;
  expect(rounds).toBeLessThan(10);
});

test("whatever is asked, no answer is another's, and the bound holds", () => {
  const question = fc.record({ state: fc.nat(2), name: fc.nat(30), size: fc.nat(2000) });
  fc.assert(
    fc.property(
      fc.array(question, { maxLength: 400 }),
      fc.integer({ min: 0, max: 20_000 }),
      (asked, most) => {
        const answers = keeping(most);
        const states = [{}, {}, {}];
        for (const { state, name, size } of asked) {
          const at = states[state] ?? {};
          const right = `${state} ${name}`.padEnd(8 + (name % 7) * 100);
          const found = textOf(answers.get(at, `${name}`));
          expect([undefined, right]).toContain(found);
          if (size % 3 > 0) answers.offer(at, `${name}`, body(right));
          expect(answers.bytes()).toBeLessThanOrEqual(most);
          expect(answers.bytes()).toBeGreaterThanOrEqual(0);
        }
      },
    ),
    { seed: 396, numRuns: 300 },
  );
});
