import { expect, test } from "vitest";
import { merged } from "./merged.js";

test("requests that come while work is done are one more", async () => {
  let begun = 0;
  let end = () => {};
  const ask = merged(() => {
    begun++;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  const all = ask();
  for (let more = 0; more < 5; more++) expect(ask()).toBe(all);
  expect(begun).toBe(1);
  end();
  await expect.poll(() => begun).toBe(2);
  end();
  await all;
  expect(begun).toBe(2);
  const later = ask();
  expect(begun).toBe(3);
  end();
  await later;
});

test.each([0, 1, 2, 3, 4, 5])(
  "a request that comes as work ends, %i turns later, is not lost",
  async (turns) => {
    let begun = 0;
    const ask = merged(async () => {
      begun++;
    });
    void ask();
    for (let turn = 0; turn < turns; turn++) await undefined;
    await ask();
    expect(begun).toBe(2);
  },
);

test("work that fails says so to all who wait for it, and is done again when it is asked for", async () => {
  let begun = 0;
  const ask = merged(async () => {
    if (++begun === 1) throw new Error("no room");
  });
  await expect(Promise.all([ask(), ask()])).rejects.toThrow("no room");
  await ask();
  expect(begun).toBe(2);
});
