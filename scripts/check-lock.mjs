// Refuses a lock file that `npm ci` would refuse on another platform: every optional dependency that a package names
// must have an entry of its own, and no entry may carry the address of a registry.
import { readFileSync } from "node:fs";

/** @type {{ packages: Record<string, { version?: string, resolved?: string, link?: boolean, optionalDependencies?: Record<string, string> }> }} */
const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const names = new Set(Object.keys(packages).map((path) => path.split("node_modules/").pop()));
const problems = [];
for (const [path, { version, resolved, optionalDependencies = {} }] of Object.entries(packages)) {
  for (const name of Object.keys(optionalDependencies)) {
    if (!names.has(name)) problems.push(`${path}@${version}: its optional dependency ${name} is missing`);
  }
  if (resolved?.startsWith("http")) problems.push(`${path}: carries the address ${resolved}`);
}
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
