import { expect, test } from "vitest";
import { serverFromUrl } from "../src/server-from-url.js";

test.each([
  ["redis://h", { host: "h", port: 6379, tls: false }],
  ["rediss://h:1", { host: "h", port: 1, tls: true }],
  ["redis://[::1]:7000/3", { host: "::1", port: 7000, tls: false, database: 3 }],
  ["redis://re%20lay:p%40ss@h/", { host: "h", port: 6379, tls: false, username: "re lay", password: "p@ss" }],
  ["redis://:p@h/00012", { host: "h", port: 6379, tls: false, password: "p", database: 12 }],
  ["redis://u@h", { host: "h", port: 6379, tls: false, username: "u" }],
  ["redis://h/12345", { host: "h", port: 6379, tls: false, database: 12_345 }],
  ["redis://h/123456", undefined],
  ["redis://h/1x", undefined],
  ["redis://h/x1", undefined],
  ["redis://h:65535", { host: "h", port: 65_535, tls: false }],
  ["redis://h:65536", undefined],
  ["redis://h:0", undefined],
  ["redis://[::1", undefined],
  ["redis://u%ZZ@h", undefined],
  ["redis://u:%ZZ@h", undefined],
  ["", undefined],
  ["h:6379", undefined],
  ["http://h", undefined],
  ["redisss://h", undefined],
  [" redis://h", undefined],
  ["redis://h#1", undefined],
  ["redis://h?db=1", undefined],
  ["redis:///1", undefined],
])("%s is read as %j", (url, expected) => {
  expect(serverFromUrl(url)).toEqual(expected);
});
