import { expect, test } from "vitest";
import { type BigSegments, compileFlags, createContext, formatExplanation } from "../src/index.js";
import { dataOf, evaluateFirst, flag, flagWithClauses, type Item, segment } from "./flags.js";

// What one evaluation, flag or evaluator finds is not that of another.

const user = createContext({ kind: "user", key: "u", country: "fr" });
const asks = (...keys: readonly unknown[]): Item => ({ attribute: "", op: "segmentMatch", values: keys });
const rule = (...clauses: readonly Item[]): Item => ({ variation: 1, clauses });

test("an evaluator that was not asked for all flags before a change knows none of the new ones", () => {
  const first = compileFlags(dataOf([flag("a"), flag("c")]));
  const next = first.upsert("flags", "b", flag("b")).delete("flags", "c", 2);
  expect(Object.keys(JSON.parse(first.evaluateAll(user)))).toEqual(["a", "c"]);
  expect(Object.keys(JSON.parse(next.evaluateAll(user)))).toEqual(["a", "b"]);
});

test("a flag that says something else has changed, whatever its version", () => {
  const first = compileFlags(dataOf([flag("same"), flag("older", { version: 5 }), flag("equal")]));
  const others = [flag("same"), flag("older", { version: 4 }), flag("equal", { salt: "other" })];
  expect(first.replace(dataOf(others)).changedSince(first)).toEqual(["equal", "older"]);
});

test("a clause that several flags share has no status of what one of them asked before", () => {
  const big = (key: string, unboundedContextKind: string) =>
    segment(key, { unbounded: true, unboundedContextKind, generation: 1 });
  const data = dataOf(
    [
      flag("first", { rules: [rule(asks("stale")), rule(asks("healthy"))] }),
      flag("second", { rules: [rule(asks("healthy"))] }),
    ],
    [big("stale", "org"), big("healthy", "user")],
  );
  const bigSegments: BigSegments = new Map([
    ["o", { status: "STALE", segments: new Map() }],
    ["u", { status: "HEALTHY", segments: new Map() }],
  ]);
  const context = createContext({ kind: "multi", user: { key: "u" }, org: { key: "o" } });
  const all = JSON.parse(compileFlags(data).evaluateAll(context, { bigSegments, withReasons: true }));
  expect([all.first.reason.bigSegmentsStatus, all.second.reason.bigSegmentsStatus]).toEqual([
    "STALE",
    "HEALTHY",
  ]);
});

test("a value of another type than the fallback has no variation", () => {
  const detail = compileFlags(dataOf([flag("f")])).evaluate("f", user, { fallback: 5 });
  expect([detail.value, detail.variation, detail.reason]).toEqual([
    5,
    undefined,
    { kind: "ERROR", errorKind: "WRONG_TYPE" },
  ]);
});

test("only texts name segments", () => {
  const { variation } = evaluateFirst(
    [flagWithClauses([asks(5, null)])],
    { kind: "user", key: "u" },
    {
      segments: [segment("5", { included: ["u"] }), segment("null", { included: ["u"] })],
    },
  );
  expect(variation).toBe(0);
});

test("a reference that is none makes a flag malformed, whether or not the operator is known", () => {
  for (const op of ["in", "startsWith", "unknown"]) {
    const clause = { contextKind: "user", attribute: "", op, values: ["x"] };
    const { reason } = evaluateFirst([flagWithClauses([clause])], { kind: "user", key: "u" });
    expect(reason).toEqual({ kind: "ERROR", errorKind: "MALFORMED_FLAG" });
  }
});

test("what is no text neither begins, ends nor matches, and is no error", () => {
  for (const op of ["startsWith", "endsWith", "contains", "matches"]) {
    const clause = { attribute: "n", op, values: ["5"] };
    const { reason } = evaluateFirst([flagWithClauses([clause])], { kind: "user", key: "u", n: 5 });
    expect(reason).toEqual({ kind: "FALLTHROUGH" });
  }
});

test("weights are whole: what is less than one is nothing", () => {
  const variations = [
    { variation: 0, weight: 0.9 },
    { variation: 1, weight: 100_000 },
  ];
  const one = flag("f", { fallthrough: { rollout: { contextKind: "org", variations } } });
  expect(evaluateFirst([one], { kind: "user", key: "u" }).variation).toBe(1);
});

test("a flag that is off names the prerequisites that were asked, and a target is no experiment", () => {
  const prerequisites = ["b", "c"].map((key) => ({ key, variation: 1 }));
  const flags = [
    flag("a", { prerequisites }),
    flag("b"),
    flag("c"),
    flag("d", { targets: [{ variation: 1, values: ["u"] }] }),
    flag("e", { prerequisites, rules: 5 }),
  ];
  const all = JSON.parse(compileFlags(dataOf(flags)).evaluateAll(user));
  expect(all.a).toEqual({ value: "c", variation: 2, version: 1, prerequisites: ["b"] });
  expect(all.d).toEqual({ value: "b", variation: 1, version: 1 });
  expect(all.e).toEqual({ value: null, variation: null, version: 1 });
});

test("a flag that is off still refers to the segments of its rules", () => {
  const off = flag("f", { on: false, rules: [rule(asks("s"))] });
  expect(compileFlags(dataOf([off], [segment("s")])).affectedBy("segments", "s")).toEqual(["f"]);
});

test("a rollout without shares is malformed", () => {
  const one = flag("f", { fallthrough: { rollout: { variations: [] } } });
  expect(evaluateFirst([one], { kind: "user", key: "u" }).reason).toMatchObject({
    errorKind: "MALFORMED_FLAG",
  });
});

test("keys of another kind that are none stand for no plain target", () => {
  const one = flag("f", {
    targets: [{ variation: 1, values: ["u"] }],
    contextTargets: [{ contextKind: "org", variation: 1, values: [] }],
  });
  expect(evaluateFirst([one], { kind: "user", key: "u" }).reason).toEqual({ kind: "FALLTHROUGH" });
});

test("texts that ask two attributes for the same are two tests", () => {
  const clause = (attribute: string): Item => ({ attribute, op: "startsWith", values: ["f"] });
  const flags = [
    flag("a", { rules: [rule(clause("name"))] }),
    flag("b", { rules: [rule(clause("country"))] }),
  ];
  const named = createContext({ kind: "user", key: "u", name: "x", country: "fr" });
  const all = JSON.parse(compileFlags(dataOf(flags)).evaluateAll(named));
  expect([all.a.variation, all.b.variation]).toEqual([0, 1]);
});

const explained = (flags: readonly Item[], segments: readonly Item[] = []): string =>
  formatExplanation(compileFlags(dataOf(flags, segments)).explain("f", user));

test("an explanation names a flag that cannot be read, and an off variation of 0", () => {
  const text = formatExplanation(compileFlags(dataOf([])).upsert("flags", "f", "5").explain("f", user));
  expect(text).toContain("reading the flag: error");
  expect(explained([flag("f", { on: false, offVariation: 0 })])).toContain("the off variation is 0");
});

test("an explanation tells a prerequisite that gives no variation from one that is malformed", () => {
  const needs = flag("f", { prerequisites: [{ key: "p", variation: 0 }] });
  const empty = flag("p", { fallthrough: {} });
  expect(explained([needs, empty])).toContain('prerequisite "p" has variation 0: no');
  expect(explained([needs, flag("p", { rules: 5 })])).toContain(
    'prerequisite "p" has variation 0: error — it is malformed',
  );
});

test("an explanation says of lists of contexts alone that they do not have the context", () => {
  const one = flag("f", { contextTargets: [{ contextKind: "user", variation: 1, values: ["x"] }] });
  expect(explained([one])).toContain("targets: no — the context is not listed");
});

test("an explanation repeats what a segment says, and deals out no share behind a clause that does not match", () => {
  const not = (clause: Item): Item => ({ ...clause, negate: true });
  const twice = flag("f", { rules: [rule(not(asks("s"))), rule(asks("s"))] });
  expect(explained([twice], [segment("s", { included: ["u"] })])).toContain(
    'segment "s": yes — as explained above',
  );
  const german = { attribute: "country", op: "in", values: ["de"] };
  const shared = segment("s", { rules: [{ clauses: [german], weight: 50_000 }] });
  expect(explained([flag("f", { rules: [rule(asks("s"))] })], [shared])).not.toContain("among 50 %");
});
