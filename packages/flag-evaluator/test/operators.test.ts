import { expect, test } from "vitest";
import { compileFlags, createContext } from "../src/index.js";
import { clauseMatches, dataOf, flagWithClauses } from "./flags.js";

interface Row {
  readonly op: string;
  readonly attribute: unknown;
  readonly value: unknown;
  readonly matches: boolean;
}

const rows = (
  op: string,
  matches: boolean,
  ...pairs: readonly (readonly [attribute: unknown, value: unknown])[]
): Row[] => pairs.map(([attribute, value]) => ({ op, attribute, value, matches }));

const equality = [
  ...rows(
    "in",
    true,
    ["a", "a"],
    ["", ""],
    [1, 1],
    [1.5, 1.5],
    [-0, 0],
    [true, true],
    [false, false],
    ["ключ", "ключ"],
  ),
  ...rows(
    "in",
    false,
    ["a", "A"],
    ["1", 1],
    [1, "1"],
    [true, 1],
    [1, true],
    ["true", true],
    [0, false],
    ["", false],
    [0, ""],
  ),
  ...rows("in", false, [{}, {}], [{ a: 1 }, { a: 1 }], [["a"], ["a"]], [[["a"]], ["a"]]),
];

const strings = [
  ...rows("startsWith", true, ["abc", "a"], ["abc", "abc"], ["abc", ""]),
  ...rows("startsWith", false, ["abc", "b"], ["a", "abc"], ["abc", 1], [1, "1"], [true, "t"]),
  ...rows("endsWith", true, ["abc", "c"], ["abc", "abc"], ["abc", ""]),
  ...rows("endsWith", false, ["abc", "b"], ["c", "abc"], [1, "1"]),
  ...rows("contains", true, ["abc", "b"], ["abc", "abc"], ["abc", ""]),
  ...rows("contains", false, ["abc", "x"], ["b", "abc"], [11, "1"], ["11", 1]),
  ...rows(
    "matches",
    true,
    ["hello world", "hello.*rld"],
    ["hello world", "hello.*orl"],
    ["hello world", "l+"],
    ["hello world", "(world|planet)"],
  ),
  ...rows(
    "matches",
    true,
    ["ADMIN", "(?i)admin"],
    ["a\nb", "(?s)a.b"],
    ["αβγ", "^\\p{Greek}+$"],
    ["😀", "^.$"],
    ["a", "\\Aa\\z"],
  ),
  ...rows(
    "matches",
    false,
    ["hello world", "aloha"],
    ["hello world", "***not a regex"],
    ["a\n", "^a$"],
    [1, "1"],
    ["1", 1],
    ["a", "(?=a)"],
  ),
];

const numbers = [
  ...rows("lessThan", true, [1, 1.99999], [-1, 0]),
  ...rows("lessThan", false, [1.99999, 1], [1, 1], ["1", 2], [1, "2"], [true, 2]),
  ...rows("lessThanOrEqual", true, [1, 1.99999], [1, 1]),
  ...rows("lessThanOrEqual", false, [1.99999, 1], ["1", 1]),
  ...rows("greaterThan", true, [2, 1.99999]),
  ...rows("greaterThan", false, [1.99999, 2], [2, 2], ["2", 1]),
  ...rows("greaterThanOrEqual", true, [2, 1.99999], [2, 2]),
  ...rows("greaterThanOrEqual", false, [1.99999, 2], ["2", 2]),
];

const early = "2017-12-06T00:00:00.000-07:00";
const late = "2017-12-06T00:01:01.000-07:00";
const dates = [
  ...rows("before", true, [early, late], [1512543600000, late], [early, 1512543700000], [0, 1], [-1, 0]),
  ...rows(
    "before",
    true,
    ["2017-12-06T00:00:00Z", "2017-12-06T00:00:00.000000001Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:01Z"],
  ),
  ...rows(
    "before",
    true,
    ["2017-12-06t1:00:00z", "2017-12-06T01:00:00.1Z"],
    ["0001-01-01T00:00:00Z", "1901-01-01T00:00:00Z"],
  ),
  ...rows(
    "before",
    true,
    ["2017-12-06T00:00:00+01:00", "2017-12-06T00:00:00+00:00"],
    ["2017-12-06T00:00:00+00:00", "2017-12-06T00:00:00-00:01"],
  ),
  ...rows("before", false, [-1.5, -1], [-0.5, 0], [-1.2, -1.9]),
  ...rows("before", false, [late, early], [early, early], [1.9, 1.2], ["2017-12-06T07:00:00Z", early]),
  ...rows(
    "after",
    true,
    [late, early],
    [1512543700000, early],
    ["2017-12-06T00:00:00.2Z", "2017-12-06T00:00:00.1999Z"],
  ),
  ...rows("after", false, [early, late], [early, early], ["2017-02-31T00:00:00Z", "2017-03-03T00:00:00Z"]),
  ...[
    "hey what's this?",
    "2017-12-06",
    "2017-12-06T00:00:00",
    "2017-12-06T00:00Z",
    "2017-12-06T00:00:00Zx",
    " 2017-12-06T00:00:00Z",
  ].flatMap(bad),
  ...[
    "2017-13-06T00:00:00Z",
    "2017-00-06T00:00:00Z",
    "2017-12-32T00:00:00Z",
    "2017-12-06T24:00:00Z",
    "2017-12-06T00:60:00Z",
  ].flatMap(bad),
  ...[
    "2017-12-06T00:00:61Z",
    "2017-12-06T00:00:00.Z",
    "2017-12-06T00:00:00.0123456789Z",
    "2017-12-06T00:00:00+1:00",
  ].flatMap(bad),
  ...["2017-12-06T00:00:00+01:60", "17-12-06T00:00:00Z", "2017-12-6T00:00:00Z", "", true, {}].flatMap(bad),
];

function bad(value: unknown): Row[] {
  const far = 9_999_999_999_999;
  return [
    ...rows("before", false, [value, far], [-far, value]),
    ...rows("after", false, [value, -far], [far, value]),
  ];
}

const ordered = [
  "1.0.0-0",
  "1.0.0-0.0",
  "1.0.0-1.11",
  "1.0.0-11.1",
  "1.0.0-00a",
  "1.0.0-01a",
  "1.0.0-0a",
  "1.0.0-a.b",
  "1.0.0-ab",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1",
  "1.0.1",
  "1.0.11",
  "1.1",
  "1.1.1",
  "1.11.0",
  "1.11.1",
  "1.111.0",
  "2.0.0",
  "10.0.0",
  "11.1.0",
  "11.1.1",
  "11.11.0",
  "111.0.0",
  "99999999999999999999.0.0",
  "100000000000000000000.0.0",
];
const versions = [
  ...ordered.flatMap((a, i) =>
    ordered.flatMap((b, k) => [
      ...rows("semVerLessThan", i < k, [a, b]),
      ...rows("semVerGreaterThan", i > k, [a, b]),
      ...rows("semVerEqual", i === k, [a, b]),
    ]),
  ),
  ...rows(
    "semVerEqual",
    true,
    ["2", "2.0.0"],
    ["2.1", "2.1.0"],
    ["2-rc1", "2.0.0-rc1"],
    ["2.1-rc1", "2.1.0-rc1"],
    ["2+b", "2.0.0"],
    ["2.0.0+a.1", "2.0.0+b"],
    ["2.0.0-0", "2.0.0-0"],
  ),
  ...[
    "v2.0.0",
    "02.0.0",
    "2.01.0",
    "2.0.00",
    "2.0.0.0",
    "2.",
    "2..0",
    ".2",
    "2.0.0-",
    "2.0.0-01",
    "2.0.0-00",
    "2.0.0-a.01",
    "2.0.0-a..b",
    "2.0.0+",
    "2.0.0+a..b",
    "2.0.0-ü",
    " 2.0.0",
    "2.0.0 ",
    "hello",
    "",
    2,
    true,
  ].flatMap((value) => [
    ...rows("semVerEqual", false, [value, value], [value, "2.0.0"], ["2.0.0", value]),
    ...rows("semVerLessThan", false, [value, "99.99.99"], ["0.0.0", value]),
    ...rows("semVerGreaterThan", false, [value, "0.0.0"], ["99.99.99", value]),
  ]),
];

for (const [family, table] of Object.entries({ equality, strings, numbers, dates, versions })) {
  for (const { op, attribute, value, matches } of table) {
    test(`${family}: ${JSON.stringify(attribute)} ${op} ${JSON.stringify(value)} is ${matches}`, () => {
      const clause = { attribute: "a", op, values: [value] };
      expect(clauseMatches(clause, { kind: "user", key: "k", a: attribute })).toBe(matches);
    });
  }
}

test.each(Object.entries({ equality, strings, numbers, dates, versions }))(
  "clauses of the table of %s that ask one attribute in one set of flags match as each does by itself",
  (_, table) => {
    const distinct = (values: readonly unknown[]) => [
      ...new Set(values.map((value) => JSON.stringify(value))),
    ];
    // One after the other in both orders: who comes first among equal limits must not matter.
    const asked = distinct(table.map(({ op, value }) => ({ op, value })));
    const clauses = [...asked, ...asked.toReversed()].map((text) => JSON.parse(text));
    const rules = clauses.map(({ op, value }, n) =>
      flagWithClauses([{ attribute: "a", op, values: [value] }], { key: `${n}` }),
    );
    const together = compileFlags(dataOf(rules));
    const alone = asked.map((text) => {
      const { op, value } = JSON.parse(text);
      return compileFlags(dataOf([flagWithClauses([{ attribute: "a", op, values: [value] }])]));
    });
    for (const attribute of distinct(table.map(({ attribute }) => attribute))) {
      const context = createContext({ kind: "user", key: "k", a: JSON.parse(attribute) });
      const expected = alone.map((one) => one.evaluate("flag", context).variation);
      expect(
        rules.map((_, n) => together.evaluate(`${n}`, context).variation),
        attribute,
      ).toEqual([...expected, ...expected.toReversed()]);
    }
  },
);

test("with several values the outermost of those that can be compared counts", () => {
  const cases = [
    { op: "lessThan", values: ["9", 1, 5, null, 3], matching: [4.9], other: [5] },
    { op: "greaterThanOrEqual", values: [5, 3, "1"], matching: [3], other: [2.9] },
    {
      op: "before",
      values: ["nonsense", "2020-01-01T00:00:00Z", 0],
      matching: [1],
      other: ["2020-01-01T00:00:00Z"],
    },
    { op: "after", values: ["2020-01-01T00:00:00Z", 5], matching: [6], other: [5] },
    { op: "semVerLessThan", values: ["1.0.0", "x", "3.0.0", "2.0.0"], matching: ["2.9.9"], other: ["3.0.0"] },
    { op: "semVerGreaterThan", values: ["3.0.0", "2.0.0"], matching: ["2.0.1"], other: ["2.0.0"] },
    { op: "semVerEqual", values: ["3.0.0", "2.0.0"], matching: ["2"], other: ["2.0.1"] },
    { op: "lessThan", values: ["9"], matching: [], other: [1] },
  ];
  for (const { op, values, matching, other } of cases) {
    const matches = (a: unknown) =>
      clauseMatches({ attribute: "a", op, values }, { kind: "user", key: "k", a });
    expect([op, ...matching.map(matches), ...other.map(matches)]).toEqual([
      op,
      ...matching.map(() => true),
      ...other.map(() => false),
    ]);
  }
});

test("more different versions than are remembered are still told apart", () => {
  const versions = Array.from({ length: 3000 }, (_, i) => `${i}.0.0`);
  const clause = { attribute: "list", op: "semVerLessThan", values: ["1.0.0"] };
  expect(clauseMatches(clause, { kind: "user", key: "k", list: versions.slice(1) })).toBe(false);
  expect(clauseMatches(clause, { kind: "user", key: "k", list: versions })).toBe(true);
});
