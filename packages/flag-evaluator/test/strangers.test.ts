import { describe, expect, test } from "vitest";
import { compileFlags, contextFromBase64, createContext, parseContext, parseItem } from "../src/index.js";
import { dataOf, flag, flagWithClauses } from "./flags.js";
import { cpuTime, heapGrowth } from "./heap.js";

/** More than any of these takes on a slow machine, and much less than they took when the work was a product. */
const fast = 1500;
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe("the work for a context grows with the context", () => {
  const ofKinds = (count: number) => `{"kind":"multi",${many(count, (i) => `"k${i}":{"key":"a"}`).join()}}`;
  const read = (text: string) => parseContext(text, { maxLength: text.length });

  test("of too many kinds, or members", () => {
    const objects = (count: number) => `{"key":"u","custom":{"a":[${many(count, () => '{"b":1}').join()}]}}`;
    const tooMany: readonly (readonly [text: string, message: string])[] = [
      [ofKinds(1001), "a context may have 1000 kinds, this one has 1001"],
      [ofKinds(20_000), "a context may have 1000 kinds, this one has 20000"],
      [ofKinds(55_000), "it has 110001 members; there may be 50000"],
      [objects(49_998), "it has 50001 members; there may be 50000"],
    ];
    for (const [text, message] of tooMany)
      expect(cpuTime(() => expect(read(text)).toMatchObject({ ok: false, path: "", message }))).toBeLessThan(
        fast,
      );
    expect([read(ofKinds(1000)).ok, read(objects(49_997)).ok]).toEqual([true, true]);
  });

  test("of many kinds, against many clauses and big segments", () => {
    const result = read(ofKinds(1000));
    if (!result.ok) throw new Error(result.message);
    const asking = many(500, (i) => ({ attribute: "kind", op: "startsWith", values: [`no-${i}`] }));
    const flags = asking.map((clause, i) => flagWithClauses([clause], { key: `f${i}` }));
    const segments = many(2000, (i) => ({
      key: `s${i}`,
      version: 1,
      unbounded: true,
      generation: 1,
      unboundedContextKind: `k${i}`,
    }));
    const inAll = { attribute: "", op: "segmentMatch", values: segments.map(({ key }) => key) };
    const evaluator = compileFlags(dataOf([...flags, flagWithClauses([inAll], { key: "s" })], segments));
    expect(
      cpuTime(() => {
        evaluator.evaluateAll(result.context);
        expect(evaluator.bigSegmentsFor(result.context)).toHaveLength(1);
      }),
    ).toBeLessThan(fast);
  });

  const operators = ["startsWith", "lessThan", "after", "semVerGreaterThan", "matches", "contains"];
  const values = [1, "2020-01-01T00:00:00Z", "1.0.0", "[xyz]+1"];
  test("of a long list, whatever clauses ask about it", () => {
    const flags = many(600, (i) =>
      flagWithClauses([{ attribute: "list", op: operators[i % 6], values: [...values, i] }], {
        key: `f${i}`,
      }),
    );
    const evaluator = compileFlags(dataOf(flags));
    const context = createContext({ kind: "user", key: "u", list: many(300_000, (i) => i % 10) });
    expect(cpuTime(() => evaluator.evaluateAll(context))).toBeLessThan(fast);
  });

  test("of a long list of texts, which is gone through once for all clauses that ask about it", () => {
    const context = createContext({ kind: "user", key: "u", list: many(100_000, (i) => `text ${i}`) });
    const cost = (count: number) => {
      const flags = many(count, (i) =>
        flagWithClauses([{ attribute: "list", op: "startsWith", values: [`no ${i}`] }], { key: `f${i}` }),
      );
      const evaluator = compileFlags(dataOf(flags));
      return Math.min(...many(5, () => cpuTime(() => evaluator.evaluateAll(context))));
    };
    cost(20);
    // Twenty times as much, when the texts were looked out for each clause.
    expect(cost(20) / cost(1)).toBeLessThan(12);
  });

  test("of a long text, whatever clauses ask about it", () => {
    const flags = many(600, (i) =>
      flagWithClauses([{ attribute: "text", op: operators[i % 6], values: [...values, `${i}`] }], {
        key: `f${i}`,
      }),
    );
    const evaluator = compileFlags(dataOf(flags));
    for (const text of ["1", "1.1-", "x", "[xyz]", "é1"].map((part) => part.repeat(900_000 / part.length))) {
      const context = createContext({ kind: "user", key: "u", text });
      expect(
        cpuTime(() => evaluator.evaluateAll(context)),
        text.slice(0, 5),
      ).toBeLessThan(fast);
    }
  });

  test("of a long key, however many rollouts deal it out", () => {
    const rollout = {
      variations: [
        { variation: 0, weight: 50_000 },
        { variation: 1, weight: 50_000 },
      ],
    };
    const flags = many(300, (i) => flag(`f${i}`, { fallthrough: { rollout }, salt: `${i}` }));
    const evaluator = compileFlags(dataOf(flags));
    for (const context of [
      createContext({ kind: "user", key: "k".repeat(900_000) }),
      createContext({ key: "k", secondary: "s".repeat(900_000) }),
    ]) {
      expect(cpuTime(() => evaluator.evaluateAll(context))).toBeLessThan(fast);
    }
  });
});

describe("memory", () => {
  test("does not grow with the unknown keys that are asked about", () => {
    const evaluator = compileFlags(dataOf([flag("f")]));
    const name = (i: number) => `${i}-${"x".repeat(100)}`;
    const grown = heapGrowth(() => {
      for (let i = 0; i < 100_000; i++) {
        evaluator.affectedBy("flags", name(i));
        evaluator.affectedBy("segments", name(i));
        evaluator.item("flags", name(i));
        evaluator.references("segments", name(i));
      }
      return evaluator;
    });
    expect(grown).toBeLessThan(4_000_000);
  });

  test("does not grow with the versions and times that contexts have", () => {
    const clauses = { v: ["semVerLessThan", "1.0.0"], t: ["before", "2000-01-01T00:00:00Z"] };
    const flags = Object.entries(clauses).map(([attribute, [op, value]]) =>
      flagWithClauses([{ attribute, op, values: [value] }], { key: attribute }),
    );
    const evaluator = compileFlags(dataOf(flags));
    const grown = heapGrowth(() => {
      for (let i = 1; i < 50_000; i++) {
        const [v, t] = [`${i}.0.0`, new Date(i * 1e9).toISOString()];
        const context = createContext({ kind: "user", key: "k", v, t });
        for (const key of ["v", "t"]) evaluator.evaluate(key, context);
      }
      return evaluator;
    });
    expect(grown).toBeLessThan(2_000_000);
  });

  test("is given back for what updates have left behind", () => {
    let evaluator = compileFlags(dataOf([flag("f")]));
    const grown = heapGrowth(() => {
      for (let version = 2; version < 400; version++) {
        const values = many(500, (i) => `${version}-${i}-${"x".repeat(100)}`);
        evaluator = evaluator.upsert(
          "flags",
          "f",
          flag("f", { version, targets: [{ variation: 1, values }] }),
        );
      }
      return evaluator;
    });
    expect(grown).toBeLessThan(15_000_000);
  });

  test("of a whole put is not kept for the few items that were taken from it", () => {
    let evaluator = compileFlags({});
    const put = (round: number) =>
      `${many(40, (i) => JSON.stringify({ version: i === round ? 2 : 1, i, salt: "x".repeat(50_000) })).join("\n")}${round}`;
    const grown = heapGrowth(() => {
      for (let round = 0; round < 40; round++) {
        const items = put(round)
          .split("\n")
          .map((text, i) => parseItem("flags", `f${i}`, text.slice(0, text.lastIndexOf("}") + 1)));
        evaluator = evaluator.apply({ extent: "full", items });
      }
      return evaluator;
    });
    expect(grown).toBeLessThan(10_000_000);
  });
});

test("an attribute of one kind is not taken for that of another whose names join to the same text", () => {
  const clauses = [
    { contextKind: "a", attribute: "b/c", op: "in", values: [1] },
    { contextKind: "a/b", attribute: "c", op: "in", values: [1] },
  ];
  for (const order of [clauses, clauses.toReversed()]) {
    const evaluator = compileFlags(
      dataOf(order.map((clause) => flagWithClauses([clause], { key: clause.contextKind }))),
    );
    const context = createContext({ kind: "a", key: "k", "b/c": 1 });
    expect(evaluator.evaluate("a", context).reason.kind).toBe("RULE_MATCH");
    expect(evaluator.evaluate("a/b", context).reason.kind).toBe("FALLTHROUGH");
  }
});

test("flags that are not known are affected by themselves alone", () => {
  const evaluator = compileFlags(dataOf([flag("f", { prerequisites: [{ key: "later", variation: 0 }] })]));
  expect(evaluator.affectedBy("flags", "never-heard-of")).toEqual(["never-heard-of"]);
  expect(evaluator.affectedBy("segments", "never-heard-of")).toEqual([]);
  expect(evaluator.affectedBy("flags", "later")).toEqual(["f", "later"]);
});

describe("a call that makes no sense says so", () => {
  const evaluator = compileFlags(dataOf([flag("a")]));
  // What a program without types may pass.
  const rubbish: never[] = [undefined, null, 5, [], () => {}] as never[];
  const wrongKind = /the kind must be "flags" or "segments", not/;
  const cases: [string, (given: never) => unknown, RegExp][] = [
    ["compileFlags", (given) => compileFlags(given), /expected \{ flags, segments \}, got/],
    ["replace", (given) => evaluator.replace(given), /expected \{ flags, segments \}, got/],
    ["item", (given) => evaluator.item(given, "a"), wrongKind],
    ["items", (given) => evaluator.items(given), wrongKind],
    ["references", (given) => evaluator.references(given, "a"), wrongKind],
    ["affectedBy", (given) => evaluator.affectedBy(given, "a"), wrongKind],
    ["upsert", (given) => evaluator.upsert(given, "a", "{}"), wrongKind],
    ["delete", (given) => evaluator.delete(given, "a", 1), wrongKind],
    ["parseItem", (given) => parseItem(given, "a", "{}"), wrongKind],
  ];
  for (const [name, call, says] of cases) {
    test(name, () => {
      for (const given of [...rubbish, "flag" as never]) {
        expect(() => call(given), String(given)).toThrow(TypeError);
        expect(() => call(given), String(given)).toThrow(says);
      }
    });
  }

  test("contexts that are no text are failures, as others", () => {
    for (const given of rubbish) {
      expect(parseContext(given)).toMatchObject({ ok: false, code: "json" });
      expect(contextFromBase64(given)).toMatchObject({ ok: false, code: "base64" });
    }
  });
});
