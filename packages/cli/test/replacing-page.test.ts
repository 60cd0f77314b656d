import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { propertiesOf, sectionNames } from "../src/relay/config/sections.js";
import { replacingPage } from "./replacing-page.js";

const file = new URL("../../../docs/relay/replacing-ld-relay.md", import.meta.url);

test("the tables of the guide are those of the program (WYE_UPDATE_PAGES=1 writes them)", () => {
  const page = replacingPage(file);
  if (process.env.WYE_UPDATE_PAGES !== undefined) writeFileSync(file, page);
  expect(readFileSync(file, "utf8")).toBe(page);
});

test("every variable is there once, but for those that two sections share", () => {
  const variables = sectionNames.flatMap((name) => propertiesOf(name).map(([, { variable }]) => variable));
  const twice = variables.filter((name, index) => variables.indexOf(name) !== index);
  expect([...new Set(twice)].sort()).toEqual([
    "CACHE_TTL",
    "ENV_ALLOWED_HEADER",
    "ENV_ALLOWED_ORIGIN",
    "ENV_DATASTORE_PREFIX",
    "ENV_DATASTORE_TABLE_NAME",
  ]);
});
