import { readFileSync, writeFileSync } from "node:fs";
import { createRelay, isRelayError, type RelayOptions } from "@wye/relay";
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

const sections = ["environments", "autoConfig", "offline", "upstream", "events", "streams", "bigSegments"];

/** Why the relay refuses a value that nothing takes, at a place such as `offline.file`. */
function refusalOf(path: string): string {
  const value = path.split(".").reduceRight((inner: unknown, name) => ({ [name]: inner }), Symbol(path));
  try {
    // Of the wrong type on purpose.
    createRelay({ ...(value as RelayOptions), initTimeout: "never" });
  } catch (error) {
    if (isRelayError(error)) return error.message;
    throw error;
  }
  throw new Error("a relay without a time limit was made");
}

test("what the tables say is set is an option of the relay", () => {
  const paths = sectionNames
    .flatMap((name) => propertiesOf(name).map(([, { sets }]) => sets))
    .filter((path) => sections.includes(path.split(".")[0] ?? "") && path.includes("."));
  expect(paths).toContain("offline.file");
  expect(refusalOf("offline.nothing")).toContain("offline: nothing is not an option");
  expect(paths.filter((path) => refusalOf(path).includes("is not an option"))).toEqual([]);
});
