import { expect, test } from "vitest";
import { CatalogueError } from "./catalogue-error.js";

test("an error of a catalogue tells all that it was given, and has no problems where none are told", () => {
  const cause = new Error("why");
  const problems = [{ index: 0, field: "model", message: "is missing" }];
  const snapshot = { version: "2" } as never;
  const error = new CatalogueError("superseded", "too late", { cause, problems, retryAfterMs: 5, snapshot });
  expect({ ...error }).toEqual({
    ...{ name: "CatalogueError", code: "superseded", problems, retryAfterMs: 5, snapshot },
  });
  expect([error.message, error.cause]).toEqual(["too late", cause]);
  const bare = new CatalogueError("unreadable", "no such file");
  expect({ ...bare }).toEqual({
    ...{ name: "CatalogueError", code: "unreadable", problems: [] },
    ...{ retryAfterMs: undefined, snapshot: undefined },
  });
  expect(Object.hasOwn(bare, "cause")).toBe(false);
});
