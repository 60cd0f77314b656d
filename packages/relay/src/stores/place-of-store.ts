import type { StoreDescription } from "./flag-store.js";

/** Which store it is, at the beginning of a message: `redis at redis://db:6379, prefix "ld": `. Of one without a description nothing. */
export function placeOfStore(about: StoreDescription | undefined): string {
  // Stores of hosts say what they like.
  const { database, dbServer, dbTable, dbPrefix }: Partial<StoreDescription> = Object(about);
  if (database === undefined) return "";
  const parts = [
    dbServer === undefined ? database : `${database} at ${dbServer}`,
    ...(dbTable === undefined ? [] : [`table ${JSON.stringify(dbTable)}`]),
    ...(dbPrefix === undefined ? [] : [`prefix ${JSON.stringify(dbPrefix)}`]),
  ];
  return `${parts.join(", ")}: `;
}
