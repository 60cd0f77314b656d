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
  reader.section("connect", undefined);
  reader.object("client", ["send"]);
}

/** What is wrong with the name of a table, or its ARN. */
export function tableProblems(name: string): readonly string[] {
  const isName = /^[\w.-]{3,255}$/.test(name) || /^arn:[^\s]{1,1020}$/.test(name);
  return isName
    ? []
    : [`table must have 3 to 255 letters, digits, "_", "-" or ".", or be an ARN: ${JSON.stringify(name)}`];
}
