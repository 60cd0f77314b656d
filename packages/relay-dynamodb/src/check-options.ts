import { checkStoreOptions, type OptionReader } from "@wye/relay";
import type { DynamoDbOptions } from "./dynamodb-options.js";

const known = ["table", "prefix", "connect", "client", "cacheTtl"] as const;

/** Refuses what contradicts the documentation, every mistake at once. */
export function checkOptions(
  options: DynamoDbOptions,
  caller: string,
): { readonly cacheTtlMs: number | undefined } {
  return checkStoreOptions(options, { caller, known, look });
}

function look(options: DynamoDbOptions, report: (problem: string) => void, reader: OptionReader): void {
  const { table, prefix, client, connect } = options;
  if (table === undefined) report("table is missing");
  else if (typeof table !== "function") {
    const name = reader.string("table");
    // What stands for the client-side ID is filled in later.
    if (name !== undefined)
      for (const problem of tableProblems(name.replaceAll("$CID", "-id"))) report(problem);
  }
  if (typeof prefix !== "function") reader.string("prefix");
  if (client !== undefined && connect !== undefined) report("client and connect exclude each other");
  lookAtConnection(connect, reader.section("connect", undefined));
  reader.object("client", ["send"]);
}

/** What is text is checked; what is a function AWS's own library asks later. */
function lookAtConnection(connect: unknown, reader: OptionReader): void {
  const { region, endpoint }: { readonly region?: unknown; readonly endpoint?: unknown } = Object(connect);
  const isAsked = (value: unknown) => value === undefined || typeof value === "function";
  if (!isAsked(region) && (typeof region !== "string" || region.trim() === ""))
    reader.report("region", 'must be the name of a region, like "eu-west-1"');
  const isUrl = typeof endpoint === "string" && /^https?:\/\/[^/]/.test(endpoint) && URL.canParse(endpoint);
  // Besides texts AWS takes what it has parsed itself.
  if (!isAsked(endpoint) && !isUrl && (typeof endpoint !== "object" || endpoint === null))
    reader.report("endpoint", 'must be an absolute address, like "http://localhost:8000"');
}

/** What is wrong with the name of a table, or its ARN. */
export function tableProblems(name: string): readonly string[] {
  const isName = /^[\w.-]{3,255}$/.test(name) || /^arn:[^\s]{1,1020}$/.test(name);
  return isName
    ? []
    : [`table must have 3 to 255 letters, digits, "_", "-" or ".", or be an ARN: ${JSON.stringify(name)}`];
}
