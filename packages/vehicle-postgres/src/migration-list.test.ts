import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { migrations, newestMigration } from "./migration-list.js";

test("the list of migrations has all files, and no others", async () => {
  const names = await readdir(new URL("./migrations/", import.meta.url));
  expect(migrations).toEqual(names.sort().map((name, at) => ({ number: at + 1, name })));
  expect(newestMigration).toBe(names.length);
});
