import { describe, expect, test } from "vitest";
import { isAny, namesStrongTag, namesTag } from "./conditional.js";
import { splitTarget } from "./exchange.js";
import { publicBase } from "./public-base.js";

describe("a target has a path and a query, whatever stands around them", () => {
  test.each([
    ["/v2/vehicles", "/v2/vehicles", ""],
    ["/v2/vehicles?q=a?b", "/v2/vehicles", "q=a?b"],
    ["/v2/vehicles?", "/v2/vehicles", ""],
    ["/v2/vehicles#a?b", "/v2/vehicles", ""],
    ["/v2/vehicles?q=a#b", "/v2/vehicles", "q=a"],
    ["/v2/vehicles?q=a#b#c", "/v2/vehicles", "q=a"],
    ["#a", "", ""],
    ["web+a://a.example/v2", "/v2", ""],
    ["https://a.example/v2/vehicles?q=a", "/v2/vehicles", "q=a"],
    ["HTTP://a.example:80/v2", "/v2", ""],
    ["https://a.example?q=a", "", "q=a"],
    ["https://a.example", "", ""],
    ["//a.example/v2", "//a.example/v2", ""],
    ["*", "*", ""],
    ["", "", ""],
  ])("%j", (target, path, search) => expect(splitTarget(target)).toEqual({ path, search }));
});

describe("the API is where its description is", () => {
  const end = "/v2/openapi.json";
  test.each([
    [end, undefined, ""],
    [`/api${end}?x=1`, undefined, "/api"],
    [end, `/api${end}`, "/api"],
    [`//a.example${end}`, undefined, "/a.example"],
    [`/\\a${end}`, undefined, "/a"],
    [`/a b${end}`, undefined, ""],
    [end, "/a/path/that/something/rewrites", ""],
    [end, `/api${end}/something`, ""],
    [`/é${end}`, undefined, ""],
    ["/v2/vehicles", undefined, ""],
  ])("%j, before that %j", (url, originalUrl, base) => expect(publicBase({ url, originalUrl })).toBe(base));
});

describe("a tag is named by a header", () => {
  test.each([
    ['"a"', true, true],
    ['W/"a"', true, false],
    ['"b", "a"', true, true],
    ['"b" , W/"a"', true, false],
    ['"b"', false, false],
    ['"aa"', false, false],
    ["a", false, false],
    ["", false, false],
    ['"b, "a", "', false, false],
  ])("%j: %s, strongly: %s", (header, isNamed, isStrong) => {
    expect([namesTag(header, '"a"'), namesStrongTag(header, '"a"')]).toEqual([isNamed, isStrong]);
  });

  test("any is any, and no tag of that name", () => {
    expect(["*", " * ", '"*"', "*, *", ""].map(isAny)).toEqual([true, true, false, false, false]);
  });
});
