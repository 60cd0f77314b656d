import { brandAttributes } from "../../brand.js";
import { limits } from "../../protocol.js";
import type { VehicleRules } from "../../records/vehicle-rules.js";
import { vehicleAttributeNames } from "../../vehicle-attributes.js";
import type { Addition, QueryAdditions } from "../additions.js";
import { additionalParameters, type ComparedAttribute } from "./attribute-parameters.js";

/** A query parameter. The router reads requests by this table, and the OpenAPI description is made of it. */
export type Parameter =
  | ParameterOf<"ids">
  | (ParameterOf<"names"> & { readonly names: readonly string[]; readonly ignored?: readonly string[] })
  | (ParameterOf<"positive"> & { readonly default: number; readonly maximum?: number })
  | (ParameterOf<"text"> & { readonly maxLength: number; readonly excludes: string })
  | (ParameterOf<"values"> & { readonly attribute: ComparedAttribute })
  | ParameterOf<"number">
  | ParameterOf<"moment">
  | (ParameterOf<"order"> & { readonly names: readonly string[]; readonly excludes: string });

interface ParameterOf<Kind extends string> {
  readonly kind: Kind;
  readonly name: string;
  readonly description: string;
  readonly example: string;
  /** Which addition to the documented API it is, if it is one. */
  readonly addition?: Addition;
}

const vehicleFields: Pick<Parameter & { kind: "names" }, "kind" | "names" | "ignored"> = {
  kind: "names",
  names: [...vehicleAttributeNames, "manufacturer"],
  // Always there, so asking for them changes nothing.
  ignored: ["id", "type"],
};

/** The parameters of `GET /v2/vehicles` for vehicles with these attributes, and what is asked for beyond the documents. */
export function vehicleParametersFor(
  rules: VehicleRules,
  additions: QueryAdditions = {},
): readonly Parameter[] {
  const names = [...rules.names, "manufacturer"];
  const documented = vehicleParameters.map((row) =>
    row.kind === "names" && row.names === vehicleFields.names ? { ...row, names } : row,
  );
  return [...documented, ...additionalParameters(rules, additions)];
}

const brandFields: Parameter = {
  kind: "names",
  name: "fields[vehicle_brand]",
  names: Object.keys(brandAttributes),
  ignored: ["id", "type"],
  description: "Only these fields of brands, separated by commas; none for an empty value.",
  example: "name",
};

const vehicleParameters: readonly Parameter[] = [
  {
    kind: "ids",
    name: "filter[id]",
    description: "Only vehicles with these ids, separated by commas. Unknown ids select nothing.",
    example: "72475a6a-aae2-da13-1d17-94cc07e5104f",
  },
  {
    kind: "ids",
    name: "filter[manufacturer.id]",
    description: "Only vehicles of the brands with these ids, separated by commas.",
    example: "a43d2607-eead-46c2-9fd5-2ebd3c49d895",
  },
  {
    ...vehicleFields,
    name: "fields[car]",
    description: "Only these fields of cars, separated by commas; just id and type for an empty value.",
    example: "model,variant,manufacturer",
  },
  {
    ...vehicleFields,
    name: "fields[motorbike]",
    description: "Only these fields of motorbikes, separated by commas; just id and type for an empty value.",
    example: "model,variant,manufacturer",
  },
  brandFields,
  {
    kind: "positive",
    name: "page[size]",
    default: limits.defaultPageSize,
    maximum: limits.maxPageSize,
    description: "Most vehicles in the answer.",
    example: "50",
  },
  {
    kind: "positive",
    name: "page[number]",
    default: 1,
    description: "Which page; beyond the last one there are no vehicles.",
    example: "1",
  },
  {
    kind: "text",
    name: "q",
    maxLength: limits.searchLength,
    excludes: "filter",
    description: `Fuzzy search over brand, model and variant, best first, at most ${limits.searchResults} results. Not together with a filter.`,
    example: "VW ID3",
  },
  {
    kind: "names",
    name: "include",
    names: ["manufacturer"],
    description: "Brands are included anyway; an empty value leaves them out.",
    example: "manufacturer",
  },
];

/** The parameters of `GET /v2/vehicle_brands`. */
export const brandParameters: readonly Parameter[] = [brandFields];
