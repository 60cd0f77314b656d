import { expect, test } from "vitest";
import { errorKinds } from "./index.js";

test("each code has the status and title that clients know it by", () => {
  const told = Object.entries(errorKinds).map(([code, { status, title }]) => `${status} ${code}: ${title}`);
  expect(told).toEqual([
    "400 BAD_REQUEST: invalid query parameter",
    "403 FORBIDDEN: forbidden",
    "404 NOT_FOUND: not found",
    "405 METHOD_NOT_ALLOWED: method not allowed",
    "406 NOT_ACCEPTABLE: not acceptable",
    "408 REQUEST_TIMEOUT: request timeout",
    "412 PRECONDITION_FAILED: precondition failed",
    "414 URI_TOO_LONG: uri too long",
    "415 UNSUPPORTED_MEDIA_TYPE: unsupported media type",
    "429 TOO_MANY_REQUESTS: too many requests",
    "431 HEADERS_TOO_LARGE: request header fields too large",
    "500 INTERNAL_SERVER_ERROR: unexpected error",
    "503 SERVICE_UNAVAILABLE: service unavailable",
  ]);
});
