import { describe, expect, test } from "vitest";
import { setUpForwarder as setUp } from "../../test/set-up-forwarder.js";
import { atOnce } from "../steps.js";
import { scanEvents } from "./event-array.js";
import { entryBytes } from "./event-budget.js";

const verbatim = { "x-launchdarkly-event-schema": "4" };
/** What is strange has three quarters of the room. */
const wholeOf = (part: number) => Math.floor(part / 0.75);
const full = "the event buffer is full; raise capacity to keep more events";

describe("what is no array of events is taken, sent nowhere, and told of unless it is null", () => {
  test.each([
    ["null", undefined],
    [" \n null\t", undefined],
    [`null${" ".repeat(95)}`, undefined],
    [`null${" ".repeat(96)}`, "events: the body is not an array"],
    ["nul", "events: the body is not an array"],
    ["{}", "events: the body is not an array"],
    ["5", "events: the body is not an array"],
    ["[5,]", "events: the body is not JSON at byte 3"],
    ["[5", "events: the body is not JSON at byte 2"],
    ["[{a:1}]", "events: the body is not JSON at byte 2"],
    ['[{"a" 1}]', "events: the body is not JSON at byte 2"],
    ['[{"a":1,2}]', "events: the body is not JSON at byte 8"],
    ['["\\u123g"]', "events: the body is not JSON at byte 1"],
    ["[]", undefined],
  ])("%j", async (body, problem) => {
    const { accept, told, counted, end } = setUp();
    expect(accept(body, verbatim)).toBe("taken");
    expect(await end()).toEqual([]);
    expect([told, counted]).toEqual([problem === undefined ? [] : [problem], {}]);
  });
});

test("what nests too deep is refused, and not counted", async () => {
  const { accept, counted, end } = setUp();
  expect(accept(`${"[".repeat(300)}${"]".repeat(300)}`, verbatim)).toBe("too-deep");
  expect([await end(), counted]).toEqual([[], {}]);
});

test.each(["3", "+3", "4", "10", String(Number.MAX_SAFE_INTEGER)])(
  "events of the schema %s are passed on as they are",
  async (schema) => {
    const { accept, told, counted, end } = setUp();
    accept('[{"n":1}]', { "x-launchdarkly-event-schema": schema });
    const headers = { "x-launchdarkly-event-schema": String(Number(schema)) };
    const posted = await end();
    expect(posted).toMatchObject([{ url: "http://upstream/bulk", headers, body: [{ n: 1 }] }]);
    expect(posted[0]?.headers).not.toHaveProperty("x-launchdarkly-tags");
    expect([told, counted]).toEqual([[], { events_accepted: 1, events_delivered: 1 }]);
  },
);

test.each([
  ...["2", "1", "0", "-4", "4.0", "4x", "x4", "", String(Number.MAX_SAFE_INTEGER + 1)].map((schema) => ({
    "x-launchdarkly-event-schema": schema,
  })),
  {},
  { ...verbatim, "x-launchdarkly-unsummarized": "" },
])("events are summarised with %j", async (headers) => {
  const { accept, told, counted, end } = setUp();
  accept('[{"n":1}]', headers);
  expect([await end(), told]).toEqual([[], ["events: 1 are not events of a known form"]]);
  expect(counted).toEqual({ events_accepted: 1, events_dropped: 1 });
});

test("what is not UTF-8 is sent as what is", async () => {
  const { accept, end } = setUp();
  accept(Buffer.from('[{"n":"a\xffb"},{"n":1}]', "latin1"), verbatim);
  expect(await end()).toMatchObject([{ body: [{ n: "a\ufffdb" }, { n: 1 }] }]);
});

test("all events of a post are counted, also those beyond what may be kept", async () => {
  const { accept, counted, end } = setUp({ count: 1000 });
  accept(`[${"1,".repeat(1001)}1]`, { "x-launchdarkly-event-schema": "4" });
  expect(counted).toEqual({ events_accepted: 1002, events_dropped: 2 });
  await end();
});

test.each([
  { missing: 0, dropped: {} },
  { missing: 1, dropped: { events_dropped: 1 } },
])(
  "an event is kept where there is room for it, to the byte: $missing missing",
  async ({ missing, dropped }) => {
    const name = JSON.stringify([4, "", "verbatim", "sdk-1"]);
    const cost = '"event"'.length + 2 * entryBytes + 2 * name.length;
    const { accept, counted, end } = setUp({ bytes: cost - missing });
    accept('["event"]', { "x-launchdarkly-event-schema": "4" });
    expect(counted).toEqual({ events_accepted: 1, ...dropped });
    expect(await end()).toHaveLength(1 - missing);
  },
);

test("posts with other tags are other posts", async () => {
  const { accept, end } = setUp();
  for (const tags of ["a", "b", "a"]) accept('[{"n":1}]', { ...verbatim, "x-launchdarkly-tags": tags });
  const posted = await end();
  // They are sent side by side.
  const byTags = posted.map(({ headers, body }) => [headers["x-launchdarkly-tags"], body]);
  expect(Object.fromEntries(byTags)).toEqual({ a: [{ n: 1 }, { n: 1 }], b: [{ n: 1 }] });
  expect(posted).toHaveLength(2);
});

test("a post waits to be summarised when there is room for it, to the byte, and leaves none taken", async () => {
  const body = '[{"n":1}, {"n":2}]';
  const cost = body.length + entryBytes;
  const fits = setUp({ bytes: wholeOf(cost) });
  for (let times = 0; times < 3; times++) {
    fits.accept(body);
    await new Promise(setImmediate);
  }
  expect(await fits.end()).toEqual([]);
  expect(fits.told).toEqual(["events: 2 are not events of a known form"]);
  const tooLarge = setUp({ bytes: wholeOf(cost - 1) });
  tooLarge.accept(body);
  expect([tooLarge.told, tooLarge.counted]).toEqual([[full], { events_accepted: 2, events_dropped: 2 }]);
});

test("posts that wait to be summarised share the room, and those that are late are counted", async () => {
  const body = '[{"n":1},{"n":2}]';
  const { accept, forwarder, told, counted } = setUp({ bytes: wholeOf(2 * (body.length + entryBytes)) });
  for (let times = 0; times < 3; times++) accept(body);
  expect([told, counted]).toEqual([[full], { events_accepted: 6, events_dropped: 2 }]);
  await forwarder.close(Promise.resolve());
  expect(counted).toEqual({ events_accepted: 6, events_dropped: 6 });
});

test("what is counted for summaries has all of the room once they were sent twice, and gives back what it had", async () => {
  const { accept, clock, posted, counted } = setUp({ bytes: 40_000 });
  const evaluation = (key: string) =>
    JSON.stringify([
      { kind: "feature", creationDate: 1, key, value: 1, version: 1, variation: 0, user: { key: "a" } },
    ]);
  const fits: number[] = [];
  while (fits.length < 6) {
    const droppedBefore = counted.events_dropped ?? 0;
    for (let n = 0; n < 40; n++) {
      accept(evaluation(`flag-${n}`), { "x-launchdarkly-tags": "shop" });
      await new Promise(setImmediate);
    }
    fits.push(40 - ((counted.events_dropped ?? 0) - droppedBefore));
    clock.advance(5000);
    while (posted.length < fits.length || counted.queued_events) await new Promise(setImmediate);
  }
  const [, asNew = 0, asKnown = 0] = fits;
  expect(asKnown / asNew).toBeGreaterThan(1.2);
  expect(fits.slice(2)).toEqual([asKnown, asKnown, asKnown, asKnown]);
});

describe("summaries", () => {
  const post = JSON.stringify([
    { kind: "feature", key: "f", version: 1, value: 1, creationDate: 1, user: { key: "u" } },
  ]);
  const kindsOf = ({ body }: { readonly body: unknown }) =>
    (body as { kind: string }[]).map(({ kind }) => kind);

  test("of posts with other schemas and tags are apart, and of the schema of today", async () => {
    const { accept, end } = setUp();
    const tagged = (schema: string, tags: string) =>
      accept(post, { "x-launchdarkly-event-schema": schema, "x-launchdarkly-tags": tags });
    for (const [schema, tags] of [
      ["1", "a"],
      ["2", "a"],
      ["1", "b"],
      ["1", "a"],
    ] as const)
      tagged(schema, tags);
    const posted = await end();
    expect(posted.map(({ headers }) => headers["x-launchdarkly-event-schema"])).toEqual(["4", "4", "4"]);
    expect(posted.map(({ headers }) => headers["x-launchdarkly-tags"]).sort()).toEqual(["a", "a", "b"]);
    expect(posted.map(kindsOf)).toEqual(Array(3).fill(["index", "summary"]));
  });

  test.each([
    { tags: 100, kinds: ["index", "summary"] },
    { tags: 101, kinds: ["index", "summary", "summary"] },
  ])("of a hundred tags are counted at a time: of $tags the first has $kinds", async ({ tags, kinds }) => {
    const { accept, end } = setUp();
    const name = (n: number) => ({ "x-launchdarkly-tags": `tag-${n % tags}` });
    for (let n = 0; n <= tags; n++) accept(post, name(n));
    const posted = await end();
    const first = posted.filter(({ headers }) => headers["x-launchdarkly-tags"] === "tag-0");
    expect([posted.length, first.map(kindsOf)]).toEqual([tags, [kinds]]);
  });
});

describe("diagnostics", () => {
  const body = Buffer.from('{"kind":"diagnostic"}');

  test("go on with the headers of the SDK, but for those of one connection and of the body", async () => {
    const { forwarder, end, counted } = setUp();
    const kept = { authorization: "sdk-1", "user-agent": "NodeJS", "x-own": "a" };
    const dropped =
      "connection cookie content-encoding content-length content-type expect host keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade :path :authority";
    const others = Object.fromEntries(dropped.split(" ").map((name) => [name, "x"]));
    forwarder.forwardDiagnostic(body, { ...kept, ...others, "set-cookie": ["b", "c"], via: undefined });
    expect(await end()).toEqual([
      {
        url: "http://upstream/diagnostic",
        headers: expect.objectContaining({
          ...kept,
          "set-cookie": ["b", "c"],
          "content-type": "application/json",
          "content-encoding": "gzip",
        }),
        body: { kind: "diagnostic" },
      },
    ]);
    const names = new Set([
      "content-type",
      "content-encoding",
      "content-length",
      "host",
      "set-cookie",
      ...Object.keys(kept),
    ]);
    expect(Object.keys((await end())[0]?.headers ?? {}).filter((name) => !names.has(name))).toEqual([]);
    expect(counted).toEqual({});
  });

  test.each([
    { count: 1, missing: 0, posts: 1 },
    { count: 1, missing: 1, posts: 0 },
    { count: 0, missing: 0, posts: 0 },
  ])(
    "are taken where there is room for one, its bytes, and its headers twice: %j",
    async ({ count, missing, posts }) => {
      const headers = { authorization: "sdk-1", "x-a": ["b", "c"] };
      const cost =
        body.length +
        entryBytes +
        "authorization".length +
        2 * "sdk-1".length +
        "x-a".length +
        2 * "b,c".length;
      const { forwarder, end, counted } = setUp({ count, bytes: wholeOf(cost - missing) });
      forwarder.forwardDiagnostic(body, headers);
      expect(await end()).toHaveLength(posts);
      expect(counted).toEqual(posts === 0 ? { events_dropped: 1 } : {});
    },
  );

  test("leave room for events, however many there are", async () => {
    const { forwarder, accept, end, told, counted } = setUp({ count: 8 });
    for (let times = 0; times < 9; times++) forwarder.forwardDiagnostic(body, {});
    accept('[{"n":1},{"n":2},{"n":3}]', verbatim);
    expect(counted).toEqual({ events_accepted: 3, events_dropped: 4 });
    expect(told).toEqual([
      "diagnostic event: there is no room for more of them; dropping it",
      "the event buffer is full; raise capacity to keep more events",
    ]);
    const posted = await end();
    expect(posted.filter(({ url }) => url.endsWith("/diagnostic"))).toHaveLength(6);
    expect(posted).toContainEqual(expect.objectContaining({ body: [{ n: 1 }, { n: 2 }] }));
  });

  test.each([
    { statuses: [202], posts: 1, problem: undefined },
    { statuses: [503, 202], posts: 2, problem: undefined },
    { statuses: [503, 500], posts: 2, problem: "upstream answered 500" },
    { statuses: [401], posts: 1, problem: "upstream answered 401" },
    { statuses: [413], posts: 1, problem: "upstream answered 413" },
  ])("are tried once more, after a pause, where that may help: %j", async ({ statuses, posts, problem }) => {
    const { forwarder, clock, posted, told, counted, queued } = setUp({ statuses });
    forwarder.forwardDiagnostic(body, {});
    const until = async (enough: () => boolean) => {
      while (!enough()) await new Promise(setImmediate);
    };
    expect(queued()).toBe(1);
    await until(() => queued() === 0 || clock.pending > 0);
    clock.advance(2999);
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    expect(posted).toHaveLength(1);
    clock.advance(1);
    await until(() => queued() === 0);
    expect([posted.length, clock.pending]).toEqual([posts, 0]);
    expect(told).toEqual(problem === undefined ? [] : [`diagnostic event: ${problem}; dropping it`]);
    expect(counted).toEqual(problem === undefined ? {} : { events_dropped: 1 });
  });
});

test("what becomes of the large buffer in which a post came changes nothing of its events", async () => {
  const { forwarder, end } = setUp();
  const buffer = Buffer.alloc(10_000, " ");
  const body = buffer.subarray(0, buffer.write('[{"n":1}]'));
  forwarder.accept(body, atOnce(scanEvents(body, 1000)), verbatim);
  buffer.fill("x");
  expect(await end()).toMatchObject([{ body: [{ n: 1 }] }]);
});
