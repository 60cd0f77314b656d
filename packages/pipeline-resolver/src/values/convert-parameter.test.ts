import { InputParameterSpec } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { convertParameter, type Profile, resolveInput } from "../index.js";
import { renderJson, renderValue } from "../render-value.js";

const large = 2 ** 53;
const inexact = (integer: number) =>
  `${integer} is beyond ±(2^53 − 1), where integers are not exact: use a STRING`;
const deep = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

/** One value of each kind, with its kind and its text, and what is said of the integers in it. */
const values: readonly (readonly [value: unknown, kind: string, text: string, doubt?: string])[] = [
  [null, "null", ""],
  [undefined, "null", ""],
  [true, "bool", "true"],
  [false, "bool", "false"],
  [0, "number", "0"],
  [-3, "number", "-3"],
  [2.5, "number", "2.5"],
  [large - 1, "number", "9007199254740991"],
  [large, "number", "9007199254740992", inexact(large)],
  [-large, "number", "-9007199254740992", inexact(-large)],
  [1e21, "number", "1000000000000000000000"],
  [-1e21, "number", "-1000000000000000000000"],
  ["", "string", ""],
  ["9007199254740993", "string", "9007199254740993"],
  [[], "list", "[]"],
  [[null, [large - 1], "x"], "list", '[null,[9007199254740991],"x"]'],
  [[1, [null, -large]], "list", "[1,[null,-9007199254740992]]", inexact(-large)],
  [[large, undefined], "list", "[9007199254740992,null]", inexact(large)],
  [{}, "struct", "{}"],
  [{ b: 1, a: { c: null } }, "struct", '{"a":{"c":null},"b":1}'],
  [{ a: undefined, b: [{ c: large }] }, "struct", '{"b":[{"c":9007199254740992}]}', inexact(large)],
];

const kinds = {
  NUMBER_DOUBLE: "number",
  NUMBER_INTEGER: "number",
  BOOLEAN: "bool",
  LIST: "list",
  STRUCT: "struct",
  TASK_FINAL_STATUS: "struct",
  TASK_CONFIG: "struct",
} as const;

const taken = (value: unknown, warning: string | undefined) =>
  warning === undefined ? { ok: true, value } : { ok: true, value, warning };

describe.each<Profile>(["kfp", "spec"])("in the profile %s", (profile) => {
  for (const [value, , text, doubt] of values) {
    test(`${JSON.stringify(value)} becomes a text as it is written, and stays as it is without a type`, () => {
      expect(convertParameter(value, "STRING", { profile })).toStrictEqual(taken(text, doubt));
      expect(convertParameter(value, "unspecified", { profile })).toEqual({ ok: true, value });
    });
  }

  for (const [type, wanted] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    test(`a ${type} is a ${wanted} and nothing else`, () => {
      const refusal = (kind: string) => ({
        ok: false,
        message: `expected ${wanted} for type ${type}, got ${kind}`,
      });
      const others = values.filter(([, kind]) => kind !== wanted);
      expect(others.map(([value]) => convertParameter(value, type, { profile }))).toEqual(
        others.map(([, kind]) => refusal(kind)),
      );
    });
  }

  test("values of their own kind stay as they are, and doubtful integers inside of them are told", () => {
    for (const [type, wanted] of [
      ["BOOLEAN", "bool"],
      ["LIST", "list"],
      ["STRUCT", "struct"],
      ["TASK_FINAL_STATUS", "struct"],
      ["TASK_CONFIG", "struct"],
    ] as const) {
      const own = values.filter(([, kind]) => kind === wanted);
      expect(own.map(([value]) => convertParameter(value, type, { profile }))).toStrictEqual(
        own.map(([value, , , doubt]) => taken(value, doubt)),
      );
    }
    for (const value of [0, 2.5, large, 1e21]) {
      expect(convertParameter(value, "NUMBER_DOUBLE", { profile })).toEqual({ ok: true, value });
    }
  });

  test("the profile decides about a NUMBER_INTEGER that is none, or not exact", () => {
    const said = [
      ...[0, -0, -3, large - 1, 1 - large].map((value) => [value, undefined] as const),
      ...[2.5, -0.5, Number.NaN].map((value) => [value, `expected an integer, got ${value}`] as const),
      ...[large, -large, 1e21].map((value) => [value, inexact(value)] as const),
    ];
    for (const [value, message] of said) {
      expect(convertParameter(value, "NUMBER_INTEGER", { profile })).toEqual(
        message === undefined || profile === "kfp" ? taken(value, message) : { ok: false, message },
      );
    }
  });

  test("no type takes what is nested deeper than 500 levels", () => {
    for (const type of ["LIST", "STRING", "unspecified", "BOOLEAN"] as const) {
      expect(convertParameter(deep(501), type, { profile })).toEqual({
        ok: false,
        message: "the value is nested deeper than 500 levels",
      });
    }
    expect(convertParameter(deep(500), "LIST", { profile })).toEqual({ ok: true, value: deep(500) });
  });
});

test("the back ends decide unless a profile is named", () => {
  const doubtful = { ok: true, value: 1.5, warning: "expected an integer, got 1.5" };
  expect(convertParameter(1.5, "NUMBER_INTEGER")).toEqual(doubtful);
});

test("numbers as texts have all their digits, and keys stand in the order of their code points", () => {
  const numbers = [1e21, 1.5e21, -2e22, 1e-7, -1.25e-7, 123e-9, -0, 1 / 3];
  expect(numbers.map(renderValue)).toEqual([
    "1000000000000000000000",
    "1500000000000000000000",
    "-20000000000000000000000",
    "0.0000001",
    "-0.000000125",
    "0.000000123",
    "-0",
    "0.3333333333333333",
  ]);
  const emoji = "\u{1f600}";
  const wanted = ["", "B", "a", "ab", "abc", "a\uffee", `a${emoji}`, "b"];
  wanted.push("\ud7ff", "\ue000", "\uffee", "\u{10000}", emoji);
  const keys = [3, 4, 7, 10, 2, 0, 12, 9, 11, 8, 6, 5, 1].map((at) => wanted[at] ?? "missing");
  for (const order of [keys, keys.toReversed(), wanted]) {
    const value = Object.fromEntries(order.map((key) => [key, 0]));
    expect(Object.keys(JSON.parse(renderJson(value)))).toEqual(wanted);
  }
});

test("an integer that loses digits where a text is parsed is told, if it becomes a text again", () => {
  const messagesOf = (json: string, selector: string) => {
    const kind = { $case: "componentInputParameter", value: "json" } as const;
    const scope = { parameters: { json }, artifacts: {}, outputs: new Map() };
    const spec = InputParameterSpec.create({ kind, parameterExpressionSelector: selector });
    return resolveInput(spec, scope).problems.map(({ message }) => message);
  };
  const selector = "string(int(parseJson(string_value).a))";
  expect(messagesOf('{"a": 9007199254740993}', selector)).toEqual([
    "input value: it is 9007199254740993 in the text that is parsed, which becomes 9007199254740992",
  ]);
  expect(messagesOf('{"a": 9007199254740992}', selector)).toEqual([]);
  expect(messagesOf('{"a": 5, "b": 9007199254740993}', selector)).toEqual([]);
  expect(messagesOf('{"a": 9007199254740993}', "string_value")).toEqual([]);
  expect(messagesOf("9007199254740993", "string_value")).toEqual([]);
});
