import { expect, test } from "vitest";
import { clauseMatches, evaluateFirst, flagWithClauses, type Item } from "./flags.js";

// The families of the SDKs' contract tests that are about clauses, as tables of their own.

const address = { city: "Paris", "a/b": { "c~d": 1 }, list: ["x", "y"] };
const single = {
  kind: "user",
  key: "k",
  name: "n",
  anonymous: true,
  address,
  "a/b": "slash",
  "/x": "literal",
  "a~1b": "tilde one",
  "a~b": "tilde",
  "": "empty",
};

const references = [
  { name: "a plain name", reference: "address", kind: "user", found: false, note: "objects equal nothing" },
  { name: "a plain name with a slash in it", reference: "a/b", kind: "user", values: ["slash"] },
  { name: "a path", reference: "/address/city", kind: "user", values: ["Paris"] },
  { name: "a path of one step", reference: "/a~1b", kind: "user", values: ["slash"] },
  { name: "an escaped tilde before a one", reference: "/a~01b", kind: "user", values: ["tilde one"] },
  { name: "an escaped tilde", reference: "/a~0b", kind: "user", values: ["tilde"] },
  {
    name: "an escaped tilde before a zero",
    reference: "/a~00b",
    kind: "user",
    values: ["tilde"],
    found: false,
  },
  { name: "escapes within a path", reference: "/address/a~1b/c~0d", kind: "user", values: [1] },
  { name: "an array at the end of a path", reference: "/address/list", kind: "user", values: ["y"] },
  { name: "no index into an array", reference: "/address/list/0", kind: "user", values: ["x"], found: false },
  { name: "no path through text", reference: "/name/length", kind: "user", values: [1], found: false },
  { name: "a missing member", reference: "/address/zip", kind: "user", values: ["x"], found: false },
  { name: "a missing attribute", reference: "zip", kind: "user", values: ["x"], found: false },
  {
    name: "no members that all objects have",
    reference: "/address/constructor",
    kind: "user",
    values: ["x"],
    found: false,
  },
  { name: "a plain name where no kind is given", reference: "/x", values: ["literal"] },
  { name: "no path where no kind is given", reference: "/address/city", values: ["Paris"], found: false },
  { name: "the key", reference: "key", kind: "user", values: ["k"] },
  { name: "the key as a path", reference: "/key", kind: "user", values: ["k"] },
  { name: "the name", reference: "name", kind: "user", values: ["n"] },
  { name: "anonymous", reference: "anonymous", kind: "user", values: [true] },
  { name: "not _meta", reference: "/_meta/privateAttributes", kind: "user", values: ["x"], found: false },
];

for (const { name, reference, kind, values = [{}], found = true } of references) {
  test(`an attribute reference finds ${name}`, () => {
    const clause = {
      attribute: reference,
      op: "in",
      values,
      ...(kind === undefined ? {} : { contextKind: kind }),
    };
    const context = { ...single, _meta: { privateAttributes: ["x"] } };
    expect(clauseMatches(clause, context)).toBe(found);
  });
}

const invalidReferences = ["", "/", "//", "/a//b", "/a/", "/a~", "/a~2b", "/~"];

for (const attribute of invalidReferences) {
  test(`the invalid reference ${JSON.stringify(attribute)} in a clause makes a flag malformed`, () => {
    const flags = [flagWithClauses([{ contextKind: "user", attribute, op: "in", values: ["x"] }])];
    expect(evaluateFirst(flags, single).reason).toEqual({ kind: "ERROR", errorKind: "MALFORMED_FLAG" });
  });
}

test("an invalid reference that is not reached does no harm", () => {
  const never = { attribute: "key", op: "in", values: [] };
  const invalid = { contextKind: "user", attribute: "//", op: "in", values: ["x"] };
  expect(evaluateFirst([flagWithClauses([never, invalid])], single).reason).toEqual({ kind: "FALLTHROUGH" });
});

test("a clause without any attribute is malformed, unless it is about segments", () => {
  expect(evaluateFirst([flagWithClauses([{ op: "in", values: ["x"] }])], single).reason.kind).toBe("ERROR");
  expect(evaluateFirst([flagWithClauses([{ op: "segmentMatch", values: ["x"] }])], single).reason.kind).toBe(
    "FALLTHROUGH",
  );
});

const builtIns = [
  {
    name: "anonymous is false where it is not said",
    context: { kind: "user", key: "k" },
    attribute: "anonymous",
    values: [false],
    matches: true,
  },
  {
    name: "a name that is null is missing",
    context: { kind: "user", key: "k", name: null },
    attribute: "name",
    values: [null],
    matches: false,
  },
  {
    name: "an attribute that is null is missing",
    context: { kind: "user", key: "k", a: null },
    attribute: "a",
    values: [null],
    matches: false,
  },
  {
    name: "old users have built-in attributes",
    context: { key: "k", email: "e", firstName: "f" },
    attribute: "firstName",
    values: ["f"],
    matches: true,
  },
  {
    name: "old users keep what stands before their custom attributes and is none of those",
    context: { key: "k", email: "e", firstName: "f", custom: { email: "c" } },
    attribute: "firstName",
    values: ["f"],
    matches: true,
  },
  ...["name", "ip", "country", "email", "lastName", "avatar"].map((attribute) => ({
    name: `old users have ${attribute}`,
    context: { key: "k", [attribute]: "x" },
    attribute,
    values: ["x"],
    matches: true,
  })),
  {
    name: "old users have custom attributes",
    context: { key: "k", custom: { a: 1 } },
    attribute: "a",
    values: [1],
    matches: true,
  },
  {
    name: "old users have nothing else",
    context: { key: "k", other: 1 },
    attribute: "other",
    values: [1],
    matches: false,
  },
  {
    name: "old users cannot set their key through custom",
    context: { key: "k", custom: { key: "x" } },
    attribute: "key",
    values: ["k"],
    matches: true,
  },
  {
    name: "a custom attribute that comes later wins",
    context: { key: "k", country: "a", custom: { country: "b" } },
    attribute: "country",
    values: ["b"],
    matches: true,
  },
  {
    name: "a built-in attribute that comes later wins",
    context: { key: "k", custom: { country: "b" }, country: "a" },
    attribute: "country",
    values: ["a"],
    matches: true,
  },
  {
    name: "a custom null that comes later removes",
    context: { key: "k", country: "a", custom: { country: null } },
    attribute: "country",
    values: ["a"],
    matches: false,
  },
  {
    name: "names like __proto__ are data",
    context: JSON.parse('{"kind":"user","key":"k","__proto__":"p"}'),
    attribute: "__proto__",
    values: ["p"],
    matches: true,
  },
  {
    name: "names like __proto__ are data in custom",
    context: JSON.parse('{"key":"k","custom":{"__proto__":"p"}}'),
    attribute: "__proto__",
    values: ["p"],
    matches: true,
  },
  {
    name: "names like toString are not there by themselves",
    context: { kind: "user", key: "k" },
    attribute: "toString",
    values: [""],
    matches: false,
  },
];

for (const { name, context, attribute, values, matches } of builtIns) {
  test(name, () => {
    expect(clauseMatches({ attribute, op: "in", values }, context)).toBe(matches);
    expect(clauseMatches({ attribute, op: "in", values: ["other"], negate: true }, context)).toBe(matches);
  });
}

const org = { kind: "org", key: "o" };
const both = { kind: "multi", user: { key: "u", a: 1 }, org: { key: "o", a: 2 } };
const kinds: readonly { name: string; clause: Item; context: object; matches: boolean }[] = [
  {
    name: "no kind means the user",
    clause: { attribute: "a", op: "in", values: [1] },
    context: both,
    matches: true,
  },
  {
    name: "an empty kind means the user",
    clause: { contextKind: "", attribute: "a", op: "in", values: [1] },
    context: both,
    matches: true,
  },
  {
    name: "a kind chooses a part",
    clause: { contextKind: "org", attribute: "a", op: "in", values: [2] },
    context: both,
    matches: true,
  },
  {
    name: "a missing kind does not match",
    clause: { attribute: "key", op: "in", values: ["o"] },
    context: org,
    matches: false,
  },
  {
    name: "a missing kind does not match when negated",
    clause: { attribute: "key", op: "in", values: ["x"], negate: true },
    context: org,
    matches: false,
  },
  {
    name: "the kind of a single context",
    clause: { attribute: "kind", op: "in", values: ["org"] },
    context: org,
    matches: true,
  },
  {
    name: "the kind of a single context, negated",
    clause: { attribute: "kind", op: "in", values: ["org"], negate: true },
    context: org,
    matches: false,
  },
  {
    name: "any kind of a multi-kind context",
    clause: { attribute: "kind", op: "in", values: ["org"] },
    context: both,
    matches: true,
  },
  {
    name: "all kinds of a multi-kind context, negated",
    clause: { attribute: "kind", op: "in", values: ["org"], negate: true },
    context: both,
    matches: false,
  },
  {
    name: "kinds with other operators",
    clause: { attribute: "kind", op: "startsWith", values: ["us"] },
    context: both,
    matches: true,
  },
  {
    name: "kinds whatever the kind of the clause",
    clause: { contextKind: "device", attribute: "kind", op: "in", values: ["user"] },
    context: both,
    matches: true,
  },
  {
    name: "never the kind multi",
    clause: { attribute: "kind", op: "in", values: ["multi"] },
    context: both,
    matches: false,
  },
];

for (const { name, clause, context, matches } of kinds) {
  test(`clauses match by kind: ${name}`, () => {
    expect(clauseMatches(clause, context)).toBe(matches);
  });
}

const iteration = [
  { name: "any of several values", attribute: "b", values: ["a", "b"], plain: true, negated: false },
  { name: "none of several values", attribute: "b", values: ["a", "c"], plain: false, negated: true },
  { name: "no values", attribute: "b", values: [], plain: false, negated: true },
  { name: "any element of an array", attribute: ["x", "b"], values: ["a", "b"], plain: true, negated: false },
  { name: "no element of an array", attribute: ["x", "y"], values: ["a", "b"], plain: false, negated: true },
  { name: "an empty array", attribute: [], values: ["a"], plain: false, negated: true },
  { name: "arrays within arrays", attribute: [["a"]], values: ["a"], plain: false, negated: true },
  { name: "a missing attribute", attribute: undefined, values: ["a"], plain: false, negated: false },
  { name: "a null attribute", attribute: null, values: ["a"], plain: false, negated: false },
];

for (const op of ["in", "startsWith"]) {
  for (const { name, attribute, values, plain, negated } of iteration) {
    test(`${op} with ${name}, plain and negated`, () => {
      const context = { kind: "user", key: "k", a: attribute };
      expect(clauseMatches({ attribute: "a", op, values }, context)).toBe(plain);
      expect(clauseMatches({ attribute: "a", op, values, negate: true }, context)).toBe(negated);
    });
  }
}

test("an unknown operator never matches, and so always matches when negated", () => {
  for (const op of ["frobnicate", "", "toString", "__proto__", "constructor", "IN"]) {
    const clause = { attribute: "key", op, values: ["k"] };
    expect([op, clauseMatches(clause, single), clauseMatches({ ...clause, negate: true }, single)]).toEqual([
      op,
      false,
      true,
    ]);
  }
});

test("a clause with more comparisons than the limit is malformed", () => {
  const values = Array.from({ length: 2000 }, (_, i) => `x${i}`);
  const flags = [flagWithClauses([{ attribute: "list", op: "startsWith", values }])];
  const context = (length: number) => ({ kind: "user", key: "k", list: Array(length).fill("y") });
  expect(evaluateFirst(flags, context(500)).reason).toEqual({ kind: "FALLTHROUGH" });
  expect(evaluateFirst(flags, context(501)).reason).toEqual({ kind: "ERROR", errorKind: "MALFORMED_FLAG" });
});

test("clauses about the same attribute do not disturb each other", () => {
  const clauses = [
    { attribute: "a", op: "in", values: ["x", "y"] },
    { attribute: "a", op: "in", values: ["y"], negate: true },
    { attribute: "a", op: "in", values: [1] },
    { attribute: "a", op: "in", values: ["x"] },
    { attribute: "a", op: "in", values: ["1", true], negate: true },
  ];
  const results = clauses.map((clause) => clauseMatches(clause, { kind: "user", key: "k", a: "x" }));
  const rules = clauses.map((clause, i) => ({
    id: `${i}`,
    variation: 1,
    clauses: [clause, { attribute: "n", op: "in", values: [i] }],
  }));
  const together = clauses.map(
    (_, n) =>
      evaluateFirst([flagWithClauses([], { rules })], { kind: "user", key: "k", a: "x", n }).variation === 1,
  );
  expect(results).toEqual([true, true, false, true, true]);
  expect(together).toEqual(results);
});
