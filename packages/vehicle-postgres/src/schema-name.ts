import { shown } from "./check-members.js";

/** Where the tables are if nothing is said. */
export const defaultSchema = "vehicle_catalogue";

/** Refuses a name that would have to be quoted, or that leaves no room for the channel's. */
export function checkSchema(schema: string): string {
  if (typeof schema !== "string" || !/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) {
    throw new TypeError(
      `schema must be 1 to 50 of a–z, 0–9 and _, with no digit first; got ${shown(schema)}`,
    );
  }
  if (schema.startsWith("pg_") || reserved.has(schema)) {
    throw new TypeError(`schema must not be ${JSON.stringify(schema)}: PostgreSQL has the name for itself`);
  }
  return schema;
}

/** The words that PostgreSQL takes for no name of a schema unless they are quoted. */
const reserved: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
  concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
  full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime
  localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning
  right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user
  using variadic verbose when where window with`.split(/\s+/),
);

/** The channel that tells of changes; the trigger of migration 2 makes the same name. */
export function channelOf(schema: string): string {
  return `${schema}_changed`;
}
