// `npm run bench` runs every packages/*/bench/*.bench.ts in a process of its own, prints one table per package and
// writes all rows to .bench/results.json. `npm run bench -- pipeline-spec json` runs the files whose path has both words.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureReady } from "./ensure-ready.mjs";

ensureReady();
const { build } = await import("esbuild");
const { benchTable } = await import("./bench-table.mjs");

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);

/** @param {string} folder */
const list = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []);

const suites = list(join(root, "packages")).flatMap((name) => {
  const folder = join(root, "packages", name);
  const files = list(join(folder, "bench"))
    .filter((file) => file.endsWith(".bench.ts") && words.every((word) => `${name}/${file}`.includes(word)))
    .map((file) => join(folder, "bench", file));
  return files.length > 0 ? [{ name, folder, files }] : [];
});
if (suites.length === 0) {
  console.error(
    words.length > 0 ? `No benchmark has "${words.join('" and "')}" in its path.` : "There is no benchmark.",
  );
  process.exit(1);
}

const filters = suites.map(({ name }) => `--filter=./packages/${name}`);
const built = spawnSync(process.execPath, [join(root, "scripts", "turbo.mjs"), "build", ...filters], {
  stdio: "inherit",
});
if (built.status !== 0) process.exit(built.status ?? 1);

/** @type {Record<string, import("./bench-harness.ts").BenchRow[]>} */
const results = {};
let failed = false;
for (const { name, folder, files } of suites) {
  const output = join(folder, ".bench");
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  const rowsFile = join(output, "rows.jsonl");
  writeFileSync(rowsFile, "");
  for (const file of files) {
    const program = join(output, basename(file).replace(/\.ts$/, ".mjs"));
    await build({
      entryPoints: [file],
      outfile: program,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      sourcemap: "inline",
    });
    const { status, signal } = spawnSync(process.execPath, ["--expose-gc", "--enable-source-maps", program], {
      cwd: folder,
      stdio: "inherit",
      env: { ...process.env, WYE_BENCH_FILE: rowsFile },
    });
    if (status !== 0) {
      failed = true;
      console.error(`packages/${name}/bench/${basename(file)} ended with ${signal ?? `status ${status}`}`);
    }
  }
  const rows = readFileSync(rowsFile, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  results[name] = rows;
  console.log(`\n@wye/${name}\n\n${benchTable(rows)}`);
}

mkdirSync(join(root, ".bench"), { recursive: true });
const machine = { node: process.versions.node, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length };
writeFileSync(join(root, ".bench", "results.json"), `${JSON.stringify({ machine, results }, null, 2)}\n`);
console.log(`\nNode ${machine.node}, ${machine.cores} × ${machine.cpu}; all rows in .bench/results.json`);
process.exitCode = failed ? 1 : 0;
