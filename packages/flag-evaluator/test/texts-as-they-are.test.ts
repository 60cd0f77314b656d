import { describe, expect, test } from "vitest";
import { type Context, contextFromBase64, createContext, parseContext, parseItem } from "../src/index.js";
import { textFault } from "../src/read/text-fault.js";

describe("an item", () => {
  test.each([
    `{"version":1,"name":"${"€".repeat(30_000)}"}`,
    `{"version":1,"name":"${"x".repeat(70_000)}"}`,
    '{"version":1,"name":"\ud800"}',
    '{"version":1,"name":"\ufeff"}',
  ])("keeps its text to the letter: %#", (json) => {
    expect(parseItem("flags", "f", json).json === json).toBe(true);
  });

  test.each([
    ['{"version":-1.5}', -1, false, undefined],
    ['{"version":2.9,"deleted":true}', 2, true, undefined],
    ['{"version":2,"deleted":1}', 2, false, undefined],
    ['{"version":2,"deleted":"true"}', 2, false, undefined],
    ['{"version":"2"}', 0, false, "its version is not a number"],
    ["5", 0, false, "expected an object, got a number"],
  ])("has the version and the mark of its text: %s", (json, version, deleted, fault) => {
    const item = parseItem("flags", "f", json);
    expect([item.version, item.deleted, item.fault]).toEqual([version, deleted, fault]);
  });
});

describe("a context", () => {
  const kinds = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, { key: "k" }]));

  test("may have 1000 kinds, and no more", () => {
    expect(createContext({ kind: "multi", ...kinds(1000) }).parts).toHaveLength(1000);
    expect(parseContext(JSON.stringify({ kind: "multi", ...kinds(1001) }))).toMatchObject({
      message: "a context may have 1000 kinds, this one has 1001",
    });
  });

  test("of a program may be of any length, and has no more than 50,000 members", () => {
    expect(createContext({ kind: "user", key: "k".repeat(300_000) }).key).toHaveLength(300_000);
    const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`a${at}`, 1]));
    expect(() => createContext({ kind: "user", key: "k", ...members })).toThrow(
      "context: it has 50002 members; there may be 50000",
    );
  });

  test("that lacks a key is told of by its name", () => {
    expect(() => createContext({ kind: "user" })).toThrow(/^context: the member "key" is missing$/);
  });

  test("of the old form has no attribute of null in place of one of its own", () => {
    const email = (user: object): unknown => {
      const context: Context = createContext(user);
      return context.parts[0].attributes.email;
    };
    expect([
      email({ key: "k", custom: { email: "own" }, email: null }),
      email({ key: "k", custom: { email: "own" }, email: "built in" }),
      email({ key: "k", email: "built in", custom: { email: "own" } }),
    ]).toEqual(["own", "built in", "own"]);
  });
});

test.each(["\t", "\f", " "])("base64 has no %j in it, and heeds the limit of a context", (blank) => {
  const text = btoa('{"key":"abc"}');
  expect(contextFromBase64(`${text.slice(0, 8)}${blank}${text.slice(8)}`)).toMatchObject({ code: "base64" });
  expect(contextFromBase64(text, { maxLength: 12 })).toMatchObject({ ok: false, code: "json" });
  expect(contextFromBase64(text, { maxLength: 13 })).toMatchObject({ ok: true });
});

test("what closes behind a number is no further level", () => {
  expect(textFault(`[${'[1],{"a":2},'.repeat(600)}1]`)).toBeUndefined();
});
