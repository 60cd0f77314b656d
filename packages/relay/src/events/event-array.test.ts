import { expect, test } from "vitest";
import { scanEvents } from "./event-array.js";

const step = 64 * 1024;
const scan = (text: string) => scanEvents(Buffer.from(text), 1);

test("a large body is looked at in steps of 64 KiB, a small one at once", () => {
  const text = (bytes: number) => `[${"0,".repeat(bytes / 2 - 1)}0]`;
  for (const [bytes, steps] of [
    [step, []],
    [step + 2, [step]],
    [3 * step + 2, [step, step, step]],
  ] as const) {
    const scanning = scan(text(bytes));
    const done: number[] = [];
    let next = scanning.next();
    for (; !next.done; next = scanning.next()) done.push(next.value);
    expect(done).toEqual(steps);
    expect(next.value).toMatchObject({ kind: "events", count: bytes / 2 });
  }
});

test("bodies that are looked at in turn do not disturb each other", () => {
  const list = `[[${"0,".repeat(50_000)}0]]`;
  const object = `[{${'"a":0,'.repeat(16_000)}"a":0}]`;
  const scanning = [list, object, list, "[{}]"].map(scan);
  const found: unknown[] = [];
  for (let turn = 0; turn < 3; turn++)
    for (const one of scanning) {
      const { done, value } = one.next();
      if (done && value !== undefined) found.push(value);
    }
  expect(found).toHaveLength(4);
  for (const one of found) expect(one).toMatchObject({ kind: "events", count: 1 });
});
