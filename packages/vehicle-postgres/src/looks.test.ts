import { expect, test } from "vitest";
import { Looks } from "./looks.js";

test("who asks for a look while the database is tried is not told how that try has ended", async () => {
  const looks = new Looks();
  const before = looks.ask(undefined);
  looks.try();
  const after = looks.ask(undefined);
  looks.fail(new Error("away"));
  await expect(before).rejects.toThrow("away");
  looks.next()?.open();
  await after;
  expect(looks.areWaiting).toBe(false);
});

test("who asks before the last try that fails is told of it, and so is everybody at the end", async () => {
  const looks = new Looks();
  const asked = looks.ask(0);
  looks.try();
  looks.fail(new Error("away"));
  await expect(asked).rejects.toThrow("away");
  const last = looks.ask(0);
  looks.end(new Error("closed"));
  await expect(last).rejects.toThrow("closed");
});
