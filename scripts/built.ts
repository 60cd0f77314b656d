import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a build has read, in the folder of a package, as `recordSources` has written it: names, each with a hash of the contents. */
export const builtFrom = ".reports/built-from.json";

/** A hash of the contents of a file; nothing for one that is not there. */
export function hashOf(file: string): string | undefined {
  return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : undefined;
}

/**
 * The path of a built file of a package, for tests that need the package as it is installed. Throws if it was built from other sources than
 * there are now: such a test would tell nothing of them.
 */
export function built(folder: URL, file: string): string {
  const root = fileURLToPath(folder);
  const record = join(root, builtFrom);
  const sources: Readonly<Record<string, string>> = existsSync(record)
    ? JSON.parse(readFileSync(record, "utf8"))
    : { "dist, or a record of what it was built from": "" };
  const changed = Object.entries(sources).filter(([name, hash]) => hashOf(join(root, name)) !== hash);
  // Where mistakes are made on purpose nothing is built from them.
  if (changed.length > 0 && !process.env.WYE_MUTATION)
    throw new Error(
      `${root} was built from other sources, build it first (npx turbo run build): ${changed.map(([name]) => name).join(", ")}`,
    );
  return join(root, "dist", file);
}
