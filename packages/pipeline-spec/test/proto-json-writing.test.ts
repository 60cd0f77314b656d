import { isDeepStrictEqual } from "node:util";
import { create, type JsonValue, type Message } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { PipelineSpecError } from "../src/error.js";
import { tricky } from "./oracle.js";

const { ours, oracle } = tricky;

/** Made in binary by the oracle, decoded by us, written as JSON. */
interface WritingCase {
  readonly name: string;
  /** The message, as the oracle makes it. */
  readonly message: Record<string, unknown>;
  readonly writes?: JsonValue;
  /** For what has no form in JSON: where. */
  readonly refusedAt?: string;
  /** Why the oracle writes something else, where it does. */
  readonly oracleDiffers?: string;
}

const bytes = (...values: number[]) => Uint8Array.from(values);
const parsed = (text: string): JsonValue => JSON.parse(text);
const value = (kind: string, content: unknown) => ({
  $typeName: "google.protobuf.Value",
  kind: { case: kind, value: content },
});

const cases: readonly WritingCase[] = [
  { name: "defaults omitted", message: {}, writes: {} },
  { name: "int64 as text", message: { bigCount: 5n }, writes: { bigCount: "5" } },
  {
    name: "uint64 max as text",
    message: { ubigCount: 2n ** 64n - 1n },
    writes: { ubigCount: "18446744073709551615" },
  },
  { name: "fixed64 and sint64 as text", message: { f64: 1n, s64: -1n }, writes: { f64: "1", s64: "-1" } },
  { name: "NaN", message: { ratio: Number.NaN }, writes: { ratio: "NaN" } },
  {
    name: "-Infinity as float",
    message: { smallRatio: Number.NEGATIVE_INFINITY },
    writes: { smallRatio: "-Infinity" },
  },
  {
    name: "float in its shortest form",
    message: { smallRatio: Math.fround(0.1) },
    writes: { smallRatio: 0.1 },
    oracleDiffers: "it writes the digits of the double",
  },
  { name: "negative zero", message: { ratio: -0 }, writes: { ratio: -0 } },
  { name: "bytes as base64", message: { data: bytes(251, 255) }, writes: { data: "+/8=" } },
  { name: "enum name", message: { kind: 1 }, writes: { kind: "NODE_KIND_TEXT" } },
  { name: "unknown enum number", message: { kind: 77 }, writes: { kind: 77 } },
  {
    name: "unknown enum number in a list",
    message: { kinds: [1, 77] },
    writes: { kinds: ["NODE_KIND_TEXT", 77] },
  },
  {
    name: "optional defaults",
    message: { maybeText: "", maybeCount: 0, maybeFlag: false },
    writes: { maybeText: "", maybeCount: 0, maybeFlag: false },
  },
  { name: "oneof default", message: { action: { case: "close", value: false } }, writes: { close: false } },
  {
    name: "oneof Value null",
    message: { action: { case: "constant", value: value("nullValue", 0) } },
    writes: { constant: null },
  },
  { name: "Value null", message: { anyValue: value("nullValue", 0) }, writes: { anyValue: null } },
  {
    name: "Value null in a map",
    message: { params: { a: value("nullValue", 0) } },
    writes: { params: { a: null } },
  },
  { name: "empty Struct", message: { props: {} }, writes: { props: {} } },
  {
    name: "empty ListValue",
    message: { items: { $typeName: "google.protobuf.ListValue", values: [] } },
    writes: { items: [] },
  },
  { name: "Value NaN", message: { anyValue: value("numberValue", Number.NaN) }, refusedAt: "/anyValue" },
  {
    name: "Value without kind",
    message: { anyValue: { $typeName: "google.protobuf.Value", kind: { case: undefined } } },
    writes: {},
    oracleDiffers: "it refuses; in the types of ts-proto it is the same as a Value that is not set",
  },
  {
    name: "duration of 3.5 s",
    message: { timeout: { seconds: 3n, nanos: 500_000_000 } },
    writes: { timeout: "3.500s" },
  },
  {
    name: "duration of -0.5 s",
    message: { timeout: { seconds: 0n, nanos: -500_000_000 } },
    writes: { timeout: "-0.500s" },
  },
  { name: "duration of 0 s", message: { timeout: { seconds: 0n, nanos: 0 } }, writes: { timeout: "0s" } },
  {
    name: "duration of mixed signs",
    message: { timeout: { seconds: 1n, nanos: -1 } },
    writes: { timeout: "0.999999999s" },
    oracleDiffers: "it refuses; here the sum is the duration",
  },
  { name: "json_name", message: { withJsonName: "a" }, writes: { named: "a" } },
  {
    name: "map with int keys",
    message: { byIndex: { [-3]: { innerId: "a" } } },
    writes: { byIndex: { "-3": { innerId: "a" } } },
  },
  { name: "map with bool keys", message: { byFlag: { true: 1n } }, writes: { byFlag: { true: "1" } } },
  { name: "map with int64 keys", message: { byBig: { "-5": "a" } }, writes: { byBig: { "-5": "a" } } },
  {
    name: "map key __proto__",
    message: { labels: parsed('{"__proto__":"a"}') },
    writes: parsed('{"labels":{"__proto__":"a"}}'),
  },
  { name: "empty message", message: { inner: {} }, writes: { inner: {} } },
];

const further: readonly WritingCase[] = [
  {
    name: "duration of 1 µs",
    message: { timeout: { seconds: 0n, nanos: 1000 } },
    writes: { timeout: "0.000001s" },
  },
  {
    name: "duration of 10 ns",
    message: { timeout: { seconds: -2n, nanos: -10 } },
    writes: { timeout: "-2.000000010s" },
  },
  {
    name: "duration out of range",
    message: { timeout: { seconds: 315576000001n, nanos: 0 } },
    refusedAt: "/timeout",
  },
  {
    name: "duration out of range by a nanosecond",
    message: { timeout: { seconds: 315576000000n, nanos: 1 } },
    refusedAt: "/timeout",
    oracleDiffers: "it looks at the seconds only",
  },
  { name: "empty Any", message: { packed: { typeUrl: "", value: bytes() } }, writes: { packed: {} } },
  {
    name: "Any with content",
    message: { packed: { typeUrl: "a/b", value: bytes(1) } },
    refusedAt: "/packed",
  },
  {
    name: "infinite number in a Struct",
    message: { structs: { a: { b: Number.POSITIVE_INFINITY } } },
    refusedAt: "/structs/a/b",
  },
];

function made(message: Record<string, unknown>): Message {
  // The rows are partial messages, which the types of the oracle know for generated code only.
  return create(oracle.desc, message as never);
}

function oracleWrites(message: Message): JsonValue | "refused" {
  try {
    return oracle.writeJson(message);
  } catch {
    return "refused";
  }
}

function describeCases(rows: readonly WritingCase[]): void {
  for (const { name, message, writes, oracleDiffers } of rows.filter((row) => row.refusedAt === undefined)) {
    test(`writes ${name}`, () => {
      const theirs = made(message);
      expect(ours.writeJson(ours.codec.decode(oracle.encode(theirs)))).toStrictEqual(writes);
      expect(
        isDeepStrictEqual(parsed(JSON.stringify(oracleWrites(theirs))), parsed(JSON.stringify(writes))),
      ).toBe(oracleDiffers === undefined);
    });
  }
  for (const { name, message, refusedAt, oracleDiffers } of rows.filter(
    (row) => row.refusedAt !== undefined,
  )) {
    test(`refuses ${name}`, () => {
      const theirs = made(message);
      const decoded = ours.codec.decode(oracle.encode(theirs));
      expect(() => ours.writeJson(decoded)).toThrow(
        expect.objectContaining({ name: "PipelineSpecError", code: "unwritable", path: refusedAt }),
      );
      expect(oracleWrites(theirs) === "refused").toBe(oracleDiffers === undefined);
    });
  }
}

describe("the writing cases of the reference", () => {
  test("are all here", () => expect(cases).toHaveLength(31));
  describeCases(cases);
});

describe("further writing cases", () => describeCases(further));

test("keys are written in alphabetical order at every level", () => {
  const message = ours.readJson({
    labels: { b: "1", a: "2" },
    displayName: "x",
    anyValue: { z: 1, y: { b: 1, a: 1 } },
  }).value;
  expect(JSON.stringify(ours.writeJson(message))).toBe(
    '{"anyValue":{"y":{"a":1,"b":1},"z":1},"displayName":"x","labels":{"a":"2","b":"1"}}',
  );
});

const wrong: readonly [name: string, message: Record<string, unknown>, path: string][] = [
  ["text", { displayName: 1 }, "/displayName"],
  ["half a surrogate pair", { displayName: "\ud800" }, "/displayName"],
  ["a number", { ratio: "1" }, "/ratio"],
  ["an integer", { count: 1.5 }, "/count"],
  ["an int64 as text", { bigCount: 1 }, "/bigCount"],
  ["a boolean", { enabled: "x" }, "/enabled"],
  ["bytes", { data: "AQ==" }, "/data"],
  ["an enum", { kind: "NODE_KIND_TEXT" }, "/kind"],
  ["a list", { nums: 1 }, "/nums"],
  ["an item", { nums: [1, "2"] }, "/nums/1"],
  ["a map", { labels: 1 }, "/labels"],
  ["a map value", { labels: { "a/b": 1 } }, "/labels/a~1b"],
  ["a message", { inner: "x" }, "/inner"],
  ["a duration", { timeout: "3" }, "/timeout"],
  ["a Value", { anyValue: { f: () => 1 } }, "/anyValue/f"],
  ["an undefined item of a Value", { anyValue: [undefined] }, "/anyValue/0"],
  ["a Struct", { props: [] }, "/props"],
];

for (const [name, message, path] of wrong) {
  test(`a message with something else than ${name} is refused with the place`, () => {
    expect(() => ours.writeJson(message)).toThrow(expect.objectContaining({ code: "unwritable", path }));
  });
}

test("a message that contains itself is refused", () => {
  const inner: Record<string, unknown> = {};
  inner.child = inner;
  expect(() => ours.writeJson({ inner })).toThrow(PipelineSpecError);
});
