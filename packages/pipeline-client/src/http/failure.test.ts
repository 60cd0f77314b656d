import { describe, expect, test } from "vitest";
import { type Failure, failureOfFetch, failureOfResponse, failureToError, mayBeDone } from "./failure.js";
import { createRedactor } from "./redactor.js";

const redactor = createRedactor(["s3cret"]);
const now = Date.parse("2026-01-01T00:00:00Z");
const answered = (status: number, text = "oops", headers: Record<string, string> = {}) =>
  failureOfResponse({ status, headers: new Headers(headers) } as Response, text, now, redactor);

describe("what a status means", () => {
  test.each<readonly [status: number, code: string, isRetryable: boolean, isUndone: boolean]>([
    [400, "bad_request", false, false],
    [401, "unauthenticated", false, true],
    [403, "forbidden", false, false],
    [404, "not_found", false, false],
    [408, "bad_request", true, false],
    [409, "conflict", false, false],
    [410, "not_found", false, false],
    [418, "bad_request", false, false],
    [425, "bad_request", true, false],
    [429, "rate_limited", true, true],
    [499, "bad_request", false, false],
    [500, "server_error", false, false],
    [501, "unsupported", false, false],
    [502, "server_error", true, false],
    [503, "server_error", true, false],
    [504, "server_error", true, false],
    [599, "server_error", true, false],
  ])("%d: %s, may be tried again: %s, certainly not done: %s", (status, code, isRetryable, isUndone) => {
    expect(answered(status, "oops", { "retry-after": "3" })).toEqual({
      code,
      status,
      serverCode: undefined,
      serverMessage: "oops",
      reason: "oops",
      isRetryable,
      isUndone,
      retryAfterMs: 3000,
    });
    expect(answered(status, "")).toMatchObject({ reason: `the server answered ${status}`, code });
  });

  test("secrets are taken out of what a server says before it is cut short", () => {
    expect(answered(400, `${"x".repeat(497)}s3cret`)).toMatchObject({ reason: `${"x".repeat(497)}[re` });
    expect(answered(302, "", { location: "https://a.example/s3cret" })).toMatchObject({
      reason: "the host redirects to https://a.example/[redacted], which is not followed",
    });
  });

  test.each([
    [undefined, "login_required", ""],
    ["https://a.example/x?y=1", "redirected", " to https://a.example/x"],
    ["https://a.example/?login=1", "login_required", " to https://a.example/"],
    ["/login", "login_required", " to /login"],
    ["/log-in", "login_required", " to /log-in"],
    ["/SignIn", "login_required", " to /SignIn"],
    ["/sign-in", "login_required", " to /sign-in"],
    ["/oauth2/start", "login_required", " to /oauth2/start"],
    ["/auth/realms", "login_required", " to /auth/realms"],
    ["https://dex.example/", "login_required", " to https://dex.example/"],
    ["https://a.example/sso", "login_required", " to https://a.example/sso"],
    [`/${"b".repeat(199)}`, "redirected", ` to /${"b".repeat(199)}`],
    [`/${"b".repeat(200)}`, "redirected", ` to /${"b".repeat(199)}`],
  ])("a redirect to %s: %s", (location, code, where) => {
    for (const status of [302, 399])
      expect(answered(status, "", location === undefined ? {} : { location })).toEqual({
        code,
        status,
        reason: `the host redirects${where}, which is not followed`,
      });
  });
});

/** An error of `fetch` and its cause. */
function thrown(message: string, code?: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });
}
const failed = (code: string | undefined, message = "inner") =>
  thrown("fetch failed", undefined, thrown(message, code));

describe("what keeps fetch from answering", () => {
  test.each<readonly [code: string | undefined, isUndone: boolean]>([
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].map(
      (code) => [code, true] as const,
    ),
    ["UND_ERR_CONNECT_TIMEOUT", true],
    ["ECONNRESET", false],
    ["EPROTOX", false],
    ["XEPROTO", false],
    ["ERR_SSL_OTHER", false],
    ["CERT", false],
    ["ERR_TLS_OTHER", false],
    ...[
      "MY_CERT_EXPIRED",
      "CERT_",
      "SELF_SIGNED_CERT-",
      "UNABLE_TO_GET_ISSUER_",
      "AN_UNABLE_TO_VERIFY_LEAF_X",
    ].map((code) => [code, false] as const),
    ...["MY_ERR_TLS_CERT_X", "ERR_SSL_WRONG_VERSION_NUMBER_", "ERR_SSL_PACKET_LENGTH_TOO_LONG_"].map(
      (code) => [code, false] as const,
    ),
    [undefined, false],
  ])("%s may be tried again; certainly not done: %s", (code, isUndone) => {
    const cause = failed(code);
    const reason = "no answer: inner";
    expect(failureOfFetch(cause)).toEqual({ code: "network", reason, cause, isRetryable: true, isUndone });
  });

  const https = "the server does not speak https";
  const untrusted = "the certificate of the server is not trusted: inner";
  test.each([
    ["EPROTO", https],
    ["ERR_SSL_WRONG_VERSION_NUMBER", https],
    ["ERR_SSL_PACKET_LENGTH_TOO_LONG", https],
    ["CERT_HAS_EXPIRED", untrusted],
    ["SELF_SIGNED_CERT_IN_CHAIN", untrusted],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", untrusted],
    ["UNABLE_TO_GET_ISSUER_CERT", untrusted],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", untrusted],
    ["ERR_TLS_CERT_ALTNAME_INVALID", untrusted],
  ])("%s is the same with every attempt", (code, reason) => {
    const cause = failed(code);
    const failure = { code: "network", reason: `no answer: ${reason}`, cause, isUndone: true };
    expect(failureOfFetch(cause)).toEqual(failure);
    // However deep it lies, up to a bound.
    const nested = (depth: number): Error =>
      depth === 0 ? thrown("inner", code) : thrown("outer", undefined, nested(depth - 1));
    expect(failureOfFetch(nested(4)).isRetryable).toBeUndefined();
    expect(failureOfFetch(nested(5)).isRetryable).toBe(true);
  });

  test("a port that nobody asks at is the same with every attempt", () => {
    expect(failureOfFetch(failed(undefined, "bad port"))).toMatchObject({
      reason: "no answer: no `fetch` asks at this port",
      isUndone: true,
    });
    expect(failureOfFetch(new Error("bad port"))).toMatchObject({ reason: "no answer: bad port" });
  });

  test.each<readonly [cause: unknown, reason: string]>([
    ["text", "fetch has thrown something that is no error"],
    [undefined, "fetch has thrown something that is no error"],
    [thrown("outer", undefined, "text"), "outer"],
    [thrown("outer", "CODE"), "outer"],
    [thrown("", "CODE"), "CODE"],
    [thrown("outer", undefined, thrown("", "CODE")), "CODE"],
    [thrown("outer", undefined, thrown("")), "outer"],
    [thrown("", undefined, thrown("")), "Error"],
    [new AggregateError([]), "AggregateError"],
    [Object.assign(new Error("x"), { code: 5 }), "x"],
    [Object.assign(new Error("x"), { code: ["EPROTO"] }), "x"],
  ])("%j says %s", (cause, reason) => {
    expect(failureOfFetch(cause)).toMatchObject({ reason: `no answer: ${reason}`, isRetryable: true });
  });
});

describe("what may be done although no good answer came", () => {
  test.each<readonly [failure: Partial<Failure>, may: boolean]>([
    [{ code: "network" }, true],
    [{ code: "timeout" }, true],
    [{ code: "invalid_response" }, true],
    [{ code: "server_error", status: 500 }, false],
    [{ code: "unsupported", status: 501 }, false],
    [{ code: "server_error", status: 502 }, true],
    [{ code: "server_error" }, false],
    [{ code: "bad_request", status: 400 }, false],
    [{ code: "network", isUndone: true }, false],
    [{ code: "server_error", status: 503, isUndone: true }, false],
  ])("%j: %s", (failure, may) => {
    expect(mayBeDone({ code: "network", reason: "x", ...failure })).toBe(may);
  });
});

describe("the error for a failure", () => {
  const request = { method: "GET", url: "https://a.example/s3cret/x?key=1" } as const;

  test("has no secrets, and says what was asked how often", () => {
    const cause = new Error("lost s3cret");
    const failure: Failure = {
      ...{ code: "server_error", status: 503, serverCode: 14, serverMessage: "away s3cret" },
      ...{ reason: "away s3cret", isRetryable: true, retryAfterMs: 5, cause },
    };
    const error = failureToError(failure, request, 3, redactor);
    const asked = "GET https://a.example/[redacted]/x";
    expect({ ...error }).toEqual({
      ...{ name: "PipelineClientError", code: "server_error", status: 503, serverCode: 14 },
      ...{ serverMessage: "away [redacted]", attempts: 3, request: asked, retryable: true },
      ...{ retryAfterMs: 5, remedy: undefined, problems: [] },
    });
    expect(error.message).toBe(`away [redacted] (503, ${asked}, 3 attempts)`);
    expect(error.cause).toMatchObject({ message: "lost [redacted]" });
  });

  test("leaves out what there is not", () => {
    const error = failureToError({ code: "network", reason: "lost" }, request, 1, redactor);
    expect(error.message).toBe("lost (GET https://a.example/[redacted]/x)");
    expect([error.retryable, error.status, error.attempts, "cause" in error]).toEqual([
      false,
      undefined,
      1,
      false,
    ]);
  });

  test("says so where it may have been done", () => {
    const failure: Failure = { code: "rate_limited", reason: "lost", isInDoubt: true };
    expect(failureToError(failure, request, 1, redactor).remedy).toBe(
      "it may have been done all the same: look before you do it again",
    );
    expect(failureToError({ ...failure, isInDoubt: false }, request, 1, redactor).remedy).toBe(
      "ask less often",
    );
  });
});
