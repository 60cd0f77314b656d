import type { Schema } from "../schema.js";
import {
  type VehicleAttributeName,
  vehicleAttributeNames,
  vehicleAttributes,
} from "../vehicle-attributes.js";
import { checkExtension } from "./check-extension.js";
import { checkValue, type Report } from "./check-value.js";
import { type Check, compiledCheck } from "./compiled-check.js";
import { reportFalls, rises } from "./curve-levels.js";
import { type Given, leftOut } from "./left-out.js";
import { deepestNesting, isNestedDeeper } from "./nesting.js";
import { findNoJson } from "./no-json.js";
import { type ReportRepair, tidy } from "./tidy.js";

/** What an operator allows beyond the documented API. */
export interface VehicleExtension {
  /**
   * Take texts that the documents do not list, such as a new kind of port, for what they are: attributes that are one of a
   * list of texts, or a list of such, may have others. Default: false.
   */
  readonly openValues?: boolean;
  /**
   * Further attributes by their names, as JSON Schema, as far as `Schema` knows it: other keywords are refused. A vehicle that has
   * none of that name is shown with null. Values may be nested 30 levels deep.
   */
  readonly attributes?: Readonly<Record<string, Schema>>;
}

/** What the attributes of vehicles are, and what is right for each. */
export interface VehicleRules {
  /** All names, in the order of the documents: those of the operator come last. */
  readonly names: readonly string[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The names that the operator has added. */
  readonly added: readonly string[];
  /** How to read each attribute, in the order of the names. */
  readonly attributes: readonly AttributeRule[];
}

/** How an attribute is read from a record. */
export interface AttributeRule {
  readonly name: string;
  /** Its value, with what was left out filled in. */
  readonly find: (given: Given) => unknown;
  /** The value with what can be mended mended. */
  readonly tidy: (value: unknown, repair: ReportRepair) => unknown;
  readonly isRight: Check;
  /** Reports what is wrong with a value that is not right. */
  readonly explain: (value: unknown, report: Report) => void;
}

/** The rules of the documented API, with what an operator adds. */
export function vehicleRules(extension: VehicleExtension = {}): VehicleRules {
  checkExtension(extension);
  const { openValues = false, attributes = {} } = extension;
  const added = Object.keys(attributes);
  const schemas: Record<string, Schema> = {};
  for (const name of vehicleAttributeNames) {
    schemas[name] = openValues ? opened(vehicleAttributes[name]) : vehicleAttributes[name];
  }
  for (const name of added) schemas[name] = nullable(attributes[name] ?? {});
  return {
    names: [...vehicleAttributeNames, ...added],
    schemas,
    added,
    attributes: [
      ...vehicleAttributeNames.map((name) => documentedRule(name, schemas[name] ?? {})),
      ...added.map((name) => addedRule(name, schemas[name] ?? {})),
    ],
  };
}

function documentedRule(name: VehicleAttributeName, schema: Schema): AttributeRule {
  const find = leftOut[name] ?? ((given: Given) => given(name));
  const rule: AttributeRule = {
    ...checksOf(name, schema),
    find,
    tidy: (value, repair) => tidy(vehicleAttributes[name], name, value, repair),
  };
  return name === "dc_charging_curve" ? risingOnly(rule) : rule;
}

/** Nobody knows how what an operator has added could be mended. */
function addedRule(name: string, schema: Schema): AttributeRule {
  const { isRight, explain } = checksOf(name, schema);
  return {
    name,
    find: (given) => given(name) ?? null,
    tidy: (value) => value,
    isRight: (value) => !isNestedDeeper(value) && findNoJson(value) === undefined && isRight(value),
    explain(value, report) {
      if (isNestedDeeper(value)) {
        report(name, `must not be nested deeper than ${deepestNesting} levels`);
        return;
      }
      const odd = findNoJson(value);
      if (odd === undefined) explain(value, report);
      else report(name + odd.path, `must be a value of JSON; got ${odd.what}`);
    },
  };
}

function checksOf(name: string, schema: Schema): Pick<AttributeRule, "name" | "isRight" | "explain"> {
  return {
    name,
    isRight: compiledCheck(schema),
    explain: (value, report) => checkValue(schema, value, name, report),
  };
}

/** No schema can say that the levels of a curve rise. */
function risingOnly({ isRight, explain, ...rule }: AttributeRule): AttributeRule {
  return {
    ...rule,
    isRight: (curve) => isRight(curve) && rises(curve),
    explain(curve, report) {
      explain(curve, report);
      reportFalls(rule.name, curve, report);
    },
  };
}

/** The same schema without its list of texts. Numbers stay a list: there is no fourth phase. */
function opened(schema: Schema): Schema {
  if (schema.items !== undefined) return { ...schema, items: opened(schema.items) };
  const { enum: known, ...open } = schema;
  if (known === undefined || schema.type !== "string") return schema;
  return { ...open, minLength: 1, maxLength: 100, examples: known };
}

function nullable(schema: Schema): Schema {
  const { type, enum: known } = schema;
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...new Set([type, "null" as const].flat())] }),
    ...(known === undefined ? {} : { enum: [...new Set([...known, null])] }),
  };
}
