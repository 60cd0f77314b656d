import { describe, expect, test } from "vitest";
import { type ListOptions, listQuery } from "./list-settings.js";

interface Filter {
  readonly displayName?: string | undefined;
}
const kind = {
  filter: { displayName: "text" },
  scope: { namespace: "text" },
  sortKeys: ["createdAt", "displayName"],
} as const;
const queryOf = (options: unknown) =>
  listQuery<Filter, "createdAt" | "displayName">(
    options as ListOptions<Filter, "createdAt" | "displayName">,
    kind,
  );

describe("a list is asked for with", () => {
  test.each<readonly [options: object, pageSize: string, pageToken: string | undefined, order?: string]>([
    [{}, "50", undefined],
    [{ pageSize: 1 }, "1", undefined],
    [{ pageSize: 200 }, "200", undefined],
    [{ pageToken: "abc" }, "50", "abc"],
    [{ pageToken: "" }, "50", undefined],
    [{ pageToken: "", sortBy: "displayName" }, "50", undefined, "display_name asc"],
    [{ descending: false }, "50", undefined],
    [{ descending: true }, "50", undefined, "created_at desc"],
    [{ sortBy: "createdAt" }, "50", undefined, "created_at asc"],
    [{ sortBy: "displayName", descending: false }, "50", undefined, "display_name asc"],
    [{ sortBy: "displayName", descending: true }, "50", undefined, "display_name desc"],
    [{ namespace: "team" }, "50", undefined],
  ])("%j", (options, pageSize, pageToken, order) => {
    expect(queryOf(options)).toMatchObject({
      pageSize,
      pageToken,
      first: [
        ["sort_by", order],
        ["filter", undefined],
      ],
    });
  });

  test("a filter, and what each of its requests takes", () => {
    const { signal } = new AbortController();
    const { first, call } = queryOf({ filter: { displayName: "a" }, signal, timeoutMs: 1, deadlineMs: 2 });
    expect(first[1]).toEqual([
      "filter",
      '{"predicates":[{"operation":"EQUALS","key":"display_name","string_value":"a"}]}',
    ]);
    expect(call).toEqual({ signal, timeoutMs: 1, deadlineMs: 2 });
  });
});

describe("a list is not asked for with", () => {
  const size = "`pageSize` is a whole number from 1 to 200";
  const holds = (name: string) =>
    `\`pageToken\` holds filter and order of the list that gave it: leave out \`${name}\``;
  test.each<readonly [options: unknown, message: string]>([
    ...[0, 201, 1.5, -1, Number.NaN, "50"].map((pageSize) => [{ pageSize }, size] as const),
    [{ pageToken: "abc", filter: {} }, holds("filter")],
    [{ pageToken: "abc", sortBy: "createdAt" }, holds("sortBy")],
    [{ pageToken: "abc", descending: false }, holds("descending")],
    [{ pageToken: "abc", descending: true, filter: {} }, holds("filter")],
    [{ pageToken: 5 }, 'the option "pageToken" of list is a text, not the number 5'],
    [{ namespace: 5 }, 'the option "namespace" of list is a text, not the number 5'],
    [{ sortBy: "size" }, 'the option "sortBy" of list is "createdAt" or "displayName", not the text "size"'],
    [{ filters: {} }, 'list has no option "filters": did you mean "filter"?'],
    [null, "the options of list are an object, not null"],
  ])("%j", (options, message) => expect(() => queryOf(options)).toThrow(new TypeError(message)));
});
