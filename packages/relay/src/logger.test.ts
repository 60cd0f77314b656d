import { describe, expect, test } from "vitest";
import { guardedLogger } from "./host-callbacks.js";
import { type Logger, loggerFrom, oneLine, prefixedLogger, silentLogger } from "./logger.js";

const levels = ["debug", "info", "warn", "error"] as const;

describe("a message is one line in which everything is what it looks like", () => {
  const cases = [
    ["a\nb\r\nc", "a\\nb\\u000d\\nc"],
    ["\u001b[31mred", "\\u001b[31mred"],
    ["\u009b\u2028\u2029\u0085", "\\u009b\\u2028\\u2029\\u0085"],
    ["\u202eevil\u2066", "\\u202eevil\\u2066"],
    ["é 日本 😀", "é 日本 😀"],
    ["\ud83d x \ude00", "\\ud83d x \\ude00"],
    ["x".repeat(4000), "x".repeat(4000)],
    ["x".repeat(5000), `${"x".repeat(4000)}…`],
  ] as const;
  for (const [message, line] of cases) {
    test(JSON.stringify(message).slice(0, 30), () => expect(oneLine(message)).toBe(line));
  }
});

for (const level of levels) {
  test(`what ${level} is called with is told with its level`, () => {
    const told: unknown[] = [];
    loggerFrom((...given) => told.push(given))[level]("x");
    expect(told).toEqual([[level, "x"]]);
  });

  test(`${level} reaches the host as a line, with its prefix`, () => {
    const seen: string[] = [];
    const host = { ...silentLogger, [level]: (message: string) => seen.push(message) };
    prefixedLogger(guardedLogger(host), "[a]")[level]("x\ny");
    expect(seen).toEqual(["[a] x\\ny"]);
  });

  test(`a host's ${level} may throw or reject`, async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const throwing = () => {
      throw new Error("full disk");
    };
    const rejecting = async () => throwing();
    for (const method of [throwing, rejecting]) {
      const host: Logger = { ...silentLogger, [level]: method };
      expect(() => guardedLogger(host)[level]("x")).not.toThrow();
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
}

test("methods are called on their logger", () => {
  class Own implements Logger {
    readonly lines: string[] = [];
    debug = () => {};
    info = () => {};
    warn = () => {};
    error(message: string) {
      this.lines.push(message);
    }
  }
  const own = new Own();
  guardedLogger(own).error("x");
  expect(own.lines).toEqual(["x"]);
});
