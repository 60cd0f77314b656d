import { expect, test } from "vitest";
import { checkedWait, createTokenBucket, rateLimitHeaders } from "./rate-limit.js";

const now = () => 0;

test("without options a bucket has a thousand requests a minute, and five minutes' worth at once", () => {
  const bucket = createTokenBucket({ announce: true, now });
  const full = { waitMs: 0, quota: 5000, windowMs: 300_000 };
  expect(bucket.take("a")).toMatchObject({ ...full, remaining: 4999, resetMs: 60 });
  for (let count = 1; count < 5000; count++) void bucket.take("a");
  expect(bucket.take("a")).toEqual({ ...full, waitMs: 60, remaining: 0, resetMs: 300_000 });
});

test("five minutes' worth is by the rate that is given, unless a burst is given too", () => {
  const quotaOf = (options: object) => createTokenBucket({ announce: true, now, ...options }).take("a");
  expect(quotaOf({ perMinute: 30 })).toMatchObject({ quota: 150, windowMs: 300_000 });
  expect(quotaOf({ perMinute: 30, burst: 10 })).toMatchObject({ quota: 10, windowMs: 20_000 });
});

test("nothing is announced without being asked for", () => {
  const bucket = createTokenBucket({ now });
  expect([bucket.announces, bucket.take("a")]).toEqual([false, 0]);
});

test.each([
  [10_000, true],
  [10_001, false],
])("of %d holders the first is remembered: %s", (holders, isRemembered) => {
  const bucket = createTokenBucket({ perMinute: 1, burst: 1, now });
  for (let holder = 0; holder < holders; holder++) void bucket.take(`${holder}`);
  expect(bucket.take("0")).toBe(isRemembered ? 60_000 : 0);
});

test("the holder that has been quiet the longest is forgotten first, and none that is asking", () => {
  const bucket = createTokenBucket({ perMinute: 1, burst: 1, maxHolders: 2, now });
  const isNew = (holder: string): boolean => bucket.take(holder) === 0;
  expect(["a", "b", "a", "c", "a", "b", "b", "a"].map(isNew)).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
    false,
    false,
  ]);
  const alone = createTokenBucket({ perMinute: 1, burst: 1, maxHolders: 1, now });
  expect(["a", "a", "b", "a"].map((holder) => alone.take(holder))).toEqual([0, 60_000, 0, 0]);
});

test("however long a pause was, no more than the burst may come at once after it", () => {
  let time = 0;
  const bucket = createTokenBucket({ perMinute: 60, burst: 2, now: () => time });
  expect([0, 1, 2].map(() => bucket.take("a"))).toEqual([0, 0, 1000]);
  for (const pause of [2000, 60_000, 1e9]) {
    time += pause;
    expect([0, 1, 2].map(() => bucket.take("a"))).toEqual([0, 0, 1000]);
  }
});

test.each([
  [{ quota: 5.9, windowMs: 1001, remaining: 2.9, resetMs: 1 }, ['"default";q=5;w=2', '"default";r=2;t=1']],
  [{ quota: 5, windowMs: 1000, remaining: -1.5, resetMs: -1500 }, ['"default";q=5;w=1', '"default";r=0;t=0']],
])("headers have whole requests and seconds, none too many, and none below zero: %j", (state, values) => {
  expect(Object.values(rateLimitHeaders({ waitMs: 0, ...state }))).toEqual(values);
});

test("who comes again after the wait is answered, also where that is no whole number", () => {
  let time = 0;
  const bucket = createTokenBucket({ perMinute: 7, burst: 1, now: () => time });
  expect([bucket.take("a"), bucket.take("a")]).toEqual([0, 8572]);
  time += 8572;
  expect(bucket.take("a")).toBe(0);
});

test.each([
  { perMinute: 0, burst: 1 },
  { perMinute: -1, burst: 1 },
  { burst: 0.9 },
  { burst: Number.NaN },
  { perMinute: Number.POSITIVE_INFINITY },
  { maxHolders: 0 },
])("a bucket of %j is refused", (options) => {
  expect(() => createTokenBucket(options)).toThrow(
    /^perMinute must be positive, burst and maxHolders at least 1/,
  );
});

const state = { waitMs: 7, quota: 1, windowMs: 1, remaining: 0, resetMs: 1 };

test.each([
  [0, 0],
  [1.5, 1.5],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [state, 7],
])("the wait of %j is %d", (taken, waitMs) => {
  expect(checkedWait(taken)).toBe(waitMs);
});

test.each([
  Number.NaN,
  "5",
  null,
  undefined,
  {},
  ...Object.keys(state).map((name) => ({ ...state, [name]: "1" })),
  ...Object.keys(state).map((name) => ({ ...state, [name]: Number.NaN })),
])("%j is no wait", (taken) => {
  expect(() => checkedWait(taken as never)).toThrow(/^take\(holder\) of the rate limit must give/);
});
