import { expect, test } from "vitest";
import { checkSchema } from "./check-schema.js";

const lists = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

/** A schema of so many levels. */
function items(levels: number): object {
  return levels === 1 ? {} : { items: items(levels - 1) };
}

test.each<object>([
  {},
  { description: undefined, type: undefined, items: undefined },
  { enum: ["a", 1, null] },
  { minLength: 0, maxLength: 0, maxItems: 0, maxProperties: 0 },
  { type: ["string", "null"] },
  { examples: lists(30) },
  { propertyNames: { pattern: "a", description: "one letter" } },
  { propertyNames: { pattern: "[(]" } },
  { additionalProperties: true },
  { additionalProperties: false },
  { additionalProperties: { type: "string" } },
  { properties: { items: items(19) } },
  items(20),
])("all of the schema %j is understood", (schema) => {
  expect(() => checkSchema("attribute x", schema)).not.toThrow();
});

test.each<[schema: object, says: string]>([
  [{ enum: [Number.NaN] }, "The attribute x.enum must be a list of texts and numbers, and not empty"],
  [{ enum: [true] }, "The attribute x.enum must be a list of texts and numbers, and not empty"],
  [{ enum: "a" }, "The attribute x.enum must be a list of texts and numbers, and not empty"],
  [{ examples: lists(31) }, "The attribute x.examples must be a list of values of JSON"],
  [{ examples: [Number.NaN] }, "The attribute x.examples must be a list of values of JSON"],
  [{ examples: "a" }, "The attribute x.examples must be a list of values of JSON"],
  [{ maxProperties: -1 }, "The attribute x.maxProperties must be a whole number from 0; got -1."],
  [
    { items: { properties: { a: { minimum: "1" } } } },
    'The attribute x.items.properties.a.minimum must be a number; got "1".',
  ],
  [
    { items: { propertyNames: { pattern: "(" } } },
    "The attribute x.items.propertyNames.pattern must be a regular expression",
  ],
  [{ propertyNames: { pattern: 1 } }, "The attribute x.propertyNames.pattern must be a regular expression"],
  [{ additionalProperties: null }, "The attribute x.additionalProperties needs a JSON Schema, an object."],
  [
    { type: "text" },
    'The attribute x has the type "text". Known are null, array, object, integer, number, string, boolean.',
  ],
  [{ type: [["string"]] }, "The attribute x has the type a list. Known are "],
  [{ type: "toString" }, 'The attribute x has the type "toString". Known are '],
  [{ items: null }, "The attribute x.items needs a JSON Schema, an object."],
  [{ minimun: 1 }, 'The attribute x has no "minimun"; did you mean "minimum"? Known are '],
  [{ constructor: 1 }, 'The attribute x has no "constructor". Known are '],
  [
    { propertyNames: { patern: "a" } },
    'The attribute x.propertyNames has no "patern"; did you mean "pattern"? Known are pattern, description.',
  ],
  [
    { propertyNames: { minimum: 1 } },
    'The attribute x.propertyNames has no "minimum". Known are pattern, description.',
  ],
  [{ items: { colour: 1 } }, 'The attribute x.items has no "colour". Known are '],
  [items(21), "The attribute x has a schema of more than 20 levels."],
  [{ properties: { a: items(20) } }, "The attribute x has a schema of more than 20 levels."],
])("the schema %j is refused with its place", (schema, says) => {
  expect(() => checkSchema("attribute x", schema)).toThrow(TypeError);
  expect(() => checkSchema("attribute x", schema)).toThrow(says);
});
