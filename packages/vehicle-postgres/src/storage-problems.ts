import type { Vehicle } from "@wye/vehicle-catalogue";
import type { RecordProblem } from "@wye/vehicle-catalogue/server";

/** What PostgreSQL cannot hold although the API can say it: the character NUL, and halves of surrogate pairs. */
export function storageProblems(vehicle: Vehicle, index: number): readonly RecordProblem[] {
  const { id, model, variant, manufacturer } = vehicle;
  const texts = {
    id,
    model,
    variant,
    "manufacturer.id": manufacturer.id,
    "manufacturer.name": manufacturer.name,
  };
  return Object.entries(texts)
    .filter(([, text]) => text.includes("\u0000") || !text.isWellFormed())
    .map(([field]) => ({ index, id, field, message: "has a character that PostgreSQL cannot hold" }));
}
