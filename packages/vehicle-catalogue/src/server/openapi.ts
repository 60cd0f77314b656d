import { brandAttributes } from "../brand.js";
import { errorKinds } from "../error-document.js";
import { apiKeyHeader, jsonApiMediaType, paths } from "../protocol.js";
import { type VehicleRules, vehicleRules } from "../records/vehicle-rules.js";
import { vehicleTypes } from "../vehicle.js";
import { brandType } from "../vehicle-resource.js";
import { type Addition, type AdditionSources, additionKinds, additionsOf } from "./additions.js";
import { checkMembers, checkOption, checkPresent, type Names } from "./check-option.js";
import { brandParameters, type Parameter, vehicleParametersFor } from "./query/parameter-table.js";

type Json = { readonly [name: string]: unknown };

const sourceNames: Names<AdditionSources> = {
  extension: 1,
  additions: 1,
  announcesLimit: 1,
  maxAgeSeconds: 1,
};

/**
 * Describes the API in OpenAPI 3.1, from the tables by which requests are read and records are checked. `server` is where
 * the paths begin: a path such as `/api`, a whole URL, or a reference relative to the URL of the description. What is
 * beyond the documented API is marked with `x-addition`.
 */
export function openApiDescription(
  server: string,
  sources: AdditionSources = {},
): { readonly [name: string]: unknown } {
  checkOption("server", server, "a text");
  checkOption("sources", sources, "an object");
  checkMembers("The description", sources, sourceNames);
  checkPresent(
    { ...sources },
    { additions: "an object", announcesLimit: "true or false", maxAgeSeconds: "a whole number from 0" },
    "sources.",
  );
  const rules = vehicleRules(sources.extension);
  const additions = additionsOf(sources);
  const parameters = vehicleParametersFor(rules, sources.additions);
  return {
    openapi: "3.1.0",
    info: {
      title: "Vehicle Catalogue API",
      version: "2.0.0",
      description:
        "Supported electric vehicles with charging and battery details, as JSON:API. Values that are listed as known may be joined by others at any time.",
      license: { name: "MIT", identifier: "MIT" },
    },
    ...(additions.length === 0
      ? {}
      : { "x-additions": Object.fromEntries(additions.map((name) => [name, additionKinds[name]])) }),
    servers: [{ url: server === "" ? "/" : server }],
    security: [{ apiKey: [] }],
    paths: {
      [paths.vehicles]: {
        get: operation(
          "listVehicles",
          "Vehicles, in pages",
          { table: parameters, additions },
          "VehiclesDocument",
        ),
      },
      [paths.brands]: {
        get: operation(
          "listBrands",
          "All brands that have a vehicle",
          { table: brandParameters, additions },
          "BrandsDocument",
        ),
      },
    },
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: apiKeyHeader } },
      schemas: schemas(rules, additions),
      responses: errorResponses(additions),
    },
  };
}

interface Asked {
  readonly table: readonly Parameter[];
  readonly additions: readonly Addition[];
}

function operation(id: string, summary: string, { table, additions }: Asked, document: string): Json {
  const failures = Object.entries(answeredErrors).map(([status, name]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  const schema = { $ref: `#/components/schemas/${document}` };
  const headers = { ETag: { schema: { type: "string" } }, ...headersOf(additions, true) };
  return {
    operationId: id,
    summary,
    parameters: [
      ...parameters(table),
      ...conditions,
      ...(additions.includes("updated_since") ? [unmodifiedSince] : []),
    ],
    responses: {
      200: {
        description: "Success",
        headers,
        content: { [jsonApiMediaType]: { schema }, "application/json": { schema } },
      },
      304: { description: "The document that `If-None-Match` names is still the present one.", headers },
      ...Object.fromEntries(failures),
    },
  };
}

/** The headers that additions bring. */
function headersOf(additions: readonly Addition[], isSuccess: boolean): Json {
  const header = (addition: Addition, description: string): Json => ({
    description,
    schema: { type: "string" },
    "x-addition": addition,
  });
  return {
    ...(isSuccess && additions.includes("updated_since")
      ? { "Last-Modified": header("updated_since", "When any vehicle last came, changed or went.") }
      : {}),
    ...(isSuccess && additions.includes("max_age")
      ? { "Cache-Control": header("max_age", "For how many seconds the document may be used.") }
      : {}),
    ...(additions.includes("rate_limit_headers")
      ? {
          "RateLimit-Policy": header("rate_limit_headers", "The quota (q) and its window in seconds (w)."),
          RateLimit: header(
            "rate_limit_headers",
            "What remains (r), and seconds until all is there again (t).",
          ),
        }
      : {}),
  };
}

const conditions = [
  {
    name: "If-None-Match",
    in: "header",
    description: "Entity tags of documents at hand.",
    schema: { type: "string" },
  },
  {
    name: "If-Match",
    in: "header",
    description: "Entity tags one of which the document must have.",
    schema: { type: "string" },
  },
];

const unmodifiedSince = {
  name: "If-Unmodified-Since",
  in: "header",
  description: "The time since which no vehicle may have come, changed or gone.",
  schema: { type: "string" },
  "x-addition": "updated_since",
};

const answeredErrors = {
  400: "BAD_REQUEST",
  403: "FORBIDDEN",
  406: "NOT_ACCEPTABLE",
  412: "PRECONDITION_FAILED",
  414: "URI_TOO_LONG",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const;

/** Parameters of one family (`page[size]`, `page[number]`) are one object in OpenAPI, of the style `deepObject`. */
function parameters(table: readonly Parameter[]): readonly Json[] {
  const families = new Map<string, Parameter[]>();
  for (const row of table) {
    // The style has no objects within objects: a bound is a parameter by its whole name.
    const family = row.name.includes("][") ? row.name : (row.name.split("[", 1)[0] ?? row.name);
    families.set(family, [...(families.get(family) ?? []), row]);
  }
  return Array.from(families, ([name, rows]) => {
    const [row] = rows;
    if (row !== undefined && row.name === name) {
      const { description, "x-addition": addition, ...schema } = parameterSchema(row);
      return {
        name,
        in: "query",
        description,
        schema,
        ...(addition === undefined ? {} : { "x-addition": addition }),
        ...(row.kind === "names" ? { allowEmptyValue: true } : {}),
      };
    }
    const properties = rows.map((member) => [
      member.name.slice(name.length + 1, -1),
      parameterSchema(member),
    ]);
    const schema = {
      type: "object",
      properties: Object.fromEntries(properties),
      additionalProperties: false,
    };
    return { name, in: "query", style: "deepObject", explode: true, schema };
  });
}

function parameterSchema(row: Parameter): Json {
  const { addition } = row;
  return addition === undefined ? valueSchema(row) : { ...valueSchema(row), "x-addition": addition };
}

function valueSchema(row: Parameter): Json {
  const { description, example } = row;
  if (row.kind === "number") return { type: "number", description, examples: [Number(example)] };
  if (row.kind === "positive") {
    const { maximum } = row;
    const range = { minimum: 1, ...(maximum === undefined ? {} : { maximum }) };
    return { type: "integer", description, ...range, default: row.default, examples: [Number(example)] };
  }
  const text = { type: "string", description, examples: [example] };
  if (row.kind === "text") return { ...text, minLength: 1, maxLength: row.maxLength };
  if (row.kind === "ids" || row.kind === "values" || row.kind === "moment") return text;
  if (row.kind === "order") {
    const item = `-?(${row.names.map((name) => name.replaceAll(".", "\\.")).join("|")})`;
    return { ...text, pattern: `^${item}(,${item})*$` };
  }
  const name = `(${[...row.names, ...(row.ignored ?? [])].join("|")})`;
  return { ...text, pattern: `^(${name}(,${name})*)?$` };
}

function errorResponses(additions: readonly Addition[]): Json {
  const entries = Object.values(answeredErrors).map((code) => {
    const headers = {
      ...(tellingWhen.has(code)
        ? { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } }
        : {}),
      ...(uncounted.has(code) ? {} : headersOf(additions, false)),
    };
    const response = {
      description: errorKinds[code].title,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: { [jsonApiMediaType]: { schema: { $ref: "#/components/schemas/ErrorDocument" } } },
    };
    return [code, response];
  });
  return Object.fromEntries(entries);
}

/** Errors that say when to come again. */
const tellingWhen: ReadonlySet<string> = new Set(["TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"]);

/** Errors that say nothing of the limit: nobody is known whose requests could be counted, or what was to be answered has failed. */
const uncounted: ReadonlySet<string> = new Set(["FORBIDDEN", "INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"]);

function schemas(rules: VehicleRules, additions: readonly Addition[]): Json {
  const vehicles = vehicleTypes.map((type) => [
    type === "car" ? "Car" : "Motorbike",
    vehicleSchema(type, rules),
  ]);
  const counted = { overall_count: { type: "integer", minimum: 0 } };
  const meta = object(additions.length === 0 ? counted : { ...counted, additions: { const: additions } });
  return {
    ...Object.fromEntries(vehicles),
    Brand: {
      ...object({ type: { const: brandType }, id: { type: "string" } }),
      properties: {
        type: { const: brandType },
        id: { type: "string" },
        attributes: { type: "object", properties: brandAttributes },
      },
    },
    VehiclesDocument: {
      type: "object",
      required: ["data", "included", "meta"],
      properties: {
        data: { type: "array", items: { oneOf: [ref("Car"), ref("Motorbike")] } },
        included: { type: "array", items: ref("Brand") },
        meta,
        links: { type: "object", additionalProperties: { type: "string" } },
      },
    },
    BrandsDocument: object({ data: { type: "array", items: ref("Brand") }, meta }),
    ErrorDocument: object({ errors: { type: "array", minItems: 1, items: errorSchema } }),
  };
}

function vehicleSchema(type: string, rules: VehicleRules): Json {
  const linkage = object({ type: { const: brandType }, id: { type: "string" } });
  return {
    type: "object",
    required: ["type", "id"],
    properties: {
      type: { const: type },
      id: { type: "string" },
      // Fieldsets and key groups may leave any attribute out, so none is required.
      attributes: { type: "object", properties: attributeSchemas(rules) },
      relationships: { type: "object", properties: { manufacturer: object({ data: linkage }) } },
    },
  };
}

function attributeSchemas({ schemas, added }: VehicleRules): Json {
  const marked = added.map((name) => [name, { ...schemas[name], "x-addition": "attributes" }]);
  return { ...schemas, ...Object.fromEntries(marked) };
}

const errorSchema = {
  type: "object",
  required: ["status", "code", "title"],
  properties: {
    status: { type: "string" },
    code: { type: "string", examples: Object.keys(errorKinds) },
    title: { type: "string" },
    detail: { type: "string" },
    source: {
      type: "object",
      properties: { parameter: { type: "string" }, header: { type: "string" } },
    },
    meta: { type: "object" },
  },
};

/** An object whose members are all required. */
function object(properties: Json): Json {
  return { type: "object", required: Object.keys(properties), properties };
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}
