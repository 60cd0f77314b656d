import { describe, expect, test } from "vitest";
import {
  isPipelineClientError,
  PipelineClientError,
  type PipelineClientErrorCode,
  type PipelineClientErrorDetails,
} from "./client-error.js";
import { isInDoubt, withDoubt } from "./in-doubt.js";
import { isAbsent } from "./is-absent.js";

const codes: readonly PipelineClientErrorCode[] = [
  ...(["network", "timeout", "invalid_pipeline", "invalid_parameters", "ambiguous_name"] as const),
  ...(["bad_request", "unauthenticated", "login_required", "forbidden", "not_found", "conflict"] as const),
  ...(["rate_limited", "unsupported", "server_error", "redirected", "invalid_response"] as const),
  "credentials",
];

test("an error has what is known, and says what to do", () => {
  const cause = new Error("why");
  const problems = [{ code: "x", severity: "error", path: "/a", message: "m" } as const];
  const details: PipelineClientErrorDetails = {
    code: "conflict",
    ...{ remedy: "do this", request: "GET https://h", status: 409, serverCode: 6 },
    ...{ serverMessage: "said", attempts: 3, retryable: true, retryAfterMs: 5, problems },
  };
  const error = new PipelineClientError("it failed", details, { cause });
  expect({ ...error }).toEqual({ ...details, name: "PipelineClientError" });
  expect([error.message, error.cause]).toEqual(["it failed; do this", cause]);
});

test("an error of which nothing is known has nothing", () => {
  const error = new PipelineClientError("it failed", { code: "timeout" });
  expect({ ...error }).toEqual({
    ...{ name: "PipelineClientError", code: "timeout", attempts: 0, retryable: false, problems: [] },
    ...{ remedy: undefined, request: undefined, status: undefined, serverCode: undefined },
    ...{ serverMessage: undefined, retryAfterMs: undefined },
  });
  expect([error.message, "cause" in error]).toEqual(["it failed", false]);
});

test("an error is known by its name, also that of another copy", () => {
  const other = Object.assign(new Error("x"), { name: "PipelineClientError" });
  const own = new PipelineClientError("x", { code: "timeout" });
  expect(
    [own, other, new Error("x"), { name: "PipelineClientError" }, undefined].map(isPipelineClientError),
  ).toEqual([true, true, false, false, false]);
});

describe("what may have been done all the same", () => {
  test("is what nobody has answered, or not in a way that can be used", () => {
    const errors = codes.map((code) => new PipelineClientError("x", { code }));
    expect(errors.filter(isInDoubt).map(({ code }) => code)).toEqual([
      ...["network", "timeout", "server_error", "invalid_response"],
    ]);
    const again = codes.map((code) => new PipelineClientError("x", { code, retryable: true }));
    expect(again.filter(isInDoubt)).toEqual([]);
  });

  test("is told with what to look for in place of what was to be done", () => {
    const details: PipelineClientErrorDetails = {
      code: "server_error",
      ...{ status: 502, serverCode: 14, serverMessage: "said", request: "POST https://h" },
      ...{ attempts: 2, retryable: false },
    };
    const error = new PipelineClientError("it failed", { ...details, remedy: "try again" });
    const told = withDoubt(error, "look for r");
    expect(told.message).toBe("it failed; look for r");
    expect({ ...told }).toMatchObject({ ...details, remedy: "look for r" });
    expect(told.cause).toBe(error);
    expect(withDoubt(new PipelineClientError("it failed", details), "look").message).toBe("it failed; look");
  });
});

describe("a thing is absent", () => {
  const absent = (details: object, code: PipelineClientErrorCode = "not_found") =>
    isAbsent(new PipelineClientError("x", { code, ...details }));

  test.each<readonly [details: object, is: boolean]>([
    [{}, true],
    [{ status: 404, serverCode: 5 }, true],
    [{ status: 404, serverCode: 5, serverMessage: "Run r not found" }, true],
    [{ status: 404, serverCode: 5, serverMessage: "Not Found" }, false],
    [{ status: 404 }, false],
    [{ status: 404, serverCode: 404 }, false],
  ])("where the server says so itself: %j %s", (details, is) => expect(absent(details)).toBe(is));

  test("and nowhere else", () => {
    expect(codes.filter((code) => absent({}, code))).toEqual(["not_found"]);
    expect([isAbsent(Object.assign(new Error("x"), { code: "not_found" })), isAbsent(undefined)]).toEqual([
      false,
      false,
    ]);
  });
});
