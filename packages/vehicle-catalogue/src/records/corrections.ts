import { BoundedReport } from "./bounded-report.js";
import { isRecord, show } from "./check-value.js";
import { isSameJson } from "./same-json.js";
import type { VehicleRules } from "./vehicle-rules.js";

/** What is known to be wrong in data that others publish, and what is right. Fields are named as in the API. */
export interface Correction {
  /** Id of the vehicle. */
  readonly id: string;
  /** The right values. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The values that are wrong: where the data have others, they may have been mended, and the correction is not made. */
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
  readonly #corrections: ReadonlyMap<string, readonly Correction[]>;
  readonly #met = new Set<string>();
  readonly #stale = new BoundedReport<StaleCorrection>();

  /** Throws for a field that there is not: it would be laid over and then left out as unknown. */
  constructor(corrections: readonly Correction[], { names }: VehicleRules) {
    if (!Array.isArray(corrections) || !corrections.every(isCorrection)) {
      throw new TypeError(
        "corrections must be a list of { id, set: { field: value } }, with was: { field: value } if known.",
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

  /** The record as it should be. */
  apply(record: unknown, report: ReportChange): unknown {
    if (this.#corrections.size === 0 || !isRecord(record) || typeof record.id !== "string") return record;
    const key = record.id.toLowerCase();
    const corrections = this.#corrections.get(key);
    if (corrections === undefined) return record;
    this.#met.add(key);
    const corrected: Record<string, unknown> = { ...record };
    for (const { id, set, was = {} } of corrections) {
      for (const [field, to] of Object.entries(set)) {
        const from = Object.hasOwn(corrected, field) ? corrected[field] : undefined;
        const reason = isSameJson(from, to)
          ? "is so already"
          : Object.hasOwn(was, field) && !isSameJson(from, was[field])
            ? `is no longer ${JSON.stringify(was[field])}`
            : undefined;
        if (reason !== undefined) {
          this.#stale.add({ id, field, message: reason });
          continue;
        }
        // The name is one of those that there are: none means anything else to an object.
        corrected[field] = to;
        report(field, "was corrected", from, to);
      }
    }
    return corrected;
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

function isCorrection(value: unknown): value is Correction {
  return (
    isRecord(value) &&
    Object.keys(value).every((name) => name === "id" || name === "set" || name === "was") &&
    typeof value.id === "string" &&
    isRecord(value.set) &&
    !Object.hasOwn(value.set, "id") &&
    (value.was === undefined || isRecord(value.was))
  );
}
