import { describe, expect, test } from "vitest";
import type { ListTable } from "./list-columns.js";
import { pageOf } from "./list-page.js";
import { Refusal } from "./refusal.js";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

const table: ListTable<Row> = {
  model: "Thing",
  columns: {
    name: { field: "Name", value: ({ name }) => name },
    size: { field: "CreatedAtInSec", value: ({ size }) => size },
    odd: { field: "Odd", value: ({ name }) => name, isSortable: false },
  },
  prefix: "things",
  idOf: ({ id }) => id,
  wrapping: () => "W",
  sortWrapping: "S",
};
const rows: readonly Row[] = [
  { id: "1", name: "alpha", size: 1 },
  { id: "2", name: "Beta", size: 2 },
  { id: "3", name: "be_ta%", size: 2 },
  { id: "4", name: "", size: 0 },
];

/** The ids of a page, or what is said instead of one. */
function asked(query: Readonly<Record<string, string>>, of = table): string {
  try {
    const page = pageOf(rows, of, new URLSearchParams(query));
    return page.rows.map(({ id }) => id).join("");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message } = JSON.parse(error.body);
    return message;
  }
}
const filtered = (...predicates: readonly unknown[]) => ({
  filter: JSON.stringify({ predicates }).replaceAll("%", "\\u0025").replaceAll("+", "\\u002b"),
});
const only = (predicate: unknown) => asked(filtered(predicate));

describe("the fake server compares", () => {
  test.each([
    ["EQUALS", 1, "2", "23", ""],
    ["NOT_EQUALS", 2, "413", "41", "4123"],
    ["GREATER_THAN", 3, "13", "", "4123"],
    ["GREATER_THAN_EQUALS", 5, "123", "23", "4123"],
    ["LESS_THAN", 6, "4", "41", ""],
    ["LESS_THAN_EQUALS", 7, "42", "4123", ""],
  ])("%s", (name, number, texts, numbers, mixed) => {
    for (const operation of [name, number]) {
      expect(only({ operation, key: "name", string_value: "Beta" })).toBe(texts);
      for (const value of [{ int_value: 2 }, { long_value: "2" }, { longValue: "2" }])
        expect(only({ operation, key: "size", ...value })).toBe(numbers);
      // Numbers stand before texts.
      expect(only({ operation, key: "name", int_value: 2 })).toBe(mixed);
    }
  });

  test.each([
    ["b", "23"],
    ["B", "23"],
    ["ALPHA", "1"],
    ["_eta", "2"],
    ["be_ta", "3"],
    ["be%a", "23"],
    ["a%h", "1"],
    ["h%a", "1"],
    ["l%l", ""],
    ["b%b", ""],
    ["%", "4123"],
    ["_", "123"],
    ["______", "3"],
    ["_______", ""],
    ["", "4123"],
    ["aa", ""],
  ])("a part of a text like %j", (part, ids) => {
    expect(only({ operation: "IS_SUBSTRING", key: "name", string_value: part })).toBe(ids);
    expect(only({ operation: 9, key: "name", stringValue: part })).toBe(ids);
  });

  test.each<readonly [predicate: object, ids: string]>([
    [{ key: "name", string_values: { values: ["alpha", "x", ""] } }, "41"],
    [{ key: "size", int_values: { values: [1, 2] } }, "123"],
    [{ key: "size", longValues: { values: ["1"] } }, "1"],
    [{ key: "name", string_values: { values: [] } }, ""],
    [{ key: "name", string_values: {} }, ""],
  ])("one of several: %j", (predicate, ids) => {
    expect([only({ operation: "IN", ...predicate }), only({ operation: 8, ...predicate })]).toEqual([
      ids,
      ids,
    ]);
  });

  test.each([
    ["1970-01-01T00:00:02Z", "23"],
    ["1970-01-01T00:00:02.999999999Z", "23"],
    ["1970-01-01T01:00:01+01:00", "1"],
    ["1969-12-31T23:00:02-01:00", "23"],
  ])("the second of %s", (time, ids) => {
    expect(only({ operation: "EQUALS", key: "size", timestamp_value: time })).toBe(ids);
    expect(only({ operation: "EQUALS", key: "size", timestampValue: time })).toBe(ids);
  });

  test("all that is asked, of one column or of several", () => {
    const above = { operation: "GREATER_THAN", key: "size", int_value: 0 };
    const below = { operation: "LESS_THAN", key: "size", int_value: 2 };
    const other = { operation: "NOT_EQUALS", key: "name", string_value: "alpha" };
    expect(asked(filtered(above, below))).toBe("1");
    expect(asked(filtered(above, other))).toBe("23");
    expect(asked(filtered(above, { ...above, int_value: 1 }))).toBe("23");
    expect(asked(filtered(above, below, other))).toBe("");
  });

  test.each(["", "{}", '{"predicates":[]}', "%7B%7D", "%7b%7d"])("nothing of %j", (filter) => {
    expect(asked({ filter })).toBe("4123");
  });

  test("what is unescaped a second time", () => {
    const sized = (text: string) =>
      asked({ filter: `{"predicates":[{"operation":"EQUALS","key":"name","string_value":"${text}"}]}` });
    expect([sized("alph%61"), sized("alpha+"), sized("be_ta%25")]).toEqual(["1", "", "3"]);
  });
});

describe("the fake server refuses a filter", () => {
  const unread = (filter: string, reason: string) =>
    `W: Invalid input error: failed to parse valid filter from ${JSON.stringify(filter)}: ${reason}`;
  const unexpected = "proto: syntax error (line 1:1): unexpected token";
  test.each<readonly [filter: string, reason: string]>([
    ["%", 'invalid URL escape "%"'],
    ["%zz", 'invalid URL escape "%zz"'],
    ["{%2", 'invalid URL escape "%2"'],
    ["{%2g}", 'invalid URL escape "%2g"'],
    ["%ff", "proto: invalid UTF-8"],
    ["x", "proto: unexpected EOF"],
    ["[]", unexpected],
    ["5", unexpected],
    ["null", unexpected],
    ['{"predicates":{}}', unexpected],
    ['{"predicates":[5]}', unexpected],
    ['{"predicates":[null]}', unexpected],
    ['{"predicate":[]}', 'proto: (line 1:2): unknown field "predicate"'],
    ['{"predicates":[],"x":1}', 'proto: (line 1:18): unknown field "x"'],
    ['{"predicates":[{"keys":"a"}]}', 'proto: (line 1:17): unknown field "keys"'],
    [
      '{"predicates":[{"operation":"LIKE","key":"name","string_value":"x"}]}',
      'proto: (line 1:31): invalid value for enum field operation: "LIKE"',
    ],
    [
      '{"predicates":[{"operation":"toString","key":"name","string_value":"x"}]}',
      'proto: (line 1:31): invalid value for enum field operation: "toString"',
    ],
    ...[
      "1970-01-01",
      "1970-01-01T00:00:02",
      "1970-13-01T00:00:02Z",
      "1970-01-01T00:00:02.Z",
      "1970-01-01T00:00:02.1234567890Z",
      "x1970-01-01T00:00:02Z",
      "1970-01-01T00:00:02Zx",
      "1970-01-01 00:00:02Z",
    ].map(
      (time) =>
        [
          `{"predicates":[{"timestamp_value":"${time}"}]}`,
          `proto: (line 1:35): invalid google.protobuf.Timestamp value "${time}"`,
        ] as const,
    ),
  ])("that it cannot read: %s", (filter, reason) => {
    expect(asked({ filter })).toBe(unread(filter, reason));
  });

  const input = "W: Invalid input error: ";
  const version = "W: UnknownApiVersionError: Error using Filter.Predicate.";
  const noOperation = `${version}Operation with go_client.Predicate_Operation`;
  test.each<readonly [predicate: object, message: string]>([
    [
      { operation: "IN", key: "name", string_value: "x" },
      `${input}cannot use IN operator with scalar type string`,
    ],
    [{ operation: "IN", key: "size", int_value: 1 }, `${input}cannot use IN operator with scalar type int32`],
    [
      { operation: "EQUALS", key: "name", string_values: { values: ["a"] } },
      `${input}cannot use scalar operator EQUALS on array type []string`,
    ],
    [
      { operation: "LESS_THAN", key: "name", int_values: { values: [1] } },
      `${input}cannot use scalar operator LESS_THAN on array type []int32`,
    ],
    [
      { operation: "NOT_EQUALS", key: "name", string_values: { values: [] } },
      `${input}cannot use scalar operator NOT_EQUALS on array type []string`,
    ],
    [
      { operation: "IS_SUBSTRING", key: "size", int_value: 1 },
      `${input}cannot use non string value type string with operator 1`,
    ],
    [{ operation: 4, key: "name", string_value: "x" }, noOperation],
    [{ key: "name", string_value: "x" }, noOperation],
    [
      { operation: "EQUALS", key: "", string_value: "x" },
      `${input}Predicate key cannot be empty for operation EQUALS and value x`,
    ],
    [
      { operation: 2, int_value: 5 },
      `${input}Predicate key cannot be empty for operation NOT_EQUALS and value 5`,
    ],
    ...["nope", "toString", "Name"].map(
      (key) =>
        [
          { operation: "EQUALS", key, string_value: "x" },
          `${input}no support for filtering on unrecognized field "${key}"`,
        ] as const,
    ),
    [{ operation: "EQUALS", key: "name" }, `${version}Value with <nil>`],
  ])("that means nothing: %j", (predicate, message) => {
    expect(only(predicate)).toBe(message);
  });
});

describe("the fake server orders by", () => {
  const format = (order: string) =>
    `W: Invalid input error: Received invalid sort by format "${order}". Supported format: "field_name", "field_name desc", or "field_name asc"`;
  const field = (name: string) =>
    `W: Invalid input error: Invalid sorting field: "${name}" on listable type Thing`;
  const odd = 'S: Invalid input error: cannot sort by field "Odd" on type "Thing"';
  test.each([
    ["", "4123"],
    ["name", "4213"],
    ["name asc", "4213"],
    ["name desc", "3124"],
    ["NAME DESC", "3124"],
    [" name  desc ", "3124"],
    ["size desc", "3214"],
    ["desc", field("desc")],
    ["nope", field("nope")],
    ["toString", field("tostring")],
    ["metric:x", field("metric:x")],
    ["name up", format("name up")],
    ["name xasc", format("name xasc")],
    ["name descx", format("name descx")],
    ["name asc x", format("name asc x")],
    ["odd", odd],
    ["odd desc", odd],
  ])("%j", (order, wanted) => expect(asked({ sort_by: order })).toBe(wanted));

  test("a metric of runs, which it then cannot", () => {
    const runs = { ...table, model: "Run" };
    expect(asked({ sort_by: "metric:f1" }, runs)).toBe(
      'S: Invalid input error: cannot sort by field "f1" on type "Run"',
    );
  });
});

describe("pages of the fake server", () => {
  const many = Array.from({ length: 202 }, (_, at) => ({ id: `${at}`, name: "x", size: at }));
  const sizeOf = (size: string) => pageOf(many, table, new URLSearchParams({ page_size: size })).rows.length;
  test.each([
    ["", 20],
    ["0", 20],
    ["1", 1],
    ["+2", 2],
    ["200", 200],
    ["201", 200],
    ["99999999999999999999", 200],
  ])("of the size %j", (size, length) => expect(sizeOf(size)).toBe(length));

  const parsing = (size: string) =>
    `parsing field "page_size": strconv.ParseInt: parsing ${JSON.stringify(size)}: invalid syntax`;
  test.each<readonly [size: string, message: string]>([
    ["-1", "W: Invalid input error: The page size should be greater than 0. Got '\ufffd'"],
    ...["x", "1.5", " 1", "1x", "x1", "--1"].map((size) => [size, parsing(size)] as const),
  ])("but not of %j", (size, message) => expect(asked({ page_size: size })).toBe(message));

  const tokenOf = (query: Readonly<Record<string, string>>, of = table) =>
    pageOf(rows, of, new URLSearchParams({ ...query, page_size: "1" })).nextPageToken ?? "";

  test("are told by tokens that hold where the next one begins, and what was asked", () => {
    const opened = (token: string) => JSON.parse(Buffer.from(token, "base64").toString());
    const position = {
      ...{ SortByFieldName: "Name", SortByFieldValue: "alpha", SortByFieldPrefix: "things." },
      ...{ KeyFieldName: "UUID", KeyFieldValue: "1", KeyFieldPrefix: "things." },
      ...{ IsDesc: true, ModelName: "things", Filter: null },
    };
    expect(opened(tokenOf({ sort_by: "name desc" }))).toEqual(position);
    const { prefix: _, ...plain } = table;
    expect(opened(tokenOf({ sort_by: "name desc" }, plain))).toEqual({
      ...position,
      ...{ SortByFieldPrefix: "", KeyFieldPrefix: "", ModelName: "" },
    });
    const { Filter } = opened(tokenOf(filtered({ operation: "GREATER_THAN", key: "size", int_value: 0 })));
    const empty = { EQ: {}, NEQ: {}, GTE: {}, LT: {}, LTE: {}, IN: {}, SUBSTRING: {} };
    expect(Filter).toEqual({ ...empty, GT: { "things.CreatedAtInSec": [0] } });
    const of = (predicate: object) => opened(tokenOf(filtered({ key: "name", ...predicate }))).Filter;
    expect(of({ operation: "IN", string_values: { values: ["alpha", ""] } }).IN).toEqual({
      "things.Name": [["alpha", ""]],
    });
    expect(of({ operation: "IS_SUBSTRING", string_value: "a" }).SUBSTRING).toEqual({ "things.Name": ["a"] });
  });

  test("go on where the last one ended, and tell how many there are on all", () => {
    const found: string[] = [];
    let token: string | undefined;
    do {
      const query = new URLSearchParams({ sort_by: "size", page_size: "1", page_token: token ?? "" });
      const page = pageOf(rows, table, query);
      found.push(...page.rows.map(({ id }) => id));
      expect(page.totalSize).toBe(4);
      token = page.nextPageToken;
    } while (token !== undefined);
    expect(found).toEqual(["4", "1", "2", "3"]);
    const above = filtered({ operation: "GREATER_THAN", key: "size", int_value: 0 });
    expect(pageOf(rows, table, new URLSearchParams({ ...above, page_size: "1" })).totalSize).toBe(3);
  });

  const mismatch =
    "W: Invalid input error: page token does not match the supplied sort by and/or filtering criteria. Either specify the same criteria or leave the latter empty if page token is specified";
  test("take the order and the filter of their token, or none", () => {
    const page_token = tokenOf({ sort_by: "name desc" });
    expect(asked({ page_token })).toBe("124");
    expect(asked({ page_token, sort_by: "name desc" })).toBe("124");
    for (const order of ["name", "size desc"]) expect(asked({ page_token, sort_by: order })).toBe(mismatch);
    const any = filtered({ operation: "NOT_EQUALS", key: "name", string_value: "x" });
    expect(asked({ page_token, ...any })).toBe(mismatch);
    const ofFilter = { page_token: tokenOf(any) };
    const other = filtered({ operation: "NOT_EQUALS", key: "name", string_value: "y" });
    expect([asked(ofFilter), asked({ ...ofFilter, ...any })]).toEqual(["123", "123"]);
    expect(asked({ ...ofFilter, ...other })).toBe(mismatch);
    // Numbers are no longer what they were.
    const above = filtered({ operation: "GREATER_THAN", key: "size", int_value: 0 });
    expect(asked({ page_token: tokenOf(above), ...above })).toBe(mismatch);
    expect(asked({ page_token: tokenOf(above) })).toBe("23");
  });

  const wrong = "W: InvalidInputError: Invalid package token: ";
  test.each([
    ["!", `${wrong}illegal base64 data at input byte 0`],
    ["abc=d", `${wrong}illegal base64 data at input byte 3`],
    ["abcd===", `${wrong}illegal base64 data at input byte 4`],
    [btoa("nope"), `${wrong}invalid character 'o' in literal null (expecting 'u')`],
    [btoa("5"), `${wrong}unexpected end of JSON input`],
    [btoa("[]"), `${wrong}unexpected end of JSON input`],
  ])("do not begin at the token %s", (page_token, message) => {
    expect(asked({ page_token })).toBe(message);
  });
});
