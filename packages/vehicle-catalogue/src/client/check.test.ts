import { expect, test } from "vitest";
import { checkMembers, readNumbers } from "./check.js";

test("members that nobody reads are refused also where they are inherited, and whatever all objects have", () => {
  for (const given of [{ brand: 1 }, Object.create({ brand: 1 })])
    expect(() => checkMembers(given, { id: 1 }, "filter")).toThrow(new TypeError('filter has no "brand"'));
  expect(() => checkMembers({ toString: 1 }, { id: 1 }, "filter")).toThrow('filter has no "toString"');
  expect(() => checkMembers(Object.create({ id: 1 }), { id: 1 }, "filter")).not.toThrow();
});

test("of numbers zero is one, and the default is for what is not there", () => {
  const defaults = { limit: 3, delay: 300 };
  expect(readNumbers({ limit: 0 }, defaults, "retry")).toEqual({ limit: 0, delay: 300 });
  expect(readNumbers({ delay: undefined }, defaults, "retry")).toEqual(defaults);
  expect(defaults).toEqual({ limit: 3, delay: 300 });
});
