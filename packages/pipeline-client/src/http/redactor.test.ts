import { describe, expect, test } from "vitest";
import { createRedactor } from "./redactor.js";

describe("secrets are taken out", () => {
  test("in each spelling, wherever they stand, unless they are too short to be one", () => {
    const { text } = createRedactor(['a"b/c', "abc", "wxyz"]);
    expect(text('a"b/c, a\\"b/c, a%22b%2Fc, wxyzwxyz, abc')).toBe(
      "[redacted], [redacted], [redacted], [redacted][redacted], abc",
    );
    expect(text("wxyz".repeat(5))).toBe("[redacted]".repeat(5));
    expect(createRedactor(["\ud800abc"]).text("%EF%BF%BDabc")).toBe("[redacted]");
  });

  test("of an error and its causes, and nothing else of them is kept", () => {
    const { cause } = createRedactor(["s3cret"]);
    const inner = Object.assign(new Error("inner s3cret"), { code: "E_s3cret", request: { key: "s3cret" } });
    const outer = Object.assign(new TypeError("outer s3cret", { cause: inner }), { name: "Ns3cret" });
    outer.stack = "stack s3cret";
    const copy = cause(outer);
    expect(copy).toBeInstanceOf(Error);
    expect([copy.name, copy.message, copy.stack]).toEqual([
      "N[redacted]",
      "outer [redacted]",
      "stack [redacted]",
    ]);
    expect(copy.cause).toMatchObject({ name: "Error", message: "inner [redacted]", code: "E_[redacted]" });
    expect([Object.keys(copy.cause as object), "code" in copy]).toEqual([["name", "code"], false]);
  });

  test("of an error without a message, which has its code", () => {
    const { cause } = createRedactor([]);
    expect(cause(Object.assign(new Error(""), { code: "ECODE" })).message).toBe("ECODE");
    expect(cause(Object.assign(new Error("m"), { code: 5 }))).not.toHaveProperty("code");
  });

  test.each<readonly [thrown: unknown, message: string]>([
    ["text s3cret", "text [redacted]"],
    [5, "5"],
    [undefined, "undefined"],
    [Object.create(null), "something that is no error was thrown"],
    [Symbol("x"), "something that is no error was thrown"],
  ])("of what is no error: %j", (thrown, message) => {
    expect(createRedactor(["s3cret"]).cause(thrown).message).toBe(message);
  });

  test("five causes of causes are kept", () => {
    const { cause } = createRedactor([]);
    const nested = (depth: number): Error =>
      new Error(`${depth}`, depth > 0 ? { cause: nested(depth - 1) } : {});
    const messages: string[] = [];
    for (let one: unknown = cause(nested(8)); one instanceof Error; one = one.cause)
      messages.push(one.message);
    expect(messages).toEqual(["8", "7", "6", "5", "4", "3"]);
  });
});
