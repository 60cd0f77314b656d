import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compatibilityPage } from "./compatibility-page.js";

const file = new URL("../../../docs/relay/compatibility.md", import.meta.url);

test("the page of the documentation is the table of the tests (WYE_UPDATE_PAGES=1 writes it)", () => {
  const present = readFileSync(file, "utf8");
  if (process.env.WYE_UPDATE_PAGES !== undefined) writeFileSync(file, compatibilityPage(present));
  expect(readFileSync(file, "utf8")).toBe(compatibilityPage(present));
});
