import { describe, expect, test } from "vitest";
import { filterText, type TextFilter, type TimeFilter } from "./filter.js";

interface Filter {
  readonly displayName?: TextFilter | undefined;
  readonly createdAt?: TimeFilter | undefined;
  readonly tags?: Readonly<Record<string, TextFilter>> | undefined;
  readonly isFinished?: boolean | undefined;
}

const textOf = (filter: unknown) =>
  filterText(filter as Filter | undefined, {
    displayName: "text",
    createdAt: "time",
    tags: "tags",
    isFinished: "finished",
  });
const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
const [key, time] = ["display_name", "created_at"];
const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"];

describe("a filter is written as predicates:", () => {
  test.each<readonly [filter: unknown, ...predicates: object[]]>([
    [{ displayName: "a" }, { operation: "EQUALS", key, string_value: "a" }],
    [{ displayName: "" }, { operation: "EQUALS", key, string_value: "" }],
    [
      { displayName: { contains: "e", in: ["c", "d"], not: "b", is: "a" } },
      { operation: "EQUALS", key, string_value: "a" },
      { operation: "NOT_EQUALS", key, string_value: "b" },
      { operation: "IN", key, string_values: { values: ["c", "d"] } },
      { operation: "IS_SUBSTRING", key, string_value: "e" },
    ],
    [{ displayName: { in: [] } }, { operation: "IN", key, string_values: { values: [] } }],
    ...[0, 1, 999].map(
      (ms) =>
        [
          { createdAt: { after: at(ms), from: at(ms), before: at(ms), until: at(ms) } },
          { operation: "GREATER_THAN", key: time, timestamp_value: first },
          { operation: "GREATER_THAN_EQUALS", key: time, timestamp_value: ms === 0 ? first : second },
          { operation: "LESS_THAN", key: time, timestamp_value: ms === 0 ? first : second },
          { operation: "LESS_THAN_EQUALS", key: time, timestamp_value: first },
        ] as const,
    ),
    ...(
      [
        ["after", "GREATER_THAN"],
        ["from", "GREATER_THAN_EQUALS"],
        ["before", "LESS_THAN"],
        ["until", "LESS_THAN_EQUALS"],
      ] as const
    ).map(
      ([name, operation]) =>
        [{ createdAt: { [name]: at(0) } }, { operation, key: time, timestamp_value: first }] as const,
    ),
    ...(
      [
        ["is", { operation: "EQUALS", key, string_value: "a" }],
        ["not", { operation: "NOT_EQUALS", key, string_value: "a" }],
        ["contains", { operation: "IS_SUBSTRING", key, string_value: "a" }],
      ] as const
    ).map(([name, predicate]) => [{ displayName: { [name]: "a" } }, predicate] as const),
    [
      { displayName: { is: "", not: "", contains: "" } },
      ...["EQUALS", "NOT_EQUALS", "IS_SUBSTRING"].map((operation) => ({ operation, key, string_value: "" })),
    ],
    [{ isFinished: true }, { operation: "NOT_EQUALS", key: "finished_at", long_value: "0" }],
    [{ isFinished: false }, { operation: "EQUALS", key: "finished_at", long_value: "0" }],
    [
      { tags: { a: "b", someTag: { contains: "d" }, e: undefined }, displayName: undefined },
      { operation: "EQUALS", key: "tags.a", string_value: "b" },
      { operation: "IS_SUBSTRING", key: "tags.someTag", string_value: "d" },
    ],
  ])("%j", (filter, ...predicates) => {
    expect(JSON.parse(textOf(filter) ?? "")).toEqual({ predicates });
  });

  test.each([
    undefined,
    {},
    { displayName: undefined },
    { displayName: {} },
    { createdAt: {} },
    { tags: {} },
  ])("%j asks for nothing", (filter) => expect(textOf(filter)).toBeUndefined());

  test("without signs that are lost where it is unescaped once more", () => {
    const text = textOf({ displayName: "50% + 5%+" }) ?? "";
    expect(text).toContain("50\\u0025 \\u002b 5\\u0025\\u002b");
    expect(JSON.parse(text)).toMatchObject({ predicates: [{ string_value: "50% + 5%+" }] });
  });
});

describe("a filter that cannot be meant is refused:", () => {
  test.each<readonly [filter: unknown, message: string]>([
    [{ displayName: { in: "x" } }, "the filter display_name is `in` a list of texts"],
    [{ displayName: { in: ["a", 1] } }, "the filter display_name is `in` a list of texts"],
    [{ displayName: 5 }, "the options of the filter display_name are an object, not the number 5"],
    [{ displayName: null }, "the options of the filter display_name are an object, not null"],
    ...["is", "not", "contains"].map(
      (name) =>
        [
          { displayName: { [name]: 5 } },
          `the option "${name}" of the filter display_name is a text, not the number 5`,
        ] as const,
    ),
    [
      { displayName: { has: "x" } },
      'the filter display_name has no option "has": it has is, not, in, contains',
    ],
    ...["after", "from", "before", "until"].map(
      (name) => [{ createdAt: { [name]: "2026-01-01" } }, "the filter created_at takes Dates"] as const,
    ),
    [
      { createdAt: { since: at(0) } },
      'the filter created_at has no option "since": it has after, from, before, until',
    ],
    [{ isFinished: "yes" }, "the filter `isFinished` is true or false"],
    [{ tags: "a" }, "the filter `tags` is an object"],
    [{ colour: "red" }, 'filter has no option "colour": it has displayName, createdAt, tags, isFinished'],
  ])("%j", (filter, message) => {
    expect(() => textOf(filter)).toThrow(new TypeError(message));
  });
});
