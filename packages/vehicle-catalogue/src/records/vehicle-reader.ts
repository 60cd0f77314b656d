import { type Brand, brandAttributes } from "../brand.js";
import type { Schema } from "../schema.js";
import { type Vehicle, vehicleTypes } from "../vehicle.js";
import { checkValue, isRecord, type Report, show } from "./check-value.js";
import { compiledCheck } from "./compiled-check.js";
import type { Given } from "./left-out.js";
import { type ReportRepair, reportUnknown, tidy } from "./tidy.js";
import { type AttributeRule, type VehicleRules, vehicleRules } from "./vehicle-rules.js";

/** So many values of an attribute are remembered. */
const mostKnown = 10_000;

/**
 * Reads records of unknown origin, one after the other: fills in what has a rule, mends what can be mended without a guess, and
 * checks the result against the attribute table. A list or an object that was right is known when it comes by again.
 */
export class VehicleReader {
  readonly #rules: VehicleRules;
  /** Per attribute: what was right, and what was made of it. */
  readonly #known: ReadonlyMap<string, Map<unknown, unknown>>;
  readonly #fail: Report;
  readonly #repair: ReportRepair;
  readonly #given: Given = (name) => (Object.hasOwn(this.#record, name) ? this.#record[name] : undefined);
  #record: Readonly<Record<string, unknown>> = {};
  #isWrong = false;
  #isMended = false;

  constructor(report: Report, repair: ReportRepair, rules: VehicleRules = documented) {
    this.#rules = rules;
    this.#known = new Map(rules.names.map((name) => [name, new Map()]));
    this.#fail = (field, message) => {
      this.#isWrong = true;
      report(field, message);
    };
    this.#repair = (...found) => {
      this.#isMended = true;
      repair(...found);
    };
  }

  /** Undefined when anything was reported as wrong. */
  read(record: unknown): Vehicle | undefined {
    if (!isRecord(record)) {
      this.#fail("", `must be an object; got ${show(record)}`);
      return undefined;
    }
    this.#record = record;
    this.#isWrong = false;
    const type = this.#given("type");
    const vehicle: Record<string, unknown> = { id: this.#id(this.#given("id"), "id"), type };
    if (!isVehicleType(type)) checkValue(typeSchema, type, "type", this.#fail);
    for (const rule of this.#rules.attributes) vehicle[rule.name] = this.#attribute(rule);
    this.#reportUnknown();
    vehicle.manufacturer = this.#brand(this.#given("manufacturer"));
    if (this.#isWrong) return undefined;
    // Every member has just been checked against the schema that its type is derived from.
    return vehicle as unknown as Vehicle;
  }

  #attribute({ name, find, tidy, isRight, explain }: AttributeRule): unknown {
    const found = find(this.#given);
    const known = typeof found === "object" && found !== null ? this.#known.get(name) : undefined;
    const before = known?.get(found);
    if (before !== undefined) return before;
    this.#isMended = false;
    const value = tidy(found, this.#repair);
    if (!isRight(value)) explain(value, this.#fail);
    // What was mended is reported for every record.
    else if (known !== undefined && known.size < mostKnown && !this.#isMended) known.set(found, value);
    return value;
  }

  #reportUnknown(): void {
    for (const name of Object.keys(this.#record)) {
      if (this.#known.has(name) || name === "id" || name === "type" || name === "manufacturer") continue;
      reportUnknown("", name, this.#record[name], this.#repair);
    }
  }

  #brand(value: unknown): Brand {
    if (!isRecord(value)) {
      this.#fail("manufacturer", `must be an object with id and name; got ${show(value)}`);
      return { id: "", name: "" };
    }
    tidy(brandSchema, "manufacturer", value, this.#repair);
    const id = this.#id(Object.hasOwn(value, "id") ? value.id : undefined, "manufacturer.id");
    const given = Object.hasOwn(value, "name") ? value.name : undefined;
    const name = tidy(brandAttributes.name, "manufacturer.name", given, this.#repair);
    if (!isBrandName(name)) checkValue(brandAttributes.name, name, "manufacturer.name", this.#fail);
    return { id, name: typeof name === "string" ? name : "" };
  }

  /** Ids are opaque; but one with a comma or blanks around it could never be asked for in a filter. */
  #id(value: unknown, field: string): string {
    if (!isIdText(value)) checkValue(idSchema, value, field, this.#fail);
    if (typeof value !== "string") return "";
    if (value.includes(",") || value.trim() !== value) {
      this.#fail(field, `must not contain a comma, nor blanks at its ends; got ${show(value)}`);
    }
    return value;
  }
}

const typeSchema: Schema = { type: "string", enum: vehicleTypes };
const isVehicleType = compiledCheck(typeSchema);
const idSchema: Schema = { type: "string", minLength: 1, maxLength: 200 };
const isIdText = compiledCheck(idSchema);
const brandSchema: Schema = { type: "object", properties: { id: idSchema, ...brandAttributes } };
const isBrandName = compiledCheck(brandAttributes.name);
const documented = vehicleRules();
