import { expect, test } from "vitest";
import { invalidOptions, isRelayError, malformedData, RelayError } from "./error.js";

test("an error has its code and its cause, and one problem unless it has several", () => {
  const cause = new Error("why");
  const error = new RelayError("store_failed", "it failed", { cause });
  expect(error).toMatchObject({ name: "RelayError", code: "store_failed", message: "it failed", cause });
  expect(error.problems).toEqual(["it failed"]);
  const several = invalidOptions(["a is wrong", "b is missing"]);
  expect([several.code, several.message]).toEqual(["invalid_options", "a is wrong\nb is missing"]);
  expect(several.problems).toEqual(["a is wrong", "b is missing"]);
  expect(malformedData("no JSON", cause)).toMatchObject({ code: "malformed_data", cause });
});

test("an error of this package is known, also one of another copy of it, and no other that looks like one", () => {
  const like = (members: object) => Object.assign(new Error("x"), members);
  const whole = { name: "RelayError", code: "closed", problems: ["x"] };
  const { code, problems, name } = whole;
  expect([new RelayError("closed", "x"), like(whole)].map(isRelayError)).toEqual([true, true]);
  expect(
    [whole, like({ code, problems }), like({ name, code }), like({ name, problems }), undefined].map(
      isRelayError,
    ),
  ).toEqual(Array(5).fill(false));
});
