import { type Difference, differences } from "./differences.js";
import { unrecordedDifferences } from "./unrecorded-differences.js";

type Row = Omit<Difference, "adjust">;

/** The page of the documentation that lists in what this relay differs from the reference, made from the tables of the tests. */
export function compatibilityPage(): string {
  return `# Compatibility

The relay was compared with ld-relay 8.10.1: recorded conversations, about 1,600 exchanges, are replayed against it in
every test run, upstream's part included. Whatever is not in these tables is the same. This page is made from the
tables that the tests use.

## Differences that the recordings show

${table(differences)}

## Other differences

${table(unrecordedDifferences)}
`;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ id, reference, here, reason }) =>
    ["", `\`${id}\``, reference, here, reason, ""].join(" | ").trim(),
  );
  return ["| | ld-relay | this relay | why |", "|---|---|---|---|", ...lines].join("\n");
}
