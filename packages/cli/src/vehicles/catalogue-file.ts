import { CatalogueError } from "@wye/vehicle-catalogue/server";
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
