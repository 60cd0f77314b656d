import { expect, test } from "vitest";
import { mostWorkers } from "../most-workers.js";
import {
  boolean,
  count,
  httpAddress,
  list,
  logFormat,
  logLevel,
  port,
  text,
  tlsVersion,
  workerCount,
} from "./value-types.js";

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

test.each([
  [count, "1", 1],
  [count, "+7", 7],
  [count, "007", 7],
  [count, "999999999999999", 999_999_999_999_999],
  [port, "65535", 65_535],
  [workerCount, "1", 1],
  [workerCount, String(mostWorkers), mostWorkers],
])("a number may be as large as it can be: %#", (type, text, value) => {
  expect(type.parse(text, "file")).toEqual({ value });
});

const integer = "not a valid integer";
const positive = "value must be greater than zero";

test.each([
  [count, "0", positive],
  [count, "-1", positive],
  [count, "1000000000000000", integer],
  [count, "1.5", integer],
  [count, "1e3", integer],
  [count, " 1", integer],
  [count, "", integer],
  [port, "65536", "there is no port above 65535"],
  [port, "0", positive],
  [workerCount, String(mostWorkers + 1), `there are no more than ${mostWorkers}`],
  [workerCount, "0", positive],
])("a number that is none, or too large or small, is refused: %#", (type, text, problem) => {
  expect(type.parse(text, "file")).toEqual({ problem });
});

test.each([
  ["abcdefghijkl", '"abcdefghijkl"'],
  ["abcdefghijklm", "this"],
  ["a.b+c-1", '"a.b+c-1"'],
  ["a b", "this"],
])("of what may be a secret in the wrong place only a short word is repeated: %s", (text, shown) => {
  expect(logFormat.parse(text, "file")).toEqual({ problem: `${shown} is not a valid log format` });
  expect(tlsVersion.parse(text, "file")).toEqual({ problem: `${shown} is not a valid TLS version` });
});

test("formats are written in whatever letters, and versions as they are", () => {
  for (const text of ["json", "JSON"]) expect(logFormat.parse(text, "file")).toEqual({ value: "json" });
  for (const text of ["1.0", "1.1", "1.2", "1.3"])
    expect(tlsVersion.parse(text, "file")).toEqual({ value: text });
  expect(tlsVersion.parse("1", "file")).toEqual({ problem: '"1" is not a valid TLS version' });
});

const noBoolean = "not a valid boolean value (must be true/false, yes/no, or 0/1)";
test.each([
  ["true", { value: true }, { value: true }],
  ["Yes", { value: true }, { value: true }],
  ["1", { value: true }, { value: true }],
  ["ON", { value: true }, { problem: noBoolean }],
  ["", { value: true }, { problem: noBoolean }],
  ["False", { value: false }, { value: false }],
  ["NO", { value: false }, { value: false }],
  ["0", { value: false }, { value: false }],
  ["off", { value: false }, { problem: noBoolean }],
  ["2", { problem: 'failed to parse bool "2"' }, { problem: noBoolean }],
  [" true", { problem: "failed to parse bool this" }, { problem: noBoolean }],
] as const)("%j is a truth, or none: of a file %j, of a variable %j", (text, ofFile, ofVariable) => {
  expect([boolean.parse(text, "file"), boolean.parse(text, "variable")]).toEqual([ofFile, ofVariable]);
});

test("a truth may be left out, and a list grows", () => {
  expect([boolean.blank, list.blank, text.blank]).toEqual([true, undefined, undefined]);
  expect([boolean.appends, list.appends, text.appends]).toEqual([undefined, true, undefined]);
  expect(list.parse("a, b,,", "file")).toEqual({ value: ["a", " b", "", ""] });
});
