import { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { joinVary, varying } from "./vary.js";

test.each([
  [undefined, "Origin"],
  ["", "Origin"],
  ["Accept-Encoding", "Accept-Encoding, Origin"],
  [["Accept-Encoding", "Cookie"], "Accept-Encoding,Cookie, Origin"],
  ["Cookie, origin", "Cookie, origin"],
  ["*", "*"],
])("with %j before it, an answer varies by %s", (before, after) => {
  // Only the method is read.
  const res = new ServerResponse({ method: "GET" } as ConstructorParameters<typeof ServerResponse>[0]);
  if (before !== undefined) res.setHeader("Vary", before);
  expect(varying(res, "Origin")).toBe(after);
});

test.each([
  ["Origin", "", "Origin"],
  ["Origin", "user-agent , origin,Accept", "Origin, user-agent, Accept"],
  ["Origin", "*", "Origin, *"],
  ["*", "Origin", "*"],
  ["", "a,b", "a, b"],
])("%j and %j are %s", (before, more, both) => expect(joinVary(before, more)).toBe(both));
