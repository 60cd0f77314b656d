import { parseDuration, RelayError } from "@wye/relay";
import type { DynamoDbOptions } from "./dynamodb-options.js";

const known: readonly string[] = [
  "table",
  "prefix",
  "connect",
  "client",
  "cacheTtl",
] satisfies readonly (keyof DynamoDbOptions)[];

/** Refuses what contradicts the documentation, every mistake at once. */
export function checkOptions(options: DynamoDbOptions): { readonly cacheTtlMs: number | undefined } {
  const problems: string[] = [];
  for (const name of Object.keys(options))
    if (!known.includes(name)) problems.push(`there is no option "${name}"`);
  const { table, client, connect, cacheTtl } = options;
  if (typeof table !== "function" && (typeof table !== "string" || table === ""))
    problems.push("table is missing");
  if (client !== undefined && connect !== undefined) problems.push("client and connect exclude each other");
  const cacheTtlMs = cacheTtl === undefined ? undefined : parseDuration(cacheTtl);
  if (cacheTtl !== undefined && (cacheTtlMs ?? 0) < 1000) problems.push('cacheTtl must be at least "1s"');
  if (problems.length > 0) throw new RelayError("invalid_options", problems.join("; "), { problems });
  return { cacheTtlMs };
}
