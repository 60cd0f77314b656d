import { closeSync, constants, openSync, readFileSync } from "node:fs";

/** The text of a file. A pipe in its place is empty: opening it otherwise waits for whoever writes into it. */
export function readAtOnce(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
