import { describe, expect, test } from "vitest";
import { silentLogger } from "../src/logger.js";
import { post, posts, server, start, turn } from "./event-relay.js";
import { flag, keys } from "./start-relay.js";

describe("single evaluations of old SDKs are summarised", () => {
  const old = { authorization: keys.sdkKey };
  const evaluation = {
    kind: "feature",
    creationDate: 5,
    key: "a",
    version: 1,
    variation: 0,
    value: true,
    default: false,
  };
  const user = { key: "u" };
  const cases = [
    {
      name: "counted by flag and variation, with one index per context",
      sent: [
        { ...evaluation, user },
        { ...evaluation, user, creationDate: 9 },
        { ...evaluation, user, variation: 1, value: false },
      ],
      received: [
        { kind: "index", creationDate: 5, context: user },
        {
          kind: "summary",
          startDate: 5,
          endDate: 9,
          features: {
            a: {
              default: false,
              counters: [
                { version: 1, variation: 0, value: true, count: 2 },
                { version: 1, variation: 1, value: false, count: 1 },
              ],
              contextKinds: ["user"],
            },
          },
        },
      ],
    },
    {
      name: "an unknown flag, and a missing variation found by value",
      sent: [
        { kind: "feature", creationDate: 1, key: "nope", value: 3, default: 3, user },
        { kind: "feature", creationDate: 1, key: "a", version: 1, value: false, user },
      ],
      received: [
        { kind: "index", creationDate: 1, context: user },
        {
          kind: "summary",
          startDate: 1,
          endDate: 1,
          features: {
            nope: { default: 3, counters: [{ unknown: true, value: 3, count: 1 }], contextKinds: ["user"] },
            a: {
              default: null,
              counters: [{ version: 1, variation: 1, value: false, count: 1 }],
              contextKinds: ["user"],
            },
          },
        },
      ],
    },
    {
      name: "tracked, sampled, excluded, of several kinds",
      sent: [
        {
          ...evaluation,
          trackEvents: true,
          samplingRatio: 7,
          excludeFromSummaries: true,
          context: { kind: "multi", user: { key: "u" }, org: { key: "o" } },
        },
      ],
      received: [
        { kind: "index", creationDate: 5, context: { kind: "multi", user: { key: "u" }, org: { key: "o" } } },
        {
          kind: "feature",
          creationDate: 5,
          key: "a",
          version: 1,
          context: { kind: "multi", user: { key: "u" }, org: { key: "o" } },
          variation: 0,
          value: true,
          default: false,
          samplingRatio: 7,
        },
      ],
    },
    {
      name: "other kinds pass, what is none is dropped",
      sent: [
        { kind: "alias", x: 1 },
        { kind: "" },
        {},
        5,
        { ...evaluation },
        { kind: "identify", user: {} },
        { kind: "custom", user },
      ],
      received: [{ kind: "alias", x: 1 }],
    },
  ];
  for (const { name, sent, received } of cases) {
    test(name, async () => {
      const { relay, clock } = await start();
      await post(relay, JSON.stringify(sent), old);
      const [first] = await posts(relay, clock, 1);
      expect(first).toMatchObject({ headers: { "x-launchdarkly-event-schema": "4" } });
      expect(first?.body).toEqual(received);
    });
  }

  const flagCases = [
    {
      name: "tracked, because the flag is",
      flag: { trackEvents: true },
      kinds: ["index", "feature", "summary"],
    },
    {
      name: "debugged, because the flag is until later",
      flag: { debugEventsUntilDate: 1_700_000_600_000 },
      kinds: ["index", "debug", "summary"],
    },
    {
      name: "neither, because the time of the flag has passed",
      flag: { debugEventsUntilDate: 1_600_000_000_000 },
      kinds: ["index", "summary"],
    },
    {
      name: "neither, because the event says so itself",
      flag: { trackEvents: true },
      own: { trackEvents: false },
      kinds: ["index", "summary"],
    },
    {
      name: "both, because the event says so itself",
      flag: {},
      own: { trackEvents: true, debugEventsUntilDate: 1_700_000_600_000 },
      kinds: ["index", "feature", "debug", "summary"],
    },
  ];
  for (const { name, flag: rest, own, kinds } of flagCases) {
    test(name, async () => {
      const { relay, clock } = await start();
      relay.upstream.environment(keys.sdkKey).put({ flags: { a: flag("a", 1, rest) } });
      const polled = () => relay.fetch("GET", "/sdk/flags/a", { headers: old });
      while ((await polled()).body !== JSON.stringify(flag("a", 1, rest))) await turn();
      await post(relay, JSON.stringify([{ ...evaluation, ...own, user }]), old);
      const [first] = await posts(relay, clock, 1);
      expect((first!.body as { kind: string }[]).map(({ kind }) => kind)).toEqual(kinds);
    });
  }

  test("debugging ends by the clock of upstream, even if ours is late", async () => {
    const { relay, clock, counted } = await start();
    const debugged = { ...evaluation, debugEventsUntilDate: clock.now() + 600_000, user };
    const kindsOf = async () => {
      await post(relay, JSON.stringify([debugged]), old);
      return ((await posts(relay, clock, 1))[0]!.body as { kind: string }[]).map(({ kind }) => kind);
    };
    expect(await kindsOf()).toEqual(["index", "debug", "summary"]);
    // The stand-in for upstream tells the true time, years after the time of this clock.
    while (counted.events_delivered !== 3) await turn();
    expect(await kindsOf()).toEqual(["summary"]);
  });

  test("what is identified needs no index, what is custom keeps its data", async () => {
    const { relay, clock } = await start();
    const context = { kind: "org", key: "o:1", _meta: { redactedAttributes: ["name"] } };
    const custom = { kind: "custom", creationDate: 7, key: "bought", data: { sum: 1.5 }, metricValue: 3 };
    await post(
      relay,
      JSON.stringify([
        { kind: "identify", creationDate: 6, context },
        { ...custom, context },
      ]),
      old,
    );
    expect((await posts(relay, clock, 1))[0]?.body).toEqual([
      { kind: "identify", creationDate: 6, context },
      { ...custom, contextKeys: { org: "o:1" } },
    ]);
  });

  const contextCases = [
    { name: "a user of the old form", fields: { user: { key: "u", custom: { a: 1 } } }, read: true },
    { name: "a user with an empty key", fields: { user: { key: "" } }, read: true },
    { name: "a context of another kind", fields: { context: { kind: "org", key: "o" } }, read: true },
    {
      name: "a context beside a user",
      fields: { user: { key: "u" }, context: { kind: "org", key: "o" } },
      read: true,
    },
    { name: "no key", fields: { user: {} }, read: false },
    { name: "a key that is no text", fields: { user: { key: true } }, read: false },
    { name: "neither", fields: {}, read: false },
    {
      name: "several kinds of which one has no key",
      fields: { context: { kind: "multi", a: {} } },
      read: false,
    },
  ];
  for (const { name, fields, read } of contextCases) {
    test(`${name} is ${read ? "copied as it is" : "no context: the event is dropped, the others are not"}`, async () => {
      const { relay, clock } = await start();
      const known = { kind: "identify", creationDate: 1, context: { key: "known" } };
      await post(relay, JSON.stringify([{ kind: "identify", creationDate: 5, ...fields }, known]), old);
      const { user: given, context = given } = fields as { user?: object; context?: object };
      const expected = read ? [{ kind: "identify", creationDate: 5, context }, known] : [known];
      expect((await posts(relay, clock, 1))[0]?.body).toEqual(expected);
    });
  }

  test("so are those of newer ones that say that theirs are not", async () => {
    const { relay, clock } = await start();
    const headers = { ...server, "x-launchdarkly-unsummarized": "" };
    await post(relay, JSON.stringify([{ ...evaluation, context: { kind: "user", key: "u" } }]), headers);
    const [first] = await posts(relay, clock, 1);
    expect((first!.body as { kind: string }[]).map(({ kind }) => kind)).toEqual(["index", "summary"]);
  });

  test("a missing variation is found for schema 1 only, and nothing is when the flag is unknown", async () => {
    const { relay, clock } = await start();
    const { variation, ...without } = evaluation;
    const variationOf = async (schema: string, event: object) => {
      const headers = { ...old, "x-launchdarkly-event-schema": schema };
      await post(relay, JSON.stringify([{ ...event, user: { key: schema } }]), headers);
      const body = (await posts(relay, clock, 1))[0]!.body as {
        kind: string;
        features?: Record<string, unknown>;
      }[];
      return Object.values(body.find(({ kind }) => kind === "summary")?.features ?? {})[0];
    };
    expect(await variationOf("1", without)).toMatchObject({ counters: [{ variation }] });
    expect(await variationOf("2", without)).not.toMatchObject({ counters: [{ variation }] });
    expect(await variationOf("1", { ...without, key: "none" })).not.toMatchObject({
      counters: [{ variation }],
    });
  });

  test("contexts are introduced again after five minutes, and at most 10,000 are remembered", async () => {
    const { relay, clock } = await start({ events: { flushInterval: 1000, capacity: 20_000 } });
    const send = (key: string) => post(relay, JSON.stringify([{ ...evaluation, user: { key } }]), old);
    const indexes = async () =>
      ((await posts(relay, clock, 1))[0]!.body as { kind: string }[]).filter(({ kind }) => kind === "index")
        .length;
    await send("u");
    expect(await indexes()).toBe(1);
    await send("u");
    expect(await indexes()).toBe(0);
    clock.advance(300_000);
    await send("u");
    expect(await indexes()).toBe(1);
    const many = Array.from({ length: 10_000 }, (_, n) => ({ ...evaluation, user: { key: `k${n}` } }));
    await post(relay, JSON.stringify(many), old);
    // Summarising takes turns, between which what there is may be sent.
    let introduced = 0;
    while (introduced < 10_000) introduced += await indexes();
    expect(introduced).toBe(10_000);
    await send("u");
    expect(await indexes()).toBe(1);
  });

  test("a context has a thousand kinds at most", async () => {
    const { relay, clock } = await start();
    const context = (kinds: number) => ({
      kind: "multi",
      ...Object.fromEntries(Array.from({ length: kinds }, (_, n) => [`k${n}`, { key: "x" }])),
    });
    const sent = [1000, 1001].map((kinds) => ({ kind: "identify", context: context(kinds) }));
    await post(relay, JSON.stringify(sent), old);
    expect((await posts(relay, clock, 1))[0]?.body).toEqual([{ kind: "identify", context: context(1000) }]);
  });

  const honest = { ...evaluation, user };
  const another = { kind: "custom", creationDate: 5, key: "c", user };
  test.each([
    ["a version that is an object", { ...honest, version: { a: 1 } }],
    ["a version with a fraction", { ...honest, version: 1.5 }],
    ["a variation that is text", { ...honest, variation: "constructor" }],
    ["a variation beyond all whole numbers", { ...honest, variation: -1e300 }],
    ["a time that is text", { ...honest, creationDate: "soon" }],
    ["a sampling ratio that is none", { ...honest, samplingRatio: [1] }],
    ["a truth that is none", { ...honest, excludeFromSummaries: "no" }],
    ["a metric that is text", { ...another, metricValue: "5" }],
  ])("an event with %s spoils nothing of the others, and is reported", async (_, wrong) => {
    const logged: string[] = [];
    const { relay, clock } = await start({
      logger: { ...silentLogger, error: (message) => void logged.push(message) },
    });
    await post(relay, JSON.stringify([honest, wrong, honest]), old);
    const [sent] = await posts(relay, clock, 1);
    expect(sent?.body).toMatchObject([
      { kind: "index" },
      {
        kind: "summary",
        features: { a: { counters: [{ version: 1, variation: 0, value: true, count: 2 }] } },
      },
    ]);
    expect(sent?.body).toHaveLength(2);
    expect(logged.join("\n")).toContain("events: 1 are not events of a known form");
  });

  test("null is the same as nothing: such a flag is unknown, with whoever comes first", async () => {
    const { relay, clock } = await start();
    const { version: _, ...unknown } = honest;
    await post(
      relay,
      JSON.stringify([{ ...honest, version: null, variation: null, trackEvents: null }, unknown]),
      old,
    );
    const [sent] = await posts(relay, clock, 1);
    expect(sent?.body).toMatchObject([
      { kind: "index" },
      {
        features: {
          a: {
            counters: [
              { unknown: true, value: true, count: 1 },
              { unknown: true, variation: 0, value: true, count: 1 },
            ],
          },
        },
      },
    ]);
    expect(JSON.stringify(sent?.body)).not.toContain("null,");
  });

  test("one about a flag that nests deeper than can be compared is dropped, and those behind it are not", async () => {
    const levels = 20_000;
    const deep = "[".repeat(levels) + "]".repeat(levels);
    const logged: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (text: string) => void logged.push(text) };
    const { relay, clock } = await start({ events: { flushInterval: 1000 }, logger });
    const place = '{"path":"/flags/deep","data":{"key":"deep","version":1,"on":false,"variations":[1,';
    relay.upstream.environment(keys.sdkKey).write(`event: patch\ndata: ${place}${deep}]}}\n\n`);
    const polled = () => relay.fetch("GET", "/sdk/flags/deep", { headers: { authorization: keys.sdkKey } });
    while ((await polled()).status !== 200) await turn();
    const { variation: _, ...without } = evaluation;
    await post(
      relay,
      JSON.stringify([
        { ...without, key: "deep", version: 1, value: 1, user },
        { ...evaluation, user },
      ]),
      old,
    );
    const [sent] = await posts(relay, clock, 1);
    expect(Object.keys((sent!.body as { features: object }[]).at(-1)!.features)).toEqual(["a"]);
    expect(logged.join("\n")).toContain("events: 1 are not events of a known form");
  });

  test("each summary covers the time since the last one", async () => {
    const { relay, clock } = await start();
    const times = async (...creationDates: unknown[]) => {
      const sent = creationDates.map((creationDate) => ({ ...evaluation, user, creationDate }));
      // A number that JSON can hold and no clock can show.
      await post(relay, JSON.stringify(sent).replaceAll('"huge"', "1e999"), old);
      return ((await posts(relay, clock, 1))[0]!.body as object[]).at(-1);
    };
    expect(await times(5, 3, 9)).toMatchObject({ kind: "summary", startDate: 3, endDate: 9 });
    expect(await times(7, "huge")).toMatchObject({ kind: "summary", startDate: 7, endDate: 7 });
    expect(await times(null)).toMatchObject({ kind: "summary", startDate: 0, endDate: 0 });
  });

  test("a context is the same in whatever order its kinds stand", async () => {
    const { relay, clock } = await start();
    const contexts = [
      { kind: "multi", org: { key: "o" }, user: { key: "u" } },
      { kind: "multi", user: { key: "u" }, org: { key: "o" } },
      { user: { key: "u" }, org: { key: "o" }, kind: "multi" },
      { kind: "multi", user: { key: "o" }, org: { key: "u" } },
    ];
    await post(relay, JSON.stringify(contexts.map((context) => ({ ...evaluation, context }))), old);
    const [received] = await posts(relay, clock, 1);
    const indexes = (received!.body as { kind: string; context: unknown }[]).filter(
      ({ kind }) => kind === "index",
    );
    expect(indexes.map(({ context }) => context)).toEqual([contexts[0], contexts[3]]);
  });

  test("tags that keep changing do not fill the memory, and lose nothing", async () => {
    const { relay, clock } = await start();
    for (let n = 0; n < 120; n++) {
      await post(relay, JSON.stringify([{ ...evaluation, user }]), {
        ...old,
        "x-launchdarkly-tags": `t${n}`,
      });
    }
    const received = await posts(relay, clock, 120);
    expect(new Set(received.map(({ headers }) => headers["x-launchdarkly-tags"])).size).toBe(120);
    const kinds = received.map(({ body }) => (body as { kind: string }[]).map(({ kind }) => kind));
    expect(kinds).toEqual(Array(120).fill(["index", "summary"]));
  });
});
