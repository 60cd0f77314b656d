import { type Item, parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { upsertEach } from "./upsert-each.js";

const items = Array.from({ length: 40 }, (_, index) => parseItem("flags", `${index}`, '{"version":1}'));

test("all are written, sixteen side by side, and what is kept in place of some is given", async () => {
  let [running, most] = [0, 0];
  const written: string[] = [];
  const kept = await upsertEach(items, async (item): Promise<Item | undefined> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    written.push(item.key);
    return Number(item.key) % 10 === 0 ? item : undefined;
  });
  expect(most).toBe(16);
  expect(written).toEqual(items.map(({ key }) => key));
  expect(kept.map(({ key }) => key)).toEqual(["0", "10", "20", "30"]);
});

test("the first failure ends it", async () => {
  const written: string[] = [];
  const writing = upsertEach(items, async ({ key }) => {
    if (key === "17") throw new Error("no disk");
    written.push(key);
    return undefined;
  });
  await expect(writing).rejects.toThrow("no disk");
  expect(written).not.toContain("32");
});
