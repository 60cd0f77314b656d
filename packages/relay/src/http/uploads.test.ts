import { expect, test } from "vitest";
import { Uploads } from "./uploads.js";

test("bodies on their way may have exactly so much; the oldest that have not arrived give way to more", () => {
  const given: string[] = [];
  const uploads = new Uploads(10_000);
  const upload = (name: string) => ({
    counted: 0,
    giveUp: (why: string) => void given.push(`${name} ${why}`),
  });
  const [arrived, oldest, newer] = [upload("arrived"), upload("oldest"), upload("newer")];
  for (const one of [arrived, oldest, newer]) uploads.begin(one);
  uploads.hold(arrived, 2000);
  uploads.arrived(arrived);
  // Each costs 1024 beside its bytes.
  uploads.hold(oldest, 10_000 - 3 * 1024 - 2000);
  expect(given).toEqual([]);
  uploads.hold(newer, 1);
  expect(given).toEqual(["oldest crowded-out"]);
  uploads.release(arrived);
  uploads.hold(newer, 10_000 - 1024);
  expect(given).toHaveLength(1);
  uploads.close();
  expect(given).toEqual(["oldest crowded-out", "newer closed"]);
});

test("a request counts before anything of its body has come", () => {
  const given: string[] = [];
  const uploads = new Uploads(2 * 1024);
  for (const name of ["first", "second", "third"]) {
    expect(given).toEqual([]);
    uploads.begin({ counted: 0, giveUp: (why) => void given.push(`${name} ${why}`) });
  }
  expect(given).toEqual(["first crowded-out"]);
});

test("what was given up at the end takes no room", () => {
  const given: string[] = [];
  const uploads = new Uploads(10_000);
  const upload = (name: string) => ({
    counted: 0,
    giveUp: (why: string) => void given.push(`${name} ${why}`),
  });
  const [before, after] = [upload("before"), upload("after")];
  uploads.begin(before);
  uploads.hold(before, 8000);
  uploads.close();
  uploads.begin(after);
  uploads.hold(after, 8000);
  expect([given, before.counted, after.counted]).toEqual([["before closed"], 0, 9024]);
});
