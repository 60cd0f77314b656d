import { expect, test } from "vitest";
import type { RouterRequest } from "./exchange.js";
import { createFailedKeys } from "./failed-keys.js";

const request = (clientAddress: string | undefined, key = "k"): RouterRequest => ({
  method: "GET",
  url: "/v2/vehicles",
  headers: new Headers({ "api-key": key }),
  clientAddress,
});

/** A guard over a limit that answers with these waits, one after the other, and then with none. */
function guarded(...waits: (number | Promise<number>)[]) {
  let time = 0;
  const taken: string[] = [];
  const guard = createFailedKeys(
    {
      limit: {
        take(address) {
          taken.push(address);
          return waits.shift() ?? 0;
        },
      },
      now: () => time,
    },
    1000,
  );
  const pass = (ms: number): void => {
    time += ms;
  };
  return { ...guard, taken, pass };
}

test("an address that has waited before waits anew for as long as its limit says", () => {
  const { waitOf, judge, pass } = guarded(1000, 1000);
  const one = request("10.0.0.1");
  for (const round of [1, 2]) {
    expect([round, judge(one, false), waitOf(one)]).toEqual([round, 1000, 1000]);
    pass(1500);
    expect([round, waitOf(one)]).toEqual([round, 0]);
  }
});

test("a limit that answers no wait is a fault", async () => {
  expect(() => guarded(Number.NaN).judge(request("10.0.0.1"), false)).toThrow(/^take\(holder\) of the rate/);
  const later = guarded(Promise.resolve("5" as never)).judge(request("10.0.0.1"), false);
  await expect(later).rejects.toThrow(/^take\(holder\) of the rate limit must give a number/);
});

test("an address waits as long as its limit says, and its refusals count again after that", () => {
  const { waitOf, judge, taken, pass } = guarded(0, 1000, 0);
  const one = request("10.0.0.1");
  expect([judge(one, false), waitOf(one)]).toEqual([0, 0]);
  expect([judge(one, false), waitOf(one)]).toEqual([1000, 1000]);
  pass(999);
  expect([waitOf(one), judge(one, false), taken.length]).toEqual([1, 1, 2]);
  pass(1);
  expect(waitOf(one)).toBe(0);
  pass(1);
  expect([waitOf(one), judge(one, false), taken.length]).toEqual([0, 0, 3]);
  expect(judge(one, true)).toBe(0);
});

test("a key that was right passes where its address has to wait, and from no other one", () => {
  const { waitOf, judge } = guarded(1000, 1000);
  const [here, there] = [request("10.0.0.1"), request("10.0.0.2")];
  expect(judge(here, true)).toBe(0);
  expect([judge(request("10.0.0.1", "other"), false), judge(request("10.0.0.2", "other"), false)]).toEqual([
    1000, 1000,
  ]);
  expect([waitOf(here), waitOf(there), judge(here, true), judge(there, true)]).toEqual([0, 1000, 0, 1000]);
  // It was not right there: the address had to wait all the same.
  expect(waitOf(there)).toBe(1000);
});

test("hundreds of keys that were right pass all the same", () => {
  const { waitOf, judge } = guarded(1000);
  const keys = Array.from({ length: 300 }, (_, at) => request("10.0.0.1", `key ${at}`));
  for (const key of keys) judge(key, true);
  expect(judge(request("10.0.0.1", "other"), false)).toBe(1000);
  expect(Math.max(...keys.map(waitOf))).toBe(0);
});

/** Two bytes for each character and 150 beside them are the half of 4 MiB, more than which nothing is kept. */
const longest = (2 * 1024 * 1024 - 150) / 2;

test.each([
  [longest, 1000],
  [longest + 1, 0],
])("an address of %d characters is remembered for %d ms", (length, waitMs) => {
  const { waitOf, judge } = guarded(1000);
  const one = request("a".repeat(length));
  expect([judge(one, false), waitOf(one)]).toEqual([1000, waitMs]);
});

test.each([
  [longest, 0],
  [longest + 1, 1000],
])("a right key that has %d characters with its address and a break waits %d ms", (length, waitMs) => {
  const { waitOf, judge } = guarded(1000);
  const one = request("10.0.0.1", "k".repeat(length - "10.0.0.1\n".length));
  expect([judge(one, true), judge(request("10.0.0.1", "other"), false)]).toEqual([0, 1000]);
  expect(waitOf(one)).toBe(waitMs);
});

test("a key that is no longer right passes no longer", () => {
  const { waitOf, judge } = guarded(1000);
  const one = request("10.0.0.1");
  expect([judge(one, true), judge(one, false), waitOf(one), judge(one, true)]).toEqual([0, 1000, 1000, 1000]);
});

test("of several answers that come late a shorter wait does not end a longer one, and none ends it", async () => {
  const { waitOf, judge } = guarded(Promise.resolve(1000), Promise.resolve(0));
  const one = request("10.0.0.1");
  expect(await Promise.all([judge(one, false), judge(one, false)])).toEqual([1000, 0]);
  expect(waitOf(one)).toBe(1000);
});

test("a right key waits for what is being counted of its address, and for no other one", async () => {
  let answer: (waitMs: number) => void = () => {};
  const counted = new Promise<number>((resolve) => {
    answer = resolve;
  });
  const { judge } = guarded(counted);
  const wrong = judge(request("10.0.0.1", "wrong"), false);
  expect(judge(request("10.0.0.2"), true)).toBe(0);
  const right = judge(request("10.0.0.1"), true);
  answer(700);
  expect([await wrong, await right]).toEqual([700, 700]);
});

test("requests of unknown origin are not limited, and networks and ports of one machine are one", () => {
  const { judge, taken } = guarded();
  expect(judge(request(undefined), false)).toBe(0);
  expect(judge(request(""), false)).toBe(0);
  for (const address of ["2001:db8::1", "2001:db8::2", "[2001:db8::3]:443", "10.0.0.1:5", "::ffff:10.0.0.1"])
    expect(judge(request(address), false)).toBe(0);
  expect([...new Set(taken)]).toEqual(["2001:db8:0:0::/64", "10.0.0.1"]);
});

test("who is asked where requests come from is believed, also when that is unknown", () => {
  const taken: string[] = [];
  const take = (address: string): number => taken.push(address);
  const told = new Map([["10.0.0.1", "192.168.0.7"]]);
  const { judge, waitOf } = createFailedKeys(
    { limit: { take }, addressOf: ({ clientAddress = "" }) => told.get(clientAddress) },
    1000,
  );
  expect([judge(request("10.0.0.2"), false), waitOf(request("10.0.0.2"))]).toEqual([0, 0]);
  expect(judge(request("10.0.0.1"), false)).toBe(1);
  expect(taken).toEqual(["192.168.0.7"]);
});

test("without options everyone passes", () => {
  const { waitOf, judge } = createFailedKeys(undefined, 1000);
  expect([judge(request("10.0.0.1"), false), waitOf(request("10.0.0.1"))]).toEqual([0, 0]);
});
