import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { errorKinds } from "../../src/error-document.js";
import {
  catalogueFromVehicles,
  createTokenBucket,
  openApiDescription,
  type VehicleRouterOptions,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { fullKey, openRouter } from "./listening.js";

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response_>>;
}

interface Parameter extends Json {
  readonly name: string;
  readonly in: string;
  readonly schema: {
    readonly pattern?: string;
    readonly properties?: Readonly<Record<string, Json & { readonly pattern?: string }>>;
  };
}

interface Response_ {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly securitySchemes: Json;
    readonly responses: Readonly<Record<string, Response_>>;
  };
}

const extension = {
  openValues: true,
  attributes: { volts: { type: "integer", description: "The voltage." } },
} as const;
const additions = { attributeFilters: true, sort: true, updatedSince: true };
const documented = openApiDescription("") as unknown as Description;
const everything = openApiDescription("", {
  extension,
  additions,
  announcesLimit: true,
  maxAgeSeconds: 1,
}) as unknown as Description;

/** The parameter of vehicles that has a name. */
function parameterOf({ paths }: Description, name: string): Parameter {
  const found = paths["/v2/vehicles"]?.get.parameters.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no parameter ${name}.`);
  return found;
}

/** Every text that is there for people, by where it stands. */
function words(value: unknown, path = ""): [path: string, text: unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isForPeople = ["description", "summary", "title"].includes(name) && typeof member === "string";
    return isForPeople ? [[`${path}/${name}`, member]] : words(member, `${path}/${name}`);
  });
}

describe("everything is described in words", () => {
  for (const [name, description] of Object.entries({ documented, everything })) {
    test(name, () => {
      const all = words(description);
      expect(all.length).toBeGreaterThan(60);
      expect(all.filter(([, text]) => !/^[A-Za-z`].*[a-z.;`)]|^kWh/.test(`${text}`))).toEqual([]);
    });
  }

  test("each parameter in the query, each header and each answer", () => {
    for (const { get } of Object.values(everything.paths)) {
      for (const { name, schema, description } of get.parameters) {
        const { properties } = schema;
        const texts =
          properties === undefined ? [description] : Object.values(properties).map((one) => one.description);
        expect(texts.map((text) => [name, typeof text])).toEqual(texts.map(() => [name, "string"]));
      }
    }
    for (const [name, { description }] of Object.entries(everything.components.responses)) {
      expect(description).toBe(errorKinds[name as keyof typeof errorKinds].title);
    }
  });

  test.each([
    ["a list", "ac_phases", "Only vehicles whose ac_phases is one of these, "],
    ["a list that a list has a part of", "dc_ports", "Only vehicles whose dc_ports has one of these, "],
  ])("a filter by %s", (_, name, start) => {
    const plain = openApiDescription("", { additions }) as unknown as Description;
    const { properties = {} } = parameterOf(plain, "filter").schema;
    expect(properties[name]?.description).toBe(`${start}separated by commas, without regard to letter case.`);
    expect(properties.model?.description).toMatch(
      /letter case\. A comma within one is written `\\,`, a backslash `\\\\`, and the empty text `\\e`\.$/,
    );
  });

  test.each([
    ["gt", "above"],
    ["gte", "at least"],
    ["lt", "below"],
    ["lte", "at most"],
  ])("the bound %s", (bound, word) => {
    const name = `filter[ac_max_power][${bound}]`;
    expect(parameterOf(everything, name)).toEqual({
      name,
      in: "query",
      description: `Only vehicles whose ac_max_power is ${word} this.`,
      schema: { type: "number", examples: [50] },
      "x-addition": "attribute_filters",
    });
  });
});

describe("the operations", () => {
  const errors = {
    400: "BAD_REQUEST",
    403: "FORBIDDEN",
    406: "NOT_ACCEPTABLE",
    412: "PRECONDITION_FAILED",
    414: "URI_TOO_LONG",
    415: "UNSUPPORTED_MEDIA_TYPE",
    429: "TOO_MANY_REQUESTS",
    500: "INTERNAL_SERVER_ERROR",
    503: "SERVICE_UNAVAILABLE",
  };
  test.each([
    ["/v2/vehicles", "listVehicles", "Vehicles, in pages", "VehiclesDocument"],
    ["/v2/vehicle_brands", "listBrands", "All brands that have a vehicle", "BrandsDocument"],
  ])("%s answers documents of its own, and the errors that there are", (path, id, summary, document) => {
    const { operationId, responses, ...operation } = documented.paths[path]!.get;
    expect([operationId, operation.summary]).toEqual([id, summary]);
    const { 200: success, 304: unchanged, ...failures } = responses;
    const schema = { $ref: `#/components/schemas/${document}` };
    const content = { "application/vnd.api+json": { schema }, "application/json": { schema } };
    const headers = { ETag: { schema: { type: "string" } } };
    expect(success).toEqual({ description: "Success", headers, content });
    expect(unchanged).toEqual({
      description: "The document that `If-None-Match` names is still the present one.",
      headers,
    });
    const references = Object.entries(errors).map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]);
    expect(failures).toEqual(Object.fromEntries(references));
  });

  test("errors are documents, with a wait where there is one", () => {
    const { responses } = documented.components;
    expect(Object.keys(responses)).toEqual(Object.values(errors));
    const schema = { $ref: "#/components/schemas/ErrorDocument" };
    for (const [name, { content, headers }] of Object.entries(responses)) {
      expect(content).toEqual({ "application/vnd.api+json": { schema } });
      const wait = { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } };
      const waits = ["TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"].includes(name);
      expect([name, headers]).toEqual([name, waits ? wait : undefined]);
    }
  });

  test("the key is in its header", () => {
    expect(documented.components.securitySchemes).toEqual({
      apiKey: { type: "apiKey", in: "header", name: "API-Key" },
    });
    expect(documented).toMatchObject({ security: [{ apiKey: [] }] });
  });

  const text = { type: "string" };
  const [match, noneMatch] = [
    { name: "If-Match", description: "Entity tags one of which the document must have." },
    { name: "If-None-Match", description: "Entity tags of documents at hand." },
  ].map((header) => ({ ...header, in: "header", schema: text }));
  const unmodified = {
    name: "If-Unmodified-Since",
    in: "header",
    description: "The time since which no vehicle may have come, changed or gone.",
    schema: text,
    "x-addition": "updated_since",
  };
  test.each([
    ["the documented ones", documented, [noneMatch, match]],
    ["all that there are", everything, [noneMatch, match, unmodified]],
  ])("headers of requests: %s", (_, { paths }, headers) => {
    for (const { get } of Object.values(paths))
      expect(get.parameters.filter((one) => one.in === "header")).toEqual(headers);
  });

  const [limit, times, age] = [["RateLimit-Policy", "RateLimit"], ["Last-Modified"], ["Cache-Control"]];
  test.each([
    ["nothing", {}, [], []],
    ["a limit that is told", { announcesLimit: true }, limit, limit],
    ["times", { additions: { updatedSince: true } }, times, []],
    ["an age", { maxAgeSeconds: 1 }, age, []],
    ["no age", { maxAgeSeconds: 0 }, [], []],
    ["a limit that is not told", { announcesLimit: false }, [], []],
  ])("headers of answers with %s", (_, sources, ofSuccess, ofErrors) => {
    const { paths, components } = openApiDescription("", sources) as unknown as Description;
    for (const { get } of Object.values(paths)) {
      for (const status of [200, 304])
        expect(Object.keys(get.responses[status]?.headers ?? {})).toEqual(["ETag", ...ofSuccess]);
    }
    for (const [name, { headers = {} }] of Object.entries(components.responses)) {
      const tellsNothing = ["FORBIDDEN", "INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"].includes(name);
      const told = Object.keys(headers).filter((header) => header !== "Retry-After");
      expect([name, told]).toEqual([name, tellsNothing ? [] : ofErrors]);
    }
  });
});

test("each header of an answer says what it is, and which addition brings it", () => {
  const text = { type: "string" };
  const header = (addition: string, description: string) => ({
    description,
    schema: text,
    "x-addition": addition,
  });
  for (const { get } of Object.values(everything.paths)) {
    expect(get.responses[200]?.headers).toEqual({
      ETag: { schema: text },
      "Last-Modified": header("updated_since", "When any vehicle last came, changed or went."),
      "Cache-Control": header("max_age", "For how many seconds the document may be used."),
      "RateLimit-Policy": header("rate_limit_headers", "The quota (q) and its window in seconds (w)."),
      RateLimit: header("rate_limit_headers", "What remains (r), and seconds until all is there again (t)."),
    });
  }
});

test("the API has a name, a version of its own, and a licence", () => {
  expect(documented).toMatchObject({
    openapi: "3.1.0",
    info: {
      title: "Vehicle Catalogue API",
      version: "2.0.0",
      license: { name: "MIT", identifier: "MIT" },
    },
  });
});

test("the parameters have their types, bounds and patterns", () => {
  const { parameters } = documented.paths["/v2/vehicles"]!.get;
  const query = parameters.filter((one) => one.in === "query");
  expect(query.map(({ name }) => name)).toEqual(["filter", "fields", "page", "q", "include"]);
  const [filter, fields, page, q, include] = query;
  for (const family of [filter, fields, page]) {
    expect(family).toMatchObject({
      style: "deepObject",
      explode: true,
      schema: { type: "object", additionalProperties: false },
    });
  }
  const { properties = {} } = parameterOf(documented, "page").schema;
  expect(properties).toMatchObject({
    size: { type: "integer", minimum: 1, maximum: 100, default: 100, examples: [50] },
    number: { type: "integer", minimum: 1, default: 1, examples: [1] },
  });
  expect(properties.number).not.toHaveProperty("maximum");
  expect(q).toMatchObject({ schema: { type: "string", minLength: 1, maxLength: 200, examples: ["VW ID3"] } });
  expect(q).not.toHaveProperty("allowEmptyValue");
  expect(include).toMatchObject({
    allowEmptyValue: true,
    schema: { type: "string", pattern: "^((manufacturer)(,(manufacturer))*)?$" },
  });
  expect(Object.keys(parameterOf(documented, "filter").schema.properties ?? {})).toEqual([
    "id",
    "manufacturer.id",
  ]);
});

test.each([
  ["car", "", true],
  ["car", "model,id,type,manufacturer", true],
  ["car", "model,", false],
  ["car", "xmodel", false],
  ["car", "modelx", false],
  ["vehicle_brand", "name", true],
  ["vehicle_brand", "model", false],
])("the pattern of fields[%s] and “%s”: %s", (type, value, isRight) => {
  const { properties = {} } = parameterOf(documented, "fields").schema;
  expect(new RegExp(properties[type]?.pattern ?? "^no pattern$").test(value)).toBe(isRight);
});

test.each([
  ["model", true],
  ["-model,energy_consumption.average_consumption", true],
  ["", false],
  ["model,", false],
  ["--model", false],
  ["energy_consumptionXaverage_consumption", false],
  ["xmodel", false],
  ["modelx", false],
  ["dc_ports", false],
])("the pattern of sort and “%s”: %s", (value, isRight) => {
  const sort = parameterOf(everything, "sort");
  expect([new RegExp(sort.schema.pattern ?? "^no pattern$").test(value), sort["x-addition"]]).toEqual([
    isRight,
    "sort",
  ]);
});

describe("what is no document of the router is against its schema", () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(openApiDescription(""), "api");
  const isRight = (name: string, document: unknown): boolean => {
    const validate = ajv.getSchema(`api#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`There is no schema ${name}.`);
    return validate(document) === true;
  };
  const vehicle = {
    type: "car",
    id: "1",
    attributes: {},
    relationships: { manufacturer: { data: { type: "vehicle_brand", id: "2" } } },
  };
  const brand = { type: "vehicle_brand", id: "2", attributes: { name: "B" } };
  const vehicles = { data: [vehicle], included: [brand], meta: { overall_count: 1 }, links: { self: "x" } };
  const brands = { data: [brand], meta: { overall_count: 1 } };
  const error = { status: "400", code: "X", title: "x", detail: "x", source: { parameter: "q" }, meta: {} };

  test.each([
    ["VehiclesDocument", vehicles],
    ["VehiclesDocument", { ...vehicles, data: [{ type: "motorbike", id: "1" }], links: undefined }],
    ["VehiclesDocument", { data: [], included: [], meta: { overall_count: 0 } }],
    ["BrandsDocument", brands],
    ["BrandsDocument", { data: [{ type: "vehicle_brand", id: "2" }], meta: { overall_count: 0 } }],
    ["ErrorDocument", { errors: [error, { status: "", code: "", title: "" }] }],
  ])("%s takes %j", (name, document) => {
    expect(isRight(name, JSON.parse(JSON.stringify(document)))).toBe(true);
  });

  const without = <Name extends string>(value: Readonly<Record<string, unknown>>, name: Name): Json => {
    const { [name]: _, ...others } = value;
    return others;
  };
  const linked = (data: unknown): unknown => ({
    ...vehicles,
    data: [{ ...vehicle, relationships: { manufacturer: data } }],
  });
  test.each<[string, unknown]>([
    ...[[], null, "x"].flatMap((odd): [string, unknown][] => [
      ["VehiclesDocument", odd],
      ["BrandsDocument", odd],
      ["ErrorDocument", odd],
      ["VehiclesDocument", { ...vehicles, data: [{ ...vehicle, attributes: odd }] }],
      ["VehiclesDocument", { ...vehicles, data: [{ ...vehicle, relationships: odd }] }],
      ["VehiclesDocument", linked(odd)],
      ["VehiclesDocument", linked({ data: odd })],
      ["VehiclesDocument", { ...vehicles, meta: odd }],
      ["VehiclesDocument", { ...vehicles, links: odd }],
      ["BrandsDocument", { ...brands, meta: odd }],
      ["ErrorDocument", { errors: [{ ...error, source: odd }] }],
      ["ErrorDocument", { errors: [{ ...error, meta: odd }] }],
    ]),
    ...["data", "included", "meta"].map((name): [string, unknown] => [
      "VehiclesDocument",
      without(vehicles, name),
    ]),
    ...["data", "meta"].map((name): [string, unknown] => ["BrandsDocument", without(brands, name)]),
    ...["type", "id"].flatMap((name): [string, unknown][] => [
      ["VehiclesDocument", { ...vehicles, data: [without(vehicle, name)] }],
      ["VehiclesDocument", { ...vehicles, data: [{ ...vehicle, [name]: 1 }] }],
      ["VehiclesDocument", { ...vehicles, included: [without(brand, name)] }],
      ["VehiclesDocument", { ...vehicles, included: [{ ...brand, [name]: 1 }] }],
      ["BrandsDocument", { ...brands, data: [without(brand, name)] }],
      ["VehiclesDocument", linked({ data: without({ type: "vehicle_brand", id: "2" }, name) })],
      ["VehiclesDocument", linked({ data: { type: "vehicle_brand", id: "2", [name]: 1 } })],
    ]),
    ["VehiclesDocument", linked({})],
    ["VehiclesDocument", { ...vehicles, data: [{ ...vehicle, type: "truck" }] }],
    ["VehiclesDocument", { ...vehicles, data: [brand] }],
    ["VehiclesDocument", { ...vehicles, data: {} }],
    ["VehiclesDocument", { ...vehicles, included: {} }],
    ["VehiclesDocument", { ...vehicles, included: [vehicle] }],
    ["VehiclesDocument", { ...vehicles, meta: {} }],
    ["VehiclesDocument", { ...vehicles, meta: { overall_count: -1 } }],
    ["VehiclesDocument", { ...vehicles, meta: { overall_count: 0.5 } }],
    ["VehiclesDocument", { ...vehicles, links: { self: 1 } }],
    ["VehiclesDocument", { ...vehicles, data: [{ ...vehicle, attributes: { model: "" } }] }],
    ["BrandsDocument", { ...brands, data: [vehicle] }],
    ["BrandsDocument", { ...brands, data: {} }],
    ["BrandsDocument", { ...brands, data: [{ ...brand, attributes: { name: "" } }] }],
    ["BrandsDocument", { ...brands, data: [{ ...brand, attributes: [] }] }],
    ["BrandsDocument", { ...brands, meta: {} }],
    ["ErrorDocument", {}],
    ["ErrorDocument", { errors: [] }],
    ["ErrorDocument", { errors: {} }],
    ["ErrorDocument", { errors: ["x"] }],
    ...["status", "code", "title"].map((name): [string, unknown] => [
      "ErrorDocument",
      { errors: [without(error, name)] },
    ]),
    ...["status", "code", "title", "detail"].map((name): [string, unknown] => [
      "ErrorDocument",
      { errors: [{ ...error, [name]: 1 }] },
    ]),
    ["ErrorDocument", { errors: [{ ...error, source: { parameter: 1 } }] }],
    ["ErrorDocument", { errors: [{ ...error, source: { header: 1 } }] }],
  ])("%s refuses %j", (name, document) => {
    expect(isRight(name, document)).toBe(false);
  });
});

test("each document with additions satisfies the description that the router gives", async () => {
  const records = catalogueTestVehicles().map((vehicle) => ({ ...vehicle, ev_type: "fcev", volts: 400 }));
  const options: Partial<VehicleRouterOptions> = {
    catalogue: catalogueFromVehicles(records, { extension }),
    additions,
    rateLimit: createTokenBucket({ announce: true }),
    maxAgeSeconds: 60,
  };
  const { respond } = openRouter(options);
  const get = async (url: string): Promise<object> => {
    const answer = await respond({ method: "GET", url, headers: new Headers({ "api-key": fullKey }) });
    return JSON.parse(new TextDecoder().decode(answer.body));
  };
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(await get("/v2/openapi.json"), "api");
  for (const [path, name] of [
    ["/v2/vehicles", "VehiclesDocument"],
    ["/v2/vehicle_brands", "BrandsDocument"],
  ] as const) {
    const validate = ajv.getSchema(`api#/components/schemas/${name}`);
    const document = await get(path);
    expect([validate?.(document), validate?.errors]).toEqual([true, null]);
    expect(validate?.({ ...document, meta: { overall_count: 1 } })).toBe(false);
    expect(validate?.({ ...document, meta: { overall_count: 1, additions: ["sort"] } })).toBe(false);
  }
});

test.each([
  ["Car", "car"],
  ["Motorbike", "motorbike"],
])("the schema %s is of the type %s, and has what is beyond the documented attributes", (name, type) => {
  const extension = { attributes: { colour: { type: "string" } } } as const;
  const { components } = openApiDescription("", { extension }) as { components?: unknown };
  expect(components).toMatchObject({
    schemas: {
      [name]: {
        properties: {
          type: { const: type },
          attributes: { properties: { colour: { type: ["string", "null"], "x-addition": "attributes" } } },
        },
      },
    },
  });
});
