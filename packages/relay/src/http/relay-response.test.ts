import { expect, test } from "vitest";
import { hasGone, type RelayResponse } from "./relay-response.js";

test.each([
  [{ destroyed: false }, false],
  [{ destroyed: true }, true],
  [{ destroyed: false, stream: { destroyed: false } }, false],
  [{ destroyed: false, stream: { destroyed: true } }, true],
  // As those of HTTP/2 are.
  [{ stream: { destroyed: true } }, true],
])("who reads a response of which %j is known has gone: %s", (res, gone) => {
  // No more of a response is looked at.
  expect(hasGone(res as RelayResponse)).toBe(gone);
});
