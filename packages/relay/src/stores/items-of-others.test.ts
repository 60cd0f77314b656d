import { parseItem, tombstone } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { ItemsOfOthers } from "./items-of-others.js";

const flag = (key: string, version: number) => parseItem("flags", key, JSON.stringify({ key, version }));

test("what upstream has removed is remembered with its version, until upstream tells of it again", () => {
  const others = new ItemsOfOthers();
  others.noteDelivery({ extent: "full", items: [flag("a", 1)] }, [flag("a", 1), flag("b", 2)]);
  const removed = [flag("b", 1), flag("b", 2)];
  expect(others.withoutRemoved([...removed, flag("b", 3), flag("a", 1), tombstone("flags", "b", 2)])).toEqual(
    [flag("b", 3), flag("a", 1)],
  );
  others.noteDelivery({ extent: "full", items: [flag("a", 1)] }, [flag("a", 1)]);
  expect(others.withoutRemoved(removed)).toEqual([]);
  others.noteDelivery({ extent: "partial", items: [flag("b", 1)] }, []);
  expect(others.withoutRemoved(removed)).toEqual(removed);
});

test("ten thousand removed items are remembered, those that were removed last", () => {
  const others = new ItemsOfOthers();
  const many = Array.from({ length: 10_001 }, (_, index) => flag(`f${index}`, 1));
  others.noteDelivery({ extent: "full", items: [] }, many);
  expect(others.withoutRemoved(many)).toEqual(many.slice(0, 1));
});

test("what the store had beside what was served is of others, until upstream tells of it or everything", () => {
  const others = new ItemsOfOthers();
  const added = flag("b", 1);
  others.noteAdoption([flag("a", 2), added], [flag("a", 1)]);
  expect([others.has(flag("a", 2)), others.has(added), others.has(flag("b", 2))]).toEqual([
    false,
    true,
    false,
  ]);
  others.noteDelivery({ extent: "partial", items: [added] }, []);
  expect(others.has(added)).toBe(false);
  others.noteAdoption([added], []);
  others.noteDelivery({ extent: "full", items: [] }, []);
  expect(others.has(added)).toBe(false);
});

test("what only the store had is not served any more once it is gone there, and is of others no more", () => {
  const others = new ItemsOfOthers();
  const [own, first, second] = [flag("a", 1), flag("b", 1), flag("c", 1)];
  expect(others.withoutGone([own], [])).toBeUndefined();
  others.noteAdoption([first, second], [own]);
  expect(others.withoutGone([own, first, second], [first, second])).toBeUndefined();
  expect(others.withoutGone([own, first, second], [flag("c", 2)])).toEqual([own, second]);
  expect([others.has(first), others.has(second)]).toEqual([false, true]);
});
