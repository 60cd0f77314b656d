import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const sources = fileURLToPath(new URL("../src", import.meta.url));

/** The packages that the files of a folder load as soon as they are loaded. */
function loadedBy(folder: string): readonly string[] {
  const files = readdirSync(join(sources, folder), { recursive: true, encoding: "utf8" });
  const own = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const found = own.flatMap((name) => {
    const text = readFileSync(join(sources, folder, name), "utf8");
    return [...text.matchAll(/^(?:import(?! type)|export)[^;]* from "(@wye\/[\w-]+)/gm)].map(
      ([, one]) => one ?? "",
    );
  });
  return [...new Set(found)].sort();
}

test.each([
  ["relay", ["@wye/relay"]],
  ["vehicles", ["@wye/vehicle-catalogue"]],
])("what serves %s loads nothing of others: it would be in memory as long as it runs", (folder, packages) => {
  expect(loadedBy(folder)).toEqual(packages);
});
