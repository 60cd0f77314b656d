import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import { createRecentKeys } from "./recent-keys.js";
import { createSummarizer } from "./summarizer.js";

test("a context for which there was no room is told with the next event", () => {
  const clock = createManualClock();
  const published: string[] = [];
  const dropped: number[] = [];
  let isFull = true;
  const summarizer = createSummarizer({
    schema: 2,
    clock,
    serverTime: () => 0,
    findFlag: () => undefined,
    seen: createRecentKeys(clock),
    publish: (event) => published.push(JSON.parse(event).kind),
    full: () => isFull,
    dropped: (count) => dropped.push(count),
    memory: { take: () => true, giveBack() {} },
  });
  const event = { kind: "custom", key: "k", creationDate: 1, user: { key: "u" } };
  const add = () => summarizer.add(event, JSON.stringify(event));
  expect(add()).toBe(true);
  expect([published, dropped]).toEqual([[], [1]]);
  isFull = false;
  for (let again = 0; again < 2; again++) add();
  expect([published, dropped]).toEqual([["index", "custom", "custom"], [1]]);
});

test("what is passed on is passed on as it is written, with all digits", () => {
  const clock = createManualClock();
  const published: string[] = [];
  const { add } = createSummarizer({
    schema: 2,
    clock,
    serverTime: () => 0,
    findFlag: () => undefined,
    seen: createRecentKeys(clock),
    publish: (event) => published.push(event),
    full: () => false,
    dropped: () => {},
    memory: { take: () => true, giveBack() {} },
  });
  const user =
    '{"key":"u","account":9007199254740993,"rate":1.0,"m":{"10":1e2,"9":"\\u00fc"},"account":12345678901234567890}';
  const data = '{"order":9007199254740993, "x":[1.50]}';
  const value = "1152921504606846977";
  const events = [
    `{"kind":"identify","creationDate":1e3,"context":null,"user":${user}}`,
    ` {"data":${data},"kind":"custom","creationDate":2,"key":"k\\u0041","metricValue":0.10,"user":${user}} `,
    `{"kind":"feature","creationDate":3,"key":"f","user":{"key":"x"},"version":null,"value":${value},"default":${data},"trackEvents":true,"context":${user}}`,
  ];
  expect(events.map((event) => add(JSON.parse(event), event))).toEqual([true, true, true]);
  expect(published).toEqual([
    `{"kind":"identify","creationDate":1e3,"context":${user}}`,
    `{"kind":"custom","creationDate":2,"key":"k\\u0041","data":${data},"contextKeys":{"user":"u"},"metricValue":0.10}`,
    `{"kind":"feature","creationDate":3,"key":"f","value":${value},"default":${data},"context":${user}}`,
  ]);
});

/** What a summariser of posts with a schema makes of events, about a flag and by two clocks. */
function summarised(
  events: readonly object[],
  {
    schema = 2,
    flag,
    ours = 0,
    theirs = 0,
  }: { schema?: number; flag?: object; ours?: number; theirs?: number } = {},
) {
  const published: Record<string, unknown>[] = [];
  const summarizer = createSummarizer({
    schema,
    clock: createManualClock(ours),
    serverTime: () => theirs,
    findFlag: () => (flag === undefined ? undefined : { json: JSON.stringify(flag) }),
    seen: createRecentKeys(createManualClock()),
    publish: (event) => published.push(JSON.parse(event)),
    full: () => false,
    dropped: () => {},
    memory: { take: () => true, giveBack() {} },
  });
  const taken = events.map((event) => summarizer.add(event, JSON.stringify(event)));
  summarizer.flush();
  return { taken, published, kinds: published.map(({ kind }) => kind) };
}

const evaluation = { kind: "feature", creationDate: 5, key: "f", version: 1, user: { key: "u" } };

test.each([
  { ours: 99, theirs: 0, isDebugged: true },
  { ours: 100, theirs: 0, isDebugged: false },
  { ours: 0, theirs: 99, isDebugged: true },
  { ours: 0, theirs: 100, isDebugged: false },
  { ours: 100, theirs: 1, isDebugged: false },
  { ours: 1, theirs: 100, isDebugged: false },
  { ours: 98, theirs: 99, isDebugged: true },
])("a flag that is debugged until 100 is so by both clocks: $ours, $theirs", ({ isDebugged, ...clocks }) => {
  const { kinds } = summarised([{ ...evaluation, debugEventsUntilDate: 100 }], clocks);
  expect(kinds).toEqual(isDebugged ? ["index", "debug", "summary"] : ["index", "summary"]);
});

test.each([
  [{}, { value: null, default: null }],
  [
    { value: 1, default: 2 },
    { value: 1, default: 2 },
  ],
  [{ samplingRatio: 1 }, { value: null, default: null }],
  [{ samplingRatio: 10 }, { value: null, default: null, samplingRatio: 10 }],
  [{ reason: { kind: "OFF" } }, { value: null, default: null, reason: { kind: "OFF" } }],
])("an evaluation that is tracked has what is in it: %j", (more, expected) => {
  const { published } = summarised([{ ...evaluation, variation: 0, trackEvents: true, ...more }]);
  expect(published[1]).toEqual({
    kind: "feature",
    creationDate: 5,
    key: "f",
    version: 1,
    variation: 0,
    context: { key: "u" },
    ...expected,
  });
});

test("an evaluation that is tracked and debugged is told as both, and counted however seldom it is sampled", () => {
  const event = { ...evaluation, trackEvents: true, debugEventsUntilDate: 100, samplingRatio: 0 };
  expect(summarised([event]).kinds).toEqual(["index", "feature", "debug", "summary"]);
});

test("a custom event without data has none", () => {
  const event = { kind: "custom", key: "k", creationDate: 5, user: { key: "u" } };
  expect(summarised([event]).published[1]).toEqual({
    kind: "custom",
    creationDate: 5,
    key: "k",
    contextKeys: { user: "u" },
  });
});

test.each(["é", "日本", "\ud800"])(
  "the variation of the value %j is found, whatever letters it has",
  (value) => {
    const options = { schema: 1, flag: { variations: ["e", value] } };
    expect(summarised([{ ...evaluation, value }], options).published.at(-1)).toMatchObject({
      features: { f: { counters: [{ variation: 1, value }] } },
    });
  },
);

test("an evaluation that is left out of summaries is tracked all the same", () => {
  const event = { ...evaluation, trackEvents: true, excludeFromSummaries: true };
  expect(summarised([event]).kinds).toEqual(["index", "feature"]);
  expect(summarised([{ ...event, excludeFromSummaries: false }]).kinds).toEqual([
    "index",
    "feature",
    "summary",
  ]);
});

test.each([
  { schema: 1, event: {}, variation: 1 },
  { schema: 2, event: {}, variation: undefined },
  { schema: 1, event: { variation: 0 }, variation: 0 },
  { schema: 1, event: { version: null }, variation: undefined },
  { schema: 1, event: { trackEvents: false }, variation: undefined },
  { schema: 1, event: { debugEventsUntilDate: 1 }, variation: undefined },
])(
  "a variation that is left out is that of the value: schema $schema, $event",
  ({ schema, event, variation }) => {
    const flag = { variations: ["off", "on"] };
    const { published } = summarised([{ ...evaluation, value: "on", ...event }], { schema, flag });
    expect(published.at(-1)).toMatchObject({ features: { f: { counters: [{ count: 1 }] } } });
    const { counters } = (published.at(-1) as { features: { f: { counters: object[] } } }).features.f;
    expect(counters[0] as object).toMatchObject(variation === undefined ? {} : { variation });
    expect("variation" in (counters[0] as object)).toBe(variation !== undefined);
  },
);

test("what has no known form is not taken, and other kinds go on as they are", () => {
  const user = { key: "u" };
  const wrong = [
    5,
    {},
    { kind: "", key: "k" },
    { kind: 5 },
    { kind: "feature", user },
    { kind: "custom", key: 5, user },
    { kind: "custom", key: "k" },
    { kind: "feature", key: "f", user, version: "1" },
  ] as object[];
  const { taken, kinds } = summarised([...wrong, { kind: "other" }, { kind: "identify", user }]);
  expect([taken, kinds]).toEqual([
    [...wrong.map(() => false), true, true],
    ["other", "identify"],
  ]);
});

test("a context is introduced once, by an evaluation as well, and one that is identified needs no more", () => {
  const custom = { kind: "custom", key: "k" };
  const users = (key: string) => ({ user: { key } });
  const { kinds } = summarised([
    { ...evaluation, ...users("a") },
    { ...custom, ...users("a") },
    { kind: "identify", ...users("b") },
    { ...custom, ...users("b") },
    { ...custom, ...users("c") },
    { ...evaluation, ...users("c") },
  ]);
  expect(kinds).toEqual(["index", "custom", "identify", "custom", "index", "custom", "summary"]);
});
