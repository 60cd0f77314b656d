import type { DescField, DescMessage } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pointer } from "../src/json-pointer.js";
import { setEntry } from "../src/set-entry.js";
import { anyJson, messageJson } from "./arbitrary-json.js";
import { pipelineTypes, type TypeUnderTest, tricky } from "./oracle.js";

type JsonObject = { [key: string]: unknown };
type Path = readonly (string | number)[];

/** A place in a JSON message that can be given another value. */
interface Slot {
  readonly path: Path;
  readonly put: (value: unknown) => void;
}

/** The places of a message: its fields, items and map values, and the objects to which a key can be added. */
function slotsOf(desc: DescMessage, json: unknown, path: Path, slots: Slot[]): Slot[] {
  if (!isObject(json) || isWellKnown(desc)) return slots;
  for (const key of addedKeys)
    slots.push({ path: [...path, key], put: (value) => setEntry(json, key, value) });
  for (const key of Object.keys(json)) {
    const field = desc.fields.find(({ jsonName, name }) => jsonName === key || name === key);
    if (field !== undefined) fieldSlots(field, json, key, path, slots);
  }
  return slots;
}

function fieldSlots(field: DescField, json: JsonObject, key: string, path: Path, slots: Slot[]): void {
  // What the two make of other values of NullValue differs, and only here.
  if (field.enum?.typeName === "google.protobuf.NullValue") return;
  const value = json[key];
  slots.push({ path: [...path, key], put: (other) => setEntry(json, key, other) });
  if (field.fieldKind === "message") slotsOf(field.message, value, [...path, key], slots);
  if (field.fieldKind === "list" && Array.isArray(value)) {
    value.forEach((item, index) => {
      const put = (other: unknown) => value.splice(index, 1, other);
      slots.push({ path: [...path, key, index], put });
      if (field.listKind === "message") slotsOf(field.message, item, [...path, key, index], slots);
    });
  }
  if (field.fieldKind === "map" && isObject(value)) {
    for (const entry of Object.keys(value)) {
      if (field.mapKind === "message") slotsOf(field.message, value[entry], [...path, key, entry], slots);
    }
    for (const entry of [...Object.keys(value), "__proto__"]) {
      slots.push({ path: [...path, key, entry], put: (other) => setEntry(value, entry, other) });
    }
  }
}

function isObject(json: unknown): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function isWellKnown({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.");
}

const addedKeys = ["nope", "__proto__", "constructor", "toString", "Name", "pipelineinfo"];

/** Wrong types, bad numbers and near misses, without those on which the two are known to differ. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  anyJson,
  fc.constantFrom<unknown>(
    ...[
      "",
      "x",
      "true",
      "NaN",
      "nan",
      "1.5",
      "1e2",
      "-",
      "2147483648",
      "9223372036854775808",
      "3s",
      "3",
      "-3.5s",
    ],
    ...[
      1.5,
      -1,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 32,
      1e300,
      true,
      null,
      [],
      {},
      [null],
      [[]],
      "STRING",
      "NOPE",
      77,
    ],
    ...["1.0000000000s", "s", "+1s", "1,5", "0x", "AQ==", "A", "-_", "%"],
  ),
  fc.constant(JSON.parse('{"__proto__":{"nope":1}}') as unknown),
);

/** Known differences are rows of proto-json-cases.ts; random values must not run into them. */
function isKnownToDiffer(value: unknown): boolean {
  if (typeof value === "string")
    return (
      /^\s*[-+]?0*[\d.]|^\s|\s$/.test(value) && !/^-?(?:0|[1-9]\d*)$/.test(value) && !value.endsWith("s")
    );
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value);
  if (Array.isArray(value)) return value.some(isKnownToDiffer);
  return (
    isObject(value) &&
    (Object.values(value).some(isKnownToDiffer) || Object.keys(value).some(isKnownToDiffer))
  );
}

function check({ ours, oracle }: TypeUnderTest, valid: unknown, choice: number, value: unknown): void {
  const json: unknown = JSON.parse(JSON.stringify(valid));
  const slots = slotsOf(oracle.desc, json, [], []);
  const slot = slots[choice % slots.length]!;
  slot.put(value);
  const text = JSON.stringify(json);
  const theirs = accepts(() => oracle.readJson(JSON.parse(text)));
  const own = ours.readJson(JSON.parse(text), { deprecations: false });
  expect(own.ok ? "accepted" : JSON.stringify(own.problems[0]), text).toBe(
    theirs ? "accepted" : JSON.stringify(own.problems[0]),
  );
  // Nothing but the mutated place, or what is inside it, is found wrong.
  const place = pointer("", ...slot.path);
  const elsewhere = own.problems.filter(
    ({ path, code }) => !`${path}/`.startsWith(`${place}/`) && !pairs.has(code),
  );
  expect(elsewhere, `${text} at ${place}`).toEqual([]);
}

/** Problems of two places, which are told at the second. */
const pairs = new Set(["oneof-conflict", "duplicate-field"]);

function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

describe("a mutated message is refused where the oracle refuses it, at the mutated place", {
  timeout: 300_000,
}, () => {
  for (const type of [...pipelineTypes, tricky]) {
    test(type.name, () => {
      const other = strange.filter((value) => !isKnownToDiffer(value));
      fc.assert(
        fc.property(messageJson(type.oracle.desc, 3), fc.nat(), other, (json, choice, value) =>
          check(type, json, choice, value),
        ),
        { seed: 9, numRuns: (type === tricky ? 150 : 15) * (process.env.WYE_ALL_ROUNDS ? 10 : 1) },
      );
    });
  }
});
