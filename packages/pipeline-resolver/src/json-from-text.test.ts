import { describe, expect, test } from "vitest";
import { jsonFromText } from "./json-from-text.js";

const half = "half of a surrogate pair in it is not a character";
const infinite = "a number in it is beyond all bounds";
const twice = "a name stands twice in an object of it";
const deep = "it is nested deeper than 500 levels";
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("JSON of others is refused with a reason:", () => {
  test.each([
    ["1e400", infinite],
    ["-1E+999", infinite],
    ["9".repeat(309), infinite],
    ["[1, 1e400]", infinite],
    ["[1e400, 1]", infinite],
    ['{"a": 1, "b": 1e400}', infinite],
    ['{"a": 1e400, "b": 1}', infinite],
    ['{"a": 1, "b": [{"c": 1e400}]}', infinite],
    ['"\\ud800"', half],
    ['"\\uDFFF"', half],
    ['"\udc00"', half],
    ['["a", "\\ud800"]', half],
    ['{"a": "b", "c": "\\ud800"}', half],
    ['{"a": "\\ud800", "c": "d"}', half],
    ['{"a": 1, "\\ud800": 2}', half],
    ['{"\ud800": 1, "a": 2}', half],
    ['"\\ude00\\ud83d"', half],
    ['{"a": 1, "a": 1}', twice],
    ['{"a": 1, "\\u0061": 1}', twice],
    ['[{"b": {}}, {"a": [{"b": 1, "b": 2}]}]', twice],
    ['{"a": {"b": 1}, "a": {"b": 1}}', twice],
    [nested(501), deep],
    [objects(501), deep],
    [`{"a": ${nested(500)}}`, deep],
    [nested(100_000), deep],
  ])("%.50s", (text, reason) => {
    expect(jsonFromText(text)).toEqual({ ok: false, reason });
  });

  test.each(["", "{", "[1,]", "01", "'a'", "nul", "1 2", '"\\x"', "]", '"a', "\ufeff1"])("%j", (text) => {
    const result = jsonFromText(text);
    expect(result).toEqual({ ok: false, reason: expect.stringMatching(/JSON|Unexpected|Bad|property/) });
  });
});

describe("JSON is read as it stands:", () => {
  test.each([
    "null",
    " [1, -0.5e3, true, {}]\n",
    "1e308",
    "-1e-400",
    "9".repeat(308),
    '"1e400"',
    `["1e999", ${"1".repeat(300)}]`,
    '{"1e400": "9e999"}',
    '"\\ud83d\\ude00"',
    '{"😀": "\\uD83D\\uDE00", "b": ["😀"]}',
    '{"a": {"b": 1}, "b": {"b": [{"b": 1}, {"b": 2}]}}',
    '{"a:b": ":", "c": "{\\"d\\": \\"[:\\\\", "e": "\\\\\\":"}',
    '[":", "\\":", ":::\\\\"]',
    '["[[", "{{", "]]"]',
    nested(500),
    objects(500),
    `[${nested(499)}, ${nested(499)}]`,
    `["${"[".repeat(600)}"]`,
    `"${'\\"['.repeat(600)}"`,
  ])("%.50s", (text) => {
    expect(jsonFromText(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  test("with names that every object has", () => {
    const result = jsonFromText('{"__proto__": 1, "constructor": {"toString": 2}}');
    expect(result.ok && JSON.stringify(result.value)).toBe('{"__proto__":1,"constructor":{"toString":2}}');
  });
});
