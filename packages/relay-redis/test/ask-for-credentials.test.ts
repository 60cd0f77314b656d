import { createDatabasePlaces, RelayError } from "@wye/relay";
import { describe, expect, test } from "vitest";
import { askForCredentials } from "../src/ask-for-credentials.js";
import { redisBigSegments, redisStore } from "../src/index.js";
import type { RedisCredentials } from "../src/redis-options.js";
import { contextOf } from "./fixtures.js";

const asked = (ask: () => unknown, limitMs = 60_000) =>
  askForCredentials(ask as () => RedisCredentials, limitMs);

describe("what a function of the host gives is", () => {
  test.each([{ username: "u", password: "p" }, { password: "" }, { username: "u" }, {}])(
    "taken as it is: %j",
    async (given) => {
      expect(await asked(() => given)).toEqual(given);
      expect(await asked(async () => given)).toEqual(given);
      expect(await asked(() => given)).not.toBe(given);
    },
  );

  test.each([
    undefined,
    null,
    "p",
    5,
    { username: 5 },
    { password: null },
    { username: "u", password: ["p"] },
  ])("refused: %j", async (given) => {
    await expect(asked(() => given)).rejects.toMatchObject({
      code: "store_failed",
      message: "credentials must give { username, password }, both texts",
    });
  });

  test.each([
    [new Error("locked"), "locked"],
    ["text", "text"],
  ])("nothing when it throws %j", async (cause, reason) => {
    for (const ask of [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ]) {
      const error: unknown = await asked(ask).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RelayError);
      expect(error).toMatchObject({
        code: "store_failed",
        message: `credentials cannot be had: ${reason}`,
        cause,
      });
    }
  });

  test("nothing when it does not come in time", async () => {
    await expect(asked(() => new Promise(() => {}), 1)).rejects.toMatchObject({
      code: "store_failed",
      message: "credentials has given nothing within 1 ms",
    });
  });
});

test("a place is told with what is kept there, of which there may be one of each kind", () => {
  const places = createDatabasePlaces();
  const open = (make: typeof redisStore | typeof redisBigSegments, environment: string) =>
    make({ prefix: "ld" })({ ...contextOf(environment), places });
  open(redisStore, "a");
  open(redisBigSegments, "b");
  expect(() => open(redisStore, "c")).toThrow('flags under prefix "ld"');
  expect(() => open(redisBigSegments, "c")).toThrow('big segments under prefix "ld"');
});
