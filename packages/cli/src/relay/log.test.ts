import { expect, test } from "vitest";
import type { LogFormat, LogLevel } from "./config/value-types.js";
import { createLog, type LogRules } from "./log.js";

const at = new Date(2026, 0, 2, 3, 4, 5, 67);

const rules = (
  level: LogLevel,
  levels: Readonly<Record<string, LogLevel>> = {},
  format: LogFormat = "text",
): LogRules => ({ format, level, levels: new Map(Object.entries(levels)) });

/** A log, with what it has written where. */
function openLog(first: LogRules, worker?: number) {
  const lines: string[] = [];
  const output = (name: string) => ({ write: (text: string) => void lines.push(`${name} ${text}`) });
  const log = createLog({ out: output("out"), err: output("err") }, first, () => at, worker);
  const say = (message: string) => {
    lines.length = 0;
    for (const level of ["debug", "info", "warn", "error"] as const) log[level](message);
    return lines.map((line) => line.replace("2026/01/02 03:04:05.067000 ", ""));
  };
  return { log, say };
}

const all = (message: string) => [
  `out DEBUG: ${message}\n`,
  `out INFO: ${message}\n`,
  `out WARN: ${message}\n`,
  `err ERROR: ${message}\n`,
];

test.each<[LogLevel, number]>([
  ["debug", 4],
  ["info", 3],
  ["warn", 2],
  ["error", 1],
  ["none", 0],
])("at %s the last %i of the four kinds of lines are written", (level, count) => {
  expect(openLog(rules(level)).say("m")).toEqual(all("m").slice(4 - count));
});

test("a line has the time of this place, to the millisecond, each part with its zeros", () => {
  const lines: string[] = [];
  const host = { out: { write: (text: string) => void lines.push(text) }, err: { write() {} } };
  createLog(host, rules("info"), () => at).info("m");
  createLog(host, rules("info"), () => new Date(2026, 11, 30, 23, 59, 58, 999)).info("m");
  expect(lines).toEqual(["2026/01/02 03:04:05.067000 INFO: m\n", "2026/12/30 23:59:58.999000 INFO: m\n"]);
});

test("lines of a worker have its number, and lines of JSON all that others have", () => {
  expect(openLog(rules("warn"), 2).say("m")).toEqual(["out [2] WARN: m\n", "err [2] ERROR: m\n"]);
  const time = at.toISOString();
  for (const worker of [undefined, 2]) {
    const [line = "", ...others] = openLog(rules("error", {}, "json"), worker).say('"m"\n');
    expect([others, line.slice(0, 4), line.slice(-1)]).toEqual([[], "err ", "\n"]);
    const own = worker === undefined ? {} : { worker };
    expect(JSON.parse(line.slice(4))).toEqual({ time, ...own, level: "error", message: '"m"\n' });
  }
});

test.each<[string, number]>([
  ["[loud] m", 4],
  ["[loud/web] m", 4],
  ["[loud/a/b] m", 2],
  ["[loud/a/b/c] m", 1],
  ["[quiet] m", 0],
  ["[quiet/web] m", 0],
  ["[loudly] m", 1],
  ["[loud2] m", 1],
  ["[loud/web2] m", 4],
  ["[other] m", 1],
  ["[] m", 1],
  ["loud m", 1],
  ["[loud]m", 1],
  ["m [loud] m", 1],
])("an environment, with its filters, may have a level of its own: %s", (message, count) => {
  const levels = { loud: "debug", "loud/a": "warn", quiet: "none" } as const;
  expect(openLog(rules("error", levels)).say(message)).toEqual(all(message).slice(4 - count));
  expect(openLog(rules("error")).say(message)).toHaveLength(1);
});

test("other rules hold from when they are told", () => {
  const { log, say } = openLog(rules("error"));
  log.follow(rules("none", { a: "info" }));
  expect([say("[a] m").length, say("m").length]).toEqual([3, 0]);
});
