import { closest } from "../closest.js";
import type { Schema } from "../schema.js";
import { isOfType, isRecord, show } from "./check-value.js";
import { isNestedDeeper } from "./nesting.js";
import { findNoJson } from "./no-json.js";

/** Schemas are nested no deeper than this; one that contains itself has no end. */
const deepestSchema = 20;

/**
 * Throws a `TypeError` that names the place unless it is a schema of which all is understood: what is not would be published, and nobody
 * would check it.
 */
export function checkSchema(place: string, schema: unknown, levels: number = deepestSchema): void {
  if (!isRecord(schema)) throw new TypeError(`The ${place} needs a JSON Schema, an object.`);
  if (levels < 1) {
    const [attribute = place] = place.split(".", 1);
    throw new TypeError(`The ${attribute} has a schema of more than ${deepestSchema} levels.`);
  }
  checkKeywords(place, schema, keywords);
  checkTypes(place, schema.type);
  for (const [name, inner] of innerSchemas(schema)) checkSchema(`${place}.${name}`, inner, levels - 1);
}

interface Expectation {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
}

type Keywords = Readonly<Record<string, Expectation>>;

const anything: Expectation = { words: "anything", holds: () => true };
const aText: Expectation = { words: "a text", holds: isOfType.string };
const aNumber: Expectation = { words: "a number", holds: isOfType.number };
const aCount: Expectation = {
  words: "a whole number from 0",
  holds: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const trueOrFalse: Expectation = { words: "true or false", holds: isOfType.boolean };
const anObject: Expectation = { words: "an object", holds: isRecord };
const choices: Expectation = {
  words: "a list of texts and numbers, and not empty",
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isChoice),
};
const texts: Expectation = {
  words: "a list of texts",
  holds: (value) => Array.isArray(value) && value.every(isOfType.string),
};
const pattern: Expectation = { words: "a regular expression", holds: isPattern };

/** What each keyword may be. Types and schemas within are looked at one by one. */
const keywords: Keywords = {
  type: anything,
  description: aText,
  enum: choices,
  examples: {
    words: "a list of values of JSON",
    holds: (value) => Array.isArray(value) && !isNestedDeeper(value) && findNoJson(value) === undefined,
  },
  minimum: aNumber,
  maximum: aNumber,
  minLength: aCount,
  maxLength: aCount,
  items: anything,
  uniqueItems: trueOrFalse,
  maxItems: aCount,
  properties: anObject,
  required: texts,
  maxProperties: aCount,
  propertyNames: anObject,
  additionalProperties: anything,
  // These promise nothing about values.
  title: aText,
  $comment: aText,
  default: anything,
  deprecated: trueOrFalse,
} satisfies Record<keyof Schema, Expectation> & Keywords;

const nameKeywords: Keywords = { pattern, description: aText };

function checkKeywords(place: string, schema: Readonly<Record<string, unknown>>, known: Keywords): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const expected = Object.hasOwn(known, keyword) ? known[keyword] : undefined;
    if (expected === undefined) {
      const names = Object.keys(known);
      const meant = closest(keyword, names);
      const hint = meant === undefined ? "." : `; did you mean ${show(meant)}?`;
      throw new TypeError(`The ${place} has no ${show(keyword)}${hint} Known are ${names.join(", ")}.`);
    }
    if (value !== undefined && !expected.holds(value))
      throw new TypeError(`The ${place}.${keyword} must be ${expected.words}; got ${show(value)}.`);
  }
  if (isRecord(schema.propertyNames))
    checkKeywords(`${place}.propertyNames`, schema.propertyNames, nameKeywords);
}

function checkTypes(place: string, type: unknown): void {
  const given = [type ?? []].flat();
  if (Array.isArray(type) && given.length === 0) throw new TypeError(`The ${place} has no type in its list.`);
  const wrong = given.find((one) => typeof one !== "string" || !Object.hasOwn(isOfType, one));
  if (wrong === undefined) return;
  const known = Object.keys(isOfType).join(", ");
  throw new TypeError(`The ${place} has the type ${show(wrong)}. Known are ${known}.`);
}

function innerSchemas(schema: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const { items, properties = {}, additionalProperties: others } = schema;
  return [
    ...(items === undefined ? [] : [["items", items] as const]),
    ...Object.entries(Object(properties)).map(([name, inner]) => [`properties.${name}`, inner] as const),
    ...(others === undefined || typeof others === "boolean"
      ? []
      : [["additionalProperties", others] as const]),
  ];
}

function isChoice(value: unknown): boolean {
  return typeof value === "string" || Number.isFinite(value) || value === null;
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value).source !== "";
  } catch {
    return false;
  }
}
