import { describe, expect, test } from "vitest";
import { demandMembers, demandName, demandObject, demandText } from "./call-arguments.js";

const name = "call: the name of the environment must be text that is not empty, not ";
const text = 'call takes text such as "a", not ';
const object = "call takes an object such as {}, not ";
const long = "x".repeat(101);

/** What each demand says of what it is given; nothing about what is right. */
const rows: Readonly<
  Record<
    string,
    readonly [demand: (given: unknown) => void, rows: readonly (readonly [given: unknown, says?: string])[]]
  >
> = {
  "the name of an environment": [
    (given) => demandName("call", given),
    [
      ["a"],
      ["", `${name}""`],
      [undefined, `${name}undefined`],
      [null, `${name}null`],
      [["a"], `${name}a list`],
      [{}, `${name}object`],
    ],
  ],
  text: [
    (given) => demandText("call", given, '"a"'),
    [[""], ["a"], [5, `${text}number`], [null, `${text}null`], [[], `${text}a list`]],
  ],
  "an object": [
    (given) => demandObject("call", given, "{}"),
    [
      [{}],
      [{ any: 1 }],
      [null, `${object}null`],
      [[], `${object}a list`],
      [() => {}, `${object}function`],
      ["text", `${object}"text"`],
      [long, `${object}"${"x".repeat(100)}"`],
    ],
  ],
  "an object with certain members": [
    (given) => demandMembers("call", given, ["a", "b"], "{}"),
    [
      [{}],
      [{ a: 1 }],
      [{ b: undefined, a: 1 }],
      [{ a: 1, c: 2, d: 3 }, 'call: there is no "c"; there is a, b, as in {}'],
      [undefined, `${object}undefined`],
    ],
  ],
};

function saidOf(run: () => void): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe.each(Object.entries(rows))("%s", (_, [demand, table]) => {
  for (const [given, says] of table)
    test(`${JSON.stringify(given)}`, () => {
      expect(saidOf(() => demand(given))).toEqual(says === undefined ? undefined : new TypeError(says));
    });
});
