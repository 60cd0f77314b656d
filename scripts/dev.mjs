// `npm run dev`: the showcase, built anew and started again whenever a file changes.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureReady } from "./ensure-ready.mjs";

ensureReady();
/** @param {string} path */
const inside = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const builds = ["--filter=@wye-examples/showcase...", "--ui=stream", "--output-logs=errors-only"];
const turbo = [inside("node_modules/turbo/bin/turbo")];
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" };

const first = spawnSync(process.execPath, [...turbo, "run", "build", ...builds], { stdio: "inherit", env });
if (first.status !== 0) process.exit(first.status ?? 1);

// What Node loads it also watches, the built packages among it: a build that is under way makes it wait for the next change.
const programs = [
  spawn(process.execPath, [...turbo, "watch", "build", ...builds], { stdio: "inherit", env }),
  spawn(process.execPath, ["--watch", inside("examples/showcase/dist/main.js"), ...process.argv.slice(2)], {
    stdio: "inherit",
  }),
];
const end = () => {
  for (const program of programs) program.kill("SIGTERM");
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, end);
for (const program of programs) program.once("exit", end);
