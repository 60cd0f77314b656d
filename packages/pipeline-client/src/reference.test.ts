import { describe, expect, test } from "vitest";
import { PipelineClientError } from "./client-error.js";
import { isInDoubt, withDoubt } from "./in-doubt.js";
import { isAbsent } from "./is-absent.js";
import { type Reference, readReference } from "./reference.js";

describe("a thing is called by its id or its name", () => {
  const id = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
  test.each<readonly [reference: Reference, read: object]>([
    [id, { id }],
    [id.toUpperCase(), { id: id.toUpperCase() }],
    [` ${id}`, { name: ` ${id}` }],
    [`${id}0`, { name: `${id}0` }],
    [id.replaceAll("-", ""), { name: id.replaceAll("-", "") }],
    ["g".repeat(8) + id.slice(8), { name: "g".repeat(8) + id.slice(8) }],
    ["train", { name: "train" }],
    [{ id: "train" }, { id: "train" }],
    [{ name: id }, { name: id }],
    [{ id: "", name: "n" } as Reference, { name: "n" }],
    [{ id: "i", name: "n" } as Reference, { id: "i" }],
  ])("%j", (reference, read) => expect(readReference("a run", reference)).toEqual(read));

  test.each(["", {}, { id: "" }, { name: "" }, { id: 5 }, { name: 5 }, null, undefined, 5, []])(
    "and not by %j",
    (reference) => {
      expect(() => readReference("a run", reference as Reference)).toThrow(
        new TypeError("a run is named by its id or its name: a text, { id } or { name }"),
      );
    },
  );
});

describe("a thing is absent if the server itself says so", () => {
  test.each<readonly [absent: boolean, members: ConstructorParameters<typeof PipelineClientError>[1]]>([
    [true, { code: "not_found" }],
    [true, { code: "not_found", status: 404, serverCode: 5, serverMessage: "Run r not found" }],
    [true, { code: "not_found", status: 404, serverCode: 5 }],
    [false, { code: "not_found", status: 404, serverCode: 5, serverMessage: "Not Found" }],
    [false, { code: "not_found", status: 404, serverCode: 404 }],
    [false, { code: "not_found", status: 404 }],
    [false, { code: "conflict" }],
    [false, { code: "conflict", status: 404, serverCode: 5 }],
  ])("%s: %j", (absent, members) => expect(isAbsent(new PipelineClientError("x", members))).toBe(absent));

  test("which only an error of this package does", () => {
    const other = Object.assign(new Error("x"), { name: "PipelineClientError", code: "not_found" });
    expect([other, undefined].map(isAbsent)).toEqual([false, false]);
  });
});

describe("what may have been carried out all the same", () => {
  test.each([
    ["network", true],
    ["timeout", true],
    ["server_error", true],
    ["invalid_response", true],
    ["bad_request", false],
    ["conflict", false],
    ["credentials", false],
  ] as const)("%s: %s", (code, may) => {
    expect(isInDoubt(new PipelineClientError("x", { code }))).toBe(may);
    expect(isInDoubt(new PipelineClientError("x", { code, retryable: true }))).toBe(false);
  });

  test("is told in place of what else was to be done, and nothing of the error is lost", () => {
    const members = {
      code: "server_error" as const,
      ...{ status: 503, serverCode: 14, serverMessage: "away" },
      ...{ request: "POST http://h", attempts: 2, retryable: true },
    } as const;
    for (const remedy of ["try again", undefined]) {
      const cause = new PipelineClientError("it failed", { ...members, remedy });
      const error = withDoubt(cause, "look for r1");
      expect(error.message).toBe("it failed; look for r1");
      expect(error).toMatchObject({ ...members, remedy: "look for r1", cause });
    }
  });
});
