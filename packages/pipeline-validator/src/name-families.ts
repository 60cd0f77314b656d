/** What compilers put before names: what runs a component, and what a task is handed, has the name of the other in its own. */
const prefixes = ["pipelinechannel--", "comp-", "exec-"];

/** More names are not looked through for one of the same family. */
const mostNames = 2_000;

/**
 * The one name that differs from another only by what compilers put before names, or by being written as a placeholder or in quotes:
 * `exec-train` and `comp-train`, `mode` and `pipelinechannel--mode`.
 */
export function sameFamily(name: string, candidates: Iterable<string>): string | undefined {
  const bare = bareName(name);
  if (bare === "") return undefined;
  const family = new Set([bare, ...prefixes.map((prefix) => prefix + bare)]);
  let left = mostNames;
  let found: string | undefined;
  for (const candidate of candidates) {
    if (left-- === 0) return undefined;
    if (!family.has(candidate)) continue;
    if (found !== undefined) return undefined;
    found = candidate;
  }
  return found;
}

/** A name without what stands around it. */
export function bareName(name: string): string {
  const [, quoted = name] = /^(?:\{\{\$\.\w+\.\w+\[)?["'`](.{1,200})["'`](?:\][.\w]*\}\})?$/.exec(name) ?? [];
  const prefix = prefixes.find((one) => quoted.startsWith(one));
  return prefix === undefined ? quoted : quoted.slice(prefix.length);
}
