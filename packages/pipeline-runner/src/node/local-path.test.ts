import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkTimes, longer } from "./check-times.js";
import { folderOption } from "./folder-option.js";
import { foreignFile, isBelow, localPath, schemeOf } from "./local-path.js";
import { logTail } from "./log-tail.js";
import { placeOf, placesOf, presenceOf } from "./places-of.js";
import { wholePaths } from "./whole-paths.js";

const folder = mkdtempSync(join(tmpdir(), "places-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each<[uri: string, path: string | undefined, scheme: string, foreign?: string | undefined]>([
  ["/a/b", "/a/b", ""],
  ["a/b", "a/b", ""],
  ["", "", ""],
  ["file:///a%20b", "/a b", "file"],
  ["file:/a", "/a", "file"],
  ["FILE:///a", "/a", "file"],
  ["file:///", "/", "file"],
  ["file://", undefined, "file", "is no path"],
  ["file:a", undefined, "file", "is no path"],
  ["file:", undefined, "file", "is no path"],
  ["file:///a%2Fb", undefined, "file", "is no path"],
  ["file://host/a", undefined, "file", "names the machine host"],
  ["FILE://Host/a", undefined, "file", "names the machine Host"],
  ["File://host", undefined, "file", "names the machine host"],
  ["file://host:80/a//b", undefined, "file", "names the machine host:80"],
  ["FILE:a", undefined, "file", "is no path"],
  ["FILE:///a%2Fb", undefined, "file", "is no path"],
  ["file:/a%2fb", undefined, "file", "is no path"],
  ["file:///%zz", undefined, "file", "is no path"],
  ["FILE:/a%20b", "/a b", "file"],
  ["file:////a", "//a", "file"],
  ["file://localhost/a", "/a", "file"],
  ["/file://host/a", "/file://host/a", ""],
  ["files://host/a", undefined, "files"],
  ["gs://bucket/a", undefined, "gs"],
  ["S3://bucket/a", undefined, "s3"],
  ["a+b.c-d1://x", undefined, "a+b.c-d1"],
  ["1a://x", "1a://x", ""],
  ["a:b", "a:b", ""],
  ["x/gs://b", "x/gs://b", ""],
  ["profile:a", "profile:a", ""],
])("%j is the path %j, of the scheme %j", (uri, path, scheme, foreign) => {
  expect([localPath(uri), schemeOf(uri)]).toEqual([path, scheme]);
  expect(foreignFile(uri)).toBe(foreign && `${uri} ${foreign}: a path of this machine is file:///…`);
});

test.each([
  ["/a", "/a"],
  ["/a/../b/", "/b"],
  ["a", resolve("a")],
  [".", resolve(".")],
  ["file:///a%20b", "/a b"],
  ["FILE:/a/", "/a"],
])("the folder %j is %j", (value, path) => expect(folderOption("cache", value)).toBe(path));

test.each(["", "file:", "file:a", "file://", "file://host/a", "gs://bucket/a", "S3://bucket"])(
  "%j is no folder of this machine",
  (value) => {
    const message = `the option "cache" of runPipeline is a folder on this machine, not "${value}"`;
    expect(() => folderOption("cache", value)).toThrow(new TypeError(message));
  },
);

test.each([
  ["/a", "/a", true],
  ["/a/b", "/a", true],
  ["/a/..b", "/a", true],
  ["/a/..", "/a", false],
  ["/", "/a", false],
  ["/ab", "/a", false],
  ["/a/../b", "/a", false],
  ["/b/../a/c", "/a", true],
])("%s is below %s: %s", (path, around, below) => expect(isBelow(path, around)).toBe(below));

const artifact = (uri: string, customPath?: string) => ({
  ...{ name: "", type: undefined, properties: {}, customProperties: {}, metadata: undefined, uri },
  ...(customPath === undefined ? {} : { customPath }),
});

test("an artifact is read at its own path, if it has one", () => {
  expect([artifact("a"), artifact("a", ""), artifact("a", "b")].map((one) => placeOf(one as never))).toEqual([
    ...["a", "a", "b"],
  ]);
  const lists = {
    x: { artifacts: [artifact("a"), artifact("b", "c")] },
    y: { artifacts: [] },
    z: { artifacts: [artifact("d")] },
  };
  expect(placesOf(lists as never)).toEqual(["a", "c", "d"]);
});

test("relative paths become those of a folder, and what is no list of artifacts stays", () => {
  const whole = (...lists: readonly unknown[]) =>
    wholePaths(Object.fromEntries(lists.entries()) as never, "/f");
  expect(
    whole({
      artifacts: [artifact("a/../b"), artifact("/c", "d"), artifact("gs://e", ""), artifact("", "file:///g")],
    }),
  ).toEqual({
    0: {
      artifacts: [
        artifact("/f/b"),
        artifact("/c", "/f/d"),
        artifact("gs://e", ""),
        artifact("", "file:///g"),
      ],
    },
  });
  const odd = [5, null, { artifacts: 5 }, { artifacts: [5] }, { artifacts: [{ uri: 5 }] }];
  expect(Object.values(whole(...odd))).toEqual(odd);
  expect(wholePaths({ a: { artifacts: [artifact("x")] } } as never)).toEqual({
    a: { artifacts: [artifact(resolve("x"))] },
  });
});

test("what is at a place is nothing, something empty, or something", () => {
  const at = (name: string) => join(folder, name);
  writeFileSync(at("empty"), "");
  writeFileSync(at("file"), "x");
  mkdirSync(at("none"));
  mkdirSync(at("some"));
  writeFileSync(join(at("some"), "a"), "");
  symlinkSync(at("file"), at("link"));
  symlinkSync(at("gone"), at("lost"));
  const names = ["empty", "file", "none", "some", "link", "lost", "gone"];
  expect(presenceOf(names.map(at))).toBe("1212200");
  expect(presenceOf([`file://${at("file")}`, "gs://bucket/a", "file://host/a"])).toBe("222");
  expect(presenceOf([])).toBe("");
});

describe("the end of a file", () => {
  const path = join(folder, "log");
  const tail = (text: string, lines: number, bytes: number) => {
    writeFileSync(path, text);
    return logTail(path, { lines, bytes });
  };
  test("is its last lines, of its last bytes", () => {
    expect(tail("a\nb\nc\n", 2, 100)).toBe("b\nc");
    expect(tail("a\nb\nc\n", 3, 100)).toBe("a\nb\nc");
    expect(tail("a\nb\nc\n", 4, 100)).toBe("a\nb\nc");
    expect(tail("a\r\nb\rc  \n\n", 2, 100)).toBe("b\nc");
    expect(tail("\n  a\n\n b \n", 9, 100)).toBe("\n  a\n\n b");
    expect(tail("abcdef", 5, 6)).toBe("abcdef");
    expect(tail("abcdef", 5, 3)).toBe("def");
    expect(tail("", 5, 3)).toBe("");
  });
  test("is nothing where there is no file", () => {
    expect(logTail(undefined, { lines: 1, bytes: 1 })).toBe("");
    expect(logTail(join(folder, "absent"), { lines: 1, bytes: 1 })).toBe("");
    expect(logTail(folder, { lines: 1, bytes: 1 })).toBe("");
  });
});

const longest = 2 ** 31 - 1;

test.each([
  [{}],
  [{ timeoutMs: undefined, graceMs: undefined }],
  [{ timeoutMs: 1, graceMs: 0, endsWithinMs: 0 }],
  [{ timeoutMs: 0.5 }],
  [{ timeoutMs: longest, graceMs: longest, endsWithinMs: longest }],
])("the times %o are ones that timers keep", (times) =>
  expect(() => checkTimes("anyone", times)).not.toThrow(),
);

test.each<[name: "timeoutMs" | "graceMs" | "endsWithinMs", ...values: unknown[]]>([
  ["timeoutMs", 0, -1, longest + 1, Number.NaN, Number.POSITIVE_INFINITY, "5", null],
  ["graceMs", -1, longest + 1, Number.NaN, "5", null],
  ["endsWithinMs", -1, longest + 1, Number.NaN, "5", null],
])("other values of %s are refused by name", (name, ...values) => {
  const what =
    name === "timeoutMs" ? "between 0 and 2^31 ms" : "a number of milliseconds from 0, less than 2^31";
  for (const value of values) {
    expect(() => checkTimes("anyone", { [name]: value })).toThrow(
      new TypeError(`the option "${name}" of anyone is ${what}, not ${value}`),
    );
  }
});

test("a time becomes longer as far as timers go", () => {
  expect([longer(5, 7), longer(longest - 1, 1), longer(longest, 1), longer(longest - 1, 5)]).toEqual([
    ...[12, longest, longest, longest],
  ]);
});
