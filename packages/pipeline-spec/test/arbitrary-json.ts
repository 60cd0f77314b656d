import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import { setEntry } from "../src/set-entry.js";

/** Text without halves of surrogate pairs, with the ends and the odd corners of Unicode. */
const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "",
      "__proto__",
      "constructor",
      "yes",
      "null",
      "~",
      "1e3",
      "08",
      " a",
      "a ",
      "a\nb\n",
      "\n a",
      "- a",
      "a: b",
      "#",
      "{{$}}",
      "\u2028",
      "\ufeff",
      "2001-01-01",
      "-",
      "<<",
      "=",
      "---",
      "a\r\nb",
      "\ta",
    ),
  },
);

/** Keys that are data, `__proto__` among them. */
function entries<T>(value: fc.Arbitrary<T>, key: fc.Arbitrary<string>): fc.Arbitrary<{ [key: string]: T }> {
  return fc.array(fc.tuple(key, value), { maxLength: 4 }).map((pairs) => {
    const object: { [key: string]: T } = {};
    for (const [name, item] of pairs) setEntry(object, name, item);
    return object;
  });
}

/** Not NaN, which equals nothing, and not -0, which ts-proto and JSON.stringify take for 0. */
const double: fc.Arbitrary<number> = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => value + 0);

/** Any JSON value. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{
  value: unknown;
  list: unknown[];
  object: { [key: string]: unknown };
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "json" },
    fc.constant(null),
    fc.boolean(),
    double,
    fc.integer(),
    text,
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 4, depthIdentifier: "json" }),
  object: entries(tie("value"), text),
})).value;

const anyObject: fc.Arbitrary<{ [key: string]: unknown }> = entries(anyJson, text);

function int(min: number, max: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.integer({ min, max }),
    fc.integer({ min, max }).map(String),
    fc.constantFrom(min, max, 0),
  );
}

function bigInt(min: bigint, max: bigint): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.bigInt({ min, max }).map(String),
    fc.maxSafeNat(),
    fc.constantFrom(String(min), String(max), "0"),
  );
}

function scalar(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    case ScalarType.DOUBLE:
      return fc.oneof(double, double.map(String), fc.constantFrom("Infinity", "-Infinity"));
    case ScalarType.FLOAT:
      return fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return int(-(2 ** 31), 2 ** 31 - 1);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return int(0, 2 ** 32 - 1);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return bigInt(0n, 2n ** 64n - 1n);
    default:
      return bigInt(-(2n ** 63n), 2n ** 63n - 1n);
  }
}

function enumeration({ values, typeName }: DescEnum): fc.Arbitrary<unknown> {
  if (typeName === "google.protobuf.NullValue") return fc.constant(null);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...values.map(({ name }) => name)) },
    { weight: 1, arbitrary: fc.integer({ min: -5, max: 1005 }) },
  );
}

const duration: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.integer({ min: 0, max: 315_575_999_999 }),
    fc.constantFrom("", ".5", ".000000001", ".123456"),
  )
  .map((parts) => `${parts.join("")}s`);

function wellKnown(typeName: string): fc.Arbitrary<unknown> | undefined {
  switch (typeName) {
    case "google.protobuf.Value":
      return anyJson;
    case "google.protobuf.Struct":
      return anyObject;
    case "google.protobuf.ListValue":
      return fc.array(anyJson, { maxLength: 3 });
    case "google.protobuf.Duration":
      return duration;
    case "google.protobuf.Any":
      return fc.constant({});
    default:
      return undefined;
  }
}

function mapKey(type: ScalarType): fc.Arbitrary<string> {
  if (type === ScalarType.STRING) return text;
  if (type === ScalarType.BOOL) return fc.constantFrom("true", "false");
  return scalar(type).map((key) => String(key));
}

function fieldJson(field: DescField, depth: number): fc.Arbitrary<unknown> {
  switch (field.fieldKind) {
    case "scalar":
      return scalar(field.scalar);
    case "enum":
      return enumeration(field.enum);
    case "message":
      return wellKnown(field.message.typeName) ?? messageJson(field.message, depth - 1);
    case "list":
      return fc.array(itemJson(field, depth), { maxLength: depth > 0 ? 3 : 0 });
    case "map":
      return depth > 0 ? entries(itemJson(field, depth), mapKey(field.mapKey)) : fc.constant({});
  }
}

function itemJson(field: DescField & { fieldKind: "list" | "map" }, depth: number): fc.Arbitrary<unknown> {
  const kind = field.fieldKind === "list" ? field.listKind : field.mapKind;
  if (kind === "scalar") return scalar(field.scalar!);
  if (kind === "enum") return enumeration(field.enum!);
  return wellKnown(field.message!.typeName) ?? messageJson(field.message!, depth - 1);
}

/** The JSON form of some message of a type: fields in either spelling, in any order, or null. */
export function messageJson(desc: DescMessage, depth: number): fc.Arbitrary<{ [name: string]: unknown }> {
  if (depth < 0) return fc.constant({});
  const isOpen = (field: DescField) => depth > 0 || field.fieldKind !== "message";
  // Of the members of a oneof at most one is taken.
  const groups = new Map<unknown, DescField[]>();
  for (const field of desc.fields.filter(isOpen)) {
    const group = field.oneof ?? field;
    groups.set(group, [...(groups.get(group) ?? []), field]);
  }
  const perGroup = [...groups.values()].map((fields) =>
    fc.option(
      fc
        .constantFrom(...fields)
        .chain((field) =>
          fc.tuple(
            fc.constantFrom(field.jsonName, field.jsonName, field.name),
            fc.oneof(
              { weight: 19, arbitrary: fieldJson(field, depth) },
              { weight: 1, arbitrary: fc.constant(null) },
            ),
          ),
        ),
      { nil: undefined },
    ),
  );
  return fc.tuple(...perGroup).chain((pairs) => {
    const present = pairs.filter((pair) => pair !== undefined);
    return fc
      .shuffledSubarray(present, { minLength: present.length })
      .map((shuffled) => Object.fromEntries(shuffled) as { [name: string]: unknown });
  });
}
