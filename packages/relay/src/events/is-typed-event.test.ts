import { expect, test } from "vitest";
import { isTypedEvent } from "./is-typed-event.js";

const number = [0, -1, 1.5, 1e300];
const integer = [0, -1, 7, Number.MAX_SAFE_INTEGER];
const truth = [true, false];

test.each<[member: string, right: readonly unknown[], wrong: readonly unknown[]]>([
  ["creationDate", number, ["1", true, Number.POSITIVE_INFINITY]],
  ["version", integer, ["1", true, 1.5, Number.MAX_SAFE_INTEGER + 1]],
  ["variation", integer, ["1", true, 1.5, Number.MAX_SAFE_INTEGER + 1]],
  ["trackEvents", truth, ["true", 1, 0]],
  ["debugEventsUntilDate", number, ["1", true, Number.POSITIVE_INFINITY]],
  ["samplingRatio", number, ["1", true, Number.POSITIVE_INFINITY]],
  ["excludeFromSummaries", truth, ["true", 1, 0]],
  ["metricValue", number, ["1", true, Number.POSITIVE_INFINITY]],
])("%s has its type as far as it is there", (member, right, wrong) => {
  for (const value of [...right, undefined, null])
    expect(isTypedEvent({ kind: "feature", [member]: value }), String(value)).toBe(true);
  for (const value of [...wrong, "", [], {}, Number.NaN])
    expect(isTypedEvent({ kind: "feature", [member]: value }), String(value)).toBe(false);
});

test("one wrong member is enough, and what is neither written on nor counted may be anything", () => {
  expect(isTypedEvent({ creationDate: 1, version: 1, metricValue: "1" })).toBe(false);
  expect(isTypedEvent({ key: 5, value: {}, default: [], data: Number.NaN })).toBe(true);
});
