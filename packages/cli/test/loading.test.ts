import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const sources = fileURLToPath(new URL("../src", import.meta.url));
const packages = fileURLToPath(new URL("../..", import.meta.url));

/** What a file imports as soon as it is loaded. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^(?:import|export)(?! type)[^;]* from "([^"]+)"/gm)].map(([, one]) => one ?? "");
}

/** The packages that the files of a folder load as soon as they are loaded. */
function loadedBy(folder: string): readonly string[] {
  const files = readdirSync(join(sources, folder), { recursive: true, encoding: "utf8" });
  const own = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const found = own.flatMap((name) => {
    return importsOf(join(sources, folder, name)).flatMap((one) => /^@wye\/[\w-]+/.exec(one) ?? []);
  });
  return [...new Set(found)].sort();
}

/** Everything that is imported as soon as a file is loaded, also through others. */
function importedWith(file: string): ReadonlySet<string> {
  const files = new Set([file]);
  const found = new Set<string>();
  for (const one of files)
    for (const imported of importsOf(one)) {
      found.add(imported);
      const [, name = "", entry = ""] = /^@wye\/([\w-]+)(\/.*)?$/.exec(imported) ?? [];
      const next = name === "" ? join(dirname(one), imported) : join(packages, name, `src${entry}/index.js`);
      if (existsSync(next.replace(/\.js$/, ".ts"))) files.add(next.replace(/\.js$/, ".ts"));
    }
  return found;
}

/** The packages of the house among them. */
function loadedWith(file: string): readonly string[] {
  const names = [...importedWith(file)].flatMap((one) => /^@wye\/([\w-]+)/.exec(one)?.[1] ?? []);
  return [...new Set(names)].sort();
}

test.each([
  ["relay", ["@wye/relay"]],
  ["vehicles", ["@wye/vehicle-catalogue"]],
])("what serves %s loads nothing of others: it would be in memory as long as it runs", (folder, packages) => {
  expect(loadedBy(folder)).toEqual(packages);
});

test.each(["list-runs", "read-logs", "run-actions"])(
  "what only asks a server loads nothing that checks or runs pipelines: %s",
  (name) => {
    expect(loadedWith(join(sources, "pipeline/cluster", `${name}.ts`))).toEqual([
      "pipeline-client",
      "pipeline-spec",
    ]);
  },
);

test("what starts a run loads what checks it, and what shows a run nothing that checks", () => {
  expect(loadedWith(join(sources, "pipeline/cluster/submit.ts"))).toContain("pipeline-validator");
  expect(loadedWith(join(packages, "pipeline-runner/src/node/index.ts"))).toEqual([
    "pipeline-resolver",
    "pipeline-spec",
  ]);
});

test("what starts the program opens no standard input, which is done by importing all that a process has", () => {
  for (const name of ["main", "program", "pipeline/check"])
    expect([...importedWith(join(sources, `${name}.ts`))], name).not.toContain("node:process");
});

test("only patterns load what finds files that match", () => {
  expect([...importedWith(join(sources, "pipeline/check.ts"))]).not.toContain("tinyglobby");
  expect([...importedWith(join(sources, "pipeline/matching-files.ts"))]).toContain("tinyglobby");
});
