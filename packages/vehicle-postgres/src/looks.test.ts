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

test("who asks for the same waits for the same look, and looks come in the order in which they were asked for", async () => {
  const looks = new Looks();
  const [any, share, again, other] = [undefined, 0, undefined, 0.5].map((leastShare) =>
    looks.ask(leastShare),
  );
  expect([again === any, share === any, other === share]).toEqual([true, false, false]);
  const begun = Array.from({ length: 4 }, () => looks.next());
  expect(begun.map((look) => look?.leastShare)).toEqual([undefined, 0, 0.5, undefined]);
  expect([begun[3], looks.areWaiting]).toEqual([undefined, false]);
  expect(looks.ask(0)).not.toBe(share);
  expect(looks.areWaiting).toBe(true);
});

test("a look that has begun is not told of failures, and after the end there is none", async () => {
  const looks = new Looks();
  const asked = looks.ask(undefined);
  const begun = looks.next();
  looks.try();
  looks.fail(new Error("away"));
  begun?.open();
  expect(await asked).toBeUndefined();
  const reason = new Error("closed");
  looks.end(reason);
  await expect(looks.ask(undefined)).rejects.toBe(reason);
  expect(looks.areWaiting).toBe(false);
});
