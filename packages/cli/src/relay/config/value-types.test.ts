import { expect, test } from "vitest";
import { httpAddress, logLevel } from "./value-types.js";

const relative = "must be an absolute URL/URI";
const invalid = "not a valid URL/URI";
const scheme = "must begin with http:// or https://";
const query = "must not have a query or a fragment";

test.each(["http://h", "https://h:1/a/b", "HTTP://u:p@h", "http://[::1]:1/"])(
  "%s is an address, as it is written",
  (text) => {
    expect(httpAddress.parse(text, "file")).toEqual({ value: text });
  },
);

test.each([
  ["", relative],
  ["h", relative],
  ["a/b", relative],
  ["a/b:c", relative],
  ["//h", relative],
  ["1h:80", relative],
  ["h:80", invalid],
  ["http:h", invalid],
  ["http:/h", invalid],
  ["http://", invalid],
  ["http:///a", invalid],
  ["http://\\h", invalid],
  ["http://h:x", invalid],
  [" http://h", relative],
  ["ftp://h", scheme],
  ["httpx://h", scheme],
  ["http://h?a=b", query],
  ["http://h#a", query],
])("%j is none: %s", (text, problem) => {
  expect(httpAddress.parse(text, "file")).toEqual({ problem });
});

test("levels are written in whatever letters", () => {
  for (const level of ["debug", "info", "warn", "error", "none"])
    for (const text of [level, level.toUpperCase()])
      expect(logLevel.parse(text, "file")).toEqual({ value: level });
  for (const [text, shown] of [
    ["warning", '"warning"'],
    [" info", "this"],
  ] as const)
    expect(logLevel.parse(text, "file")).toEqual({ problem: `${shown} is not a valid log level` });
});
