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
