import { CatalogueError, formatRecordProblem, type LoadReport } from "@wye/vehicle-catalogue/server";
import { UsageError } from "../exit-code.js";

/** What cannot be loaded at all is a wrong use: its message names the file. */
export async function orUsageError<Value>(load: () => Promise<Value>): Promise<Value> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof CatalogueError || error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** A file of which no record is right is likelier an accident than a catalogue without vehicles. */
export function refuseNoneRight(file: string, { loaded, problems }: LoadReport): void {
  const [first] = problems;
  if (loaded > 0 || first === undefined) return;
  throw new UsageError(`no record of ${file} is right: ${formatRecordProblem(first)}`);
}
