import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compatibilityTable, redisHeading } from "../../../scripts/compatibility-table.js";
import { differences } from "./differences.js";

const file = new URL("../../../docs/relay/compatibility.md", import.meta.url);
const section = `${redisHeading}

A conversation with ld-relay and a Redis, dumps of the database included, is replayed against \`@wye/relay-redis\` where there is a
Redis. What it shows holds for the other databases as well.

${compatibilityTable(differences)}
`;

test("the page of the documentation has the table of the replay with Redis (WYE_UPDATE_PAGES=1 writes it)", () => {
  const page = readFileSync(file, "utf8");
  const start = page.indexOf(redisHeading);
  expect(start).toBeGreaterThan(0);
  if (process.env.WYE_UPDATE_PAGES !== undefined) writeFileSync(file, page.slice(0, start) + section);
  expect(readFileSync(file, "utf8").slice(start)).toBe(section);
});
