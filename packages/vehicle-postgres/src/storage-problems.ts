import type { Vehicle } from "@wye/vehicle-catalogue";
import type { RecordProblem } from "@wye/vehicle-catalogue/server";

/** What PostgreSQL cannot hold although the API can say it: the character NUL, and halves of surrogate pairs. */
export function storageProblems(vehicle: Vehicle, index: number): readonly RecordProblem[] {
  const { id, manufacturer, ...others } = vehicle;
  const problems: RecordProblem[] = [];
  const check = (field: string, value: unknown): void => {
    if (isUnfit(value))
      problems.push({ index, id, field, message: "has a character that PostgreSQL cannot hold" });
  };
  check("id", id);
  for (const [field, value] of Object.entries(others)) check(field, value);
  check("manufacturer.id", manufacturer.id);
  check("manufacturer.name", manufacturer.name);
  return problems;
}

/** Whether such a character is anywhere in a value, the names of members included. */
function isUnfit(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string") {
      if (one.includes("\u0000") || !one.isWellFormed()) return true;
    } else if (Array.isArray(one)) {
      for (const item of one) left.push(item);
    } else if (typeof one === "object" && one !== null) {
      for (const [name, member] of Object.entries(one)) left.push(name, member);
    }
  }
  return false;
}
