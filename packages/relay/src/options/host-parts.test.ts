import { expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.js";
import type { RelayOptions } from "./options.js";
import { resolveOptions } from "./resolve-options.js";

const environments = { a: { sdkKey: "sdk-1" } };

test("of all event posts of a relay 64 are on their way at a time", async () => {
  const { eventLanes } = resolveOptions({ environments });
  const ends: (() => void)[] = [];
  const posts = Array.from({ length: 65 }, () =>
    eventLanes(() => new Promise<void>((resolve) => ends.push(resolve))),
  );
  await new Promise(setImmediate);
  expect(ends).toHaveLength(64);
  ends[0]?.();
  await posts[0];
  await new Promise(setImmediate);
  expect(ends).toHaveLength(65);
});

test("what a host brings along harms nobody when it fails", () => {
  const fail = () => {
    throw new Error("broken");
  };
  const lines: string[] = [];
  const logger = { debug: fail, info: fail, warn: fail, error: (line: string) => void lines.push(line) };
  const clock = { now: fail, monotonic: fail, schedule: fail };
  const metrics = { count: fail, gauge: fail };
  const resolved = resolveOptions({ environments, logger, clock, metrics, random: fail });
  expect(() => resolved.logger.warn("x")).not.toThrow();
  resolved.logger.error("a\nb");
  expect(resolved.clock.now()).toBeGreaterThan(1.6e12);
  resolved.metrics?.count("updates", 1, {});
  expect(resolved.random()).toBeLessThan(1);
  const once = "failed, which is reported once: broken";
  expect(lines).toEqual([`the clock ${once}`, "a\\nb", `the metrics sink ${once}`]);
});

test("a key is in two places while it is accepted in both, by the clock of the host", () => {
  const clock = createManualClock();
  const optionsWith = (expires: number): RelayOptions => ({
    clock,
    environments: { ...environments, b: { sdkKey: "sdk-2", furtherSdkKeys: [{ key: "sdk-1", expires }] } },
  });
  expect(() => resolveOptions(optionsWith(clock.now()))).not.toThrow();
  expect(() => resolveOptions(optionsWith(clock.now() + 1))).toThrow(
    'environments "a" and "b" have the same sdkKey',
  );
});

test("bodies of events that are discarded have room as well", () => {
  const least = 20 * 1024 * 1024;
  const options = (maxUploadBytes: number): RelayOptions => ({
    environments,
    events: "discard",
    maxUploadBytes,
  });
  expect(resolveOptions(options(least)).maxUploadBytes).toBe(least);
  expect(() => resolveOptions(options(least - 1))).toThrow(`maxUploadBytes must be ${least} at least`);
});
