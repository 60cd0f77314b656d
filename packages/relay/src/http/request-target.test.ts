import { expect, test } from "vitest";
import { readRequestTarget } from "./request-target.js";

const cases = [
  { url: "/status", result: { kind: "path", segments: ["status"] } },
  { url: "/", result: { kind: "path", segments: [""] } },
  { url: "/a/b%2Fc/%C3%BC?x=1", result: { kind: "path", segments: ["a", "b/c", "ü"] } },
  { url: "http://host:80/status?a", result: { kind: "path", segments: ["status"] } },
  { url: "HTTP://Host/status", result: { kind: "path", segments: ["status"] } },
  { url: "http://host?a/status", result: { kind: "outside" } },
  { url: "http://host#a/status", result: { kind: "outside" } },
  { url: "http://host:80/", result: { kind: "path", segments: [""] } },
  { url: "/.well-known/a..b/c.", result: { kind: "path", segments: [".well-known", "a..b", "c."] } },
  { url: "//status?filter=x", result: { kind: "unclean", location: "/status?filter=x" } },
  { url: "/a/../status", result: { kind: "unclean", location: "/status" } },
  { url: "/a/./b/", result: { kind: "unclean", location: "/a/b/" } },
  { url: "/a/..", result: { kind: "unclean", location: "/" } },
  { url: "/sdk/%%%", result: { kind: "malformed" } },
  { url: "/x/status", prefix: "/x", result: { kind: "path", segments: ["status"] } },
  { url: "/x//status", prefix: "/x", result: { kind: "unclean", location: "/x/status" } },
  { url: "/xy/status", prefix: "/x", result: { kind: "outside" } },
  { url: "/x", prefix: "/x", result: { kind: "outside" } },
  { url: "*", result: { kind: "outside" } },
  { url: "", result: { kind: "outside" } },
];
for (const { url, prefix, result } of cases) {
  test(`${url}${prefix === undefined ? "" : ` below ${prefix}`}`, () =>
    expect(readRequestTarget(url, prefix)).toMatchObject(result));
}

test("the query is decoded", () => {
  const target = readRequestTarget("/a?filter=a%20b&filter=c");
  expect(target.kind === "path" && target.query.get("filter")).toBe("a b");
  const none = readRequestTarget("/a/filter=x");
  expect(none.kind === "path" && none.query.size).toBe(0);
});
