// `npm run mutation -- flag-evaluator [src/evaluate/scope.ts …]` makes small mistakes in the code of a package, one at a time, and
// tells which of them no test notices. Without files all of the package is tried and its score compared with the table in
// house/mutation-scores.json, which only rises: `--accept` writes a better one. `--changed` tries the files that differ from
// origin/main, or from what `--since` names. What was tried before and is still the same is not tried again.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";

const root = fileURLToPath(new URL("..", import.meta.url));
const tableFile = join(root, "house", "mutation-scores.json");
/** What every package should reach, and what changed files must. */
const wanted = 90;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean" },
    since: { type: "string", default: "origin/main" },
    accept: { type: "boolean" },
    concurrency: { type: "string", default: "2" },
  },
});
const [id, ...named] = positionals;
if (!id || !existsSync(join(root, "packages", id, "src"))) {
  console.error("usage: npm run mutation -- PACKAGE [FILE …] [--changed [--since COMMIT]] [--accept]");
  process.exit(2);
}
const folder = join(root, "packages", id);
const absent = named.filter((file) => !existsSync(join(folder, file)));
if (absent.length > 0) {
  console.error(
    `there is no ${absent.join(", ")} in packages/${id}; files are named from there, as in src/index.ts`,
  );
  process.exit(2);
}
const files = values.changed ? changedFiles(folder) : named;
if (values.changed && files.length === 0) {
  console.log(`nothing has changed in ${id}`);
  process.exit(0);
}

process.chdir(folder);
const results = await new Stryker({
  testRunner: "vitest",
  vitest: { configFile: "../../vitest.mutation.config.ts", related: true },
  plugins: [
    import.meta.resolve("@stryker-mutator/vitest-runner"),
    import.meta.resolve("./mutation-survivors.mjs"),
  ],
  mutate: [...(files.length > 0 ? files : ["src/**/*.ts"]), "!src/**/*.test.ts", "!src/gen/**"],
  // A folder as deep as a package, so that its settings find those of the repository; nobody need rewrite them.
  tempDirName: join(root, ".mutation"),
  tsconfigFile: "none.json",
  incremental: true,
  incrementalFile: join(root, ".mutation", `${id}.json`),
  coverageAnalysis: "perTest",
  concurrency: Number(values.concurrency),
  timeoutMS: 20_000,
  reporters: ["clear-text", "progress-append-only", "survivors"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}).runMutationTest();

const count = (/** @type {string[]} */ ...statuses) =>
  results.filter(({ status }) => statuses.includes(status)).length;
const noticed = count("Killed", "Timeout");
const score = Math.floor((noticed / Math.max(1, noticed + count("Survived", "NoCoverage"))) * 1000) / 10;
const table = JSON.parse(readFileSync(tableFile, "utf8"));
const least = files.length > 0 ? wanted : (table[id] ?? 0);
console.log(
  `${id}: ${score} % of ${results.length - count("Ignored")} mistakes are noticed; at least ${least} % must be`,
);
if (score < least) process.exitCode = 1;
if (values.accept && files.length === 0 && score > least) {
  writeFileSync(tableFile, `${JSON.stringify({ ...table, [id]: score }, null, 2)}\n`);
}

/** @param {string} folder */
function changedFiles(folder) {
  return execFileSync(
    "git",
    ["diff", "--name-only", "--diff-filter=d", "--relative", values.since, "--", "src"],
    {
      cwd: folder,
      encoding: "utf8",
    },
  )
    .split("\n")
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("src/gen/"));
}
