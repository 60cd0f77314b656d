// `node scripts/turbo.mjs test …` is `turbo run test …` on a repository that may have nothing installed yet.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ensureReady } from "./ensure-ready.mjs";

ensureReady();
const turbo = join(dirname(createRequire(import.meta.url).resolve("turbo/package.json")), "bin", "turbo");
const args = process.argv.slice(2);
/** @param {string} setting  with its value as the default, which the caller may have given another one */
const unlessGiven = (setting) =>
  args.some((arg) => arg.startsWith(setting.replace(/=.*/, "="))) ? [] : [setting];
const settings = [
  "--ui=stream",
  ...unlessGiven("--output-logs=new-only"),
  // All mistakes at once, and a test report of every workspace that can have one.
  "--continue=dependencies-successful",
  // One task more for each two processors: suites wait for sockets, timers and programs part of their time.
  ...unlessGiven("--concurrency=150%"),
];
const { status } = spawnSync(process.execPath, [turbo, "run", ...args, ...settings], {
  stdio: "inherit",
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
});
process.exit(status ?? 1);
