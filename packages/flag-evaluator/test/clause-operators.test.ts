import { describe, expect, test } from "vitest";
import { clauseOperators, clauseValueFault } from "../src/index.js";
import { clauseMatches } from "./flags.js";

test("there are the operators of the protocol", () => {
  expect(clauseOperators).toEqual([
    "in",
    "startsWith",
    "endsWith",
    "contains",
    "matches",
    "lessThan",
    "lessThanOrEqual",
    "greaterThan",
    "greaterThanOrEqual",
    "before",
    "after",
    "semVerEqual",
    "semVerLessThan",
    "semVerGreaterThan",
    "segmentMatch",
  ]);
});

/** Whether a clause with one value matches a context with one attribute. */
const matches = (op: string, attribute: unknown, value: unknown) =>
  clauseMatches({ attribute: "attr", op, values: [value] }, { kind: "user", key: "u", attr: attribute });

const good: Readonly<Record<string, readonly unknown[]>> = {
  in: ["a", "", 1, 1.5, true, false],
  startsWith: ["a", ""],
  endsWith: ["a", ""],
  contains: ["a", ""],
  matches: ["a", "^a+$", "(a|b)", ""],
  lessThan: [1, 1.5],
  lessThanOrEqual: [1],
  greaterThan: [1],
  greaterThanOrEqual: [1],
  before: [1_700_000_000_000, "2023-11-14T22:13:20Z"],
  after: [1_700_000_000_000, "2023-11-14T22:13:20.5+01:00"],
  semVerEqual: ["2", "2.1", "2.1.0-rc.1"],
  semVerLessThan: ["2"],
  semVerGreaterThan: ["2"],
};
const attributes = [
  "a",
  "",
  0,
  1,
  1.5,
  2,
  true,
  false,
  "2",
  "2.1",
  "2.1.0-rc.1",
  "1.0.0",
  "3.0.0",
  1e11,
  2e12,
  [],
  {},
];
const values = [
  ...new Set(Object.values(good).flat()),
  null,
  {},
  [],
  "(",
  "[z-a]",
  "2023-11-14",
  "x",
  "01",
  "a".repeat(10_001),
];

for (const [op, ofOperator] of Object.entries(good)) {
  describe(op, () => {
    for (const value of ofOperator)
      test(`${JSON.stringify(value)} has no fault, and matches something`, () => {
        expect(clauseValueFault(op, value)).toBeUndefined();
        expect(attributes.some((attribute) => matches(op, attribute, value))).toBe(true);
      });

    test("what has a fault matches nothing", () => {
      const faulty = values.filter((value) => clauseValueFault(op, value) !== undefined);
      expect(faulty.length).toBeGreaterThan(2);
      for (const value of faulty)
        for (const attribute of [...attributes, value])
          expect(matches(op, attribute, value), `${JSON.stringify([attribute, op, value])}`).toBe(false);
    });
  });
}

const faults: readonly (readonly [op: string, value: unknown, fault: string | undefined])[] = [
  ["in", {}, "equals nothing"],
  ["contains", 1, "is no text"],
  ["matches", 1, "is no text"],
  ["matches", "(", "is no regular expression: it leaves a group open"],
  ["matches", "a".repeat(10_001), "is no regular expression: it has more than 10000 characters"],
  ["lessThan", "1", "is no number"],
  ["before", "2023-11-14", "is neither milliseconds since 1970 nor a time like 2027-01-31T18:00:00Z"],
  ["semVerEqual", "x", "is no version like 2.1.0"],
  ["segmentMatch", 1, "is no key of a segment"],
  ["segmentMatch", "team", undefined],
  ["equals", "a", 'is compared with "equals", which is no operator'],
];
/** What all operators of a kind say of what they do not compare. */
// biome-ignore format: a table
const ofKinds: readonly (readonly [ops: readonly string[], good: unknown, bad: unknown, fault: string])[] = [
  [["startsWith", "endsWith", "contains", "matches"], "1", 1, "is no text"],
  [["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"], 1, "1", "is no number"],
  [["before", "after"], 1, "1", "is neither milliseconds since 1970 nor a time like 2027-01-31T18:00:00Z"],
  [["semVerEqual", "semVerLessThan", "semVerGreaterThan"], "1", 1, "is no version like 2.1.0"],
];
test.each(ofKinds)("%j take %j, and %j is what they say it is", (ops, good, bad, fault) => {
  expect(ops.map((op) => clauseValueFault(op, good))).toEqual(ops.map(() => undefined));
  expect(ops.map((op) => clauseValueFault(op, bad))).toEqual(ops.map(() => fault));
});

test.each(faults)("%s %j: %s", (op, value, fault) => {
  expect(clauseValueFault(op, value)).toBe(fault);
});

/** For each fault of a pattern one that has it, and a near one that has none. */
const patternFaults: readonly (readonly [fault: string, faulty: string, sound: string])[] = [
  ["closes a group that is not open", "a)", "(a)"],
  ["leaves a group open", "(a", "(a)"],
  ["repeats a repetition", "a**", "a*?"],
  ["has a group of an unknown kind", "(?=a)", "(?:a)"],
  ["has two groups named n", "(?P<n>a)(?P<n>b)", "(?P<n>a)(?P<m>b)"],
  ["has a range that runs backwards", "[b-a]", "[a-a]"],
  ["repeats nothing", "*", "a*"],
  ["repeats too often", "a{1001}", "a{1000}"],
  ["repeats too often", "a{2,1}", "a{2,2}"],
  ["repeats too often", "(a{10}){101}", "(a{10}){100}"],
  ["ends too early", "a\\", "a\\\\"],
  ["ends too early", "[a", "[a]"],
  ["knows no property Nothing", "\\p{Nothing}", "\\p{Greek}"],
  ["knows no set [:none:]", "[[:none:]]", "[[:alpha:]]"],
  ["has an escape beyond Unicode", "\\x{110000}", "\\x{10ffff}"],
  ["has an unknown escape", "\\y", "\\."],
  ["has an unknown escape", "\\é", "\\-"],
];
test.each(patternFaults)("a pattern that %s: %s, not %s", (fault, faulty, sound) => {
  expect(clauseValueFault("matches", faulty)).toBe(`is no regular expression: it ${fault}`);
  expect(clauseValueFault("matches", sound)).toBeUndefined();
});

const nested = (depth: number, inner = "a") => `${"(".repeat(depth)}${inner}${")".repeat(depth)}`;

/** For each bound of a pattern one that is beyond it, and one that is within. */
const patternBounds: readonly (readonly [fault: string, beyond: string, within: string])[] = [
  ["is nested too deeply", nested(501), nested(500)],
  ["is nested too deeply", nested(499, "(a)((b))"), nested(499, "(a)(b)".repeat(300))],
  ["is nested too deeply", "(a)".repeat(9) + nested(501), "(a)((?:b)(?i:c))".repeat(501)],
  ["is nested too deeply", `(?i)${nested(501)}`, "(?i)a(?-i)".repeat(501)],
  ["has more than 10000 characters", `[${"a".repeat(9_999)}]`, `[${"a".repeat(9_998)}]`],
  ["is too large", `(?:${"a".repeat(100)}){100}`, `(?:${"a".repeat(99)}){101}`],
  ["is too large", `(?:${"[a-z]".repeat(1500)}){1000}`, `(?:${"[a-z]".repeat(9)}){1000}`],
];
for (const [fault, beyond, within] of patternBounds) {
  const excerpt = (pattern: string) => `${pattern.slice(0, 12)}… of ${pattern.length}`;
  test(`a pattern that ${fault}: ${excerpt(beyond)}, not ${excerpt(within)}`, () => {
    expect(clauseValueFault("matches", beyond)).toBe(`is no regular expression: it ${fault}`);
    expect(clauseValueFault("matches", within)).toBeUndefined();
  });
}
