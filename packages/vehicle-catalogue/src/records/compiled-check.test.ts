import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Schema } from "../schema.js";
import { vehicleAttributes } from "../vehicle-attributes.js";
import { checkValue } from "./check-value.js";
import { compiledCheck } from "./compiled-check.js";

/** Some of the members, few enough for values that are right. */
const someOf = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>, most: number) =>
  fc.subarray(Object.entries(members), { maxLength: most }).chain(
    // Of a literal that has what its names stand for.
    (chosen): fc.Arbitrary<Schema> => fc.record(Object.fromEntries(chosen)) as fc.Arbitrary<object>,
  );

const types = fc.constantFrom("string", "number", "integer", "boolean", "array", "object", "null");
const scalars = fc.constantFrom("", "a", "ab", "aaa", -2, -1, 0, 1, 1.5, 2, 3);
const flatMembers = {
  minimum: fc.integer({ min: -2, max: 2 }),
  maximum: fc.integer({ min: -2, max: 2 }),
  minLength: fc.integer({ min: 0, max: 2 }),
  maxLength: fc.integer({ min: 0, max: 2 }),
  maxItems: fc.integer({ min: 0, max: 2 }),
  uniqueItems: fc.boolean(),
  maxProperties: fc.integer({ min: 0, max: 2 }),
  required: fc.uniqueArray(fc.constantFrom("a", "b", "__proto__", "toString"), { maxLength: 2 }),
  type: fc.oneof(types, fc.uniqueArray(types, { minLength: 2, maxLength: 4 })),
  enum: fc.uniqueArray(scalars, { minLength: 2, maxLength: 6 }),
};
const flat = someOf(flatMembers, 2);
const containing = (inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> => {
  const members = {
    items: inner,
    properties: fc.dictionary(fc.constantFrom("a", "b"), inner, { maxKeys: 2 }),
    propertyNames: fc.constantFrom({ pattern: "^[ab]" }, { pattern: "a$" }),
    additionalProperties: fc.oneof(inner, fc.boolean()),
  };
  return fc.tuple(flat, someOf(members, 2)).map(([a, b]): Schema => Object.assign({}, a, b));
};
const schema = fc.oneof(flat, containing(flat), containing(containing(flat)));
const { value, list, object } = fc.letrec((tie) => ({
  list: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom("a", "b", "ba", "c", "__proto__", "toString"), tie("value"), {
    maxKeys: 3,
  }),
  value: fc.oneof({ maxDepth: 2 }, scalars, fc.constantFrom(true, null), tie("list"), tie("object")),
}));

/** What is wrong, in the words of reports. */
function wrongIn(one: Schema, given: unknown): readonly string[] {
  const wrong: string[] = [];
  checkValue(one, given, "x", (path, message) => wrong.push(`${path} ${message}`));
  return wrong;
}

describe("a compiled check", () => {
  test("finds nothing wrong just when there is nothing to report", () => {
    fc.assert(
      fc.property(schema, fc.oneof(value, list, object, fc.constant(undefined)), (one, given) => {
        expect(compiledCheck(one)(given), wrongIn(one, given).join()).toBe(wrongIn(one, given).length === 0);
      }),
      { seed: 17, numRuns: 5000 },
    );
  });

  test("misses, as a report does, what is there and undefined, and what a list lacks in between", () => {
    const member: Schema = { properties: { a: { type: "number" } } };
    const list: Schema = { items: { type: "number" } };
    const gap = [1, 2, 3];
    delete gap[1];
    for (const [one, given] of [
      [member, { a: undefined }],
      [list, gap],
      [list, [1, undefined]],
    ] as const) {
      expect(wrongIn(one, given)).toHaveLength(1);
      expect(compiledCheck(one)(given)).toBe(false);
    }
    expect(compiledCheck(member)(Object.create({ a: "inherited" }))).toBe(true);
    const required: Schema = { required: ["a"] };
    expect([wrongIn(required, { a: undefined }), compiledCheck(required)({ a: undefined })]).toEqual([
      [],
      true,
    ]);
  });

  test("takes what JSON Schema takes for every attribute of a vehicle", () => {
    const ajv = new Ajv2020({ strict: false });
    const given = fc.oneof(
      value,
      fc.array(fc.constantFrom("ccs", "tesla_suc", "type2", "bev"), { maxLength: 3 }),
      fc.array(fc.record({ percentage: fc.double({ min: -1, max: 101 }), power: fc.integer() }), {
        maxLength: 3,
      }),
      fc.dictionary(
        fc.constantFrom("2.0", "11", "11.0", "x", "22.123", "22.1234"),
        fc.integer({ min: -1, max: 10_001 }),
      ),
      fc.record({ average_consumption: fc.constantFrom(-1, 0, 1000, 1001, "1") }),
      fc.constantFrom(
        "bev",
        "phev",
        1879,
        1880,
        2200,
        2201,
        10_000,
        10_001,
        "x".repeat(200),
        "x".repeat(201),
      ),
    );
    for (const [name, attribute] of Object.entries(vehicleAttributes)) {
      const [mine, theirs] = [compiledCheck(attribute), ajv.compile(attribute)];
      fc.assert(
        fc.property(given, (one) => {
          expect(mine(one), name).toBe(theirs(one));
        }),
        { seed: 17, numRuns: 400 },
      );
    }
  });
});
