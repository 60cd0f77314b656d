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

test("a response of a framework may say null for what is not set, and one that cannot be asked has nothing set", () => {
  for (const res of [{ getHeader: () => null }, {}])
    expect(varying(res as unknown as ServerResponse, "Origin")).toBe("Origin");
});

test.each([
  ["Accept, *", "Origin", "Accept, *"],
  ["Origin", "", "Origin"],
  ["Origin", "user-agent , origin,Accept", "Origin, user-agent, Accept"],
  ["Origin", "*", "Origin, *"],
  ["*", "Origin", "*"],
  ["", "a,b", "a, b"],
])("%j and %j are %s", (before, more, both) => expect(joinVary(before, more)).toBe(both));
