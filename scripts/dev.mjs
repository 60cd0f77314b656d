// `npm run dev`: the showcase, built anew and started again whenever a file changes; a build that fails leaves the one before running.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ensureReady } from "./ensure-ready.mjs";

ensureReady();
/** @param {string} path */
const inside = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const build = ["build", "--filter=@wye-examples/showcase...", "--output-logs=errors-only"];
/** What builds and tests write: no reason to build again. */
const isWritten = /^(?:node_modules|dist|gen|\..*|.*\.bundled_.*)$/;
/** Editors write several files in a row. */
const pauseMs = 100;

/** @type {import("node:fs").FSWatcher[]} */
let watchers = [];
/** @type {import("node:child_process").ChildProcess | undefined} */
let showcase;
let isBusy = false;
let isChanged = false;

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    showcase?.kill("SIGTERM");
    process.exit();
  });
}
await buildAndStart();

async function buildAndStart() {
  isBusy = true;
  do {
    // Anew, for a folder of the same name may have taken the place of another.
    for (const watcher of watchers) watcher.close();
    watchers = ["packages", "examples", "proto"].flatMap((folder) => watchersOf(inside(folder)));
    isChanged = false;
    const [status] = await once(start(inside("scripts/turbo.mjs"), build), "exit");
    if (status !== 0) console.error("The build has failed; it is tried again with the next change.");
    else if (!isChanged) await startAgain();
  } while (isChanged);
  isBusy = false;
}

async function startAgain() {
  if (showcase?.exitCode === null && showcase.signalCode === null) {
    showcase.kill("SIGTERM");
    await once(showcase, "exit");
  }
  showcase = start(inside("examples/showcase/dist/main.js"), process.argv.slice(2));
}

async function onChange() {
  isChanged = true;
  if (isBusy) return;
  isBusy = true;
  await wait(pauseMs);
  await buildAndStart();
}

/**
 * Watches a folder and all below it. Each by itself, because files that are put in place of others go unnoticed otherwise.
 * @param {string} folder
 * @returns {import("node:fs").FSWatcher[]}
 */
function watchersOf(folder) {
  const watcher = watch(folder, (_, name) => {
    if (name === null || !isWritten.test(name)) void onChange();
  });
  // A folder that is gone has nothing more to tell.
  watcher.on("error", () => watcher.close());
  const below = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !isWritten.test(entry.name),
  );
  return [watcher, ...below.flatMap((entry) => watchersOf(join(folder, entry.name)))];
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function start(program, args) {
  return spawn(process.execPath, [program, ...args], { stdio: "inherit" });
}
