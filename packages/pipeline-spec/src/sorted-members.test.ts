import { expect, test } from "vitest";
import { sortedMembers } from "./sorted-members.js";

test("members are in alphabetical order, and what is inside of them stays as it is", () => {
  const inner = { d: 1, c: 2 };
  const sorted = sortedMembers({ b: inner, a: 0 });
  expect(JSON.stringify(sorted)).toBe('{"a":0,"b":{"d":1,"c":2}}');
  expect(sorted.b).toBe(inner);
});

test("a member may have any name", () => {
  const named = JSON.parse('{"b": 1, "__proto__": 2}');
  expect(JSON.stringify(sortedMembers(named))).toBe('{"__proto__":2,"b":1}');
});
