// Runs before anything is installed: imports nothing but Node's own modules, and avoids syntax that an old Node
// could not even read, so that it can say what is wrong.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const oldest = { major: 20, minor: 19 };

/** @param {string} version  as in `process.versions.node` */
export function isNodeTooOld(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

/**
 * npm writes `node_modules/.package-lock.json` as the last step of an install, so a missing one means that nothing was
 * installed or that an install was interrupted; a lock that is newer came with a pull or a switch of branches.
 *
 * @param {string} folder  the root of the repository
 */
export function needsInstall(folder) {
  const installed = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return true;
  return statSync(join(folder, "package-lock.json")).mtimeMs > statSync(installed).mtimeMs;
}

/** Stops with a clear message on an old Node, and installs the dependencies when they are missing or outdated. */
export function ensureReady() {
  if (isNodeTooOld(process.versions.node)) {
    process.stderr.write(
      `Wye needs Node ${oldest.major}.${oldest.minor} or newer; this is Node ${process.versions.node} (${process.execPath}).\n`,
    );
    process.exit(1);
  }
  if (!needsInstall(root)) return;
  process.stdout.write("Installing dependencies (npm ci) …\n");
  // Started through npm, the npm that runs is at hand; otherwise the one on the path.
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, "ci"]] : ["npm", ["ci"]];
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: !npm && process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write("Installing the dependencies failed; the messages of npm above tell why.\n");
    process.exit(status || 1);
  }
}
