// `node scripts/turbo.mjs test …` is `turbo run test …` on a repository that may have nothing installed yet.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ensureReady } from "./ensure-ready.mjs";

ensureReady();
const turbo = join(dirname(createRequire(import.meta.url).resolve("turbo/package.json")), "bin", "turbo");
const { status } = spawnSync(
  process.execPath,
  [
    turbo,
    "run",
    ...process.argv.slice(2),
    "--continue=dependencies-successful",
    "--output-logs=new-only",
    "--ui=stream",
  ],
  { stdio: "inherit", env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" } },
);
process.exit(status ?? 1);
