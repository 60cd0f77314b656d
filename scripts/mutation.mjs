// `npm run mutation -- flag-evaluator [src/evaluate/scope.ts …]` makes small mistakes in the code of a package, one at a time, and
// tells which of them no test notices. Without files all of the package is tried and its score compared with the table in
// house/mutation-scores.json, which only rises: `--accept` writes a better one. `--changed` tries the lines that were changed since this
// left origin/main, or what `--since` names. What was tried before and is still the same is not tried again, but for what was ended for its
// time, which may only have met a busy machine. Of tests only the names are compared: whoever has changed one says `--again`.
// A package is tried a few files at a time: what was tried before a run was stopped is kept. `--one-in 50` tries a sample, a new one each
// week or that of `--seed`: a package of ten thousand mistakes would take a day. A sample is too low when its size cannot be the reason.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";

const root = fileURLToPath(new URL("..", import.meta.url));
const tableFile = join(root, "house", "mutation-scores.json");
/** What every package should reach, and what changed lines must. */
const wanted = 90;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean" },
    since: { type: "string", default: "origin/main" },
    accept: { type: "boolean" },
    again: { type: "boolean", default: false },
    "one-in": { type: "string", default: "1" },
    seed: { type: "string", default: String(Math.floor(Date.now() / (7 * 24 * 3_600_000))) },
    concurrency: { type: "string", default: "2" },
  },
});
const [id, ...named] = positionals;
const oneIn = Number(values["one-in"]);
if (!id || !existsSync(join(root, "packages", id, "src")) || !(Number.isInteger(oneIn) && oneIn >= 1)) {
  console.error(
    "usage: npm run mutation -- PACKAGE [FILE …] [--changed [--since COMMIT]] [--one-in NUMBER [--seed TEXT]] [--again] [--accept]",
  );
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
const files = values.changed ? changedLines(folder) : named;
if (values.changed && files.length === 0) {
  console.log(`nothing has changed in ${id}`);
  process.exit(0);
}

const incrementalFile = join(root, ".mutation", `${id}.json`);
process.chdir(folder);
/** @type {Awaited<ReturnType<Stryker["runMutationTest"]>>} */
const asked = [];
showOthers(id);
const isSample = oneIn > 1;
const settings = {
  plugins: [
    import.meta.resolve("@stryker-mutator/vitest-runner"),
    import.meta.resolve("./mutation-survivors.mjs"),
    import.meta.resolve("./mutation-sample.mjs"),
  ],
  ...(isSample ? { checkers: ["sample"], sample: { oneIn, seed: values.seed } } : {}),
  // A folder as deep as a package, so that its settings find those of the repository; nobody need rewrite them.
  tempDirName: join(root, ".mutation"),
  tsconfigFile: "none.json",
  concurrency: Number(values.concurrency),
};
const known = files.length > 0 ? files : sources(folder);
const drawn = isSample ? await drawSample(known) : undefined;
for (const places of drawn ? [drawn.places] : files.length > 0 ? [files] : piecesOf(known)) {
  if (places.length === 0) continue;
  const results = await new Stryker({
    ...settings,
    testRunner: "vitest",
    vitest: { configFile: "../../vitest.mutation.config.ts", related: true },
    mutate: [...places, "!src/**/*.test.ts", "!src/gen/**"],
    incremental: !isSample,
    incrementalFile,
    force: values.again,
    coverageAnalysis: "perTest",
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    reporters: ["clear-text", "progress-append-only", "survivors"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  }).runMutationTest();
  if (!isSample) forgetTimeouts(incrementalFile);
  // What was tried before elsewhere in the package is among the results.
  asked.push(...results.filter((result) => isSample || places.some((place) => isIn(place, result))));
}

const count = (/** @type {string[]} */ ...statuses) =>
  asked.filter(({ status }) => statuses.includes(status)).length;
const noticed = count("Killed", "Timeout");
const all = noticed + count("Survived", "NoCoverage");
// Lines may have changed in which there is nothing to be mistaken about.
const score = all === 0 ? 100 : Math.floor((noticed / all) * 1000) / 10;
/** @type {Readonly<Record<string, { score: number, tried: number, of: number }>>} */
const table = JSON.parse(readFileSync(tableFile, "utf8"));
const least = files.length > 0 ? wanted : (table[id]?.score ?? 0);
const of = drawn?.of ?? asked.length - count("Ignored");
console.log(
  `${id}: ${score} % of ${all} mistakes are noticed${isSample ? `, of ${of} that could be made (--seed ${values.seed})` : ""}; at least ${least} % must be`,
);
if ((isSample ? mostLikely(noticed, all) : score) < least) process.exitCode = 1;
if (values.accept && files.length === 0 && score > least) {
  writeFileSync(tableFile, `${JSON.stringify({ ...table, [id]: { score, tried: all, of } }, null, 2)}\n`);
}

/**
 * The highest score that a package may have whose sample came out so: Wilson's upper limit, which 19 of 20 samples keep to.
 *
 * @param {number} noticed
 * @param {number} all
 */
function mostLikely(noticed, all) {
  const z2 = 1.645 ** 2;
  const share = noticed / all;
  const middle = share + z2 / (2 * all);
  const width = Math.sqrt(z2 * ((share * (1 - share)) / all + z2 / (4 * all * all)));
  return (100 * (middle + width)) / (1 + z2 / all);
}

/**
 * Puts the other packages beside the sandbox: tests read what lies in them.
 *
 * @param {string} own
 */
function showOthers(own) {
  mkdirSync(join(root, ".mutation"), { recursive: true });
  for (const other of readdirSync(join(root, "packages"))) {
    const path = join(root, ".mutation", other);
    rmSync(path, { force: true });
    if (other !== own) symlinkSync(join("..", "packages", other), path);
  }
}

/**
 * Where the mistakes of the sample are, so that the code is nearly as fast as without any: a run with nothing to run lists all of them.
 *
 * @param {readonly string[]} within
 */
async function drawSample(within) {
  const results = await new Stryker({
    ...settings,
    testRunner: "command",
    commandRunner: { command: "exit 0" },
    mutate: [...within, "!src/**/*.test.ts", "!src/gen/**"],
    coverageAnalysis: "off",
    reporters: [],
  }).runMutationTest();
  const places = results
    .filter(({ status }) => status === "Survived")
    .map(({ fileName, location: { start, end } }) => {
      const lines = `${start.line}:${start.column - 1}-${end.line}:${end.column}`;
      return `${relative(folder, fileName)}:${lines}`;
    });
  return { places, of: results.filter(({ status }) => status !== "Ignored").length };
}

/**
 * The files of a package in which there can be mistakes.
 *
 * @param {string} cwd
 */
function sources(cwd) {
  const names = readdirSync(join(cwd, "src"), { recursive: true, encoding: "utf8" });
  return names
    .map((name) => `src/${name}`)
    .filter(isSource)
    .sort();
}

/** @param {string} name */
function isSource(name) {
  return name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("src/gen/");
}

/**
 * Files in lots of about a quarter of an hour: the tests run once for each before any mistake is made.
 *
 * @param {readonly string[]} names
 */
function piecesOf(names) {
  /** @type {string[][]} */
  const pieces = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const { size } = statSync(name);
    if (bytes + size > 20_000) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)?.push(name);
    bytes += size;
  }
  return pieces;
}

/**
 * @param {string} place  a file, or lines of it as in `src/a.ts:3-5`
 * @param {{ fileName: string, location: { start: { line: number }, end: { line: number } } }} result
 */
function isIn(place, { fileName, location: { start, end } }) {
  const [, file, first, last] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(place) ?? [];
  return (
    file === relative(folder, fileName) &&
    (!first || (start.line >= Number(first) && end.line <= Number(last)))
  );
}

/** @param {string} file */
function forgetTimeouts(file) {
  if (!existsSync(file)) return;
  /** @type {{ readonly files: Readonly<Record<string, { mutants: readonly { readonly status: string }[] }>> }} */
  const report = JSON.parse(readFileSync(file, "utf8"));
  for (const source of Object.values(report.files)) {
    source.mutants = source.mutants.filter(({ status }) => status !== "Timeout");
  }
  writeFileSync(file, JSON.stringify(report));
}

/**
 * The lines that somebody has changed or added, as in `src/a.ts:3-5`, new files as well: a file of which one line has changed is not tried whole.
 *
 * @param {string} cwd
 */
function changedLines(cwd) {
  const git = (/** @type {string[]} */ ...words) =>
    execFileSync("git", words, { cwd, encoding: "utf8" }).split("\n");
  const lines = [];
  let name = "";
  for (const line of git(
    "diff",
    "--unified=0",
    "--no-color",
    "--no-ext-diff",
    "--relative",
    "--merge-base",
    values.since,
    "--",
    "src",
  )) {
    name = /^\+\+\+ b\/(.*)/.exec(line)?.[1] ?? name;
    const [, start, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start !== undefined && count !== "0")
      lines.push([name, `${name}:${start}-${Number(start) + Number(count) - 1}`]);
  }
  for (const created of git("ls-files", "--others", "--exclude-standard", "--", "src"))
    lines.push([created, created]);
  return lines.filter(([name = ""]) => isSource(name)).map(([, place = ""]) => place);
}
