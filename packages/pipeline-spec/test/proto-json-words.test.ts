import { describe, expect, test } from "vitest";
import { PipelineSpecError } from "../src/error.js";
import { tricky } from "./oracle.js";

const { ours } = tricky;
const long = "x".repeat(41);

type ReadingRow = readonly [json: object, path: string, message: string, hint?: string | undefined];

/** What is wrong with each value, and nothing else. */
const reading: readonly ReadingRow[] = [
  // Texts.
  [{ displayName: 5 }, "/displayName", "wrong-type: expected text, got the number 5", "put it in quotes"],
  [{ displayName: false }, "/displayName", "wrong-type: expected text, got false", "put it in quotes"],
  [{ displayName: [] }, "/displayName", "wrong-type: expected text, got a list"],
  [{ displayName: {} }, "/displayName", "wrong-type: expected text, got an object"],
  [
    { displayName: "\udc00" },
    "/displayName",
    "invalid-unicode: the text holds half of a surrogate pair, which is not a character",
  ],
  // Booleans.
  ...["true", "Yes", "ON"].map(
    (word): ReadingRow => [
      { enabled: word },
      "/enabled",
      `wrong-type: expected true or false, got the text "${word}"`,
      "write true without quotes",
    ],
  ),
  ...["FALSE", "no", "Off"].map(
    (word): ReadingRow => [
      { enabled: word },
      "/enabled",
      `wrong-type: expected true or false, got the text "${word}"`,
      "write false without quotes",
    ],
  ),
  ...["", "tru", "yess", "truefalse", "a no", "offf"].map(
    (word): ReadingRow => [
      { enabled: word },
      "/enabled",
      `wrong-type: expected true or false, got the text "${word}"`,
    ],
  ),
  [{ enabled: 1 }, "/enabled", "wrong-type: expected true or false, got the number 1"],
  // Bytes.
  [{ data: 5 }, "/data", "invalid-base64: expected bytes as a base64 text, got the number 5"],
  ...["A", "AAAAA", "AA A", "AA===", "A=", "A+*/", "=AAA"].map(
    (text): ReadingRow => [
      { data: text },
      "/data",
      "invalid-base64: expected bytes as a base64 text, got a text that is not",
    ],
  ),
  // Numbers.
  [
    { ratio: Number.NaN },
    "/ratio",
    "out-of-range: NaN is not a number that JSON has",
    'write it as text: "NaN"',
  ],
  [
    { ratio: Number.NEGATIVE_INFINITY },
    "/ratio",
    "out-of-range: -Infinity is not a number that JSON has",
    'write it as text: "-Infinity"',
  ],
  [{ ratio: "1e309" }, "/ratio", 'out-of-range: the text "1e309" is out of range'],
  [{ smallRatio: 1e39 }, "/smallRatio", "out-of-range: the number 1e+39 is out of range"],
  [{ smallRatio: "-1e39" }, "/smallRatio", 'out-of-range: the text "-1e39" is out of range'],
  [{ ratio: true }, "/ratio", "wrong-type: expected a number, got true"],
  ...["nan", "+1", "01", ".5", "5.", "1e", "e5", "1.5x", "x1.5", " 1", "--1"].map(
    (text): ReadingRow => [
      { ratio: text },
      "/ratio",
      `wrong-type: expected a number, got the text "${text}"`,
    ],
  ),
  // Integers, each at both of its bounds.
  [{ count: 2 ** 31 }, "/count", "out-of-range: 2147483648 is out of range for a 32-bit integer"],
  [{ count: -(2 ** 31) - 1 }, "/count", "out-of-range: -2147483649 is out of range for a 32-bit integer"],
  [{ u32: 2 ** 32 }, "/u32", "out-of-range: 4294967296 is out of range for an unsigned 32-bit integer"],
  [{ u32: "-1" }, "/u32", "out-of-range: -1 is out of range for an unsigned 32-bit integer"],
  [
    { bigCount: "9223372036854775808" },
    "/bigCount",
    "out-of-range: 9223372036854775808 is out of range for a 64-bit integer",
  ],
  [
    { bigCount: "-9223372036854775809" },
    "/bigCount",
    "out-of-range: -9223372036854775809 is out of range for a 64-bit integer",
  ],
  [
    { ubigCount: "18446744073709551616" },
    "/ubigCount",
    "out-of-range: 18446744073709551616 is out of range for an unsigned 64-bit integer",
  ],
  [{ ubigCount: -1 }, "/ubigCount", "out-of-range: -1 is out of range for an unsigned 64-bit integer"],
  [{ count: 0.5 }, "/count", "wrong-type: expected a 32-bit integer, got the number 0.5"],
  [{ count: 1e21 }, "/count", "out-of-range: 1000000000000000000000 is out of range for a 32-bit integer"],
  [{ count: "30s" }, "/count", 'wrong-type: expected a 32-bit integer, got the text "30s"', "write 30"],
  [{ u32: "5 s" }, "/u32", 'wrong-type: expected an unsigned 32-bit integer, got the text "5 s"', "write 5"],
  ...["1.5s", "-5s", "5  s", "5ms", "s", "x5s", "5s."].map(
    (text): ReadingRow => [
      { count: text },
      "/count",
      `wrong-type: expected a 32-bit integer, got the text "${text}"`,
    ],
  ),
  [
    { count: `${"1".repeat(16)}s` },
    "/count",
    `wrong-type: expected a 32-bit integer, got the text "${"1".repeat(16)}s"`,
  ],
  [{ bigCount: false }, "/bigCount", "wrong-type: expected a 64-bit integer, got false"],
  [{ bigCount: 0.5 }, "/bigCount", "wrong-type: expected a 64-bit integer, got the number 0.5"],
  [{ ubigCount: {} }, "/ubigCount", "wrong-type: expected an unsigned 64-bit integer, got an object"],
  [
    { bigCount: 2 ** 53 },
    "/bigCount",
    "inexact-number: 9007199254740992 is too large to be exact as a number",
    "write it as text, in quotes",
  ],
  [
    { count: "1".repeat(401) },
    "/count",
    `wrong-type: expected a 32-bit integer, got the text "${"1".repeat(40)}…"`,
  ],
  [{ count: "9e15" }, "/count", "out-of-range: 9000000000000000 is out of range for a 32-bit integer"],
  [{ count: "1e16" }, "/count", 'wrong-type: expected a 32-bit integer, got the text "1e16"'],
  [{ count: "1.01" }, "/count", 'wrong-type: expected a 32-bit integer, got the text "1.01"'],
  // Enums.
  [
    { kind: "NODE_KIND_TXT" },
    "/kind",
    'unknown-enum-value: NodeKind has no value "NODE_KIND_TXT"',
    'did you mean "NODE_KIND_TEXT"?',
  ],
  [
    { kind: long },
    "/kind",
    `unknown-enum-value: NodeKind has no value "${"x".repeat(40)}…"`,
    "one of NODE_KIND_TEXT, NODE_KIND_IMAGE, NODE_KIND_FAR, NODE_KIND_BELOW",
  ],
  [{ kind: 2 ** 31 }, "/kind", "wrong-type: expected the name of a NodeKind, got the number 2147483648"],
  [{ kind: {} }, "/kind", "wrong-type: expected the name of a NodeKind, got an object"],
  // Lists and maps.
  [{ nums: 1 }, "/nums", "wrong-type: expected a list, got the number 1"],
  [{ nums: [null] }, "/nums/0", "unexpected-null: null cannot be an entry here", "leave the entry out"],
  [{ labels: [1] }, "/labels", "wrong-type: expected an object, got a list"],
  [
    { labels: { a: null } },
    "/labels/a",
    "unexpected-null: null cannot be an entry here",
    "leave the entry out",
  ],
  [
    { labels: { [`${"x".repeat(1025)}`]: "a" } },
    `/labels/${"x".repeat(1025)}`,
    "too-large: this name has 1025 characters: more than 1024, which nothing that runs pipelines takes",
    "give it a shorter name",
  ],
  [
    { byFlag: { True: 1 } },
    "/byFlag/True",
    'invalid-map-key: expected the key "true" or "false", got the text "True"',
  ],
  [
    { byIndex: { a: {} } },
    "/byIndex/a",
    'invalid-map-key: expected a whole number as the key, got the text "a"',
  ],
  [{ byU32: { "-1": "" } }, "/byU32/-1", "out-of-range: -1 is out of range for an unsigned 32-bit integer"],
  [
    { labels: { "\ud800": "a" } },
    "/labels/\ud800",
    "invalid-unicode: the text holds half of a surrogate pair, which is not a character",
  ],
  // Messages.
  [{ inner: 5 }, "/inner", "wrong-type: expected an object (Inner), got the number 5"],
  [
    { inner: { inerId: "a" } },
    "/inner/inerId",
    'unknown-field: Inner has no field "inerId"',
    'did you mean "innerId"?',
  ],
  [{ inner: { zzz: 1 } }, "/inner/zzz", 'unknown-field: Inner has no field "zzz"'],
  [
    { level: 1 },
    "/level",
    'unknown-field: Tricky has no field "level"',
    "write inner.level or maybeInner.level or open.level",
  ],
  [
    { "count:5": 1 },
    "/count:5",
    'unknown-field: Tricky has no field "count:5"',
    "put a blank behind the colon",
  ],
  [
    { "count\uff1a5": 1 },
    "/count\uff1a5",
    'unknown-field: Tricky has no field "count\uff1a5"',
    "write an ordinary colon, and a blank behind it",
  ],
  [
    { displayName: "a", display_name: "b" },
    "/display_name",
    'duplicate-field: "display_name" and "displayName" are the same field',
  ],
  [
    { goToUrl: "a", close: true },
    "/close",
    'oneof-conflict: "close" cannot be set together with "goToUrl"',
    "remove one of the two",
  ],
  // Well-known types.
  [
    { timeout: 30 },
    "/timeout",
    'invalid-duration: expected a duration such as "3.5s", got the number 30',
    'write "30s"',
  ],
  [{ timeout: "30" }, "/timeout", 'invalid-duration: expected a duration such as "3.5s", got the text "30"'],
  ...["315576000001s", "-315576000001s", "315576000000.000000001s", "-315576000000.000000001s"].map(
    (text): ReadingRow => [
      { timeout: text },
      "/timeout",
      "out-of-range: a duration cannot be longer than 315576000000 seconds",
    ],
  ),
  [{ nothing: 1 }, "/nothing", "wrong-type: expected null, got the number 1"],
  [{ packed: 1 }, "/packed", "wrong-type: expected an object, got the number 1"],
  [
    { packed: { a: 1 } },
    "/packed",
    "unsupported-any: a google.protobuf.Any can only be read when it is empty",
  ],
  [{ anyValue: Number.NaN }, "/anyValue", "out-of-range: NaN is not a number that JSON has"],
  [
    { anyValue: [undefined] },
    "/anyValue/0",
    "wrong-type: expected a JSON value, got a value of type undefined",
  ],
  [{ anyValue: { a: 5n } }, "/anyValue/a", "wrong-type: expected a JSON value, got the number 5"],
  [
    { anyValue: "\udc00" },
    "/anyValue",
    "invalid-unicode: the text holds half of a surrogate pair, which is not a character",
  ],
  [{ props: "a" }, "/props", 'wrong-type: expected an object, got the text "a"'],
  [{ items: {} }, "/items", "wrong-type: expected a list, got an object"],
];

describe("what is said of a value that is not what it should be", () => {
  test.each(reading.map((row) => [JSON.stringify(row[0], nameOdd)?.slice(0, 60), ...row] as const))(
    "%s",
    (_name, json, path, message, hint) => {
      const found = ours.readJson(json).problems.map((one) => ({
        path: one.path,
        message: `${one.code}: ${one.message}`,
        hint: one.hint,
        severity: one.severity,
      }));
      expect(found).toEqual([{ path, message, hint, severity: "error" }]);
    },
  );
});

function nameOdd(_key: string, value: unknown): unknown {
  return typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))
    ? String(value)
    : value;
}

describe("what is just not too much is taken as it is", () => {
  const rows: readonly (readonly [json: object, written?: object])[] = [
    [{ count: 2 ** 31 - 1 }],
    [{ count: -(2 ** 31) }],
    [{ count: `${2 ** 31 - 1}` }, { count: 2 ** 31 - 1 }],
    [{ count: `1.${"0".repeat(398)}` }, { count: 1 }],
    [{ u32: 2 ** 32 - 1 }],
    [{ u32: 0 }, {}],
    [{ s32: -0 }, {}],
    [{ bigCount: "9223372036854775807" }],
    [{ bigCount: "-9223372036854775808" }],
    [{ bigCount: -(2 ** 53) + 1 }, { bigCount: `${-(2 ** 53) + 1}` }],
    [{ ubigCount: "18446744073709551615" }],
    [{ ubigCount: "9e15" }, { ubigCount: "9000000000000000" }],
    [{ ratio: "-1.5e-3" }, { ratio: -0.0015 }],
    [{ ratio: "1E+2" }, { ratio: 100 }],
    [{ ratio: Number.MAX_VALUE }],
    [{ smallRatio: 3.4e38 }],
    [{ timeout: "315576000000s" }],
    [{ timeout: "-315576000000s" }],
    [{ labels: { ["x".repeat(1024)]: "a" } }],
    [{ data: "AA" }, { data: "AA==" }],
    [{ data: "-_8" }, { data: "+/8=" }],
    [{ nothing: 0 }, {}],
    [{ nothing: "NULL_VALUE" }, {}],
    [{ byFlag: { true: 1, false: "2" } }, { byFlag: { true: "1", false: "2" } }],
    [{ kind: -(2 ** 31) }],
    [{ kind: 2 ** 31 - 1 }],
  ];
  test.each(rows)("%o", (json, written = json) => {
    const { problems, value } = ours.readJson(json);
    expect(problems).toEqual([]);
    expect(ours.writeJson(value)).toEqual(written);
  });
});

describe("fields that are deprecated", () => {
  const remarks = (json: object) =>
    ours
      .readJson(json)
      .problems.map(({ severity, code, path, message, hint }) => [
        ...[severity, code, path, message],
        ...(hint === undefined ? [] : [hint]),
      ]);
  const old = '"oldName" is deprecated';
  const hint = 'use "displayName" or "names" instead';
  test.each<[object, readonly unknown[]]>([
    [{ oldName: "a" }, [["info", "deprecated-field", "/oldName", old, hint]]],
    [{ old_name: "a" }, [["info", "deprecated-field", "/old_name", old, hint]]],
    [{ oldName: "a", displayName: "b" }, []],
    [{ oldName: "a", names: [] }, []],
    [{ olderName: "a" }, [["info", "deprecated-field", "/olderName", '"olderName" is deprecated']]],
    [
      { olderName: "a", names: [] },
      [["info", "deprecated-field", "/olderName", '"olderName" is deprecated']],
    ],
    [{ oldName: null }, []],
  ])("%o", (json, expected) => expect(remarks(json)).toEqual(expected));
});

type WritingRow = readonly [message: object, path: string, message: string];

const writing: readonly WritingRow[] = [
  [{ displayName: 1 }, "/displayName", "expected text, got the number 1"],
  [{ displayName: "\ud800" }, "/displayName", "the text holds half of a surrogate pair"],
  [{ enabled: "x" }, "/enabled", 'expected a boolean, got the text "x"'],
  [{ data: "AQ==" }, "/data", 'expected a Uint8Array, got the text "AQ=="'],
  [{ ratio: "1" }, "/ratio", 'expected a number, got the text "1"'],
  [{ smallRatio: "1" }, "/smallRatio", 'expected a number, got the text "1"'],
  [{ count: 1.5 }, "/count", "expected an integer, got the number 1.5"],
  [{ u32: "1" }, "/u32", 'expected an integer, got the text "1"'],
  [{ bigCount: 1 }, "/bigCount", "expected an integer as text, got the number 1"],
  [{ ubigCount: "a1" }, "/ubigCount", 'expected an integer as text, got the text "a1"'],
  [{ ubigCount: "1a" }, "/ubigCount", 'expected an integer as text, got the text "1a"'],
  [{ ubigCount: "" }, "/ubigCount", 'expected an integer as text, got the text ""'],
  [
    { bigCount: "1".repeat(21) },
    "/bigCount",
    `expected an integer as text, got the text "${"1".repeat(21)}"`,
  ],
  [{ kind: "NODE_KIND_TEXT" }, "/kind", 'expected an integer, got the text "NODE_KIND_TEXT"'],
  [{ inner: "x" }, "/inner", 'expected an object (Inner), got the text "x"'],
  [{ inner: [] }, "/inner", "expected an object (Inner), got a list"],
  [{ nums: 1 }, "/nums", "expected a list, got the number 1"],
  [{ nums: [1, 2.5] }, "/nums/1", "expected an integer, got the number 2.5"],
  [{ inners: [{}, 5] }, "/inners/1", "expected an object (Inner), got the number 5"],
  [{ labels: 1 }, "/labels", "expected an object, got the number 1"],
  [{ labels: { a: "b", "c/d": 1 } }, "/labels/c~1d", "expected text, got the number 1"],
  [{ byFlag: new Map([[true, 1]]) }, "/byFlag/true", "expected an integer as text, got the number 1"],
  [{ timeout: 3 }, "/timeout", 'expected a duration such as "30s", got the number 3'],
  [{ timeout: "3" }, "/timeout", 'expected a duration such as "30s", got the text "3"'],
  [{ timeout: "315576000001s" }, "/timeout", "the duration 315576000001s is too long"],
  [{ timeout: "-315576000000.1s" }, "/timeout", "the duration -315576000000.1s is too long"],
  [{ packed: 1 }, "/packed", "a google.protobuf.Any can only be written when it is empty"],
  [{ packed: { typeUrl: "a" } }, "/packed", "a google.protobuf.Any can only be written when it is empty"],
  [{ anyValue: Number.NaN }, "/anyValue", "NaN has no form in JSON"],
  [{ anyValue: 5n }, "/anyValue", "expected a JSON value, got the number 5"],
  [
    { anyValue: [{ a: undefined }, undefined] },
    "/anyValue/1",
    "expected a JSON value, got a value of type undefined",
  ],
  [{ anyValue: { a: ["\udc00"] } }, "/anyValue/a/0", "the text holds half of a surrogate pair"],
  [{ props: [] }, "/props", "expected an object, got a list"],
  [{ items: {} }, "/items", "expected a list, got an object"],
  [
    { action: { $case: "nothing", value: 1 } },
    "",
    "action must be { $case, value }, and $case one of goToUrl, close, wait, show, open, constant, pause, none",
  ],
  [
    { action: "goToUrl" },
    "",
    "action must be { $case, value }, and $case one of goToUrl, close, wait, show, open, constant, pause, none",
  ],
  [{ action: { $case: "close", value: 1 } }, "/close", "expected a boolean, got the number 1"],
];

describe("what is said of a message that has no form in JSON", () => {
  test.each(writing)("%o", (message, path, told) => {
    const error = new PipelineSpecError("unwritable", path, told);
    expect(error.message).toBe(path === "" ? told : `${path}: ${told}`);
    expect(() => ours.writeJson(message)).toThrow(error);
    expect(() => ours.writeJson(message)).toThrow(expect.objectContaining({ code: "unwritable", path }));
  });
});

describe("what is written of values that are just not too much", () => {
  const rows: readonly (readonly [message: object, written: object])[] = [
    [{ bigCount: "-99999999999999999999" }, { bigCount: "-99999999999999999999" }],
    [{ bigCount: "007" }, { bigCount: "7" }],
    [{ timeout: "315576000000s", enabled: false }, { timeout: "315576000000s" }],
    [{ timeout: "-315576000000s" }, { timeout: "-315576000000s" }],
    [{ packed: { typeUrl: "" } }, { packed: {} }],
    [{ anyValue: { a: undefined, b: null } }, { anyValue: { b: null } }],
    [{ labels: { a: undefined } }, { labels: {} }],
    [{ action: undefined, inner: undefined }, {}],
    [{ action: null }, {}],
    [{ action: { $case: "wait", value: "0" } }, { wait: "0" }],
    [
      { ratio: Number.NaN, smallRatio: Number.NEGATIVE_INFINITY },
      { ratio: "NaN", smallRatio: "-Infinity" },
    ],
    [{ smallRatio: Math.fround(1 / 3) }, { smallRatio: 0.33333334 }],
    [{ smallRatio: Math.fround(16777217) }, { smallRatio: 16777216 }],
    [{ smallRatio: 2 ** -149 * 3 }, { smallRatio: 4e-45 }],
    [{ byFlag: new Map() }, {}],
    [{ byFlag: new Map([[false, "1"]]) }, { byFlag: { false: "1" } }],
    [{ data: new Uint8Array(), nums: [], labels: {}, ratio: 0, kind: 0, bigCount: "0" }, {}],
    [{ ratio: -0 }, { ratio: -0 }],
    [{ nothing: 0 }, {}],
  ];
  test.each(rows)("%o", (message, written) => expect(ours.writeJson(message)).toStrictEqual(written));
});

describe("levels beyond the most that are allowed", () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  test("are refused when they are written", () => {
    const message = "nested deeper than 1100 levels";
    expect(() => ours.writeJson({ anyValue: nested(1099) })).not.toThrow();
    expect(() => ours.writeJson({ anyValue: nested(1100) })).toThrow(message);
  });

  test("are refused when they are read, at the first that is too much", () => {
    const read = (json: unknown, maxDepth: number) =>
      ours.readJson(json, { maxDepth }).problems.map(({ code, path, message }) => [code, path, message]);
    const tooDeep = (path: string) => [["too-deep", path, "nested deeper than 3 levels"]];
    for (const [json, path] of [
      [{ anyValue: nested(3) }, "/anyValue/0/0"],
      [{ anyValue: { a: { b: { c: 1 } } } }, "/anyValue/a/b"],
      [{ inner: { child: { child: { child: {} } } } }, "/inner/child/child"],
    ] as const) {
      expect(read(json, 3)).toEqual(tooDeep(path));
      expect(read(json, 5)).toEqual([]);
    }
    expect(read({ anyValue: nested(2) }, 3)).toEqual([]);
    expect(read({ inner: { child: {} } }, 3)).toEqual([]);
  });
});
