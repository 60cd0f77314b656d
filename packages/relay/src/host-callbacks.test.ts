import { describe, expect, onTestFinished, test } from "vitest";
import { guardedLogger, guardedRandom, guardedSink } from "./host-callbacks.js";

const fail = () => {
  throw new Error("the host's own trouble");
};

describe("of random numbers of the host", () => {
  test.each([0, Number.MIN_VALUE, 0.5, 1 - Number.EPSILON])("%d is taken", (value) => {
    const random = guardedRandom(() => value);
    expect([random(), random()]).toEqual([value, value]);
  });

  test.each<[unknown]>([
    [1],
    [1.5],
    [-Number.MIN_VALUE],
    [-1],
    [Number.NaN],
    [undefined],
    [Promise.resolve(0)],
    [fail],
  ])("%o is replaced by one that is none of the host's", (given) => {
    const own = Math.random;
    onTestFinished(() => {
      Math.random = own;
    });
    Math.random = () => 0.25;
    const random = guardedRandom(typeof given === "function" ? fail : () => given as number);
    expect([random(), random()]).toEqual([0.25, 0.25]);
  });
});

test("a sink of the host hears of everything, and its first failure is told, whichever of its functions fails", () => {
  const told: string[] = [];
  const logger = guardedLogger({
    debug: fail,
    info: fail,
    warn: fail,
    error: (line) => void told.push(line),
  });
  const heard: unknown[] = [];
  const hear = (...measurement: readonly unknown[]) => {
    heard.push(measurement);
    return fail();
  };
  const sink = guardedSink({ count: hear, gauge: hear, observe: hear }, logger);
  for (let times = 0; times < 2; times++) {
    sink.count("updates", 1, { a: "b" });
    sink.gauge("open_streams", 2, { a: "c" });
    sink.observe?.("request_seconds", 3, { a: "d" });
  }
  const all = [
    ["updates", 1, { a: "b" }],
    ["open_streams", 2, { a: "c" }],
    ["request_seconds", 3, { a: "d" }],
  ];
  expect(heard).toEqual([...all, ...all]);
  expect(told).toEqual(["the metrics sink failed, which is reported once: the host's own trouble"]);
});

test("a sink of the host may leave out what it does not observe", () => {
  const told: string[] = [];
  const say = (line: string) => void told.push(line);
  const logger = guardedLogger({ debug: say, info: say, warn: say, error: say });
  guardedSink({ count() {}, gauge() {} }, logger).observe?.("request_seconds", 3, {});
  expect(told).toEqual([]);
});

test.each(["debug", "info", "warn", "error"] as const)(
  "a logger of the host is given single lines: %s",
  (level) => {
    const told: string[] = [];
    const none = { debug: fail, info: fail, warn: fail, error: fail };
    guardedLogger({ ...none, [level]: (line: string) => void told.push(line) })[level]("a\nb");
    expect(told).toEqual(["a\\nb"]);
  },
);
