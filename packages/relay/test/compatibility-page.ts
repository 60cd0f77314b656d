import { compatibilityTable, redisHeading } from "../../../scripts/compatibility-table.js";
import { differences } from "./differences.js";
import { unrecordedDifferences } from "./unrecorded-differences.js";

/**
 * The page of the documentation that lists in what this relay differs from the reference, made from the tables of the tests. Its
 * last part belongs to the store for Redis and stays as it is.
 */
export function compatibilityPage(present: string): string {
  return `# Compatibility

The relay was compared with ld-relay 8.10.1: recorded conversations, about 1,600 exchanges, are replayed against it in
every test run, upstream's part included. Whatever is not in these tables is the same. This page is made from the
tables that the tests use.

## Differences that the recordings show

${compatibilityTable(differences)}

## Other differences

${compatibilityTable(unrecordedDifferences)}

${present.slice(present.indexOf(redisHeading))}`;
}
