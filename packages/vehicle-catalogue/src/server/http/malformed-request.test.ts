import { describe, expect, test } from "vitest";
import { answerMalformedRequest, type MalformedSocket } from "./malformed-request.js";

/** What is done to a socket. */
function done(error: unknown, members: object = {}): readonly string[] {
  const calls: string[] = [];
  const socket: MalformedSocket = {
    writable: true,
    end: (text) => calls.push(text),
    destroy: () => calls.push("destroyed"),
    ...members,
  };
  answerMalformedRequest(error as Error, socket);
  return calls;
}

const failed = (code: string | undefined): Error => Object.assign(new Error("failed"), { code });

describe("what is no HTTP is answered with", () => {
  const malformed = { code: "BAD_REQUEST", title: "malformed request" };
  test.each([
    ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large", "HEADERS_TOO_LARGE"],
    ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout", "REQUEST_TIMEOUT"],
    ["HPE_INVALID_METHOD", "400 Bad Request", malformed],
    [undefined, "400 Bad Request", malformed],
  ])("%s: %s", (code, status, expected) => {
    const title = status.slice(4).toLowerCase();
    const problem = typeof expected === "string" ? { code: expected, title } : expected;
    const body = JSON.stringify({ errors: [{ status: status.slice(0, 3), ...problem }] });
    const lines = [
      `HTTP/1.1 ${status}`,
      "Content-Type: application/vnd.api+json",
      `Content-Length: ${body.length}`,
      "Cache-Control: no-store",
      "Connection: close",
      "",
      body,
    ];
    expect(done(failed(code))).toEqual([lines.join("\r\n")]);
  });

  test("the same when nothing says what has failed", () => {
    const bad = done(failed(undefined));
    expect([done(undefined), done(null), done({})]).toEqual([bad, bad, bad]);
  });
});

describe("nothing is written, and the connection ends, where", () => {
  test("it was reset", () => expect(done(failed("ECONNRESET"))).toEqual(["destroyed"]));
  test("it cannot be written to", () => {
    expect(done(failed(undefined), { writable: false })).toEqual(["destroyed"]);
  });
  test("a response is under way, and not where there was one", () => {
    expect(done(failed(undefined), { _httpMessage: {} })).toEqual(["destroyed"]);
    const bad = done(failed(undefined));
    for (const _httpMessage of [null, undefined])
      expect(done(failed(undefined), { _httpMessage })).toEqual(bad);
  });
});

test.each([undefined, null, {}, { end() {} }, { destroy() {} }])("%j is no socket", (socket) => {
  expect(() => answerMalformedRequest(failed(undefined), socket as unknown as MalformedSocket)).toThrow(
    new TypeError("answerMalformedRequest needs the error and the socket of the event clientError."),
  );
});
