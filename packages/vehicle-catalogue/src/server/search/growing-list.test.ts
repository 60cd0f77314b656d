import { expect, test } from "vitest";
import { GrowingList } from "./growing-list.js";

test("a list keeps what it has when something in it is set, and grows to what is set behind its end", () => {
  const list = new GrowingList(5, 6, 7);
  const all = () => [...list.items.subarray(0, list.length)];
  list.set(0, 9);
  expect(all()).toEqual([9, 6, 7]);
  list.push(8);
  list.set(6, 4);
  expect(all()).toEqual([9, 6, 7, 8, 0, 0, 4]);
  list.push(3);
  expect([list.length, all().at(-1), list.indexOf(3), list.indexOf(2)]).toEqual([8, 3, 7, -1]);
});
