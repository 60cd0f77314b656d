import { BoundedReport } from "./bounded-report.js";
import { isRecord, show } from "./check-value.js";
import { leftOut } from "./left-out.js";
import { isShownAlike } from "./same-json.js";
import type { AttributeRule, VehicleRules } from "./vehicle-rules.js";

/** What is known to be wrong in data that others publish, and what is right. Fields are named as in the API. */
export interface Correction {
  /** Id of the vehicle. */
  readonly id: string;
  /** The right values. Another name of the manufacturer, whose id stays, is that of the brand for all of its vehicles. */
  readonly set: Readonly<Record<string, unknown>>;
  /**
   * The values that are wrong, as the data have them or as they are shown: where there are others, they may have been mended, and the
   * value is not set. What a field was that is not set has to be so still, or nothing of the correction is made.
   */
  readonly was?: Readonly<Record<string, unknown>>;
}

/** A correction that was not made, because the data are not what they were. */
export interface StaleCorrection {
  readonly id: string;
  /** The field; empty when there is no such vehicle. */
  readonly field: string;
  readonly message: string;
}

/** Called for every value that was corrected. */
type ReportChange = (field: string, message: string, from: unknown, to: unknown) => void;

/** Corrections on their way through a list of records. */
export class CorrectionSheet {
  readonly #rules: ReadonlyMap<string, AttributeRule>;
  readonly #corrections: ReadonlyMap<string, readonly Correction[]>;
  readonly #met = new Set<string>();
  readonly #stale = new BoundedReport<StaleCorrection>();

  /** Throws for a field that there is not: it would be laid over and then left out as unknown. */
  constructor(corrections: readonly Correction[], { names, attributes }: VehicleRules) {
    this.#rules = new Map(attributes.map((rule) => [rule.name, rule]));
    const odd = Array.isArray(corrections) ? corrections.findIndex((one) => !isCorrection(one)) : undefined;
    if (odd !== -1) {
      const hint =
        odd === undefined
          ? ""
          : ` corrections[${odd}] is none${setsId(corrections[odd]) ? ": it sets the id, which stays" : ""}.`;
      throw new TypeError(
        `corrections must be a list of { id, set: { field: value } }, with was: { field: value } if known.${hint}`,
      );
    }
    const known: ReadonlySet<string> = new Set([...names, "type", "manufacturer"]);
    for (const { id, set, was = {} } of corrections) {
      const unknown = [...Object.keys(set), ...Object.keys(was)].find((name) => !known.has(name));
      if (unknown === undefined) continue;
      const hint = unknown.includes(".") ? " Fields are corrected whole." : "";
      throw new TypeError(
        `The correction of ${show(id)} has the field ${show(unknown)}, which there is not.${hint}`,
      );
    }
    const byId = new Map<string, Correction[]>();
    for (const correction of corrections) {
      const key = correction.id.toLowerCase();
      byId.set(key, [...(byId.get(key) ?? []), correction]);
    }
    this.#corrections = byId;
  }

  /** The record as it should be; `mended` makes of a record what was made of this one before it came here. */
  apply(record: unknown, report: ReportChange, mended: Mend = asItIs): unknown {
    if (this.#corrections.size === 0 || !isRecord(record) || typeof record.id !== "string") return record;
    const key = record.id.toLowerCase();
    const corrections = this.#corrections.get(key);
    if (corrections === undefined) return record;
    this.#met.add(key);
    const corrected: Record<string, unknown> = { ...record };
    for (const { id, set, was = {} } of corrections) {
      const before = { ...corrected };
      const others = this.#othersThan(was, set, before, mended);
      for (const [field, message] of others) this.#stale.add({ id, field, message });
      if (others.length > 0) continue;
      for (const [field, to] of Object.entries(set)) {
        const from = valueIn(before, field);
        const reason = isShownAlike(from, to)
          ? "is so already"
          : Object.hasOwn(was, field)
            ? this.#otherThan(was[field], field, before, mended)
            : undefined;
        if (reason !== undefined) {
          this.#stale.add({ id, field, message: reason });
          continue;
        }
        // The name is one of those that there are: none means anything else to an object.
        corrected[field] = to;
        report(field, "was corrected", from, to);
      }
      if (hasDefaultCurve(record, before)) keepDefaultCurve(before, corrected, set, report);
      keepStandardPorts(before, corrected, set, report);
    }
    return corrected;
  }

  /** The fields that are not set and not what they were, and why. */
  #othersThan(was: Members, set: Members, record: Members, mended: Mend): readonly [string, string][] {
    return Object.entries(was).flatMap(([field, value]): [string, string][] => {
      const reason = Object.hasOwn(set, field) ? undefined : this.#otherThan(value, field, record, mended);
      return reason === undefined ? [] : [[field, reason]];
    });
  }

  /** Why a value is not what it was; undefined where it is, in the data or as it is shown. */
  #otherThan(was: unknown, field: string, record: Members, mended: Mend): string | undefined {
    const from = valueIn(record, field);
    if (isShownAlike(from, was)) return undefined;
    const shown = this.#shown(field, record);
    if (isShownAlike(shown, this.#shown(field, mended({ ...record, [field]: was })))) return undefined;
    return `is no longer ${hint(was)}, but ${hint(shown)}`;
  }

  /** What loading makes of a field: left out, filled in, put in order. */
  #shown(field: string, record: Members): unknown {
    const rule = this.#rules.get(field);
    if (rule !== undefined)
      return rule.tidy(
        rule.find((name) => valueIn(record, name)),
        () => {},
      );
    const value = valueIn(record, field);
    if (field !== "manufacturer" || !isRecord(value) || typeof value.name !== "string") return value;
    return { id: value.id, name: value.name.trim() };
  }

  /** The corrections that were not made, when all records have come by. */
  stale(): BoundedReport<StaleCorrection> {
    for (const [key, [first]] of this.#corrections) {
      if (this.#met.has(key)) continue;
      this.#stale.add({ id: first?.id ?? "", field: "", message: "is no vehicle of these data" });
    }
    return this.#stale;
  }
}

/** Whether the curve was given as a default one, and is so still or was left out by a correction before. */
function hasDefaultCurve(given: Members, record: Members): boolean {
  const isLeftOut =
    !Object.hasOwn(record, "dc_charging_curve") && !Object.hasOwn(record, "dc_default_charging_curve");
  return (isLeftOut ? given : record).dc_default_charging_curve === true;
}

/**
 * A default curve is one of its maxima: it is worked out anew where they were corrected, and what takes its place is none. What the correction
 * says of the curve itself stands.
 */
function keepDefaultCurve(
  before: Members,
  corrected: Record<string, unknown>,
  set: Members,
  report: ReportChange,
): void {
  if (Object.hasOwn(set, "dc_default_charging_curve")) return;
  if (!["dc_charging_curve", "dc_max_power", "ac_max_power"].some((field) => Object.hasOwn(set, field)))
    return;
  delete corrected.dc_default_charging_curve;
  if (Object.hasOwn(set, "dc_charging_curve")) return;
  delete corrected.dc_charging_curve;
  const derivedOf = (record: Members): unknown =>
    leftOut.dc_charging_curve?.((name) => valueIn(record, name));
  const from = Object.hasOwn(before, "dc_charging_curve") ? before.dc_charging_curve : derivedOf(before);
  const to = derivedOf(corrected);
  if (!isShownAlike(from, to)) report("dc_charging_curve", "was worked out anew", from, to);
}

/** Standard ports that are those of all ports stay so where these were corrected, unless the correction says otherwise. */
function keepStandardPorts(
  before: Members,
  corrected: Record<string, unknown>,
  set: Members,
  report: ReportChange,
): void {
  const field = "dc_charge_ports";
  const from = valueIn(before, field);
  if (from === undefined || !Object.hasOwn(set, "dc_ports") || Object.hasOwn(set, field)) return;
  const derivedOf = (record: Members): unknown =>
    leftOut[field]?.((name) => (name === field ? undefined : valueIn(record, name)));
  const to = derivedOf(corrected);
  if (isShownAlike(from, to) || !isShownAlike(from, derivedOf(before))) return;
  corrected[field] = to;
  report(field, "was worked out anew", from, to);
}

/** So much of a value is told. */
const longestHint = 200;

function hint(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "nothing";
  } catch {
    // It nests too deep for that.
    text = show(value);
  }
  return text.length > longestHint ? `${text.slice(0, longestHint)}…` : text;
}

type Members = Readonly<Record<string, unknown>>;
type Mend = (record: Members) => Members;

const asItIs: Mend = (record) => record;

function valueIn(record: Members, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : undefined;
}

function setsId(value: unknown): boolean {
  return isRecord(value) && isRecord(value.set) && Object.hasOwn(value.set, "id");
}

function isCorrection(value: unknown): value is Correction {
  return (
    isRecord(value) &&
    Object.keys(value).every((name) => name === "id" || name === "set" || name === "was") &&
    typeof value.id === "string" &&
    isRecord(value.set) &&
    !setsId(value) &&
    (value.was === undefined || isRecord(value.was))
  );
}
