import { isRecord, show } from "./check-value.js";

/** What is wrong with one field of one record. */
export interface RecordProblem {
  /** Position of the record in the list that was loaded, from 0. */
  readonly index: number;
  /** The field as the list spells it, such as `dc_charging_curve[3].power`; empty for the record as a whole. */
  readonly field: string;
  /** What is wrong, in words. */
  readonly message: string;
  /** Id of the record, where it has one. */
  readonly id?: string;
}

/** A value that was mended while loading. */
export interface RecordRepair extends RecordProblem {
  readonly from: unknown;
  readonly to: unknown;
}

/** `record 17 (id 5b0c…): ac_phases must be one of 1, 2, 3; got 4`. */
export function formatRecordProblem(problem: RecordProblem): string {
  if (!isRecord(problem) || typeof problem.field !== "string")
    throw new TypeError(`formatRecordProblem needs a problem of a report; got ${show(problem)}.`);
  const id = problem.id === undefined ? "" : ` (id ${problem.id})`;
  return `record ${problem.index}${id}: ${problem.field}${problem.field === "" ? "" : " "}${problem.message}`;
}
