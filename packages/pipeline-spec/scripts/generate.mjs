// @ts-check
// Generates src/gen from proto/: `node scripts/generate.mjs` writes it, with `--check` it fails when what is there (or
// what is committed) differs.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { harden } from "./harden.mjs";
import { publicNames, rename } from "./names.mjs";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const root = join(here, "..", "..");
const bin = join(root, "node_modules", ".bin");
const packageName = "ml_pipelines";

/** @param {...string} args */
function buf(...args) {
  execFileSync(process.execPath, [join(root, "node_modules", "@bufbuild", "buf", "bin", "buf"), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
}

/**
 * The files to write, by path below the package.
 *
 * @param {string} temporary  an empty folder
 * @returns {Map<string, string | Uint8Array>}
 */
function generate(temporary) {
  const files = new Map();
  buf("build", "-o", `${join(temporary, "image.json")}#format=json`);
  buf("build", "--exclude-source-info", "-o", join(temporary, "image.binpb"));
  buf("generate", "--output", join(temporary, "ts"));
  const image = JSON.parse(readFileSync(join(temporary, "image.json"), "utf8"));
  const file = image.file.find((/** @type {{ package: string }} */ f) => f.package === packageName);
  const names = publicNames(file);
  for (const entry of readdirSync(join(temporary, "ts"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = join("src", "gen", relative(join(temporary, "ts"), path));
    const source = readFileSync(path, "utf8");
    const named = source.includes(`source: ${packageName}/`) ? rename(source, names, packageName) : source;
    files.set(
      target,
      harden(named, `${relative(dirname(target), "src").replaceAll("\\", "/")}/set-entry.js`),
    );
  }
  // What the tests hand to an independent implementation.
  files.set(join("src", "testdata", "descriptors.binpb"), readFileSync(join(temporary, "image.binpb")));
  return files;
}

/**
 * Paths whose content is not what it should be, or that should not exist.
 *
 * @param {Map<string, string | Uint8Array>} files
 */
function stale(files) {
  const paths = [...files.keys()].filter((path) => {
    const full = join(here, path);
    return (
      !existsSync(full) || !readFileSync(full).equals(Buffer.from(/** @type {string} */ (files.get(path))))
    );
  });
  const gen = join(here, "src", "gen");
  for (const entry of existsSync(gen) ? readdirSync(gen, { recursive: true, withFileTypes: true }) : []) {
    const path = relative(here, join(entry.parentPath, entry.name));
    if (entry.isFile() && !files.has(path)) paths.push(path);
  }
  return paths;
}

/** Generated files that differ from what git has; empty outside a git checkout. */
function uncommitted() {
  try {
    const paths = ["src/gen", "src/testdata/descriptors.binpb"];
    const options = {
      cwd: here,
      encoding: /** @type {const} */ ("utf8"),
      stdio: /** @type {const} */ (["ignore", "pipe", "ignore"]),
    };
    const changed = execFileSync("git", ["diff", "--name-only", "--relative", "--", ...paths], options);
    const unknown = execFileSync(
      "git",
      ["ls-files", "--others", "--exclude-standard", "--", ...paths],
      options,
    );
    return `${changed}${unknown}`.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** Compares instead of writing, and has buf look at the proto files themselves. */
function check(/** @type {Map<string, string | Uint8Array>} */ files) {
  // A build just before this check has already refreshed the files: then only git still knows the old ones.
  const outdated = [...new Set([...stale(files), ...uncommitted()])];
  for (const path of outdated)
    console.error(`${path} is stale: run \`npm run gen\` and add the result to git`);
  if (outdated.length > 0) process.exitCode = 1;
  buf("lint");
  buf("format", "--diff", "--exit-code", "--path", "proto/ml_pipelines");
  buf("breaking", "--against", "proto/baseline.json");
}

function write(/** @type {Map<string, string | Uint8Array>} */ files) {
  for (const path of stale(files)) {
    const full = join(here, path);
    const content = files.get(path);
    if (content === undefined) rmSync(full);
    else {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
    }
  }
}

const temporary = mkdtempSync(join(tmpdir(), "wye-gen-"));
try {
  const files = generate(temporary);
  if (process.argv.includes("--check")) check(files);
  else write(files);
} catch (error) {
  // buf has said what is wrong by itself.
  if (error instanceof Error && "status" in error) process.exitCode = 1;
  else throw error;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
