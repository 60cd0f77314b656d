import { describe, expect, test } from "vitest";
import { channelOf, checkSchema, defaultSchema } from "./schema-name.js";

/** What the server says is reserved, with or without being a function or a type: `pg_get_keywords()`, all but its `U` and `C`. */
const reserved = [
  ...["all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization"],
  ...["binary", "both", "case", "cast", "check", "collate", "collation", "column", "concurrently"],
  ...["constraint", "create", "cross", "current_catalog", "current_date", "current_role", "current_schema"],
  ...["current_time", "current_timestamp", "current_user", "default", "deferrable", "desc", "distinct", "do"],
  ...[
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "freeze",
    "from",
    "full",
    "grant",
    "group",
  ],
  ...["having", "ilike", "in", "initially", "inner", "intersect", "into", "is", "isnull", "join", "lateral"],
  ...["leading", "left", "like", "limit", "localtime", "localtimestamp", "natural", "not", "notnull", "null"],
  ...["offset", "on", "only", "or", "order", "outer", "overlaps", "placing", "primary", "references"],
  ...["returning", "right", "select", "session_user", "similar", "some", "symmetric", "system_user", "table"],
  ...["tablesample", "then", "to", "trailing", "true", "union", "unique", "user", "using", "variadic"],
  ...["verbose", "when", "where", "window", "with"],
];

describe("a schema may be called", () => {
  test.each([defaultSchema, "a", "_", "z9_", "pg", "apg_", "users", "a".repeat(50)])("%s", (name) => {
    expect(checkSchema(name)).toBe(name);
  });
});

describe("a schema may not be called", () => {
  test.each<readonly [name: unknown, shown: string]>([
    ["", '""'],
    ["9a", '"9a"'],
    ["A", '"A"'],
    ["a-b", '"a-b"'],
    ["a b", '"a b"'],
    ["ä", '"ä"'],
    ["a\n", '"a\\n"'],
    [" a", '" a"'],
    ["a".repeat(51), `"${"a".repeat(51)}"`],
    ["A".repeat(61), `"${"A".repeat(60)}"`],
    [5, "5"],
    [null, "null"],
    [["a"], "a list"],
  ])("%j, because of its letters", (name, shown) => {
    expect(() => checkSchema(name as string)).toThrow(
      new TypeError(`schema must be 1 to 50 of a–z, 0–9 and _, with no digit first; got ${shown}`),
    );
  });

  test.each(["pg_", "pg_catalog", ...reserved])("%s, because PostgreSQL has the name for itself", (name) => {
    expect(() => checkSchema(name)).toThrow(
      new TypeError(`schema must not be "${name}": PostgreSQL has the name for itself`),
    );
  });
});

test("changes are told on a channel of the schema", () => expect(channelOf("fleet")).toBe("fleet_changed"));
