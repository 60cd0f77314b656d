import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./config/load-config.js";
import { sharedPlaces } from "./shared-places.js";

const redis = "[Redis]\nhost = localhost\n";
const dynamo = "[DynamoDB]\nenabled = true\ntableName = t\n";
const environment = (name: string, ...lines: readonly string[]) =>
  `[Environment "${name}"]\nsdkKey = sdk-${name}\n${lines.map((line) => `${line}\n`).join("")}`;
const a = (...lines: readonly string[]) => environment("a", ...lines);
const b = (...lines: readonly string[]) => environment("b", ...lines);

/** What is said of places, with the lines where they are given. */
function said(text: string): readonly string[] {
  const { config } = readConfig({ file: { text, name: "f" } }, didYouMean);
  return sharedPlaces(config).map(({ at = "nowhere", message }) => `${at}: ${message}`);
}

test.each<[string, string]>([
  ["no database", a("prefix = x") + b("prefix = x")],
  ["one environment", redis + a("prefix = x")],
  ["prefixes", redis + a("prefix = x") + b("prefix = y")],
  ["a prefix and that of everybody", redis + a("prefix = x") + b()],
  ["one prefix with the ID", redis + a("prefix = x-$CID", "envId = 1") + b("prefix = x-$CID", "envId = 2")],
  ["one prefix with the name", redis + a("prefix = x-$CID") + b("prefix = x-$CID")],
  ["filters", `${redis}[Filters "p"]\nkeys = web,app\n${a("prefix = x", "projKey = p")}`],
  ["tables", dynamo + a("tableName = u", "prefix = x") + b("tableName = v", "prefix = x")],
  ["a table and that of everybody", dynamo + a("tableName = u", "prefix = x") + b("prefix = x")],
  ["prefixes in one table", dynamo + a("tableName = u", "prefix = x") + b("tableName = u", "prefix = y")],
  [
    "one table with the ID",
    dynamo + a("tableName = u-$CID", "envId = 1") + b("tableName = u-$CID", "envId = 2"),
  ],
])("%s: nobody overwrites anything", (_, text) => {
  expect(said(text)).toEqual([]);
});

const remedy = "give each a place of its own, or put $CID into it";
const both = (place: string, [second, first] = ["b", "a"]) =>
  `"${second}" and "${first}" would overwrite each other's flags ${place}: ${remedy}`;

test.each<[string, string, string]>([
  ["one prefix", redis + a("prefix = x") + b("prefix = x"), `f:8: ${both('under prefix "x"')}`],
  ["none", redis + a() + b(), `nowhere: ${both('under prefix "launchdarkly"')}`],
  [
    "one ID",
    redis + a("prefix = x-$CID", "envId = 1") + b("prefix = x-$CID", "envId = 1"),
    `f:9: ${both('under prefix "x-1"')}`,
  ],
  [
    "the prefix that is that of a filter",
    `${redis}[Filters "p"]\nkeys = web\n${a("prefix = x", "projKey = p")}${b("prefix = x/web")}`,
    `f:11: ${both('under prefix "x/web"', ["b", "a/web"])}`,
  ],
  ["one table", dynamo + a() + b(), `nowhere: ${both('in table t under prefix ""')}`],
  [
    "one table, by another name",
    dynamo + a("tableName = t", "prefix = x") + b("prefix = x"),
    `f:10: ${both('in table t under prefix "x"')}`,
  ],
  [
    "one prefix in one table",
    dynamo + a("tableName = u", "prefix = x") + b("tableName = u", "prefix = x"),
    `f:11, f:10: ${both('in table u under prefix "x"')}`,
  ],
])("%s: the second is told of, with the first", (_, text, expected) => {
  expect(said(text)).toEqual([expected]);
});

test("of three in one place two are told of", () => {
  expect(said(redis + a() + b() + environment("c"))).toEqual([
    `nowhere: ${both('under prefix "launchdarkly"')}`,
    `nowhere: ${both('under prefix "launchdarkly"', ["c", "a"])}`,
  ]);
});
