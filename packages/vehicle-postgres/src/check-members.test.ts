import { describe, expect, test } from "vitest";
import { checkMembers, isObject, type Kind, shown } from "./check-members.js";

const members: Readonly<Record<string, Kind>> = {
  name: "a text",
  flag: "true or false",
  within: "an object",
  other: 1,
};
const refusalOf = (value: unknown): unknown => {
  try {
    return checkMembers("make", value, members);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
};

describe("options are taken", () => {
  test.each<object>([
    {},
    { name: "", flag: true, within: {}, other: 5 },
    { flag: false, other: null },
    { name: undefined, flag: undefined, within: undefined, other: undefined },
  ])("%j", (options) => expect(refusalOf(options)).toBeUndefined());
});

describe("options are refused", () => {
  test.each<readonly [options: unknown, message: string]>([
    [undefined, "make needs options that are an object; got nothing"],
    [null, "make needs options that are an object; got null"],
    [[], "make needs options that are an object; got a list"],
    ["x", 'make needs options that are an object; got "x"'],
    [{ nmae: 1 }, 'make has no "nmae". Known are name, flag, within, other.'],
    [{ toString: 1 }, 'make has no "toString". Known are name, flag, within, other.'],
    [{ misspelt: undefined }, 'make has no "misspelt". Known are name, flag, within, other.'],
    [{ other: 1, name: 5 }, "make: name must be a text; got 5"],
    [{ name: null }, "make: name must be a text; got null"],
    [{ flag: "true" }, 'make: flag must be true or false; got "true"'],
    [{ flag: 0 }, "make: flag must be true or false; got 0"],
    [{ name: undefined, within: [] }, "make: within must be an object; got a list"],
    [{ within: null }, "make: within must be an object; got null"],
    [{ within: () => {} }, "make: within must be an object; got a function"],
  ])("%j", (options, message) => expect(refusalOf(options)).toBe(message));
});

test.each<readonly [value: unknown, is: boolean]>([
  [{}, true],
  [new Date(0), true],
  [null, false],
  [undefined, false],
  [[], false],
  ["x", false],
  [() => {}, false],
])("whether %o has members by name: %s", (value, is) => expect(isObject(value)).toBe(is));

test.each<readonly [value: unknown, text: string]>([
  [undefined, "nothing"],
  [["secret"], "a list"],
  [() => "secret", "a function"],
  [{ secret: 1 }, "an object"],
  [null, "null"],
  [5, "5"],
  [true, "true"],
  ['a"\n', '"a\\"\\n"'],
  ["a".repeat(60), `"${"a".repeat(60)}"`],
  ["a".repeat(61), `"${"a".repeat(60)}"`],
])("%o is shown as %s", (value, text) => expect(shown(value)).toBe(text));
