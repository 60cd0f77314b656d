import { checkStoreOptions, type OptionReader } from "@wye/relay";
import type { ConsulOptions } from "./consul-options.js";

const known = ["address", "token", "datacenter", "prefix", "dispatcher", "cacheTtl"] as const;

/** Refuses what contradicts the documentation, every mistake at once. */
export function checkOptions(options: ConsulOptions): { readonly cacheTtlMs: number | undefined } {
  return checkStoreOptions(options, { caller: "consulStore", known, look });
}

function look(
  { token, prefix }: ConsulOptions,
  report: (problem: string) => void,
  reader: OptionReader,
): void {
  const { username, password } = new URL(reader.url("address", "http://localhost:8500"));
  try {
    decodeURIComponent(username + password);
  } catch {
    reader.report("address", "has a user or password that cannot be decoded");
  }
  if (typeof token !== "function") reader.credential("token");
  reader.string("datacenter");
  reader.object("dispatcher", ["dispatch"]);
  if (typeof prefix === "function") return;
  const text = reader.string("prefix");
  if (text !== undefined) for (const problem of prefixProblems(text)) report(problem);
}

/** What is wrong with a prefix. */
export function prefixProblems(prefix: string): readonly string[] {
  const steps = prefix.split("/");
  // Consul leads questions with such steps elsewhere.
  if (steps.some((step) => ["", ".", ".."].includes(step)))
    return ['prefix must be names with a slash between them, like "flags/production"'];
  return steps.slice(1).some((step) => step === "features" || step === "segments")
    ? [
        'prefix must not go on with "features" or "segments": its keys would be among those of a shorter prefix',
      ]
    : [];
}
