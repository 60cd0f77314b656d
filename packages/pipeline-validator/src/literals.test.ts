import { expect, test } from "vitest";
import { haveCommon, isLiteral } from "./literals.js";

test.each([
  { some: [1, 2], others: [2, 3], common: true },
  { some: [1, 2], others: [3], common: false },
  { some: [1], others: ["1"], common: false },
  { some: [], others: [1], common: false },
  { some: [{ a: 1, b: [null] }, 5], others: [{ b: [null], a: 1 }], common: true },
  { some: [{ a: 1 }], others: [{ a: 1, b: 2 }], common: false },
  { some: [[1, 2]], others: [[2, 1]], common: false },
])(
  "$some and $others have one in common: $common, however often and in whichever order that is asked",
  ({ some, others, common }) => {
    const asked = [
      [some, others],
      [some, others],
      [others, some],
      [others, some],
      [some, [...others]],
    ] as const;
    expect(asked.map(([one, other]) => haveCommon(one, other))).toEqual(asked.map(() => common));
  },
);

test.each([
  { value: { a: 1, b: 2 }, literals: [{ b: 2, a: 1 }], is: true },
  { value: { a: 1 }, literals: [{ a: 1, b: 2 }], is: false },
  { value: [1, 2], literals: [[2, 1]], is: false },
  { value: "1", literals: [1], is: false },
  { value: null, literals: ["null"], is: false },
  { value: false, literals: [0, false], is: true },
])("$value is one of $literals: $is, also when that is asked again", ({ value, literals, is }) => {
  expect([isLiteral(value, literals), isLiteral(value, literals)]).toEqual([is, is]);
});
