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
