/** In what this relay differs from the reference, for people. */
export interface CompatibilityRow {
  readonly id: string;
  /** What the reference does. */
  readonly reference: string;
  /** What this relay does. */
  readonly here: string;
  readonly reason: string;
}

/** Where the part of the page begins that the recording with Redis gives. */
export const redisHeading = "## Differences that the recording with Redis shows";

/** The rows as a table of the page of the documentation. */
export function compatibilityTable(rows: readonly CompatibilityRow[]): string {
  const lines = rows.map(({ id, reference, here, reason }) =>
    ["", `\`${id}\``, reference, here, reason, ""].join(" | ").trim(),
  );
  return ["| | ld-relay | this relay | why |", "|---|---|---|---|", ...lines].join("\n");
}
