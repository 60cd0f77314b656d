import { describe, expect, test } from "vitest";
import { vehicleRules } from "../../records/vehicle-rules.js";
import type { Schema } from "../../schema.js";
import { vehicleParametersFor } from "./parameter-table.js";

const everything = { attributeFilters: true, sort: true, updatedSince: true };
const rowsOf = (attributes: Readonly<Record<string, Schema>>, additions: object = everything) =>
  vehicleParametersFor(vehicleRules({ attributes }), additions);

/** The filters for an added attribute, without the names of bounds, and whether it can be ordered by. */
function askedAbout(schema: Schema) {
  const rows = rowsOf({ own: schema });
  const filters = rows
    .map(({ name }) => name)
    .filter((name) => name.startsWith("filter[own") && !name.includes("]["));
  const [order] = rows.flatMap((row) => (row.kind === "order" ? [row.names] : []));
  const names = order?.filter((name) => name.startsWith("own")) ?? [];
  const bounds = rows.filter(({ name }) => /^filter\[own.*\]\[/.test(name)).length;
  return [filters, names, bounds];
}

const text: Schema = { type: "string" };
const one = ["filter[own]"];

describe("an added attribute can be asked about where its values are of one kind", () => {
  test.each<[schema: Schema, filters: readonly string[], order: readonly string[], bounds: number]>([
    [text, one, ["own"], 0],
    [{ type: "boolean" }, one, ["own"], 0],
    [{ type: "number" }, one, ["own"], 4],
    [{ type: ["null", "integer"] }, one, ["own"], 4],
    [{ type: ["number", "string"] }, [], [], 0],
    [{ type: ["integer", "null", "string"] }, [], [], 0],
    [{ type: ["null"] }, [], [], 0],
    [{}, [], [], 0],
    [{ type: "array", items: text }, one, [], 0],
    [{ type: "array", items: { type: "number" } }, one, [], 0],
    [{ type: "array", items: { type: "array", items: text } }, [], [], 0],
    [{ type: "array", items: { type: "object", properties: { a: text } } }, [], [], 0],
    [{ type: "array" }, [], [], 0],
    [{ type: "object" }, [], [], 0],
    [{ type: "object", properties: { a: text } }, ["filter[own.a]"], ["own.a"], 0],
    [{ type: "object", properties: { a: { type: "object", properties: { b: text } } } }, [], [], 0],
  ])("%j", (schema, ...expected) => {
    expect(askedAbout(schema)).toEqual(expected);
  });

  test.each([
    ["a b", true],
    ["ü-1", true],
    ["a.b", false],
    ["a,b", false],
    ["a[", false],
    ["a]", false],
    [" a", false],
    ["a ", false],
    ["\ud800", false],
    ["", false],
  ])("by a member called %j: %s", (member, isAsked) => {
    const names = isAsked ? [`own.${member}`] : [];
    const schema: Schema = { type: "object", properties: { [member]: text } };
    expect(askedAbout(schema).slice(0, 2)).toEqual([names.map((name) => `filter[${name}]`), names]);
  });
});

test("an attribute that is called as the time of the last change excludes the question about that", () => {
  const attributes = { updated_since: text };
  expect(() => rowsOf(attributes)).toThrow(TypeError);
  expect(() => rowsOf(attributes)).toThrow(
    'An attribute called "updated_since" and the addition updatedSince exclude each other.',
  );
  const others = rowsOf(attributes, { ...everything, updatedSince: false });
  expect(others.filter(({ name }) => name === "filter[updated_since]")).toHaveLength(1);
});

test("types of vehicles are asked about by those that there are", () => {
  const row = rowsOf({}).find(({ name }) => name === "filter[type]");
  expect(row).toMatchObject({ kind: "values", example: "car", attribute: { known: ["car", "motorbike"] } });
});

describe("a filter is described with", () => {
  const described = (schema: Schema) => {
    const row = rowsOf({ own: schema }).find(({ name }) => name === "filter[own]");
    return [row?.example, row?.description];
  };
  const words = "separated by commas, without regard to letter case.";
  const written = " A comma within one is written `\\,`, a backslash `\\\\`, and the empty text `\\e`.";
  test.each<[what: string, schema: Schema, example: string, description: string]>([
    ["a number", { type: "number" }, "50", `Only vehicles whose own is one of these, ${words}`],
    ["true or false", { type: "boolean" }, "true", `Only vehicles whose own is one of these, ${words}`],
    ["any text", text, "Long Range", `Only vehicles whose own is one of these, ${words}${written}`],
    [
      "the first of those that there are",
      { type: "string", enum: ["b", "a"] },
      "b",
      `Only vehicles whose own is one of these, ${words}`,
    ],
    [
      "what a list has",
      { type: "array", items: text },
      "Long Range",
      `Only vehicles whose own has one of these, ${words}${written}`,
    ],
  ])("%s", (_, schema, ...expected) => expect(described(schema)).toEqual(expected));

  test.each([
    ["gt", "above"],
    ["gte", "at least"],
    ["lt", "below"],
    ["lte", "at most"],
  ])("the words for a bound: %s is %s", (bound, words) => {
    const rows = rowsOf({ own: { type: "number" } });
    expect(rows.find(({ name }) => name === `filter[own][${bound}]`)).toEqual({
      kind: "number",
      name: `filter[own][${bound}]`,
      description: `Only vehicles whose own is ${words} this.`,
      example: "50",
      addition: "attribute_filters",
    });
  });
});

test("what is added follows the documented parameters, in the order of the attributes", () => {
  const [documented, all] = [rowsOf({ own: text }, {}), rowsOf({ own: text })].map((rows) =>
    rows.map(({ name }) => name),
  );
  expect(documented?.slice(0, 2)).toEqual(["filter[id]", "filter[manufacturer.id]"]);
  const { length } = documented ?? [];
  expect(all?.slice(0, length)).toEqual(documented);
  expect(all?.slice(length, length + 3)).toEqual(["filter[type]", "filter[ev_type]", "filter[model]"]);
  expect(all?.slice(-4)).toEqual([
    "filter[own]",
    "filter[manufacturer.name]",
    "filter[updated_since]",
    "sort",
  ]);
});
