import { operatorNames, operatorOf } from "./compile/operators.js";

/** The operators that clauses may have; a clause with another one matches nothing. */
export const clauseOperators: readonly string[] = [...operatorNames, "segmentMatch"];

/** Why a value that a clause lists matches nothing, as in `is no date`; undefined if it may match something. */
export function clauseValueFault(op: string, value: unknown): string | undefined {
  if (op === "segmentMatch") return typeof value === "string" ? undefined : "is no key of a segment";
  const operator = operatorOf(op);
  return operator === undefined
    ? `is compared with ${JSON.stringify(op)}, which is no operator`
    : operator.valueFault(value);
}
