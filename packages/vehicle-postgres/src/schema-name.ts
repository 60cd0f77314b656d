/** Where the tables are if nothing is said. */
export const defaultSchema = "vehicle_catalogue";

/** Refuses a name that would have to be quoted, or that leaves no room for the channel's. */
export function checkSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) return schema;
  throw new TypeError(
    `schema must be 1 to 50 of a–z, 0–9 and _, with no digit first; got ${JSON.stringify(schema)}`,
  );
}

/** The channel that tells of changes; the trigger of migration 2 makes the same name. */
export function channelOf(schema: string): string {
  return `${schema}_changed`;
}
