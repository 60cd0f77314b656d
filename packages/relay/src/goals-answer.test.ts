import { describe, expect, test } from "vitest";
import { type GoalsAnswer, isAnswerTo, KeptGoals, lifetimeOf, revalidated } from "./goals-answer.js";

const answer = (headers: GoalsAnswer["headers"], more: Partial<GoalsAnswer> = {}): GoalsAnswer => ({
  status: 200,
  headers,
  body: Buffer.from("[]"),
  asked: { "user-agent": "a", origin: "o" },
  fromCache: false,
  ...more,
});

test.each([
  [undefined, { "user-agent": "b" }, true],
  ["", { "user-agent": "b" }, true],
  ["Origin", { "user-agent": "b", origin: "o" }, true],
  ["Origin", { origin: "p" }, false],
  ["Origin", {}, false],
  ["Accept , ORIGIN", { origin: "o" }, true],
  ["User-Agent,Origin", { origin: "o", "user-agent": "b" }, false],
  ["Cookie", { origin: "p", cookie: "c" }, false],
  ["*", { "user-agent": "a", origin: "o" }, false],
  ["origin, *", { "user-agent": "a", origin: "o" }, false],
])("an answer that varies by %j is one to a page with %j: %s", (vary, page, isOne) => {
  const given = answer(vary === undefined ? {} : { vary });
  expect(isAnswerTo(given, page)).toBe(isOne);
  // To who has asked it is one in any case.
  expect(isAnswerTo(given, given.asked)).toBe(true);
});

const longAgo = new Date(0).toUTCString();
const soonAfter = new Date(5000).toUTCString();
test.each([
  [{}, undefined],
  [{ date: longAgo }, undefined],
  [{ "cache-control": "public" }, undefined],
  [{ "cache-control": "max-age=" }, undefined],
  [{ "cache-control": "max-age=0" }, 0],
  [{ "cache-control": "max-age=70" }, 70_000],
  [{ "cache-control": "a max-age=7" }, 7000],
  [{ "cache-control": 'public,Max-Age="7"' }, 7000],
  [{ "cache-control": ["public", "max-age=7"] }, 7000],
  [{ "cache-control": "s-maxage=7" }, undefined],
  [{ "cache-control": "x-max-age=7" }, undefined],
  [{ "cache-control": "max-age=7", expires: soonAfter, date: longAgo }, 7000],
  [{ expires: soonAfter, date: longAgo }, 5000],
  [{ expires: longAgo, date: soonAfter }, 0],
  [{ expires: longAgo, date: longAgo }, 0],
  [{ expires: soonAfter }, 0],
  [{ expires: "0", date: "x" }, 0],
])("with %j an answer may be kept for %s ms", (headers, ms) => {
  expect(lifetimeOf(headers)).toBe(ms);
});

describe("an answer is kept", () => {
  test.each([
    [{ etag: '"a"' }, {}],
    [{}, { lifetimeMs: 0 }],
    [{ "cache-control": "no-cache" }, { lifetimeMs: 10 }],
  ])("with %j and %j", (headers, more) => {
    expect(KeptGoals.of(answer(headers, more), 0)?.answer).toEqual(answer(headers, more));
  });

  test.each([
    [{}, {}],
    [{ "cache-control": "No-Store", etag: '"a"' }, { lifetimeMs: 10 }],
    [{ "cache-control": "a, PRIVATE" }, { lifetimeMs: 10 }],
    [{ etag: '"a"' }, { status: 201, lifetimeMs: 10 }],
    [{ etag: '"a"' }, { status: 404, lifetimeMs: 10 }],
  ])("but not with %j and %j", (headers, more) => {
    expect(KeptGoals.of(answer(headers, more), 0)).toBeUndefined();
  });

  test.each([
    [{}, { lifetimeMs: 5000 }, 5000],
    [{ age: "2" }, { lifetimeMs: 5000 }, 3000],
    [{ age: "9" }, { lifetimeMs: 5000 }, -4000],
    [{ age: "2s" }, { lifetimeMs: 5000 }, 5000],
    [{ age: "-2" }, { lifetimeMs: 5000 }, 5000],
    [{ "cache-control": "NO-CACHE" }, { lifetimeMs: 5000 }, 0],
    [{ etag: '"a"' }, {}, 0],
  ])("with %j and %j it is fresh for %i ms", (headers, more, ms) => {
    const kept = KeptGoals.of(answer(headers, more), 100_000);
    expect([kept?.isFresh(100_000 + ms - 1), kept?.isFresh(100_000 + ms)]).toEqual([true, false]);
  });

  test("and grows older, by whole seconds and what it was when it came", () => {
    const kept = KeptGoals.of(answer({ age: "7", etag: '"a"' }), 1000);
    const ages = [1000, 1999, 2000, 61_000].map((now) => kept?.at(now).headers.age);
    expect(ages).toEqual(["7", "7", "8", "67"]);
    expect(kept?.at(1000)).toEqual(answer({ age: "7", etag: '"a"' }, { fromCache: true }));
  });
});

test("what has not changed has the body of before and the headers of now, but for the age", () => {
  const kept = answer({ age: "7", etag: '"a"', "x-a": "1", "x-b": "1" }, { lifetimeMs: 10 });
  const now = answer({ "x-b": "2" }, { status: 304, body: Buffer.from(""), asked: { origin: "p" } });
  const merged = { etag: '"a"', "x-a": "1", "x-b": "2" };
  expect(revalidated(kept, now)).toEqual({ ...kept, headers: merged, asked: { origin: "p" } });
  expect(revalidated(kept, { ...now, headers: { age: "1" }, lifetimeMs: 20 })).toMatchObject({
    lifetimeMs: 20,
    headers: { age: "1" },
  });
});
