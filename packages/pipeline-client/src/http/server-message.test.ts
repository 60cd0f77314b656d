import { describe, expect, test } from "vitest";
import { serverMessageOf } from "./server-message.js";

const json = (value: unknown): string => JSON.stringify(value);
const wrapped = "Failed to create a run: InternalServerError: Failed to x: Invalid input error: Run name";

describe("of a body of JSON the message is told, and the part that is for people", () => {
  test.each<readonly [body: unknown, message: string, reason: string, code?: number]>([
    [{ error: { message: "inner", code: 3 } }, "inner", "inner", 3],
    [{ error: "text", message: "outer" }, "outer", "outer"],
    [
      {
        error: { message: "inner", code: 3, details: [{ message: "of it" }] },
        ...{ message: "outer", code: 5, details: [{ message: "of the other" }] },
      },
      "inner",
      "of it",
      3,
    ],
    [{ message: "m", details: [null, { message: "first" }, { message: "second" }] }, "m", "first"],
    [{ message: "m", code: "5" }, "m", "m"],
    [{ error_message: "no such file\n<stack>", message: "m", code: 5 }, "no such file", "no such file"],
    [{ message: `${wrapped}\nstack`, code: 13 }, wrapped, "Run name", 13],
    [{ message: wrapped, details: [{ a: 1 }, "x", { message: "detail\nstack" }] }, wrapped, "detail"],
    [{ message: wrapped, details: [{ message: "Internal Server Error" }] }, wrapped, "Run name"],
    [{ message: wrapped, details: [{ message: "" }] }, wrapped, "Run name"],
    [{ message: wrapped, details: [{ message: 5 }] }, wrapped, "Run name"],
    [{ message: wrapped, details: "detail" }, wrapped, "Run name"],
  ])("%j", (body, message, reason, code) => {
    expect(serverMessageOf(json(body))).toEqual({ code, message, reason });
  });

  test.each([
    ["Bad error: x", "x"],
    ["Invalid input error: x", "x"],
    ["Invalid user input error: x", "x"],
    ["Very bad user input error: x", "Very bad user input error: x"],
    ["One two three four error: x", "One two three four error: x"],
    ["x Bad error: y", "x Bad error: y"],
    ["x: Bad error: y", "y"],
    ["ResourceNotFoundError: y", "y"],
    ["x: resourceNotFoundError: y", "x: resourceNotFoundError: y"],
    ["AError: y", "AError: y"],
    ["AbError: y", "AbError: y"],
    ["AbcError: y", "y"],
    [`${"A".repeat(41)}Error: y`, "y"],
    [`${"A".repeat(42)}Error: y`, `${"A".repeat(42)}Error: y`],
    ["A error: y", "A error: y"],
    ["Ab error: y", "Ab error: y"],
    ["Abc error: y", "y"],
    [`A${"b".repeat(12)} error: y`, "y"],
    [`A${"b".repeat(13)} error: y`, `A${"b".repeat(13)} error: y`],
    ["Bad a error: y", "Bad a error: y"],
    ["Bad in error: y", "y"],
    [`Bad ${"b".repeat(12)} error: y`, "y"],
    [`Bad ${"b".repeat(13)} error: y`, `Bad ${"b".repeat(13)} error: y`],
    ["bad input error: y", "bad input error: y"],
    ["Bad Input error: y", "Bad Input error: y"],
    ["Bad input Error: y", "Bad input Error: y"],
    ["ResourceNotFoundError:y", "ResourceNotFoundError:y"],
    ["AbcError: ", "AbcError:"],
  ])("the end of the wrappings %s", (message, reason) => {
    expect(serverMessageOf(json({ message })).reason).toBe(reason);
  });
});

describe("of a body that is none, or says nothing, a line is told", () => {
  const plain = (message: string) => ({ code: undefined, message, reason: message });
  test.each(['{"code":5}', "[1]", "null", "5", '{"message":5}', '{"error":{}}', "plain"])("%s", (body) => {
    expect(serverMessageOf(body)).toEqual(plain(body));
  });

  test.each([
    ["<html><title>404 Not</title>x", "404 Not"],
    ["x<TITLE lang=en>404 Not</title>", "404 Not"],
    [`<title ${"a".repeat(99)}>404</title>`, "404"],
    [`x<title ${"a".repeat(100)}>404</title>`, `x<title ${"a".repeat(100)}>404</title>`],
    [`<title>${"a".repeat(300)}</title>`, "a".repeat(300)],
    [`${"x".repeat(9_980)}<title>404</title>`, "404"],
    ["plain\ttext\u0000\u2028\u200b\nmore", "plain text"],
    ["  padded  ", "padded"],
  ])("%s", (body, message) => {
    expect(serverMessageOf(body)).toEqual({ ...plain(message), reason: message.slice(0, 500) });
  });

  test.each(["", "\n", "<p>x", "  <p>x", "\u0000"])("but of %j none", (body) => {
    expect(serverMessageOf(body)).toEqual({ code: undefined, message: undefined, reason: "" });
  });
});

test("long texts are cut short", () => {
  const long = "x".repeat(4_001);
  for (const body of [long, json({ message: long }), json({ error_message: long })]) {
    const { message, reason } = serverMessageOf(body);
    expect([message?.length, reason.length]).toEqual([4_000, 500]);
  }
  const { reason } = serverMessageOf(json({ message: "m", details: [{ message: long }] }));
  expect(reason).toBe("x".repeat(500));
  expect(serverMessageOf(`${"x".repeat(10_000)}<title>404</title>`).message).toBe("x".repeat(4_000));
});
