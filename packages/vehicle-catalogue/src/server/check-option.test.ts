import { expect, test } from "vitest";
import { checkMembers, checkOption, checkPresent } from "./check-option.js";

const values = {
  list: [],
  object: {},
  function: () => {},
  flag: false,
  text: "",
  half: 0.5,
  count: 0,
  less: -1,
};
const right = {
  "an object": ["object"],
  "a function": ["function"],
  "true or false": ["flag"],
  "a text": ["text"],
  "a number": ["half", "count", "less"],
  "a whole number from 0": ["count"],
  "a list": ["list"],
} as const;

test.each(Object.entries(right))("of values of every kind %s is only what it says", (kind, names) => {
  const check = (value: unknown) => () => checkOption("keys", value, kind as keyof typeof right);
  const taken = Object.entries({ ...values, none: null, absent: undefined }).filter(([, value]) => {
    try {
      check(value)();
      return true;
    } catch {
      return false;
    }
  });
  expect(taken.map(([name]) => name)).toEqual(names);
  expect(check(null)).toThrow(new TypeError(`keys must be ${kind}; got null.`));
});

test("an option that is not there is none to check, and one that is wrong is told with where it is", () => {
  const kinds = { links: "true or false", prefix: "a text", logger: "an object" } as const;
  expect(() => checkPresent({ links: undefined, prefix: "" }, kinds)).not.toThrow();
  expect(() => checkPresent({ other: 5 }, kinds)).not.toThrow();
  expect(() => checkPresent({ links: 0 }, kinds)).toThrow(
    new TypeError("links must be true or false; got 0."),
  );
  expect(() => checkPresent({ links: true, prefix: false, logger: "x" }, kinds, "cors.")).toThrow(
    new TypeError("cors.prefix must be a text; got false."),
  );
});

test.each<[given: object, message: string]>([
  [{ linsk: 1 }, 'A router has no "linsk"; did you mean "links"? It has links, keys, prefix.'],
  [{ links: 1, elsewhere: 1, kyes: 1 }, 'A router has no "elsewhere"; it has links, keys, prefix.'],
  [{ kyes: 1, elsewhere: 1 }, 'A router has no "kyes"; did you mean "keys"? It has links, keys, prefix.'],
])(
  "of %j the first member that nobody reads is told, with the one that is likely meant",
  (given, message) => {
    const names = { links: 1, keys: 1, prefix: 1 } as const;
    expect(() => checkMembers("A router", given, names)).toThrow(new TypeError(message));
    expect(() => checkMembers("A router", { prefix: undefined, links: 0 }, names)).not.toThrow();
  },
);
