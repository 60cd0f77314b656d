import { parseDuration, RelayError } from "@wye/relay";
import type { ConsulOptions } from "./consul-options.js";

const known: readonly string[] = [
  "address",
  "token",
  "datacenter",
  "prefix",
  "dispatcher",
  "cacheTtl",
] satisfies readonly (keyof ConsulOptions)[];

/** Refuses what contradicts the documentation, every mistake at once. */
export function checkOptions(options: ConsulOptions): { readonly cacheTtlMs: number | undefined } {
  const problems: string[] = [];
  for (const name of Object.keys(options))
    if (!known.includes(name)) problems.push(`there is no option "${name}"`);
  const { address, prefix, cacheTtl } = options;
  if (address !== undefined && !/^https?:\/\/[^/]/.test(address)) {
    problems.push('address must be like "http://localhost:8500"');
  }
  if (typeof prefix === "string") problems.push(...prefixProblems(prefix));
  const cacheTtlMs = cacheTtl === undefined ? undefined : parseDuration(cacheTtl);
  if (cacheTtl !== undefined && (cacheTtlMs ?? 0) < 1000) problems.push('cacheTtl must be at least "1s"');
  if (problems.length > 0) throw new RelayError("invalid_options", problems.join("; "), { problems });
  return { cacheTtlMs };
}

/** What is wrong with a prefix: Consul leads questions with other steps elsewhere. */
export function prefixProblems(prefix: string): readonly string[] {
  const isOdd = prefix.split("/").some((step) => ["", ".", ".."].includes(step));
  return isOdd ? ['prefix must be names with a slash between them, like "flags/production"'] : [];
}
