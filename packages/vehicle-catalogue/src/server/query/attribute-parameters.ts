import type { VehicleRules } from "../../records/vehicle-rules.js";
import type { Schema, SchemaTypeName } from "../../schema.js";
import { vehicleTypes } from "../../vehicle.js";
import { withheldAttributes } from "../../vehicle-attributes.js";
import type { QueryAdditions } from "../additions.js";
import type { Parameter } from "./parameter-table.js";

/** What the values of an attribute are that can be compared. */
type ValueKind = "number" | "text" | "boolean";

/** An attribute that can be asked about, by its name in parameters: `energy_consumption.average_consumption`. */
export interface ComparedAttribute {
  readonly name: string;
  readonly kind: ValueKind;
  /** The attribute is a list of such values. */
  readonly isList: boolean;
  /** The texts that there are, if they are a closed list. */
  readonly known?: readonly string[];
}

/** The bounds that numbers may be given, by their names in parameters. */
export const bounds = ["gt", "gte", "lt", "lte"] as const;

/** The name of the parameter for the time of the last change. */
export const updatedSinceName = "filter[updated_since]";

/** The parameters that are switched on. */
export function additionalParameters(rules: VehicleRules, additions: QueryAdditions): readonly Parameter[] {
  const attributes = comparedAttributes(rules);
  const rows: Parameter[] = [];
  if (additions.attributeFilters === true) rows.push(...attributes.flatMap(filtersOf));
  if (additions.updatedSince === true) {
    if (rules.added.includes("updated_since")) {
      throw new TypeError(
        'An attribute called "updated_since" and the addition updatedSince exclude each other.',
      );
    }
    rows.push({
      kind: "moment",
      name: updatedSinceName,
      description:
        "Only vehicles that have changed at this time or later: the `Last-Modified` of an earlier answer, or a time such as the example. It does not tell which vehicles have gone.",
      example: "2026-01-31T12:00:00Z",
      addition: "updated_since",
    });
  }
  if (additions.sort === true) rows.push(sortParameter(attributes));
  return rows;
}

/**
 * The attributes that can be asked about. Those that some keys do not see are not among them: what is found by them would
 * tell what they are.
 */
function comparedAttributes({ names, schemas }: VehicleRules): readonly ComparedAttribute[] {
  const withheld: readonly string[] = withheldAttributes;
  const found: ComparedAttribute[] = [{ name: "type", kind: "text", isList: false, known: vehicleTypes }];
  for (const name of names) {
    if (!withheld.includes(name)) found.push(...comparedIn(name, schemas[name] ?? {}));
  }
  return [...found, { name: "manufacturer.name", kind: "text", isList: false }];
}

/** Whether a name says which member is meant, behind a dot and between brackets. */
function isPlain(member: string): boolean {
  return /^[^.,[\]]+$/.test(member) && member.trim() === member && member.isWellFormed();
}

function comparedIn(name: string, schema: Schema): readonly ComparedAttribute[] {
  const types: readonly SchemaTypeName[] = [schema.type ?? []].flat().filter((type) => type !== "null");
  const [type] = types;
  if (type === undefined || types.length > 1) return [];
  if (type === "object") {
    return Object.entries(schema.properties ?? {}).flatMap(([member, inner]) =>
      inner.type === "object" || !isPlain(member) ? [] : comparedIn(`${name}.${member}`, inner),
    );
  }
  if (type === "array") {
    // Lists of lists, and of objects, whose members have other names, are not looked into.
    const [item] = comparedIn(name, schema.items ?? {});
    return item === undefined || item.isList || item.name !== name ? [] : [{ ...item, isList: true }];
  }
  const kind: ValueKind = type === "boolean" ? "boolean" : type === "string" ? "text" : "number";
  const known = kind === "text" ? schema.enum?.filter((one) => typeof one === "string") : undefined;
  return [{ name, kind, isList: false, ...(known === undefined ? {} : { known }) }];
}

function filtersOf(attribute: ComparedAttribute): readonly Parameter[] {
  const { name, kind, isList, known } = attribute;
  const example = kind === "number" ? "50" : kind === "boolean" ? "true" : (known?.[0] ?? "Long Range");
  const addition = "attribute_filters";
  const verb = isList ? "has" : "is";
  const isFree = kind === "text" && known === undefined;
  const commas = isFree
    ? " A comma within one is written `\\,`, a backslash `\\\\`, and the empty text `\\e`."
    : "";
  const equal: Parameter = {
    kind: "values",
    name: `filter[${name}]`,
    attribute,
    description: `Only vehicles whose ${name} ${verb} one of these, separated by commas, without regard to letter case.${commas}`,
    example,
    addition,
  };
  if (kind !== "number" || isList) return [equal];
  const limits = bounds.map((bound): Parameter => {
    const words = { gt: "above", gte: "at least", lt: "below", lte: "at most" }[bound];
    const description = `Only vehicles whose ${name} is ${words} this.`;
    return { kind: "number", name: `filter[${name}][${bound}]`, description, example, addition };
  });
  return [equal, ...limits];
}

function sortParameter(attributes: readonly ComparedAttribute[]): Parameter {
  const names = attributes.filter(({ isList }) => !isList).map(({ name }) => name);
  return {
    kind: "order",
    name: "sort",
    names,
    excludes: "q",
    description:
      "What to order by, separated by commas; a minus in front turns the order round. Unknown values come last, equals in the usual order. Not together with q.",
    example: "-usable_battery_size,model",
    addition: "sort",
  };
}
